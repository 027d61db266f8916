"""Walks an HTML tree and writes the text that a reader sees, with its blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.loaders.html.elements import (
    BLOCKS,
    LEFT_OUT,
    NAVIGATION,
    RAW,
    SKIPPED,
    Element,
    Numbering,
    code_language,
    heading_level,
    hidden_reason,
    is_box,
    numbering_of,
)
from chunkscope.core.loaders.html.tables import layout_tables
from chunkscope.core.loaders.html.text import HtmlText
from chunkscope.core.loaders.html.tree import parse_html
from chunkscope.core.sandbox.watch import Watch

Closer = Callable[[], None]

_PERMALINKS = frozenset(("¶", "#", "§", "🔗", "\uf0c1"))
_UNTOLD = "permalink signs"
_STEP = 4096
_MAX_TITLE = 500
_MAX_FACT = 1_000
_MAX_NAMED_FRAMES = 5


@dataclass(frozen=True, slots=True)
class HtmlFacts:
    """What is known of a page besides its text."""

    title: str = ""
    language: str = ""
    missing: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)


def walk_html(
    markup: str, builder: TextBuilder, watch: Watch, *, shows_something: bool = True
) -> HtmlFacts:
    """Append the text of a page that is already decoded.

    Where navigation and hidden parts are all that a page has, they are shown, unless
    `shows_something` is off.
    """
    tree = parse_html(markup)
    missing, warnings = list(tree.missing), list(tree.warnings)
    if tree.root is None:
        return HtmlFacts(missing=missing, warnings=warnings)
    root = tree.root
    layout = layout_tables(root) if "<table" in markup or "<TABLE" in markup else set()
    text = HtmlText(builder)
    walker = _Walker(text, layout, shows_all=False)
    walker.walk(root, watch)
    if text.is_empty and walker.left_out and shows_something:
        walker = _Walker(text, layout, shows_all=True)
        walker.walk(root, watch)
        if not text.is_empty:
            warnings.append("all of its text is navigation or hidden, and is shown therefore")
    text.finish()
    if frames := _frames(root):
        missing.append(_frames_told(frames))
        warnings += _walk_noframes(root, builder, watch)
    warnings += walker.told()
    metadata = _metadata(root)
    if walker.images:
        metadata["images"] = str(walker.images)
    title = _title(root) or text.first_title()[:_MAX_TITLE]
    return HtmlFacts(title, metadata.get("language", ""), missing, warnings, metadata)


class _Walker:
    """One pass over a tree. Each element that opens something leaves a closer on a stack."""

    def __init__(self, text: HtmlText, layout: set[Element], shows_all: bool) -> None:
        self.left_out: dict[str, int] = {}
        self.images = 0
        self._text = text
        self._layout = layout
        self._shows_all = shows_all
        self._muted = ""
        self._lists: list[Numbering] = []
        self._tables: list[bool] = []  # of each open table, whether it holds data
        self._openers = self._table_of_openers()

    def told(self) -> list[str]:
        """One sentence about what was left out."""
        parts = [
            f"{reason} ({size:,} character{'s' if size > 1 else ''})"
            for reason, size in self.left_out.items()
        ]
        return [f"left out: {', '.join(parts)}"] if parts else []

    def walk(self, root: Element, watch: Watch) -> None:
        """Visit every element, in document order, without recursion."""
        from lxml import etree

        walk: Any = etree.iterwalk(root, events=("start", "end"))
        total = int(root.xpath("count(//*)"))
        closers: list[Closer | None] = []
        done = 0
        for event, element in walk:
            if event == "start":
                done += 1
                if not done % _STEP:
                    watch.progress(done, total, "elements")
                if element.tag in SKIPPED:
                    closers.append(None)
                    walk.skip_subtree()
                    continue
                closers.append(self._enter(element))
                string = element.text
            else:
                if closer := closers.pop():
                    closer()
                string = element.tail
            if string:
                if self._muted:
                    self._count(string)
                else:
                    self._text.run.append(string)
        self._text.flush()

    def _enter(self, element: Element) -> Closer | None:
        tag = element.tag
        if self._muted:
            # A navigation that was never closed must not swallow the page.
            if self._muted == NAVIGATION and tag in ("main", "article"):
                return self._speak_in_navigation()
            return None
        opener = self._openers.get(tag)
        if reason := self._reason(element, tag):
            if opener:
                self._text.flush()
            return self._mute(reason)
        if opener:
            return opener(element)
        if not element.attrib:
            return None
        if level := heading_level(element):
            self._text.open_leaf(BlockKind.HEADING, level)
            return self._text.close_leaf
        return self._block(element) if is_box(element) else None

    def _reason(self, element: Element, tag: str) -> str:
        if tag in RAW:
            return RAW[tag]
        if self._shows_all:
            return ""
        if tag in LEFT_OUT and element.get("shadowrootmode") is None:
            return LEFT_OUT[tag]
        return hidden_reason(element) if element.attrib or tag == "dialog" else ""

    def _mute(self, reason: str) -> Closer:
        self._muted = reason
        return self._unmute

    def _unmute(self) -> None:
        self._muted = ""

    def _speak_in_navigation(self) -> Closer:
        self._muted = ""
        self._text.flush()

        def close() -> None:
            self._text.flush()
            self._muted = NAVIGATION

        return close

    def _count(self, string: str) -> None:
        size = len(" ".join(string.split()))
        if size and self._muted != _UNTOLD:
            self.left_out[self._muted] = self.left_out.get(self._muted, 0) + size

    def _table_of_openers(self) -> dict[str, Callable[[Element], Closer | None]]:
        openers: dict[str, Callable[[Element], Closer | None]] = dict.fromkeys(BLOCKS, self._block)
        openers |= dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), self._heading)
        openers |= dict.fromkeys(("ul", "ol", "menu", "dir"), self._list)
        openers |= dict.fromkeys(("pre", "xmp", "listing", "plaintext", "textarea"), self._pre)
        openers |= dict.fromkeys(("td", "th"), self._cell)
        openers |= {
            "a": self._link,
            "blockquote": self._quote,
            "br": self._line_break,
            "caption": self._paragraph,
            "code": self._inline_code,
            "dd": self._definition,
            "dt": self._paragraph,
            "img": self._image,
            "li": self._item,
            "p": self._paragraph,
            "q": self._quotation_marks,
            "rt": self._reading,
            "table": self._table,
            "tr": self._row,
        }
        return openers

    def _block(self, element: Element) -> Closer | None:
        self._text.flush()
        if element.attrib and (level := heading_level(element)):
            self._text.open_leaf(BlockKind.HEADING, level)
            return self._text.close_leaf
        return self._text.flush

    def _paragraph(self, element: Element) -> Closer | None:
        self._text.open_leaf(BlockKind.PARAGRAPH)
        return self._text.close_leaf

    def _heading(self, element: Element) -> Closer | None:
        self._text.open_leaf(BlockKind.HEADING, int(element.tag[1]))
        return self._text.close_leaf

    def _link(self, element: Element) -> Closer | None:
        is_sign = self._text.in_heading and (element.text or "").strip() in _PERMALINKS
        return self._mute(_UNTOLD) if is_sign and not len(element) else None

    def _quote(self, element: Element) -> Closer | None:
        self._text.open(BlockKind.QUOTE)
        self._text.open_leaf(BlockKind.PARAGRAPH)
        return self._close_container

    def _close_container(self) -> None:
        self._text.close_leaf()
        self._text.close()

    def _definition(self, element: Element) -> Closer | None:
        self._text.flush()
        before = element.getprevious()
        self._text.separate(by_line=before is not None and before.tag in ("dt", "dd"))
        return self._paragraph(element)

    def _list(self, element: Element) -> Closer | None:
        self._text.flush()
        self._text.separate(by_line=bool(self._lists))
        self._lists.append(numbering_of(element))
        return self._close_list

    def _close_list(self) -> None:
        self._text.flush()
        self._lists.pop()
        self._text.separate(by_line=bool(self._lists))

    def _item(self, element: Element) -> Closer | None:
        self._text.flush()
        numbering = self._lists[-1] if self._lists else Numbering("", 0)
        if numbering.count:
            self._text.separate(by_line=True)
        self._text.open(BlockKind.LIST_ITEM, max(len(self._lists), 1))
        self._text.open_leaf(None)
        self._text.number(numbering.next(element.get("value")))
        return self._close_container

    def _table(self, element: Element) -> Closer | None:
        is_data = element not in self._layout
        self._tables.append(is_data)
        if not is_data:
            self._paragraph(element)
            return self._close_layout
        self._text.open_table()
        return self._close_table

    def _close_layout(self) -> None:
        self._tables.pop()
        self._text.close_leaf()

    def _close_table(self) -> None:
        self._tables.pop()
        self._text.close_table()

    def _row(self, element: Element) -> Closer | None:
        if not (self._tables and self._tables[-1]) or self._text.in_row:
            return self._block(element)
        self._text.open_row()
        return self._text.close_row

    def _cell(self, element: Element) -> Closer | None:
        if not self._text.in_row:
            return self._paragraph(element)
        self._text.open_cell()
        return self._text.close_cell

    def _pre(self, element: Element) -> Closer | None:
        if self._text.in_row or self._text.in_code:
            return self._block(element)
        if element.tag == "textarea":
            self._text.open_code("")
            return self._close_field
        self._text.open_code(_language_around(element))
        return self._close_code

    def _close_code(self) -> None:
        self._text.close_code(BlockKind.CODE)

    def _close_field(self) -> None:
        self._text.code_name = ""
        self._text.close_code(BlockKind.PARAGRAPH)

    def _inline_code(self, element: Element) -> Closer | None:
        if self._text.in_code and not self._text.code_name:
            self._text.code_name = code_language(element)
        return None

    def _line_break(self, element: Element) -> Closer | None:
        self._text.break_line()
        return None

    def _image(self, element: Element) -> Closer | None:
        self.images += 1
        return None

    def _quotation_marks(self, element: Element) -> Closer | None:
        self._text.run.append("\u201c")
        return lambda: self._text.run.append("\u201d")

    def _reading(self, element: Element) -> Closer | None:
        """The reading over a ruby base, in brackets as browsers without ruby show it."""
        self._text.run.append("(")
        return lambda: self._text.run.append(")")


def _language_around(element: Element) -> str:
    """The language of a code block, which its wrappers may name."""
    for _ in range(3):
        if element is None or element.tag == "body":
            break
        if name := code_language(element):
            return name
        element = element.getparent()
    return ""


def _frames(root: Element) -> list[str]:
    return [frame.get("src") or "" for frame in root.iter("frame")]


def _frames_told(frames: list[str]) -> str:
    named = [" ".join(name.split())[:100] for name in frames if name.strip()]
    shown = ", ".join(named[:_MAX_NAMED_FRAMES])
    more = f" and {len(named) - _MAX_NAMED_FRAMES} more" if len(named) > _MAX_NAMED_FRAMES else ""
    return f"the text of its frames, which are files of their own ({shown}{more}): load those"


def _walk_noframes(root: Element, builder: TextBuilder, watch: Watch) -> list[str]:
    """What a frameset offers to browsers without frames, which the parser leaves as markup."""
    warnings: list[str] = []
    for element in root.iter("noframes"):
        text = HtmlText(builder)
        inner = parse_html(element.text or "").root
        if inner is not None:
            walker = _Walker(text, layout_tables(inner), shows_all=False)
            walker.walk(inner, watch)
            warnings += walker.told()
        text.finish()
    return warnings


def _title(root: Element) -> str:
    for element in root.iter("title"):
        parent = element.getparent()
        if parent is None or parent.tag not in ("svg", "g", "symbol", "path"):
            return " ".join((element.text or "").split())[:_MAX_TITLE]
    return ""


def _metadata(root: Element) -> dict[str, str]:
    facts: dict[str, str] = {}
    if root.tag == "html":
        _note(facts, "language", root.get("lang") or root.get("xml:lang"))
    for element in root.iter("meta"):
        name = (element.get("name") or element.get("property") or "").lower()
        content = element.get("content")
        if name in ("description", "author"):
            _note(facts, name, content)
        elif name == "og:description":
            _note(facts, "description", content)
        elif (element.get("http-equiv") or "").lower() == "content-language":
            _note(facts, "language", content)
    for element in root.iter("link"):
        if (element.get("rel") or "").lower() == "canonical":
            _note(facts, "url", element.get("href"))
    return facts


def _note(facts: dict[str, str], key: str, value: str | None) -> None:
    """Keep the first value that says something."""
    value = " ".join((value or "").split())[:_MAX_FACT]
    if value and key not in facts:
        facts[key] = value
