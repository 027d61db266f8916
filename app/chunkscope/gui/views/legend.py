"""What the colours and signs of the preview mean, in one line."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from chunkscope.core.evaluation.live import Fate
from chunkscope.gui.gold_marks import STYLES, colour_of
from chunkscope.gui.theme import Theme, light

ENTRIES = (
    ("bands", "chunks by turns"),
    ("hatch", "repeated in the next"),
    ("grey", "left out"),
    ("!", "over the maximum"),
    ("✂", "cut off by the model"),
)
# Lines under labelled answers, where there are any: they come first, for they are news.
GOLD = (
    ("gold whole", "answer whole"),
    ("gold split", "answer split"),
    ("gold left out", "answer left out"),
)
_SWATCH, _GAP, _SPACE = 22.0, 6.0, 18.0


class Legend(QWidget):
    """Entries that do not fit are left away, the last first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = light()
        self._entries: tuple[tuple[str, str], ...] = ENTRIES
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")
        self._explain()
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.88)
        self.setFont(font)

    def _explain(self) -> None:
        self.setAccessibleDescription(", ".join(f"{sign}: {text}" for sign, text in self._entries))
        self.setToolTip("\n".join(text for _, text in self._entries))

    def set_gold(self, is_shown: bool) -> None:
        """With what the lines under answers mean, or without."""
        entries = (*GOLD, *ENTRIES) if is_shown else ENTRIES
        if entries != self._entries:
            self._entries = entries
            self._explain()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, round(QFontMetricsF(self.font()).height()) + 10)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        metrics = QFontMetricsF(self.font())
        left, middle = 12.0, self.height() / 2
        for sign, text in self._entries:
            width = metrics.horizontalAdvance(text)
            room = _SWATCH if len(sign) > 1 else metrics.horizontalAdvance(sign) + 2
            if left + room + _GAP + width > self.width() - 8:
                return
            self._paint_sign(painter, sign, QRectF(left, middle - 6, room, 12))
            left += room + _GAP
            painter.setPen(self._theme.muted)
            box = QRectF(left, 0, width + 4, self.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
            left += width + _SPACE

    def _paint_sign(self, painter: QPainter, sign: str, box: QRectF) -> None:
        theme = self._theme
        if sign.startswith("gold"):
            fate = Fate(sign.removeprefix("gold "))
            painter.setPen(QPen(colour_of(fate, theme), 2, STYLES[fate], Qt.PenCapStyle.FlatCap))
            y = box.bottom() - 2
            painter.drawLine(QLineF(box.left(), y, box.right(), y))
        elif sign == "bands":
            third = box.width() / 3
            for at, colour in enumerate(theme.bands):
                painter.fillRect(box.adjusted(at * third, 0, (at - 2) * third, 0), colour)
                x = box.left() + at * third
                painter.setPen(QPen(theme.band_edges[at], 2))
                painter.drawLine(QLineF(x + 1, box.top(), x + 1, box.bottom()))
        elif sign == "hatch":
            painter.fillRect(box, theme.bands[0])
            painter.fillRect(box, QBrush(theme.overlap, Qt.BrushStyle.BDiagPattern))
        elif sign == "grey":
            painter.fillRect(box, theme.left_out)
            painter.setPen(QPen(theme.line, 1))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
        else:
            painter.setPen(theme.error if sign == "!" else theme.warning)
            wide = box.adjusted(-4, -6, 4, 6)
            painter.drawText(wide, Qt.AlignmentFlag.AlignCenter, sign)
