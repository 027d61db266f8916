"""HTML: the text that a reader of the page sees."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.html.walk import walk_html
from chunkscope.core.sandbox.watch import Watch
from chunkscope.core.text.canonical import canonical
from chunkscope.core.text.decoding import decode

_HEAD = 1 << 16
_META = re.compile(rb"<meta\s[^<>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml[^<>]*?encoding\s*=\s*[\"']([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)
# What browsers take these names to mean (Encoding Standard): a superset in each case.
_MEANT = {
    "ascii": "windows-1252",
    "us-ascii": "windows-1252",
    "iso-8859-1": "windows-1252",
    "iso8859-1": "windows-1252",
    "latin1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    # A page that can be read up to its declaration is not UTF-16.
    "utf-16": "utf-8",
    "utf-16le": "utf-8",
    "utf-16be": "utf-8",
    "unicode": "utf-8",
}
# Made of ASCII bytes only, so they pass for UTF-8.
_SEVEN_BIT = ("iso-2022-", "hz-gb-2312")


@register("html", "HTML", ".html", ".htm", ".xhtml", is_markup=True)
def load_html(source: Source, watch: Watch) -> Iterable[Draft]:
    watch.progress(0, 1, "decoding")
    markup, warnings = decode_markup(source.data, source.options.encoding)
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    facts = walk_html(markup, builder, watch)
    text, blocks, broken = builder.finish()
    yield Draft(
        text,
        blocks,
        "text/html",
        title=facts.title,
        metadata=facts.metadata,
        warnings=[*warnings, *facts.warnings, *broken],
        missing=facts.missing,
    )


def decode_markup(data: bytes, override: str = "") -> tuple[str, list[str]]:
    """The text of a page, decoded as it declares itself unless its bytes say otherwise."""
    declared = declared_encoding(data)
    if not override and declared.startswith(_SEVEN_BIT) and data.isascii():
        override = declared
    decoded = decode(data, declared=declared, override=override)
    text, warnings = canonical(decoded.text)
    return text, [*decoded.warnings, *warnings]


def declared_encoding(data: bytes) -> str:
    """The encoding that a page names in its head, as browsers understand the name."""
    head = data[:_HEAD]
    found = _XML.match(head) or _META.search(head)
    name = found[1].decode("ascii").lower() if found else ""
    return _MEANT.get(name, name)
