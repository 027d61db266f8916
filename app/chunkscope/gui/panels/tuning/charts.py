"""Draws plots with pyqtgraph in the colours of the theme; imported only where plots are shown."""

from __future__ import annotations

import html
import math
from pathlib import Path
from typing import Any

import pyqtgraph as pg  # type: ignore[import-untyped]
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QResizeEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.query_files import write_atomically
from chunkscope.gui.panels.tuning.plot_data import Kind, Line, Plot
from chunkscope.gui.theme import Theme, mixed

_SYMBOLS = ("o", "s", "t", "d", "p", "h", "star", "+")
_STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine)
_SCALE = 2  # of an exported picture


class Chart(QWidget):
    """One plot at a time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._plot: Plot | None = None
        self.view: Any = pg.PlotWidget()
        self.view.setMenuEnabled(False)
        self.view.setAntialiasing(True)
        self.view.hideButtons()
        self.setMinimumHeight(160)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.setAccessibleName("Plot")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._plot is not None:
            self.show_plot(self._plot)

    def show_plot(self, plot: Plot) -> None:
        """Everything anew: a plot has few points, and nothing of the one before may stay."""
        self._plot = plot
        item = self.view.getPlotItem()
        item.clear()
        if item.legend is not None:
            item.legend.scene().removeItem(item.legend)
            item.legend = None
        self._dress(item, plot)
        if plot.kind is Kind.HEAT:
            self._draw_heat(item, plot)
        else:
            self._draw_lines(item, plot)
        self.setAccessibleDescription(f"{plot.up} against {plot.across}. {plot.about}")

    def colours(self) -> list[QColor]:
        theme = self._theme
        more = (theme.error, theme.muted, theme.accent)
        return [*theme.band_edges, *more]

    def _dress(self, item: Any, plot: Plot) -> None:
        theme = self._theme
        self.view.setBackground(theme.base)
        item.setLogMode(x=False, y=False)
        item.showGrid(x=False, y=plot.kind is not Kind.HEAT, alpha=0.15)
        item.setMouseEnabled(x=False, y=False)
        item.invertY(plot.kind is Kind.HEAT)
        up = plot.up if plot.kind is Kind.HEAT else f"{plot.up}, %"
        item.getAxis("left").setScale(1 if plot.kind is Kind.HEAT else 100)
        for side, text in (("bottom", plot.across), ("left", up)):
            axis = item.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setPen(pg.mkPen(theme.line))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setTicks(None)
            axis.setStyle(tickLength=-4)
            item.setLabel(side, text, color=theme.muted.name())

    # lines and points

    def _draw_lines(self, item: Any, plot: Plot) -> None:
        legend = item.addLegend(
            offset=(-12, -12), labelTextColor=self._theme.text, labelTextSize="9pt",
            brush=pg.mkBrush(_faded(self._theme.base, 215)), pen=pg.mkPen(self._theme.line),
        )  # fmt: skip
        legend.setVisible(len(plot.lines) > 1)
        for number, line in enumerate(plot.lines):
            self._draw_line(item, plot, line, number)
        item.getAxis("left").setTicks(None)
        if plot.ticks:
            ticks = [(_x(x, plot), name) for x, name in plot.ticks]
            item.getAxis("bottom").setTicks([ticks])
        self._zoom(item, plot)

    def _draw_line(self, item: Any, plot: Plot, line: Line, number: int) -> None:
        colours = self.colours()
        colour = colours[number % len(colours)]
        if plot.kind is Kind.TOKENS:
            colour = self._theme.muted if number == 0 else self._theme.accent
        xs = [_x(x, plot) for x in line.xs]
        if line.low and number == 0:
            self._draw_interval(item, xs, line, colour)
        pen = pg.mkPen(colour, width=2, style=_STYLES[number // len(colours) % len(_STYLES)])
        item.plot(
            xs,
            list(line.ys),
            pen=pen if line.is_joined else None,
            symbol=_SYMBOLS[number % len(_SYMBOLS)],
            symbolSize=8,
            symbolBrush=colour,
            symbolPen=pg.mkPen(self._theme.base, width=1),
            name=_short(line.name),
            data=list(line.tips) or None,
            hoverable=bool(line.tips),
            tip=lambda x, y, data: f"{data}\n{y:.1%}" if data else f"{y:.1%}",
        )

    def _draw_interval(self, item: Any, xs: list[float], line: Line, colour: QColor) -> None:
        clear = pg.mkPen(None)
        top = pg.PlotDataItem(xs, list(line.high), pen=clear)
        bottom = pg.PlotDataItem(xs, list(line.low), pen=clear)
        item.addItem(top)
        item.addItem(bottom)
        item.addItem(pg.FillBetweenItem(top, bottom, brush=pg.mkBrush(_faded(colour, 40))))

    def _zoom(self, item: Any, plot: Plot) -> None:
        ys = [y for line in plot.lines for y in (*line.ys, *line.low[:1], *line.high[:1])]
        xs = [_x(x, plot) for line in plot.lines for x in line.xs]
        if not xs:
            return
        low, high = min(ys), max(ys)
        margin = max((high - low) * 0.12, 0.01)
        wide = max((max(xs) - min(xs)) * 0.05, 0.05 if plot.ticks else 1.0)
        right = max(xs) + wide + (max(xs) - min(xs)) * self._legend_share(item)
        item.setYRange(max(low - margin, -0.02), min(high + margin, 1.02), padding=0)
        item.setXRange(min(xs) - wide, right, padding=0)

    def _legend_share(self, item: Any) -> float:
        """Room beside the lines for the legend, which would hide them."""
        if item.legend is None or not item.legend.isVisible():
            return 0.0
        share = (item.legend.boundingRect().width() + 24) / max(self.view.width() - 70, 200)
        return float(min(share / (1 - min(share, 0.6)), 1.0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._plot is not None and self._plot.kind is not Kind.HEAT:
            self._zoom(self.view.getPlotItem(), self._plot)

    # heat map

    def _draw_heat(self, item: Any, plot: Plot) -> None:
        known = [cell for cells in plot.cells for cell in cells if cell is not None]
        if not known:
            return
        low, high = min(known), max(known)
        for y, cells in enumerate(plot.cells):
            for x, cell in enumerate(cells):
                if cell is not None:
                    self._draw_cell(item, x, y, cell, (cell - low) / max(high - low, 1e-9))
        item.getAxis("bottom").setTicks([list(enumerate(plot.columns))])
        item.getAxis("left").setTicks([list(enumerate(plot.rows))])
        item.setXRange(-0.5, len(plot.columns) - 0.5, padding=0)
        item.setYRange(-0.5, len(plot.rows) - 0.5, padding=0)

    def _draw_cell(self, item: Any, x: int, y: int, value: float, share: float) -> None:
        theme = self._theme
        colour = mixed(theme.base, theme.accent, 0.08 + 0.72 * share)
        box = pg.QtWidgets.QGraphicsRectItem(QRectF(x - 0.48, y - 0.48, 0.96, 0.96))
        box.setBrush(colour)
        box.setPen(pg.mkPen(None))
        item.addItem(box)
        text = pg.TextItem(f"{value:.1%}", color=_readable(colour), anchor=(0.5, 0.5))
        font = QFont(self.font())
        text.setFont(font)
        text.setPos(x, y)
        item.addItem(text)

    # files

    def export(self, path: str) -> None:
        """PNG or SVG as shown, or the figures as CSV, by the ending."""
        ending = Path(path).suffix.lower()
        if self._plot is None:
            return
        if ending == ".csv":
            write_atomically(path, self._plot.to_csv())
        elif ending == ".svg":
            self._export_svg(path)
        elif not self._picture().save(path):
            raise ChunkscopeError(f"{path} cannot be written; choose another folder")

    def _picture(self) -> QImage:
        found = QImage(self.view.size() * _SCALE, QImage.Format.Format_RGB32)
        found.fill(self._theme.base)
        painter = QPainter(found)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.view.render(painter)
        painter.end()
        return found

    def _export_svg(self, path: str) -> None:
        generator = QSvgGenerator()
        generator.setFileName(path)
        size: QSize = self.view.size()
        generator.setSize(size)
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        generator.setTitle(f"{self._plot.up} against {self._plot.across}" if self._plot else "")
        painter = QPainter()
        if not painter.begin(generator):
            raise ChunkscopeError(f"{path} cannot be written; choose another folder")
        self.view.render(painter)
        painter.end()


def _x(value: float, plot: Plot) -> float:
    return math.log2(value) if plot.is_logarithmic and value > 0 else value


def _faded(colour: QColor, alpha: int) -> QColor:
    found = QColor(colour)
    found.setAlpha(alpha)
    return found


def _readable(behind: QColor) -> QColor:
    return QColor("#000000") if behind.lightnessF() > 0.5 else QColor("#ffffff")


def _short(name: str, most: int = 60) -> str:
    """As the library wants it, which takes names for markup."""
    return html.escape(name if len(name) <= most else name[: most - 1] + "…")
