"""From HTML markup to an lxml tree, with proof that the parser reached the end."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from chunkscope.core.loaders.html.elements import PARAGRAPH_END, Element, tag_names
from chunkscope.core.text.canonical import broken_warning, fold_newlines, replace_broken

# Appended to the markup; a tree that lacks it lost something on the way.
_SENTINEL = "chunkscope-end"
# libxml2 puts what follows </html> into a second tree; browsers go on in the body.
_EARLY_END = re.compile(r"</(?:html|body)\s*>", re.IGNORECASE)
_XHTML = re.compile(r"\A\s*<\?xml|<html[^>]+http://www\.w3\.org/1999/xhtml", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!doctype[^>\[]*(?:\[.*?\]\s*)?>", re.IGNORECASE | re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_MARK = f"<{PARAGRAPH_END}></{PARAGRAPH_END}>"
_END_OF_P = re.compile(r"</p(?:\s[^<>]*)?>", re.IGNORECASE)
_END_OF_BR = re.compile(r"(<br\b[^<>]*>\s*)?</br\s*>", re.IGNORECASE)
_STRAY = ("Unexpected end tag : p", "Unexpected end tag : br")
_MAX_LOG = 100  # libxml2 reports no more
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:_-]*)[^<>]*>")
_KEPT_WHEN_FLAT = tag_names(
    "html head body title meta link base script style template noscript noframes iframe pre "
    "textarea select option br hr img p h1 h2 h3 h4 h5 h6 xmp plaintext svg"
)
_INLINE_WHEN_FLAT = tag_names(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr o:p q s "
    "samp small span strike strong sub sup time tt u var wbr"
)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page; `root` is None when it is empty."""

    root: Element | None
    missing: list[str]
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class _Attempt:
    root: Element | None
    fatal: str  # what the parser said when it gave up
    line: int
    is_whole: bool
    has_strays: bool = False  # or may have: the parser stopped telling


def parse_html(markup: str) -> Tree:
    """The tree of a page. What nests too deeply for libxml2 is flattened rather than lost."""
    markup, broken = replace_broken(fold_newlines(markup))
    warnings = [broken_warning(broken)] if broken else []
    markup = _EARLY_END.sub("", _without_doctype(_with_cdata_as_text(markup)))
    attempt = _attempt(markup + f"<{_SENTINEL}>")
    if attempt.has_strays and (marked := _with_strays_marked(markup)) != markup:
        markup = marked
        attempt = _attempt(markup + f"<{_SENTINEL}>")
    tree = _read(markup, attempt, warnings)
    if _MARK in markup and tree.root is not None:
        _take_marks_out_of_text(tree.root)
    return tree


def _read(markup: str, attempt: _Attempt, warnings: list[str]) -> Tree:
    if attempt.is_whole:
        return Tree(attempt.root, [], warnings)
    if attempt.fatal:
        markup = _flatten(markup)
        warnings.append("nested too deeply: its lists, tables and hidden parts are plain text here")
        attempt = _attempt(markup + f"<{_SENTINEL}>")
        if attempt.is_whole:
            return Tree(attempt.root, [], warnings)
    without = _attempt(markup)
    return Tree(without.root, [_told(attempt)], warnings)


def _told(attempt: _Attempt) -> str:
    if attempt.fatal:
        return f"the rest from line {attempt.line:,} on: the parser gave up ({attempt.fatal})"
    return (
        "whatever follows a tag, comment, script or title that is never closed: "
        "the page ends inside it"
    )


def _attempt(markup: str) -> _Attempt:
    from lxml import etree

    parser = etree.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        recover=True,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        # As bytes: lxml refuses a str that declares an encoding, and we decoded already.
        root: Element | None = etree.fromstring(markup.encode("utf-8"), parser)
    except etree.LxmlError as problem:
        return _Attempt(None, _short(str(problem)), 0, False)
    log: Any = parser.error_log
    fatal = next((entry for entry in log if entry.level_name == "FATAL"), None)
    is_whole = fatal is None and root is not None and _take_sentinel(root)
    has_strays = len(log) >= _MAX_LOG or any(entry.message in _STRAY for entry in log)
    told, line = (_short(fatal.message), fatal.line) if fatal else ("", 0)
    return _Attempt(root, told, line, is_whole, has_strays)


def _take_sentinel(root: Element) -> bool:
    """Whether the last element of the tree is our own; it is taken out again."""
    last = root
    while len(last):
        last = last[-1]
    if last.tag == "plaintext" and (last.text or "").endswith(f"<{_SENTINEL}>"):
        last.text = last.text.removesuffix(f"<{_SENTINEL}>")  # nothing ever closes it
        return True
    if last.tag != _SENTINEL or last is root:
        return False
    last.getparent().remove(last)
    return True


def _with_strays_marked(markup: str) -> str:
    """Browsers make a paragraph of </p> where none is open, a line break of </br>."""
    markup = _END_OF_P.sub(lambda match: match[0] + _MARK, markup)
    return _END_OF_BR.sub(lambda match: match[0] if match[1] else "<br>", markup)


def _take_marks_out_of_text(root: Element) -> None:
    """Where the parser took them for text: in raw elements and in attributes."""
    for element in root.iter():
        if element.text and _MARK in element.text:
            element.text = element.text.replace(_MARK, "")
        for name, value in element.attrib.items():
            if _MARK in value:
                element.set(name, value.replace(_MARK, ""))


def _short(message: str) -> str:
    return " ".join(message.split()).split(", use XML_PARSE_HUGE")[0][:200]


def _with_cdata_as_text(markup: str) -> str:
    """In XHTML a CDATA section is text; the HTML parser would take it for a comment."""
    if "<![CDATA[" not in markup or not _XHTML.search(markup[:4096]):
        return markup
    return _CDATA.sub(lambda match: html.escape(match[1], quote=False), markup)


def _without_doctype(markup: str) -> str:
    # An internal subset (entity bombs live there) would end up as text.
    head = markup[:65536]
    found = _DOCTYPE.match(head, max(head.lower().find("<!doctype"), 0))
    return markup[: found.start()] + markup[found.end() :] if found else markup


def _flatten(markup: str) -> str:
    """The same text with hardly any nesting: boxes become paragraphs, inline tags go."""

    def flat(match: re.Match[str]) -> str:
        tag = match[2].lower()
        if tag in _KEPT_WHEN_FLAT:
            return match[0]
        return "" if tag in _INLINE_WHEN_FLAT else "<p>"

    return _TAG.sub(flat, markup)
