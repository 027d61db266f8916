"""The stages of a search as bars: what each was given, what it kept, how long it took."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from chunkscope.core.search.model import SearchResult, Stage
from chunkscope.gui.models.library import as_markup
from chunkscope.gui.panels.library import small_font
from chunkscope.gui.theme import Theme, light, mixed

_PAD, _BAR = 12.0, 6.0
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class WaterfallView(QWidget):
    """One line for each stage; lengths go by the logarithm, so that ten of 10,000 can be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = light()
        self._stages: tuple[Stage, ...] = ()
        self.setAccessibleName("Stages of the search")
        self.setMouseTracking(True)
        self.setMinimumWidth(230)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def set_result(self, result: SearchResult | None) -> None:
        self._stages = result.waterfall.stages if result else ()
        self.setAccessibleDescription("; ".join(spoken(stage) for stage in self._stages))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, round(self._pitch() * max(len(self._stages), 1) + _PAD))

    def _pitch(self) -> float:
        return QFontMetricsF(small_font(self.font())).height() + 4

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.base)
        painter.setFont(small_font(self.font()))
        metrics = painter.fontMetrics()
        most = max((stage.given for stage in self._stages), default=1)
        names = max((metrics.horizontalAdvance(stage.name) for stage in self._stages), default=0)
        said = max((metrics.horizontalAdvance(_said(stage)) for stage in self._stages), default=0)
        for number, stage in enumerate(self._stages):
            top = _PAD / 2 + number * self._pitch()
            box = QRectF(_PAD, top, self.width() - 2 * _PAD, self._pitch())
            painter.setPen(self._theme.text)
            painter.drawText(box, _LEFT, stage.name)
            painter.setPen(self._theme.muted)
            painter.drawText(box, _RIGHT, _said(stage))
            self._paint_bar(painter, box.adjusted(names + 8, 0, -said - 8, 0), stage, most)

    def _paint_bar(self, painter: QPainter, box: QRectF, stage: Stage, most: int) -> None:
        theme = self._theme
        painter.setPen(Qt.PenStyle.NoPen)
        for count, colour in (
            (stage.given, mixed(theme.base, theme.accent, 0.25)),
            (stage.kept, theme.accent),
        ):
            share = math.log1p(count) / max(math.log1p(most), 1e-9)
            painter.setBrush(colour)
            bar = QRectF(box.left(), box.center().y() - _BAR / 2, max(box.width() * share, 2), _BAR)
            painter.drawRoundedRect(bar, 2, 2)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            at = int((event.pos().y() - _PAD / 2) // self._pitch())
            text = spoken(self._stages[at]) if 0 <= at < len(self._stages) else ""
            QToolTip.showText(event.globalPos(), as_markup(text) if text else "", self)
            return True
        return super().event(event)


def _said(stage: Stage) -> str:
    return f"{stage.given:,} → {stage.kept:,} · {stage.milliseconds:.1f} ms"


def spoken(stage: Stage) -> str:
    """A stage in words."""
    note = f" ({stage.note})" if stage.note else ""
    return f"{stage.name}: {stage.kept:,} of {stage.given:,} in {stage.milliseconds:.1f} ms{note}"
