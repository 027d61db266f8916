"""The picture of a strip, made column by column: one pixel row may stand for a thousand chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from chunkscope.core.chunking.bands import OVERSIZE, TRUNCATED, Bands
from chunkscope.core.text.codepoints import Mask, Offsets
from chunkscope.gui.theme import Theme

Pixels = NDArray[np.float32]

_SPARSE = 4  # pixel rows per chunk from which single cuts can be told apart
_STRONG, _LIGHT = 0.75, 0.38  # share of the strong hue in a bar, and in what is repeated
_MARK = 3  # pixel rows of a mark


@dataclass(frozen=True, slots=True)
class Lanes:
    """Left and right of what stands side by side."""

    hits: slice
    bars: slice
    marks: slice

    @classmethod
    def of(cls, wide: int) -> Lanes:
        lane = max(wide // 6, 2)
        return cls(slice(3, 3 + lane), slice(5 + lane, wide - lane - 4), slice(-lane - 2, -2))


class Overview:
    """The chunks with their sums, so that any run of them is known at once."""

    def __init__(self, bands: Bands) -> None:
        self.bands = bands
        self.fresh = bands.starts + bands.overlaps
        self._reach = np.minimum.accumulate(bands.starts[::-1])[::-1]
        self._sizes = np.append(0, np.cumsum(bands.sizes))
        self._left_out = np.array([each[:2] for each in bands.left_out], np.int64).reshape(-1, 2)
        self.largest = max(int(bands.sizes.max()), 1) if len(bands) else 1

    def runs(self, bounds: Offsets) -> tuple[Offsets, Offsets]:
        """For each stretch between two bounds: its first chunk, and the one after its last."""
        first = np.maximum(np.searchsorted(self.fresh, bounds[:-1], side="right") - 1, 0)
        last = np.searchsorted(self.fresh, bounds[1:], side="left")
        return first, np.maximum(last, first + 1)

    def mean_sizes(self, first: Offsets, last: Offsets) -> NDArray[np.float64]:
        sums: Offsets = self._sizes[last] - self._sizes[first]
        return sums / (last - first)

    def covered(self, middles: Offsets, first: Offsets, last: Offsets) -> Mask:
        """Where there is a chunk; many chunks to a pixel always cover it."""
        inside = (middles < self.bands.ends[first]) & (middles >= self.bands.starts[first])
        return inside | (last - first > 1)

    def repeated(self, middles: Offsets) -> Mask:
        after = np.searchsorted(self.fresh, middles, side="right")
        reach = np.append(self._reach, np.iinfo(np.int64).max)
        return reach[after] <= middles

    def left_out(self, middles: Offsets) -> Mask:
        spans = self._left_out
        if not len(spans):
            return np.zeros(len(middles), np.bool_)
        at = np.maximum(np.searchsorted(spans[:, 0], middles, side="right") - 1, 0)
        found: Mask = (spans[at, 0] <= middles) & (middles < spans[at, 1])
        return found

    def flagged(self, flag: int) -> Offsets:
        """Where the chunks with a flag begin."""
        return self.fresh[np.flatnonzero(self.bands.flags & flag)]

    def describe(self, start: int, end: int) -> str:
        """The chunks between two offsets, in words."""
        if not len(self.bands):
            return ""
        first, last = (int(each[0]) for each in self.runs(np.array([start, max(end, start + 1)])))
        unit, flags = self.bands.unit, self.bands.flags[first:last]
        mean = round(float(self.mean_sizes(np.array([first]), np.array([last]))[0]))
        size = f"{mean:,} {unit}"
        name = f"Chunk {first}: {size}"
        if last - first > 1:
            name = f"Chunks {first}–{last - 1}: {size} on average"
        large = int(np.count_nonzero(flags & OVERSIZE))
        cut = int(np.count_nonzero(flags & TRUNCATED))
        name += f"\n{large:,} larger than the maximum" if large else ""
        return name + (f"\n{cut:,} longer than the embedding model reads" if cut else "")


def picture(
    overview: Overview, hits: Offsets, length: int, theme: Theme, wide: int, high: int
) -> QImage:
    """An image of so many pixels."""
    pixels = np.empty((high, wide, 3), np.float32)
    pixels[:] = _rgb(theme.window)
    lanes = Lanes.of(wide)
    if length and len(overview.bands):
        bounds = np.linspace(0, length, high + 1).astype(np.int64)
        _paint_bars(pixels[:, lanes.bars], overview, bounds, theme)
        oversize = _marks(overview.flagged(OVERSIZE), bounds)
        truncated = _marks(overview.flagged(TRUNCATED), bounds)
        pixels[truncated, lanes.marks] = _rgb(theme.warning)
        pixels[oversize, lanes.marks] = _rgb(theme.error)
    if length and len(hits):
        found = _marks(hits, np.linspace(0, length, high + 1).astype(np.int64))
        pixels[found, lanes.hits] = _rgb(theme.accent)
    return _image(pixels)


def _paint_bars(pixels: Pixels, overview: Overview, bounds: Offsets, theme: Theme) -> None:
    high, wide = pixels.shape[:2]
    first, last = overview.runs(bounds)
    middles = (bounds[:-1] + bounds[1:]) // 2
    tints, strong = _hues(theme.bands, first, last), _hues(theme.band_edges, first, last)
    share = np.where(overview.repeated(middles), _LIGHT, _STRONG)[:, None]
    strong = strong * share + tints * (1 - share)
    widths = np.ceil(overview.mean_sizes(first, last) / overview.largest * wide)
    is_bar = np.arange(wide)[None, :] < np.maximum(widths, 2)[:, None]
    covered = overview.covered(middles, first, last)
    filled = np.where(is_bar[:, :, None], strong[:, None, :], tints[:, None, :])
    pixels[:] = np.where(covered[:, None, None], filled, pixels)
    pixels[overview.left_out(middles)] = _rgb(theme.left_out)
    if len(overview.bands) * _SPARSE <= high:
        pixels[_rows_of(overview.fresh[1:], bounds)] = _rgb(theme.cut)


def _hues(colours: tuple[QColor, ...], first: Offsets, last: Offsets) -> Pixels:
    """The colour of each row's chunk; the mean of all where a row holds several."""
    table = np.array([_rgb(colour) for colour in colours], np.float32)
    several = (last - first > 1)[:, None]
    return np.where(several, table.mean(axis=0), table[first % len(table)]).astype(np.float32)


def _rows_of(offsets: Offsets, bounds: Offsets) -> Mask:
    """The pixel rows that hold at least one of the sorted offsets."""
    found = np.searchsorted(offsets, bounds)
    return found[1:] > found[:-1]


def _marks(offsets: Offsets, bounds: Offsets) -> Mask:
    rows = np.flatnonzero(_rows_of(offsets, bounds))
    marked = np.zeros(len(bounds) - 1, np.bool_)
    for step in range(_MARK):
        marked[np.minimum(rows + step, len(marked) - 1)] = True
    return marked


def _rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def _image(pixels: Pixels) -> QImage:
    high, wide = pixels.shape[:2]
    data = pixels.astype(np.uint8).tobytes()
    # The copy owns its memory; the first image only borrows it.
    return QImage(data, wide, high, 3 * wide, QImage.Format.Format_RGB888).copy()
