"""The loader's task inside a worker: read the file, recognise it, parse it, hand it over."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, LoadOptions, Source
from chunkscope.core.loaders.detect import CONTAINERS, by_extension, detect
from chunkscope.core.loaders.every import formats
from chunkscope.core.model import content_hash, document_id
from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.watch import Watch

TASK = "chunkscope.core.loaders.run:load_file"
_PIECE = 8 << 20


def load_file(args: dict[str, Any], watch: Watch) -> None:
    """Load the file `path` and send every document found in it."""
    path, limits = str(args["path"]), watch.limits
    source = Source(read_file(path, watch), args["name"], LoadOptions(**args["options"]), limits)
    del args
    for draft in parse(source, watch):
        send(draft, source.name, "", watch)


def load_bytes(args: dict[str, Any], watch: Watch) -> None:
    """Load pasted or dropped text, given as a checkpoint called `data`."""
    data = bytes(watch.kept("data") or b"")
    source = Source(data, args["name"], LoadOptions(**args["options"]), watch.limits)
    for draft in parse(source, watch):
        draft.warnings[:0] = args["warnings"]
        send(draft, source.name, "", watch)


def parse(source: Source, watch: Watch) -> Iterator[Draft]:
    """The documents in a source, by the loader that fits it."""
    name = source.options.format or detect(source)
    chosen = formats[name]
    promised = "" if source.options.format else by_extension(source.name)
    if chosen.is_markup and len(source.data) > source.limits.markup_bytes:
        raise _too_large(len(source.data), source.limits.markup_bytes, chosen.label)
    for draft in chosen.load(source, watch):
        if draft.utf8 is None:
            draft.utf8 = source.utf8_of(draft.text)
            source.verbatim.clear()  # or it would hold the text while that travels
        if promised in CONTAINERS and promised != name:
            draft.warnings.insert(0, f"is named like {formats[promised].label} but is not one")
        yield draft


def read_file(path: str, watch: Watch) -> bytes:
    """All bytes of a regular file that stays the same meanwhile."""
    for _ in range(2):
        data, is_stable = _read_once(path, watch)
        if is_stable:
            return data
    raise LoadError("", "changed while it was being read; load it again when it is finished")


def _read_once(path: str, watch: Watch) -> tuple[bytes, bool]:
    # Opening a FIFO would wait for a writer; O_NONBLOCK does not, and means nothing to a file.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except OSError as problem:
        raise LoadError("", _os_reason(problem)) from None
    try:
        before = os.fstat(handle)
        if not stat.S_ISREG(before.st_mode):
            raise LoadError("", "is not a regular file")
        data = _read_all(handle, before.st_size, watch)
        after = os.fstat(handle)
    except OSError as problem:
        raise LoadError("", _os_reason(problem)) from None
    finally:
        os.close(handle)
    is_stable = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    # Files of /proc claim to be empty.
    return data, is_stable and (before.st_size in (0, len(data)))


def _read_all(handle: int, size: int, watch: Watch) -> bytes:
    limit = watch.limits.file_bytes
    if size > limit:
        raise _too_large(size, limit, "file")
    pieces: list[bytes] = []
    done = 0
    while piece := os.read(handle, max(size - done, _PIECE) if not pieces else _PIECE):
        pieces.append(piece)
        done += len(piece)
        watch.progress(done, size, "reading")
        if done > limit:
            raise _too_large(done, limit, "file")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _too_large(size: int, limit: int, noun: str) -> LoadError:
    return LoadError(
        "",
        f"{size / 1e6:,.0f} MB is over the limit of {limit / 1e6:,.0f} MB for one {noun} "
        "(the limit can be raised)",
    )


def _os_reason(problem: OSError) -> str:
    return f"cannot be read ({problem.strerror or problem})"


def send(draft: Draft, source: str, parent_id: str, watch: Watch) -> None:
    """Hand over a document and, behind it, its children."""
    name = f"{source}#{draft.part}" if draft.part else source
    _check_size(draft, watch.limits)
    utf8 = draft.utf8 if draft.utf8 is not None else draft.text.encode("utf-8")
    text_hash = content_hash(utf8)
    blocks = draft.blocks
    identity = document_id(name, text_hash)
    head = {
        "id": identity,
        "parent_id": parent_id,
        "title": draft.title or default_title(name),
        "source": name,
        "media_type": draft.media_type,
        "content_hash": text_hash,
        "metadata": list(draft.metadata.items()),
        "warnings": draft.warnings,
        "missing": draft.missing,
        "children": len(draft.children),
        "chains": blocks.chains,
        "names": blocks.names,
    }
    draft.text = ""  # the largest part is not needed while its copy travels
    watch.item(head, [utf8, *blocks.columns()])
    for child in draft.children:
        send(child, name, identity, watch)


def default_title(source: str) -> str:
    return PurePath(source).name or source or "untitled"


def _check_size(draft: Draft, limits: Limits) -> None:
    if draft.utf8 is not None and len(draft.utf8) <= limits.text_characters:
        return  # there are no more characters than bytes
    if len(draft.text) > limits.text_characters:
        raise LoadError(
            "",
            f"holds {len(draft.text):,} characters, more than the limit of "
            f"{limits.text_characters:,} (it can be raised)",
        )
