"""What is attached to a message: listed, and opened as documents of their own."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from chunkscope.core.errors import ChunkscopeError, LoadError
from chunkscope.core.loaders.base import Draft, Source
from chunkscope.core.loaders.mail.body import MESSAGE_TYPES, Attached
from chunkscope.core.loaders.mail.decoding import text_codec
from chunkscope.core.sandbox.watch import Watch

log = logging.getLogger(__name__)

MAX_DEPTH = 5


class ScopedWatch(Watch):
    """The watch of a part: its keys cannot be mistaken for those of another part."""

    def __init__(self, outer: Watch, scope: str) -> None:
        super().__init__(limits=outer.limits)
        self._outer = outer
        self._scope = scope

    def progress(self, done: int, total: int, note: str = "") -> None:
        self._outer.progress(done, total, note)

    def begin(self, key: str) -> None:
        self._outer.begin(f"{self._scope}/{key}")

    def keep(self, key: str, blob: bytes) -> None:
        self._outer.keep(f"{self._scope}/{key}", blob)

    def kept(self, key: str) -> bytes | bytearray | None:
        return self._outer.kept(f"{self._scope}/{key}")

    def skipped(self, key: str) -> str | None:
        return self._outer.skipped(f"{self._scope}/{key}")


@dataclass(slots=True)
class Attachment:
    """An attached file with its bytes; what was broken in its wrapping is in `problems`."""

    number: int
    name: str
    type: str
    data: bytes
    charset: str = ""
    reason: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """How it is listed below the message."""
        return f"{self.name} ({self.type}, {_size(len(self.data))})"

    @property
    def key(self) -> str:
        return f"attachment {self.number}: {self.name}"


def unwrap(attached: list[Attached]) -> list[Attachment]:
    """The bytes of each attachment; together they are smaller than the message."""
    found = []
    for number, entry in enumerate(attached, start=1):
        data, problems = entry.part.content()
        charset = entry.part.headers.param("charset")
        kind = entry.part.type
        found.append(Attachment(number, entry.name, kind, data, charset, entry.reason, problems))
    return found


def open_attachments(
    attachments: list[Attachment], source: Source, draft: Draft, watch: Watch
) -> None:
    """Load what can be read as children of the message; the rest stays listed, with the reason."""
    for attachment in attachments:
        watch.progress(attachment.number, len(attachments), attachment.name)
        draft.missing += [f"attachment {attachment.name}: {text}" for text in attachment.problems]
        if attachment.reason:
            draft.warnings.append(f"attachment {attachment.name} not read: {attachment.reason}")
        elif not attachment.data.strip():
            draft.warnings.append(f"attachment {attachment.name} is empty")
        elif source.depth >= MAX_DEPTH:
            draft.missing.append(
                f"attachment {attachment.name} not read: it is inside of {MAX_DEPTH} others"
            )
        elif stopped := watch.skipped(attachment.key):
            draft.missing.append(f"attachment {attachment.name} not read: {stopped}")
        else:
            watch.begin(attachment.key)
            draft.children += _open(attachment, source, draft, watch)


def _open(attachment: Attachment, source: Source, draft: Draft, watch: Watch) -> list[Draft]:
    children: list[Draft] = []
    try:
        for child in _parse(attachment, source, ScopedWatch(watch, attachment.key)):
            child.part = f"{attachment.key}#{child.part}" if child.part else attachment.key
            child.title = child.title or attachment.name
            children.append(child)
    except ChunkscopeError as problem:
        reason = problem.reason if isinstance(problem, LoadError) else str(problem)
        told = draft.missing if children else draft.warnings
        told.append(f"attachment {attachment.name} not read: {reason}")
    except MemoryError:
        raise  # only a new worker has memory again
    except Exception as problem:
        log.debug("attachment failed", exc_info=problem)
        draft.missing.append(
            f"attachment {attachment.name} could not be parsed "
            f"({type(problem).__name__}); it may be damaged"
        )
    return children


def _parse(attachment: Attachment, source: Source, watch: Watch) -> Iterator[Draft]:
    from chunkscope.core.loaders.run import parse

    part = source.part(attachment.data, attachment.key)
    options = part.options
    if attachment.type in MESSAGE_TYPES:
        options = replace(options, format="mail")
    elif attachment.type.startswith("text/"):
        # A declared charset is worth more than a guess; parts in UTF-8 need neither.
        options = replace(options, encoding=text_codec(attachment.data, attachment.charset))
    yield from parse(replace(part, options=options), watch)


def _size(count: int) -> str:
    if count < 1000:
        return f"{count} byte" if count == 1 else f"{count} bytes"
    if count < 1_000_000:
        return f"{count / 1000:.0f} kB"
    return f"{count / 1_000_000:.1f} MB"
