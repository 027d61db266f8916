"""Rows of text, shaped and broken into lines: where each character stands."""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextLayout, QTextLine, QTextOption

from chunkscope.gui.textpos import TextPositions
from chunkscope.gui.views.text_rows import Rows

Extent = tuple[float, float]

_UNBOUNDED = 1e7
_SPACING = 1.16
_KEPT = 400
_TAB = 4
# Letters written to the left, and the signs that change the direction.
_MIXED = re.compile(
    "[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


@dataclass(frozen=True, slots=True)
class LayoutStyle:
    """What the place of every character depends on; no width means no wrapping."""

    font: QFont
    width: float | None

    @property
    def pitch(self) -> int:
        """The height of a line of the font itself."""
        return ceil(QFontMetricsF(self.font).height() * _SPACING)

    def option(self, is_rtl: bool) -> QTextOption:
        modes = QTextOption.WrapMode
        option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if is_rtl else Qt.LayoutDirection.LeftToRight
        )
        if is_rtl and self.width is not None:
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        wraps = self.width is not None
        option.setWrapMode(modes.WrapAtWordBoundaryOrAnywhere if wraps else modes.NoWrap)
        option.setTabStopDistance(_TAB * QFontMetricsF(self.font).horizontalAdvance(" "))
        return option


class Line:
    """One line on the screen. `end` counts the newline that closes the row, `text_end` does not."""

    __slots__ = ("_mixed", "_row", "_shaped", "end", "height", "start", "text_end", "top")

    def __init__(self, row: RowLayout, shaped: QTextLine, top: int, height: int) -> None:
        self._row, self._shaped = row, shaped
        self._mixed = row.is_mixed
        self.top, self.height = top, height
        self.start = row.offset_of(shaped.textStart())
        self.text_end = row.offset_of(shaped.textStart() + shaped.textLength())
        self.end = self.text_end

    @property
    def width(self) -> float:
        return self._shaped.naturalTextRect().right()

    def x_of(self, offset: int) -> float:
        """Where the character at `offset` begins, in its own direction of writing."""
        if self._mixed and offset < self.text_end:
            runs = self._shaped.glyphRuns(self._row.pos_of(offset), self._units(offset))
            if runs:
                rect = runs[0].boundingRect()
                return rect.right() if runs[0].isRightToLeft() else rect.left()
        return self._x(offset)

    def cell(self, offset: int) -> Extent:
        """The left and the right of one character."""
        if offset >= self.text_end:
            edge = self._x(self.text_end)
            return edge, edge
        found = self.extents(offset, offset + 1)
        return found[0] if found else (self._x(offset), self._x(offset))

    def extents(self, start: int, end: int, edges: Extent | None = None) -> list[Extent]:
        """What a span covers of the line; with `edges` the margins belong to the first and last."""
        start, end = max(start, self.start), min(end, self.end)
        if start >= end:
            return []
        if self._mixed:
            return self._mixed_extents(start, end, edges)
        left, right = self._x(start), self._x(min(end, self.text_end))
        if edges and start == self.start:
            left = edges[0]
        if edges and end >= self.text_end:
            right = edges[1]
        return [(left, right)] if left < right else []

    def offset_at(self, x: float, between: bool = False) -> int:
        """The character at `x`, or with `between` the nearest place between two."""
        how = QTextLine.CursorPosition
        wanted = how.CursorBetweenCharacters if between else how.CursorOnCharacter
        found = self._row.offset_of(self._shaped.xToCursor(x, wanted))
        last = self.text_end if between else max(self.text_end - 1, self.start)
        return min(max(found, self.start), last)

    def _mixed_extents(self, start: int, end: int, edges: Extent | None) -> list[Extent]:
        first, last = self._row.pos_of(start), self._row.pos_of(min(end, self.text_end))
        runs = self._shaped.glyphRuns(first, last - first) if last > first else []
        found = [(rect.left(), rect.right()) for rect in (run.boundingRect() for run in runs)]
        if edges:
            natural = self._shaped.naturalTextRect()
            outside = [(edges[0], natural.left()), (natural.right(), edges[1])]
            before, after = reversed(outside) if self._row.is_rtl else outside
            found += [before] if start == self.start else []
            found += [after] if end >= self.text_end else []
        return _merged(found)

    def _x(self, offset: int) -> float:
        # The binding returns the position too, because Qt may move it.
        found = self._shaped.cursorToX(self._row.pos_of(offset))
        return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]

    def _units(self, offset: int) -> int:
        return self._row.pos_of(offset + 1) - self._row.pos_of(offset)


