"""How high the rows stand: measured in a short text, estimated from their lengths in a long one."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QFontMetricsF

from chunkscope.core.text.codepoints import Offsets
from chunkscope.gui.views.text_layout import LayoutCache
from chunkscope.gui.views.text_rows import Rows

_MEASURED_ROWS = 100
_MEASURED_CHARACTERS = 20_000
_SAMPLES, _SAMPLE = 16, 60


class Heights:
    """The heights of all rows, added up: only a scroll bar's place depends on them."""

    def __init__(self, heights: Offsets) -> None:
        self._bounds = np.concatenate(([0], np.cumsum(heights)))

    @property
    def total(self) -> int:
        return int(self._bounds[-1])

    def above(self, row: int) -> int:
        return int(self._bounds[row])

    def of(self, row: int) -> int:
        return int(self._bounds[row + 1] - self._bounds[row])

    def row_at(self, y: int) -> int:
        found = int(np.searchsorted(self._bounds, y, side="right")) - 1
        return min(max(found, 0), len(self._bounds) - 2)


def heights_of(text: str, rows: Rows, cache: LayoutCache) -> Heights:
    if len(rows) <= _MEASURED_ROWS and len(text) <= _MEASURED_CHARACTERS:
        return Heights(np.array([cache.row(row).height for row in range(len(rows))], np.int64))
    style = cache.style
    if style.width is None:
        return Heights(np.full(len(rows), style.pitch, np.int64))
    in_line = max(int(style.width / _character_width(text, QFontMetricsF(style.font))), 1)
    lines = np.maximum(np.diff(rows.starts) - 2, 0) // in_line + 1
    return Heights(lines * style.pitch)


def _character_width(text: str, metrics: QFontMetricsF) -> float:
    """The mean over samples of the text: an ideograph takes twice the place of a letter."""
    step = max(len(text) // _SAMPLES, 1)
    sample = "".join(text[at : at + _SAMPLE] for at in range(0, len(text), step))
    sample = sample.replace("\n", "")
    if not sample:
        return metrics.averageCharWidth()
    return max(metrics.horizontalAdvance(sample) / len(sample), 1.0)
