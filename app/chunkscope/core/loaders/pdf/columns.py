"""Columns of print that a program drew line by line across the page, put one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunkscope.core.loaders.pdf.layout import CELL_GAP, Line, Page
from chunkscope.core.loaders.pdf.lines import width

_LEAST_LINES = 6
# What tells running text from the cells of a table.
_LEAST_LENGTH = 25
_LEAST_SMALL = 0.3


def columns_apart(page: Page) -> Page:
    """The page in reading order, if two columns of text stand beside each other in its lines."""
    lines = page.lines
    if sum(len(line.cells) == 1 for line in lines) < _LEAST_LINES:
        return page
    ordered: list[Line] = []
    at = 0
    while at < len(lines):
        end = _end_of_columns(lines, at)
        columns = _columns(lines[at:end]) if end - at >= _LEAST_LINES else None
        if columns is None:
            ordered.append(lines[at])
            at += 1
        else:
            ordered += columns
            at = end
    return replace(page, lines=tuple(ordered))


def _end_of_columns(lines: Sequence[Line], start: int) -> int:
    """Where lines that keep clear of the gutter of the first one end."""
    if len(lines[start].cells) != 1:
        return start
    gutter = lines[start].cells[0]
    end = start + 1
    while end < len(lines) and _keeps_clear(lines[end - 1], lines[end], gutter):
        end += 1
    return end


def _keeps_clear(above: Line, line: Line, gutter: float) -> bool:
    if line.turn != above.turn or line.y < above.y - 0.5 * line.size or len(line.cells) > 1:
        return False
    if line.cells:
        return abs(line.cells[0] - gutter) <= line.size
    return line.x >= gutter - line.size or line.right < gutter


def _columns(lines: Sequence[Line]) -> list[Line] | None:
    """The lines of the left column, then those of the right one; None if it is no such text."""
    gutter = lines[0].cells[0]
    left: list[Line] = []
    right: list[Line] = []
    for line in lines:
        first, _, second = line.text.partition(CELL_GAP)
        if not line.cells:
            (right if line.x >= gutter - line.size else left).append(line)
        else:
            end = line.x + width(first, line.size)
            left.append(line._replace(text=first, right=round(end, 1), cells=()))
            right.append(line._replace(text=second, x=line.cells[0], cells=()))
    return left + right if _is_prose(left) and _is_prose(right) else None


def _is_prose(lines: Sequence[Line]) -> bool:
    length = sum(len(line.text) for line in lines)
    small = sum(line.text[:1].islower() for line in lines)
    return (
        len(lines) >= _LEAST_LINES
        and length >= _LEAST_LENGTH * len(lines)
        and small >= _LEAST_SMALL * len(lines)
    )
