"""The exact place of the first visible line, and the lines that follow it down the window."""

from __future__ import annotations

from typing import NamedTuple

from chunkscope.gui.views.text_heights import Heights
from chunkscope.gui.views.text_layout import LayoutCache, Line, RowLayout
from chunkscope.gui.views.text_rows import Rows


class Placed(NamedTuple):
    """A line and where it stands in the viewport."""

    line: Line
    y: int
    row: RowLayout
    row_index: int


class Top:
    """A row, and how many pixels of it are hidden: no estimate enters what is shown."""

    def __init__(self, rows: Rows, cache: LayoutCache, heights: Heights) -> None:
        self._rows, self._cache, self._heights = rows, cache, heights
        self._row = self._hidden = 0

    @property
    def is_start(self) -> bool:
        return not self._row and not self._hidden

    @property
    def offset(self) -> int:
        """The first character of the first visible line."""
        return self._cache.row(self._row).line_at(self._hidden).start

    @property
    def y(self) -> int:
        """About how far it is from the start of the text."""
        share = self._hidden / max(self._cache.row(self._row).height, 1)
        return self._heights.above(self._row) + int(share * self._heights.of(self._row))

    def move(self, pixels: int) -> None:
        self._hidden += pixels
        while self._hidden < 0 and self._row > 0:
            self._row -= 1
            self._hidden += self._cache.row(self._row).height
        last = len(self._rows) - 1
        while self._row < last and self._hidden >= (high := self._cache.row(self._row).height):
            self._hidden -= high
            self._row += 1
        highest = self._cache.row(self._row).height - 1
        self._hidden = min(max(self._hidden, 0), highest)

    def stand_at(self, offset: int) -> None:
        self._row = self._rows.row_of(offset)
        self._hidden = self._cache.row(self._row).line_of(offset).top

    def stand_near(self, y: int) -> None:
        """The reverse of `y`."""
        self._row = self._heights.row_at(y)
        share = (y - self._heights.above(self._row)) / max(self._heights.of(self._row), 1)
        self._hidden = int(share * self._cache.row(self._row).height)

    def place(self, height: int) -> list[Placed]:
        """The lines that can be seen in a window of some height, never none."""
        found: list[Placed] = []
        y, index = -self._hidden, self._row
        while y < max(height, 1) and index < len(self._rows):
            row = self._cache.row(index)
            found += [
                Placed(line, y + line.top, row, index)
                for line in row.lines
                if y + line.top + line.height > 0 and y + line.top < max(height, 1)
            ]
            y, index = y + row.height, index + 1
        return found
