"""What of the chunks, and of other marked spans, lies in a piece of text: found by bisection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from chunkscope.core.chunking.bands import OVERSIZE, TRUNCATED, Bands
from chunkscope.core.text.codepoints import Offsets

SIGNS = ((OVERSIZE, "!"), (TRUNCATED, "✂"))
_EDGES = 8  # chunks that repeat the same text at most drawn; windows with a small step make many
_FAR = np.iinfo(np.int64).max


class SpanLayer:
    """Marked spans of one kind, in any order, also overlapping."""

    def __init__(
        self,
        spans: Offsets,
        colour: QColor,
        underline: bool = False,
        style: Qt.PenStyle = Qt.PenStyle.SolidLine,
        strike: bool = False,
    ) -> None:
        spans = np.asarray(spans, np.int64).reshape(-1, 2)
        order = np.argsort(spans[:, 0], kind="stable")
        self.colour, self.underline, self.style = colour, underline, style
        self.strike = strike
        self._starts, self._ends = spans[order, 0], spans[order, 1]
        self._reach = np.maximum.accumulate(self._ends)

    def within(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        first = int(np.searchsorted(self._reach, start, side="right"))
        last = int(np.searchsorted(self._starts, end, side="left"))
        for at in range(first, last):
            low, high = max(int(self._starts[at]), start), min(int(self._ends[at]), end)
            if low < high:
                yield low, high


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a chunk that lies in the piece asked for."""

    start: int
    end: int
    index: int


class BandIndex:
    """The chunks of a document, found by place. The fresh part is what no chunk before holds."""

    def __init__(self, bands: Bands) -> None:
        self.bands = bands
        self.fresh = bands.starts + bands.overlaps
        after = np.append(self.fresh[1:], _FAR)[: len(bands)]
        self._ends = np.minimum(bands.ends, after)
        # The least start of a chunk and all after it: sorted, whatever the strategy.
        self._reach = np.minimum.accumulate(bands.starts[::-1])[::-1]
        spans = np.array([span[:2] for span in bands.left_out], np.int64).reshape(-1, 2)
        self._left_out = SpanLayer(spans, QColor())

    def __len__(self) -> int:
        return len(self.bands)

    def pieces(self, start: int, end: int) -> Iterator[Piece]:
        """The fresh parts between two offsets."""
        first = max(int(np.searchsorted(self.fresh, start, side="right")) - 1, 0)
        last = int(np.searchsorted(self.fresh, end, side="left"))
        for index in range(first, last):
            low = max(int(self.fresh[index]), start)
            high = min(int(self._ends[index]), end)
            if low < high:
                yield Piece(low, high, index)

    def starting(self, start: int, end: int) -> range:
        """The chunks whose fresh part begins between two offsets."""
        first, last = np.searchsorted(self.fresh, (start, end), side="left")
        return range(int(first), int(last))

    def repeated(self, start: int, end: int) -> list[tuple[int, int]]:
        """What more than one chunk holds, as spans that do not touch."""
        some = self._repeating(start, end)
        low = np.maximum(self.bands.starts[some], start)
        high = np.minimum(self.fresh[some], end)
        order = np.argsort(low, kind="stable")
        order = order[low[order] < high[order]]
        if not len(order):
            return []
        low, reach = low[order], np.maximum.accumulate(high[order])
        breaks = np.flatnonzero(low[1:] > reach[:-1])
        firsts = low[np.append(0, breaks + 1)].tolist()
        return list(zip(firsts, reach[np.append(breaks, -1)].tolist(), strict=True))

    def repeaters(self, start: int, end: int) -> list[Piece]:
        """Of the chunks that repeat something from here, the nearest few."""
        some = self._repeating(start, end)
        found: list[Piece] = []
        for index in range(some.start, min(some.stop, some.start + _EDGES)):
            low = max(int(self.bands.starts[index]), start)
            high = min(int(self.fresh[index]), end)
            if low < high:
                found.append(Piece(low, high, index))
        return found

    def _repeating(self, start: int, end: int) -> slice:
        first = int(np.searchsorted(self.fresh, start, side="right"))
        last = int(np.searchsorted(self._reach, end, side="left"))
        return slice(first, max(first, last))

    def left_out(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        return self._left_out.within(start, end)

    def reason_at(self, offset: int) -> str:
        """Why the text at an offset is in no chunk; empty if it is in one."""
        found = (why for start, end, why in self.bands.left_out if start <= offset < end)
        return next(found, "")

    def chunk_at(self, offset: int) -> int:
        """The chunk whose fresh part holds the offset, or ends last before it; -1 for left out."""
        if not len(self) or any(True for _ in self.left_out(offset, offset + 1)):
            return -1
        return max(int(np.searchsorted(self.fresh, offset, side="right")) - 1, 0)

    def span(self, index: int) -> tuple[int, int]:
        """All of a chunk, with what it repeats."""
        return int(self.bands.starts[index]), int(self.bands.ends[index])

    def signs(self, index: int) -> str:
        flags = int(self.bands.flags[index]) if len(self.bands.flags) else 0
        return "".join(sign for flag, sign in SIGNS if flags & flag)

    def summary(self, index: int) -> str:
        """A chunk in words, for a tool tip."""
        bands = self.bands
        lines = [f"Chunk {index}: {bands.sizes[index]:,} {bands.unit}"]
        if index < len(bands.boundaries):
            lines.append(f"begins at: {bands.boundaries[index]}")
        if bands.overlaps[index]:
            lines.append(f"repeats {bands.overlaps[index]:,} characters of what is before it")
        signs = self.signs(index)
        if "!" in signs:
            lines.append(f"! larger than the maximum of {bands.max_size:,} {bands.unit}")
        if "✂" in signs:
            lines.append("✂ longer than the embedding model reads: the end would be cut off")
        return "\n".join(lines)
