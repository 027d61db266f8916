"""A figure with its interval: the number, then a bar on a scale that all rows share."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chunkscope.gui.panels.tuning.leaderboard_model import INTERVAL_ROLE, SCALE_ROLE
from chunkscope.gui.theme import Theme, light, mixed

_PAD = 10
BAR_ROOM = 96 + 2 * _PAD  # beside the figure


class IntervalDelegate(QStyledItemDelegate):
    """Only cells that have an interval get a bar."""

    theme: Theme = light()

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.data(INTERVAL_ROLE) is not None:
            option.displayAlignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        size = super().sizeHint(option, index)
        if index.data(INTERVAL_ROLE) is not None:
            size.setWidth(size.width() + BAR_ROOM)
        return size

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        found = index.data(INTERVAL_ROLE)
        if found is None:
            return
        low, high = index.data(SCALE_ROLE)
        text = option.fontMetrics.horizontalAdvance("100.0%") + 2 * _PAD
        rect = QRectF(option.rect).adjusted(text, 0, -_PAD, 0)
        if rect.width() < 24:
            return
        span = max(high - low, 1e-9)

        def x(value: float) -> float:
            return float(rect.left() + (value - low) / span * rect.width())

        selected = option.state & QStyle.StateFlag.State_Selected
        theme, middle = self.theme, rect.center().y()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(theme.line, theme.window, 0.4))
        painter.drawRoundedRect(QRectF(rect.left(), middle - 1, rect.width(), 2), 1, 1)
        colour = theme.accent if not selected else mixed(theme.accent, theme.text, 0.2)
        soft = mixed(theme.window, theme.accent, 0.45)
        painter.setBrush(soft)
        wide = max(x(found.high) - x(found.low), 2.0)
        painter.drawRoundedRect(QRectF(x(found.low), middle - 4, wide, 8), 4, 4)
        painter.setPen(QPen(colour, 2.5))
        painter.drawLine(
            QRectF(x(found.mean), middle - 6, 0, 12).topLeft(),
            QRectF(x(found.mean), middle - 6, 0, 12).bottomLeft(),
        )
        painter.restore()
