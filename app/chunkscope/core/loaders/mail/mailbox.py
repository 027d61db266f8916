"""Mailboxes in mbox form: each message a document, or all of them as threads in one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.mail.attachments import ScopedWatch
from chunkscope.core.loaders.mail.loader import NO_SUBJECT, read_message
from chunkscope.core.sandbox.watch import Watch

MEDIA_TYPE = "application/mbox"
_UNNAMED = f"subject {NO_SUBJECT}"
# A sentence can begin with "From " as well: a date or a header field tells the difference.
_SEPARATOR = re.compile(
    rb"\AFrom [^\n]*\n|(?:(?<=\n\n)|(?<=\n\r\n))From "
    rb"(?:[^\n]{0,200}\d\d:\d\d[^\n]{0,20} \d{4}[ \t\r]*\n|[^\n]*\n(?=[!-9;-~]{1,80}:))"
)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_REPLY = re.compile(r"^(?:\s*(?:re|aw|fw|fwd|wg|sv|antw)\s*(?:\[\d+\])?\s*:)+\s*", re.IGNORECASE)


@register("mbox", "mailbox", ".mbox", ".mbx")
def load_mailbox(source: Source, watch: Watch) -> Iterable[Draft]:
    messages = _messages(source, watch)
    if source.options.mail_view == "thread":
        yield _as_threads(list(messages), source)
    else:
        yield from messages


def split_mailbox(data: bytes) -> Iterator[bytes]:
    """The raw messages; a separator counts only after a blank line."""
    marks = [match.span() for match in _SEPARATOR.finditer(data)]
    if not marks:
        yield data
        return
    ends = [start for start, _ in marks[1:]] + [len(data)]
    for (_, start), end in zip(marks, ends, strict=True):
        yield _ESCAPED.sub(rb"\1", data[start:end])


def _messages(source: Source, watch: Watch) -> Iterator[Draft]:
    is_thread = source.options.mail_view == "thread"
    for number, data in enumerate(split_mailbox(source.data), start=1):
        key = f"message {number}"
        if watch.kept(key) is not None and not is_thread:
            continue  # an earlier worker delivered it
        if why := watch.skipped(key):
            yield _lost(key, why)
            continue
        watch.begin(key)
        watch.progress(number, 0, key)
        part = replace(source, data=data, name=source.name, verbatim=[])
        draft = read_message(part, ScopedWatch(watch, key))
        draft.part = key
        yield draft
        watch.keep(key, b"")


def _lost(key: str, why: str) -> Draft:
    text, blocks, _ = TextBuilder().finish()
    return Draft(text, blocks, "message/rfc822", title=key, part=key, missing=[why])


def _as_threads(messages: list[Draft], source: Source) -> Draft:
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    result = Draft("", TextBuilder().finish()[1], MEDIA_TYPE)
    for message in in_threads(messages):
        builder.embed(message.text, message.blocks)
        label = message.title if not message.text else message.part
        result.missing += [f"{label}: {line}" for line in message.missing]
        result.warnings += [f"{label}: {line}" for line in message.warnings]
        for child in message.children:
            child.part = f"{message.part}#{child.part}"
            result.children.append(child)
    result.text, result.blocks, broken = builder.finish()
    result.warnings += broken
    result.metadata = {"messages": str(len(messages))}
    return result


def in_threads(messages: list[Draft]) -> list[Draft]:
    """Threads by their first date, their messages by date; what has none stays in its place."""
    roots: dict[str, str] = {}
    threads: dict[str, list[tuple[str, int, Draft]]] = {}
    date = ""
    for number, message in enumerate(messages):
        key = _thread_key(message, roots)
        thread = threads.setdefault(key, [])
        before = thread[-1][0] if thread else date
        date = _sortable(message.metadata.get("date", "")) or before
        thread.append((date, number, message))
    ordered = sorted((sorted(thread, key=_when) for thread in threads.values()), key=_first)
    return [message for thread in ordered for _, _, message in thread]


def _when(entry: tuple[str, int, Draft]) -> tuple[str, int]:
    return entry[0], entry[1]


def _first(thread: list[tuple[str, int, Draft]]) -> tuple[str, int]:
    return _when(thread[0])


def _thread_key(message: Draft, roots: dict[str, str]) -> str:
    """The thread that a message belongs to: by what it answers, else by its subject."""
    meta = message.metadata
    above = [*meta.get("references", "").split(), *meta.get("in_reply_to", "").split()]
    key = next((roots[name] for name in above if name in roots), "")
    subject = _REPLY.sub("", message.title).casefold()
    key = key or roots.get(f"subject {subject}", "") or (above[0] if above else "")
    key = key or meta.get("message_id", "") or f"{message.part} {subject}"
    for name in (*above, meta.get("message_id", ""), f"subject {subject}"):
        if name and name != _UNNAMED:
            roots.setdefault(name, key)
    return key


def _sortable(date: str) -> str:
    """An ISO date in UTC for comparison, or nothing."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(date)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return aware.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return ""
