"""RTF: its text by striprtf, paragraphs by line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.sandbox.watch import Watch

_MAX_BYTES = 64_000_000
_BRACES = re.compile(rb"\\[^a-zA-Z]|[{}]")
_BINARY = re.compile(rb"\\bin\d")
_NOTES = re.compile(rb"\{(?:\\\*)?\\(?:footnote|annotation)\b")
# What no document writes and the reader does not expect: switches that need a number, code points
# beyond Unicode.
_BAD_SWITCH = re.compile(r"\\uc(?![a-z]|\d)|\\u-\d{6,}|\\u(?=\d{7})", re.IGNORECASE)
_FAILURES = (ValueError, TypeError, LookupError, OverflowError)


@register("rtf", "RTF", ".rtf")
def load_rtf(source: Source, watch: Watch) -> Iterable[Draft]:
    if len(source.data) > _MAX_BYTES:
        raise LoadError("", "is over the limit of 64 MB for one RTF file; save it as DOCX")
    watch.progress(0, 1, "reading")
    text = _text(source.data)
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    for line in text.split("\n"):
        builder.add(BlockKind.PARAGRAPH, line.strip())
    body, blocks, warnings = builder.finish()
    missing = _missing(source.data)
    if not body and len(source.data) >= 1000:
        missing.append("no text was found in it")
    yield Draft(body, blocks, "application/rtf", warnings=warnings, missing=missing)


def _text(data: bytes) -> str:
    from striprtf.striprtf import rtf_to_text

    # RTF is ASCII with escapes; stray bytes mean what its code page says, mostly this one.
    rtf = _BAD_SWITCH.sub("", data.decode("cp1252", "replace"))
    # striprtf looks for links by a pattern that swallows all between the first and the last of a
    # line, and takes time without end; a line break, which means nothing in RTF, keeps it off.
    rtf = rtf.replace("\\fldinst", "\\fldinst\n")
    try:
        text: str = rtf_to_text(rtf, errors="replace")  # type: ignore[no-untyped-call]
    except _FAILURES as problem:
        raise LoadError("", f"is damaged RTF ({problem}); save it as DOCX or PDF") from None
    # Characters beyond the first plane are written as two halves.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _missing(data: bytes) -> list[str]:
    missing = []
    if notes := len(_NOTES.findall(data)):
        missing.append(f"{notes:,} footnotes or comments, which are not read from RTF")
    if not _BINARY.search(data):
        braces = [found[0] for found in _BRACES.finditer(data)]
        if braces.count(b"{") > braces.count(b"}"):
            missing.append("its end: the file breaks off inside a group")
    return missing