class RowLayout:
    """One row, laid out; `end` is where its text ends, `after` where the next row begins."""

    __slots__ = ("_places", "_shaped", "after", "end", "height", "is_mixed", "is_rtl", "lines",
                 "start")  # fmt: skip

    def __init__(self, text: str, start: int, after: int, is_rtl: bool, style: LayoutStyle) -> None:
        self.start, self.end, self.after = start, start + len(text), after
        self.is_rtl = is_rtl
        self.is_mixed = is_rtl or bool(not text.isascii() and _MIXED.search(text))
        self._places = TextPositions(text)
        self._shaped = QTextLayout(text, style.font)
        self._shaped.setTextOption(style.option(is_rtl))
        self.lines: list[Line] = []
        self.height = 0
        self._break(style)
        self.lines[-1].end = after

    @property
    def shaped(self) -> QTextLayout:
        return self._shaped

    def pos_of(self, offset: int) -> int:
        return self._places.to_pos(offset - self.start)

    def offset_of(self, pos: int) -> int:
        return self.start + self._places.to_offset(pos)

    def line_at(self, y: float) -> Line:
        return next((line for line in self.lines if y < line.top + line.height), self.lines[-1])

    def line_of(self, offset: int) -> Line:
        return next((line for line in self.lines if offset < line.end), self.lines[-1])

    def _break(self, style: LayoutStyle) -> None:
        pitch = style.pitch
        width = _UNBOUNDED if style.width is None else style.width
        self._shaped.beginLayout()
        while (shaped := self._shaped.createLine()).isValid():
            shaped.setLineWidth(width)
            height = max(ceil(shaped.height()), pitch)
            inset = (height - shaped.height()) // 2
            shaped.setPosition(QPointF(0, self.height + inset))
            self.lines.append(Line(self, shaped, self.height, height))
            self.height += height
        self._shaped.endLayout()


class LayoutCache:
    """The rows that were laid out last."""

    def __init__(self, text: str, rows: Rows, style: LayoutStyle) -> None:
        self.style = style
        self.made = 0
        self._text, self._rows = text, rows
        self._kept: OrderedDict[int, RowLayout] = OrderedDict()

    def row(self, index: int) -> RowLayout:
        found = self._kept.get(index)
        if found is None:
            found = self._kept[index] = self._make(index)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(index)
        return found

    def _make(self, index: int) -> RowLayout:
        self.made += 1
        rows = self._rows
        start, after = rows.start(index), rows.start(index + 1)
        line = rows.start(rows.first_of_line(index))
        is_rtl = _is_rtl(self._text[line : min(line + 200, after)])
        return RowLayout(self._text[start : rows.end(index)], start, after, is_rtl, self.style)


def _merged(extents: list[Extent]) -> list[Extent]:
    found: list[Extent] = []
    for left, right in sorted(extent for extent in extents if extent[0] < extent[1]):
        if found and left <= found[-1][1] + 0.01:
            found[-1] = (found[-1][0], max(right, found[-1][1]))
        else:
            found.append((left, right))
    return found


def _is_rtl(text: str) -> bool:
    """Whether the first letter with a direction is written to the left."""
    if text.isascii():
        return False
    for sign in text:
        direction = unicodedata.bidirectional(sign)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False
