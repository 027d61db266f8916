"""Gathers inline text into blocks: white space as a browser folds it, rows, code, containers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder

# A forced line break inside a run; the tree has U+FFFD wherever the page had NUL.
BREAK = "\x00"
# Only these fold: a no-break space, an ideographic space or a soft hyphen stays what it is.
_FOLDED = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
_AROUND_BREAK = re.compile(f" ?{BREAK} ?")
_BLANK_LINES = re.compile(r"\n{2,}")
# What is longer is a page inside a heading tag that nobody closed.
_MAX_HEADING = 1_000


@dataclass(slots=True)
class _Mark:
    kind: BlockKind
    start: int = -1
    end: int = -1
    level: int | None = None
    name: str = ""


class HtmlText:
    """Takes the text of a page in pieces and hands finished blocks to a TextBuilder.

    Blocks are handed over at the end, in the order in which they opened: an outer block comes
    before an inner one even where both cover the same text.
    """

    def __init__(self, builder: TextBuilder) -> None:
        self.run: list[str] = []
        self.code_name = ""
        self._builder = builder
        self._start = builder.length
        self._marks: list[_Mark] = []
        self._open: list[_Mark] = []
        self._leaves: list[tuple[BlockKind | None, int | None]] = [(BlockKind.PARAGRAPH, None)]
        self._gap = PARAGRAPH_BREAK
        self._tables = 0
        self._cells: list[str] | None = None
        self._marker = ""
        self._is_code = False

    @property
    def is_empty(self) -> bool:
        return self._builder.length == self._start

    @property
    def in_row(self) -> bool:
        return self._cells is not None

    @property
    def in_code(self) -> bool:
        return self._is_code

    @property
    def in_heading(self) -> bool:
        return self._leaves[-1][0] is BlockKind.HEADING

    def first_title(self) -> str:
        """The first heading of the highest level there is."""
        headings = [mark for mark in self._marks if mark.kind is BlockKind.HEADING]
        return min(headings, key=lambda mark: mark.level or 6).name if headings else ""

    def finish(self) -> None:
        """Hand the blocks over; nothing may follow."""
        self.flush()
        for mark in self._marks:
            if mark.end > mark.start >= 0:
                self._builder.mark(
                    mark.kind, mark.start, mark.end, level=mark.level, name=mark.name
                )

    def break_line(self) -> None:
        self.run.append("\n" if self._is_code else BREAK)

    def flush(self) -> None:
        """End a block: what was gathered becomes text."""
        if not self.run:
            return
        if self._is_code:
            if not self.run[-1].endswith("\n"):
                self.run.append("\n")
            return
        if self._cells is not None:
            self.run.append(" ")
            return
        text = self._take()
        if text:
            self._add_lines(text)

    def _add_lines(self, text: str) -> None:
        kind, level = self._leaves[-1]
        if kind is BlockKind.HEADING and len(text) <= _MAX_HEADING:
            self._add(_BLANK_LINES.sub("\n", text), kind, level)
            return
        for part in _BLANK_LINES.split(text) if "\n\n" in text else [text]:
            if part.strip():
                self._add(part, kind and BlockKind.PARAGRAPH)

    def separate(self, by_line: bool) -> None:
        """Say whether a line end or a blank line comes before the next block."""
        if self._cells is None:
            self._gap = LINE_BREAK if by_line else PARAGRAPH_BREAK

    def number(self, marker: str) -> None:
        """Put a list marker before the next text."""
        if self._cells is None:
            self._marker += marker
        else:
            self.run.append(marker)

    def open_leaf(self, kind: BlockKind | None, level: int | None = None) -> None:
        """From here on, blocks of text are of this kind."""
        self.flush()
        self._leaves.append((kind, level))

    def close_leaf(self) -> None:
        self.flush()
        self._leaves.pop()

    def open(self, kind: BlockKind, level: int | None = None) -> None:
        """Begin a block around other blocks."""
        self.flush()
        mark = _Mark(kind, level=level)
        self._marks.append(mark)
        self._open.append(mark)

    def close(self) -> None:
        self.flush()
        mark = self._open.pop()
        if mark.start >= 0:
            mark.end = self._builder.length
        if mark.kind is BlockKind.LIST_ITEM:
            self._marker = ""

    def open_table(self) -> None:
        self.open(BlockKind.TABLE)
        self._tables += 1

    def close_table(self) -> None:
        self.close()
        self._tables -= 1
        self._gap = PARAGRAPH_BREAK

    def open_row(self) -> None:
        self.flush()
        self._cells = []

    def open_cell(self) -> None:
        """Begin a cell; text that stood outside of cells becomes one."""
        if stray := self._take():
            self._add_cell(stray)

    def close_cell(self) -> None:
        self._add_cell(self._take())

    def _add_cell(self, text: str) -> None:
        if self._cells is not None:
            self._cells.append(_FOLDED.sub(" ", text))

    def close_row(self) -> None:
        self.open_cell()
        cells, self._cells = self._cells or [], None
        text = "\t".join(cells).rstrip("\t ")
        if text.strip():
            self._add(text, BlockKind.TABLE_ROW)

    def open_code(self, name: str) -> None:
        self.flush()
        self._is_code, self.code_name = True, name

    def close_code(self, kind: BlockKind | None) -> None:
        self._is_code = False
        # A browser drops the line end behind <pre>, and shows none before </pre>.
        text = "".join(self.run).removeprefix("\n").rstrip("\n")
        self.run.clear()
        if self._marker and text.strip():
            self._add("", None)
            self._gap = LINE_BREAK
        self._add(text, kind, name=self.code_name)

    def _take(self) -> str:
        text = _FOLDED.sub(" ", "".join(self.run))
        self.run.clear()
        if BREAK in text:
            text = _AROUND_BREAK.sub("\n", text)
        text = text.strip(" \n")
        return text if text.strip() else ""

    def _add(
        self, text: str, kind: BlockKind | None, level: int | None = None, name: str = ""
    ) -> None:
        marked = (self._marker + text).rstrip(" ") if self._marker else text
        start, end = self._builder.add(None, marked, separator=self._gap)
        if end == start:
            return
        self._marker = ""
        self._gap = LINE_BREAK if self._tables else PARAGRAPH_BREAK
        for mark in reversed(self._open):
            if mark.start >= 0:
                break
            mark.start = start
        if kind is BlockKind.HEADING:
            name = " ".join(text.split())
        if kind is not None:
            self._marks.append(_Mark(kind, start, end, level, name))
