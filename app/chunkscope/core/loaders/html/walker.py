"""Visits an HTML tree and writes the text that a reader sees, with its blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chunkscope.core.blocks import BlockKind
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
from chunkscope.core.loaders.html.fields import field_hint, field_text, is_read, shown_options
from chunkscope.core.loaders.html.furniture import furniture
from chunkscope.core.loaders.html.math import formula, is_math_twice
from chunkscope.core.loaders.html.tables import add_implied_rows, layout_tables
from chunkscope.core.loaders.html.text import HtmlText
from chunkscope.core.loaders.html.tree import parse_html
from chunkscope.core.sandbox.watch import Watch

Closer = Callable[[], None]

_PERMALINKS = frozenset(("¶", "#", "§", "🔗", "\uf0c1"))
_UNTOLD = "permalink signs"
_CHOICES = "form choices"
_STEP = 4096
_MAX_EMBEDDED = 4
_BLANK = ("about:", "javascript:")


class Walker:
    """One pass over a tree. Each element that opens something leaves a closer on a stack."""

    def __init__(self, text: HtmlText, watch: Watch, shows_all: bool, depth: int = 0) -> None:
        self.left_out: dict[str, int] = {}
        self.images = 0
        self.frames: list[str] = []  # pages that are shown inside this one, but not held by it
        self.missing: list[str] = []
        self.warnings: list[str] = []
        self._text = text
        self._watch = watch
        self._shows_all = shows_all
        self._depth = depth
        self._layout: set[Element] = set()
        self._furniture: dict[Element, str] = {}
        self._has_frameset = False
        self._options: dict[Element, bool] = {}  # of the open select, those shown; true: the first
        self._has_math = False
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

    def walk(self, root: Element) -> None:
        """Visit every element, in document order, without recursion."""
        from lxml import etree

        add_implied_rows(root)
        self._layout = layout_tables(root)
        self._furniture = {} if self._shows_all else furniture(root)
        self._has_math = root.find(".//math") is not None
        self._has_frameset = root.find(".//frame") is not None
        walk: Any = etree.iterwalk(root, events=("start", "end"))
        total = int(root.xpath("count(//*)"))
        closers: list[Closer | None] = []
        done = 0
        for event, element in walk:
            if event == "start":
                done += 1
                if not done % _STEP:
                    self._watch.progress(done, total, "elements")
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
            return self._embed(element) or RAW[tag]
        if self._shows_all:
            return ""
        if tag in LEFT_OUT and element.get("shadowrootmode") is None:
            return LEFT_OUT[tag]
        if element in self._furniture:
            return self._furniture[element]
        if self._has_math and element.get("aria-hidden") == "true" and is_math_twice(element):
            return _UNTOLD
        return hidden_reason(element) if element.attrib or tag == "dialog" else ""

    def _embed(self, element: Element) -> str:
        """Write a page inside of this one; returns why the element's own text is not shown."""
        if reason := "" if self._shows_all else hidden_reason(element):
            return reason
        if element.tag == "noframes" and self._has_frameset:
            self._walk_embedded(element.text or "")
            return _UNTOLD
        if element.tag == "iframe":
            source = (element.get("src") or "").strip()
            if markup := element.get("srcdoc"):
                self._walk_embedded(markup)
            elif source and not source.startswith(_BLANK):
                self.frames.append(source)
        return ""

    def _walk_embedded(self, markup: str) -> None:
        """The parser leaves such a page as markup."""
        self._text.flush()
        if self._depth >= _MAX_EMBEDDED:
            self.missing.append(f"a page that is embedded {self._depth + 1} pages deep")
            return
        tree = parse_html(markup)
        inner = Walker(self._text, self._watch, self._shows_all, self._depth + 1)
        if tree.root is not None:
            inner.walk(tree.root)
        for reason, size in inner.left_out.items():
            self._leave_out(reason, size)
        self.images += inner.images
        self.frames += inner.frames
        self.missing += [*tree.missing, *inner.missing]
        self.warnings += [*tree.warnings, *inner.warnings]

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
        self._leave_out(self._muted, len(" ".join(string.split())))

    def _leave_out(self, reason: str, size: int) -> None:
        if size and reason != _UNTOLD:
            self.left_out[reason] = self.left_out.get(reason, 0) + size

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
            "button": self._spaced,
            "caption": self._paragraph,
            "code": self._inline_code,
            "dd": self._definition,
            "dt": self._definition,
            "img": self._image,
            "input": self._input,
            "li": self._item,
            "math": self._math,
            "m:math": self._math,
            "mml:math": self._math,
            "option": self._option,
            "meter": self._spaced,
            "p": self._paragraph,
            "progress": self._spaced,
            "q": self._quotation_marks,
            "rt": self._reading,
            "select": self._select,
            "svg": self._drawing,
            "table": self._table,
            "text": self._label,
            "tr": self._row,
            "tspan": self._label_line,
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
        if "skip" in (element.get("class") or "") and (element.get("href") or "")[:1] == "#":
            return self._mute(NAVIGATION)
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
        # libxml2 puts a <dd> into the one before that was not closed.
        before = element.getprevious()
        near = before if before is not None else element.getparent()
        named = near.tag if near is not None else ""
        self._text.separate(by_line=named == "dt" or named == element.tag)
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
        before = None if self._lists else element.getprevious()
        if numbering.count or (before is not None and before.tag == "li"):
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
        alt = " ".join((element.get("alt") or "").split())
        if alt and (self._shows_all or is_read(element, alt)):
            self._text.run.append(alt)
        else:
            self._leave_out("descriptions of images", len(alt))
        return None

    def _spaced(self, element: Element) -> Closer | None:
        """A box in the line, so that its words never touch those around it."""
        self._text.run.append(" ")
        return lambda: self._text.run.append(" ")

    def _input(self, element: Element) -> Closer | None:
        self._text.run.append(f" {field_text(element)} ")
        self._leave_out("hints in form fields", len(field_hint(element)))
        return None

    def _select(self, element: Element) -> Closer | None:
        every = list(element.iter("option"))
        shown = every if self._shows_all else shown_options(element)
        self._options = {option: option is shown[0] for option in shown}
        return self._spaced(element)

    def _option(self, element: Element) -> Closer | None:
        if next(element.iterancestors("select"), None) is None:
            return self._block(element)
        if element not in self._options:
            return self._mute(_CHOICES)
        if not self._options[element]:
            self._text.break_line()
        return None

    def _math(self, element: Element) -> Closer | None:
        self._text.run.append(formula(element) or element.get("alttext") or "")
        return self._mute(_UNTOLD)

    def _drawing(self, element: Element) -> Closer | None:
        """The labels of a drawing are lines of their own; a sign without any is none."""
        has_labels = element.find(".//text") is not None
        return self._block(element) if has_labels and not self._text.in_heading else None

    def _label(self, element: Element) -> Closer | None:
        self._text.break_line()
        return None

    def _label_line(self, element: Element) -> Closer | None:
        if element.get("x") or element.get("dy"):
            self._text.run.append(" ")
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
