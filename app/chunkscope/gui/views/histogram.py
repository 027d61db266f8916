"""The sizes of chunks as a histogram, with the budget and the minimum drawn in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from chunkscope.core.chunking.bands import Bands
from chunkscope.gui.theme import Theme, light

_BINS = 32
_EDGE = 6.0
_FOOT = 16.0


class Histogram(QWidget):
    """Bars that can be clicked: `picked` carries the chunks of a bar."""

    picked = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = light()
        self._bands = Bands()
        self._counts: NDArray[np.int64] = np.zeros(_BINS, np.int64)
        self._top = 1.0
        self.setMouseTracking(True)
        self.setAccessibleName("Histogram of chunk sizes")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(220, 96)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_bands(self, bands: Bands) -> None:
        self._bands = bands
        largest = int(bands.sizes.max()) if len(bands) else 1
        self._top = float(max(largest, bands.max_size if bands.max_size < 4 * largest else 0, 1))
        self._counts = np.histogram(bands.sizes, bins=_BINS, range=(0, self._top * 1.0001))[0]
        self.setAccessibleDescription(self.summary())
        self.update()

    def summary(self) -> str:
        """What the picture shows, in words."""
        if not len(self._bands):
            return "no chunks"
        sizes = self._bands.sizes
        return f"{len(sizes)} chunks from {sizes.min()} to {sizes.max()} {self._bands.unit}"

    def _plot(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_FOOT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        plot = self._plot()
        self._paint_bars(painter, plot)
        painter.setPen(QPen(self._theme.line))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())
        self._paint_limit(painter, plot, self._bands.min_size, Qt.PenStyle.DotLine)
        self._paint_limit(painter, plot, self._bands.max_size, Qt.PenStyle.DashLine)
        self._paint_scale(painter, plot)

    def _paint_bars(self, painter: QPainter, plot: QRectF) -> None:
        most = max(int(self._counts.max()), 1)
        width = plot.width() / _BINS
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.band_edges[0])
        for at, count in enumerate(self._counts.tolist()):
            if count:
                height = max(plot.height() * count / most, 2.0)
                left = plot.left() + at * width
                painter.drawRect(QRectF(left, plot.bottom() - height, width - 1.0, height))

    def _paint_limit(self, painter: QPainter, plot: QRectF, value: int, style: Qt.PenStyle) -> None:
        if not 0 < value <= self._top:
            return
        x = plot.left() + plot.width() * value / self._top
        painter.setPen(QPen(self._theme.warning, 1.5, style))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))

    def _paint_scale(self, painter: QPainter, plot: QRectF) -> None:
        painter.setPen(self._theme.muted)
        font = painter.font()
        font.setPointSizeF(max(font.pointSizeF() * 0.8, 7.0))
        painter.setFont(font)
        foot = QRectF(plot.left(), plot.bottom() + 2, plot.width(), _FOOT - 2)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, f"{self._top:,.0f} {self._bands.unit}")

    def _bin_at(self, x: float) -> int:
        plot = self._plot()
        return min(max(int((x - plot.left()) / max(plot.width(), 1) * _BINS), 0), _BINS - 1)

    def chunks_in(self, number: int) -> list[int]:
        """The chunks whose size falls into a bar."""
        low, high = number * self._top / _BINS, (number + 1) * self._top / _BINS
        sizes = self._bands.sizes
        is_last = number == _BINS - 1
        mask = (sizes >= low) & ((sizes <= high) if is_last else (sizes < high))
        found: list[int] = np.flatnonzero(mask).tolist()
        return found

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._bin_at(event.position().x())
        low, high = number * self._top / _BINS, (number + 1) * self._top / _BINS
        text = f"{self._counts[number]} chunks of {low:,.0f}–{high:,.0f} {self._bands.unit}"
        QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.chunks_in(self._bin_at(event.position().x()))
        if found:
            self.picked.emit(found)
