"""Paragraphs and tables on their way from a DOCX part into the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from chunkscope.core.blocks import BlockKind, Blocks
from chunkscope.core.loaders.builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder

_SHORT_ITEM = 200
_BLANKS = re.compile(r"[ \t\n]+")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A finished paragraph."""

    text: str
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int | None = None
    is_title: bool = False


@dataclass(slots=True)
class Table:
    """Rows of cells; a cell holds paragraphs and tables."""

    rows: list[list[list[Item]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A finished text with its blocks, from another kind of document."""

    text: str
    blocks: Blocks


Item = Paragraph | Table | Embedded


class Sink(Protocol):
    """Takes finished items."""

    def put(self, item: Item) -> None: ...


class Collected:
    """A sink that keeps its items."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def put(self, item: Item) -> None:
        self.items.append(item)


class Written:
    """A sink that writes blocks into a text as they come."""

    def __init__(self, builder: TextBuilder) -> None:
        self.builder = builder
        self.title = ""
        self.first_heading = ""
        self._is_after_item = False
        self._table_start: list[int] = []
        self._is_first_row = False

    def put(self, item: Item) -> None:
        if isinstance(item, Paragraph):
            self._put_paragraph(item)
            return
        self._is_after_item = False
        if isinstance(item, Embedded):
            self.builder.embed(item.text, item.blocks)
            return
        self.begin_table()
        for row in item.rows:
            self.put_row(row)
        self.end_table()

    def begin_table(self) -> None:
        self._table_start.append(-1)
        self._is_first_row = True

    def put_row(self, cells: list[list[Item]]) -> None:
        """One line, cells separated by tabs; a row of one long cell keeps its paragraphs."""
        self._is_after_item = False
        before = self.builder.length
        if len(cells) == 1 and len(cells[0]) > 1:
            start = self._put_boxed(cells[0])
        else:
            text = "\t".join(flat(cell) for cell in cells).rstrip("\t ")
            separator = PARAGRAPH_BREAK if self._is_first_row else LINE_BREAK
            start, _ = self.builder.add(BlockKind.TABLE_ROW, text, separator=separator)
        if self.builder.length > before:
            self._is_first_row = False
            if self._table_start[-1] < 0:
                self._table_start[-1] = start

    def end_table(self) -> None:
        start = self._table_start.pop()
        if start >= 0:
            self.builder.mark(BlockKind.TABLE, start, self.builder.length)
        self._is_first_row = False
        self._is_after_item = False

    def _put_boxed(self, items: list[Item]) -> int:
        before = self.builder.length
        for item in items:
            self.put(item)
        start = before + (len(PARAGRAPH_BREAK) if before else 0)
        if self.builder.length > before:
            self.builder.mark(BlockKind.TABLE_ROW, start, self.builder.length)
        self._is_after_item = False
        return start

    def _put_paragraph(self, item: Paragraph) -> None:
        is_item = item.kind is BlockKind.LIST_ITEM and len(item.text) <= _SHORT_ITEM
        separator = LINE_BREAK if is_item and self._is_after_item else PARAGRAPH_BREAK
        self.builder.add(item.kind, item.text, level=item.level, separator=separator)
        self._is_after_item = is_item
        if item.kind is BlockKind.HEADING:
            self.first_heading = self.first_heading or item.text
            if item.is_title:
                self.title = self.title or item.text


def flat(items: Iterable[Item]) -> str:
    """The items of a cell in one line, inner tables included."""
    texts = (_one_line(item) for item in items)
    return " ".join(text for text in texts if text)


def _one_line(item: Item) -> str:
    if isinstance(item, Table):
        return " ".join(text for row in item.rows for cell in row if (text := flat(cell)))
    return _BLANKS.sub(" ", item.text)


def lines(items: Iterable[Item]) -> str:
    """The items of a note or a page header, a line for each paragraph and row."""
    found: list[str] = []
    for item in items:
        if isinstance(item, Table):
            found += ["\t".join(flat(cell) for cell in row).rstrip("\t ") for row in item.rows]
        else:
            found.append(item.text)
    return "\n".join(text for text in found if text.strip())
