"""Columns of print that a program drew line by line across the page, put one after the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from statistics import median

from chunkscope.core.loaders.pdf.layout import Line
from chunkscope.core.loaders.pdf.lines import (
    FURTHEST_INDENT,
    SAME_PLACE,
    WIDTH_ERROR,
    LineCollector,
)

_LEAST_LINES = 6
# What tells running text from the cells of a table.
_LEAST_LENGTH = 25
_LEAST_SMALL = 0.3
_LEAST_FULL = 0.8
_MOST_GAPS = 0.2
_MOST_GUTTERS = 3  # that are tried on a page
_MOST_ROWS = 500  # that are looked at from each line on

_Row = tuple[Line | None, Line | None]  # what stands left and right of the gutter


def in_reading_order(printed: LineCollector) -> Sequence[Line]:
    """The lines, the left ones first where two columns of text stand beside each other."""
    lines = printed.lines
    starts = Counter(printed.starts(_LEAST_LENGTH))
    starts.update(line.x for above, line in pairwise(lines) if _is_beside(above, line))
    # The last line of a paragraph is short.
    gutters = [x for x, count in starts.most_common(_MOST_GUTTERS) if count >= _LEAST_LINES - 1]
    if not gutters and sum(len(line.cells) == 1 for line in lines) < _LEAST_LINES:
        return lines
    return list(_Sorter(printed, gutters).ordered())


def _is_beside(first: Line, line: Line) -> bool:
    return (
        line.x > first.x
        and min(len(first.text), len(line.text)) >= _LEAST_LENGTH
        and abs(line.y - first.y) <= 0.3 * line.size
    )


class _Sorter:
    """Finds columns in the lines of a page; at `gutters` many of their pieces start."""

    def __init__(self, printed: LineCollector, gutters: Sequence[float]) -> None:
        self._lines = printed.lines
        self._gutters = gutters
        self._halves = cache(printed.halves)

    def ordered(self) -> Iterator[Line]:
        at = 0
        while at < len(self._lines):
            rows = self._rows(at)
            columns = self._columns(at, rows) if len(rows) >= _LEAST_LINES else []
            yield from columns or self._lines[at : at + 1]
            at += len(rows) if columns else 1

    def _rows(self, start: int) -> list[_Row]:
        """The lines that keep clear of the gutter of the first one."""
        rows: list[_Row] = []
        if (gutter := self._gutter(start)) is None:
            return rows
        above = self._lines[start]
        for at, line in enumerate(self._lines[start : start + _MOST_ROWS], start):
            if line.turn != above.turn or line.y < above.y - 0.5 * line.size:
                break
            if (row := self._row(at, gutter)) is None:
                break
            rows.append(row)
            above = line
        return self._trimmed(rows)

    def _trimmed(self, rows: list[_Row]) -> list[_Row]:
        """Without what stands centred below the columns, like the number of the page."""
        edge = rows[0][0].x if rows and rows[0][0] else math.inf
        while rows and not rows[-1][1] and (line := rows[-1][0]):
            if line.x <= edge + FURTHEST_INDENT * line.size:
                break
            rows.pop()
        return rows

    def _gutter(self, at: int) -> float | None:
        line, *below = self._lines[at : at + 2]
        for gutter in self._gutters:
            if self._halves(at, gutter):
                return gutter
            indent = below[0].x - gutter if below and _is_beside(line, below[0]) else -math.inf
            if -SAME_PLACE <= indent <= FURTHEST_INDENT * line.size:
                return gutter
        return line.cells[0] if len(line.cells) == 1 else None

    def _row(self, at: int, gutter: float) -> _Row | None:
        line = self._lines[at]
        if line.x >= gutter - line.size:
            return None, line
        if halves := self._halves(at, gutter):
            return halves
        is_clear = line.right <= gutter + WIDTH_ERROR * (gutter - line.x)
        return (line, None) if is_clear else None

    def _columns(self, at: int, rows: Sequence[_Row]) -> list[Line]:
        """The lines of the left column, then those of the right one; none if it is no such text."""
        left = [line for line, _ in rows if line]
        right = [line for _, line in rows if line]
        is_wide = self._lines[at].cells and all(
            self._lines[at + i].cells for i, row in enumerate(rows) if all(row)
        )
        is_text = all(_is_prose(lines) and (is_wide or _is_full(lines)) for lines in (left, right))
        return left + right if is_text else []


def _is_prose(lines: Sequence[Line]) -> bool:
    length = sum(len(line.text) for line in lines)
    small = sum(line.text[:1].islower() for line in lines)
    return (
        len(lines) >= _LEAST_LINES
        and length >= _LEAST_LENGTH * len(lines)
        and small >= _LEAST_SMALL * len(lines)
        and sum(bool(line.cells) for line in lines) <= _MOST_GAPS * len(lines)
    )


def _is_full(lines: Sequence[Line]) -> bool:
    """Whether most lines go on to the end of the column, and none of them again and again."""
    lengths = [len(line.text) for line in lines]
    return (
        median(lengths) >= _LEAST_FULL * max(lengths)
        and len({line.text for line in lines}) > len(lines) / 2
    )
