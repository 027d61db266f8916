"""E-mail: headers, the best body, quotes and signatures as blocks, attachments as children."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.mail.attachments import open_attachments, unwrap
from chunkscope.core.loaders.mail.body import Body
from chunkscope.core.loaders.mail.headers import Headers, parse_date, sender_name
from chunkscope.core.loaders.mail.parts import Part, PartReader
from chunkscope.core.loaders.mail.text import write_plain
from chunkscope.core.sandbox.watch import Watch

MEDIA_TYPE = "message/rfc822"
NO_SUBJECT = "(no subject)"
_SHOWN = ("From", "To", "Cc", "Date")
_METADATA = ("from", "to", "cc", "date", "message-id", "in-reply-to", "references")
_MAX_VALUE = 2_000
_MAX_TITLE = 300
_MAX_SNIFFED_LINES = 60
_ENVELOPE = re.compile(rb"From \S+ .{0,80}\d\d:\d\d|From \S+@\S+|From - ")
_DATED_ENVELOPE = re.compile(rb"From .{0,200}\d\d:\d\d.{0,20} \d{4}\s*$")
_FIELD = re.compile(rb"([A-Za-z][A-Za-z0-9-]{1,40}):(?: |\t|\r?$)")
_KNOWN = {
    b"bcc", b"cc", b"content-type", b"content-transfer-encoding", b"date", b"delivered-to",
    b"dkim-signature", b"errors-to", b"from", b"in-reply-to", b"list-id", b"message-id",
    b"mime-version", b"newsgroups", b"organization", b"path", b"precedence", b"received",
    b"references", b"reply-to", b"return-path", b"sender", b"subject", b"to", b"user-agent",
    b"x-mailer", b"x-originating-ip",
}  # fmt: skip


def is_message(head: bytes) -> bool:
    """Whether a source begins with at least two different well-known header fields."""
    lines = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n", _MAX_SNIFFED_LINES)
    if lines and _ENVELOPE.match(lines[0].lstrip(b">")):
        del lines[0]
    found: set[bytes] = set()
    has_capital = False  # YAML has the same keys in small letters
    for line in lines[:_MAX_SNIFFED_LINES]:
        if not line.strip():
            break
        if line[:1] in b" \t" and found:
            continue
        field = _FIELD.match(line)
        if not field:
            return False
        has_capital |= not field[1].islower()
        name = field[1].lower()
        if not found and name not in _KNOWN and not name.startswith(b"x-"):
            return False
        found.add(name)
    return has_capital and len(found & _KNOWN) >= 2


def is_mailbox(head: bytes) -> bool:
    """Whether a source begins with an envelope line, then header fields or a body."""
    lines = head.split(b"\n", 2)
    if len(lines) < 2:
        return False
    if _DATED_ENVELOPE.match(lines[0]):
        return not lines[1].strip() or bool(re.match(rb"[!-9;-~]{1,80}:", lines[1]))
    # Without a date the line may be prose: "From Monday we open at 10:00".
    return bool(_ENVELOPE.match(lines[0])) and is_message(head)


@register("mail", "e-mail", ".eml", ".mht", ".mhtml", is_markup=True)
def load_mail(source: Source, watch: Watch) -> Iterable[Draft]:
    yield read_message(source, watch)


def read_message(source: Source, watch: Watch) -> Draft:
    """One message as a reader sees it, with what is attached to it as children."""
    reader = PartReader(source.data, watch)
    root = reader.read()
    body = Body()
    body.visit(root)
    attachments = unwrap(body.attached)
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    draft_missing, draft_warnings = [*reader.missing], [*reader.warnings]
    subject = root.headers.first_text("subject")
    with builder.container(
        BlockKind.MESSAGE, name=sender_name(root.headers.first_text("from"))[:_MAX_TITLE]
    ):
        builder.add(BlockKind.HEADING, subject, level=1)
        builder.add(BlockKind.MAIL_HEADER, _header_lines(root.headers))
        for part in body.texts:
            missing, warnings = _write_part(part, builder, source, watch)
            draft_missing += missing
            draft_warnings += warnings
        if attachments:
            listed = "\n".join(attachment.line for attachment in attachments)
            builder.add(BlockKind.ATTACHMENTS, f"Attachments:\n{listed}")
    text, blocks, broken = builder.finish()
    draft = Draft(
        text,
        blocks,
        MEDIA_TYPE,
        title=subject[:_MAX_TITLE] or NO_SUBJECT,
        metadata=_metadata(root.headers),
        warnings=[
            *draft_warnings,
            *body.warnings,
            *_shortened(root.headers, is_shown=False),
            *broken,
        ],
        missing=[*draft_missing, *body.missing, *_shortened(root.headers, is_shown=True)],
    )
    open_attachments(attachments, source, draft, watch)
    return draft


def _header_lines(headers: Headers) -> str:
    shown = ((name, headers.text(name)) for name in _SHOWN)
    return "\n".join(f"{name}: {value}" for name, value in shown if value)


def _shortened(headers: Headers, *, is_shown: bool) -> list[str]:
    """What was cut off from the headers that a reader sees, or from the others."""
    shown = {"subject", *map(str.lower, _SHOWN)}
    names = [name for name in headers.shortened if (name.lower() in shown) is is_shown]
    told = [f"the field {name} is too long and was shortened" for name in names]
    if headers.is_cut and is_shown:
        told.append("the headers are too long; some were not read")
    return told[:10]


def _write_part(
    part: Part, builder: TextBuilder, source: Source, watch: Watch
) -> tuple[list[str], list[str]]:
    """Append one part of the body; what is missing from it, and warnings."""
    text, warnings, problems = part.text(source.options.encoding)
    if part.type == "text/html":
        from chunkscope.core.loaders.html.walk import walk_html

        facts = walk_html(text, builder, watch)
        return [*problems, *facts.missing], [*warnings, *facts.warnings]
    flowed = ""
    if part.headers.param("format").lower() == "flowed":
        flowed = "yes" if part.headers.param("delsp").lower() == "yes" else "no"
    write_plain(text, builder, watch, flowed)
    return problems, warnings


def _metadata(headers: Headers) -> dict[str, str]:
    found = {
        name.replace("-", "_"): value[:_MAX_VALUE]
        for name in _METADATA
        if (value := headers.text(name))
    }
    if moment := parse_date(found.get("date", "")):
        found["date"] = moment.isoformat()
    return found
