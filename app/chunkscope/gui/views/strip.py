"""The whole document in a narrow strip, beside the window that shows a part of it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from chunkscope.core.chunking.bands import Bands
from chunkscope.core.text.codepoints import Offsets
from chunkscope.gui.theme import Theme, light
from chunkscope.gui.views.strip_picture import Overview, picture

_WIDTH = 34
_LEAST_FRAME = 8.0


class Strip(QWidget):
    """Click or drag: `go_to` carries the offset."""

    go_to = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = light()
        self._length = 0
        self._visible = (0, 0)
        self._overview = Overview(Bands())
        self._hits: Offsets = np.zeros(0, np.int64)
        self._image: QImage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Overview of the document")

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, 200)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._forget()

    def set_length(self, length: int) -> None:
        """How many characters the document has."""
        self._length = length
        self._forget()

    def set_bands(self, bands: Bands) -> None:
        self._overview = Overview(bands)
        self._forget()

    def set_hits(self, hits: Offsets) -> None:
        """Offsets, or spans, of what was found."""
        found = np.asarray(hits, np.int64)
        self._hits = np.sort(found[:, 0] if found.ndim == 2 else found)
        self._forget()

    def set_visible(self, start: int, end: int) -> None:
        """What the window beside it shows."""
        self._visible = (start, end)
        self.update()

    def offset_at(self, y: float) -> int:
        share = min(max(y / max(self.height(), 1), 0.0), 1.0)
        return min(int(share * self._length), max(self._length - 1, 0))

    def y_of(self, offset: int) -> float:
        return offset / max(self._length, 1) * self.height()

    def tool_tip_at(self, y: float) -> str:
        """The chunks of a pixel row, in words."""
        if not self._length:
            return ""
        return self._overview.describe(self.offset_at(y), self.offset_at(y + 1))

    def _forget(self) -> None:
        self._image = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._forget()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._on_mouse(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._on_mouse(event)

    def _on_mouse(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton and self._length:
            self.go_to.emit(self.offset_at(event.position().y()))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place: QPoint = event.globalPos()
            QToolTip.showText(place, self.tool_tip_at(event.pos().y()), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawImage(self.rect(), self._picture())
        painter.fillRect(0, 0, 1, self.height(), self._theme.line)
        if self._length:
            self._paint_frame(painter)
        painter.end()

    def _picture(self) -> QImage:
        if self._image is None:
            ratio = self.devicePixelRatioF()
            wide, high = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
            theme, overview = self._theme, self._overview
            self._image = picture(overview, self._hits, self._length, theme, wide, high)
        return self._image

    def _paint_frame(self, painter: QPainter) -> None:
        start, end = self._visible
        top = self.y_of(start)
        high = max(self.y_of(end) - top, _LEAST_FRAME)
        top = min(top, self.height() - high)
        frame = QRectF(1.5, top + 0.5, self.width() - 3, high - 1)
        inside = QColor(self._theme.selected)
        inside.setAlpha(28)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(inside)
        painter.setPen(QPen(self._theme.selected, 1.6))
        painter.drawRoundedRect(frame, 3, 3)
