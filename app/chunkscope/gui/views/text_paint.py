"""Paints the visible lines: bands, overlaps, cuts, layers, selection, text and the chosen frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QPainter,
    QPainterPath,
    QPen,
    QTextCharFormat,
    QTextLayout,
)

from chunkscope.core.text.codepoints import Offsets
from chunkscope.gui.theme import Theme
from chunkscope.gui.views.text_bands import BandIndex, SpanLayer
from chunkscope.gui.views.text_layout import Extent, RowLayout
from chunkscope.gui.views.text_top import Placed

_TAIL = 5.0  # what a selected newline shows
_BEYOND = 12  # a frame that goes on outside the window ends out there


@dataclass(frozen=True, slots=True)
class Pages:
    """Where pages begin, and their numbers."""

    offsets: Offsets
    numbers: Offsets

    def within(self, start: int, end: int) -> Iterable[tuple[int, int]]:
        first, last = np.searchsorted(self.offsets, (start, end), side="left")
        found = slice(int(first), int(last))
        return zip(self.offsets[found].tolist(), self.numbers[found].tolist(), strict=True)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that one painting needs to know."""

    theme: Theme
    placed: list[Placed]
    origin: int
    area: QRectF  # of the text, right of the margin
    bands: BandIndex
    layers: tuple[SpanLayer, ...]
    selection: tuple[int, int]
    chosen: int  # the selected chunk, -1 if none
    pages: Pages
    label_font: QFont

    @property
    def edges(self) -> Extent:
        """The sides of the text's area, as the lines count x."""
        return self.area.left() - self.origin, self.area.right() - self.origin

    def rects(self, at: Placed, start: int, end: int, fill: bool = True) -> list[QRectF]:
        extents = at.line.extents(start, end, self.edges if fill else None)
        return [
            QRectF(self.origin + left, at.y, right - left, at.line.height)
            for left, right in extents
        ]


def paint_text(painter: QPainter, scene: Scene) -> None:
    """Paint all that is right of the margin."""
    painter.save()
    painter.setClipRect(scene.area)
    painter.fillRect(scene.area, scene.theme.base)
    for at in scene.placed:
        _paint_bands(painter, scene, at)
    for at in scene.placed:
        _paint_marks(painter, scene, at)
    _paint_rows(painter, scene)
    for at in scene.placed:
        _paint_underlines(painter, scene, at)
        _paint_cuts(painter, scene, at)
        _paint_pages(painter, scene, at)
    _paint_frame(painter, scene)
    painter.restore()


def _paint_bands(painter: QPainter, scene: Scene, at: Placed) -> None:
    line, theme = at.line, scene.theme
    for piece in scene.bands.pieces(line.start, line.end):
        colour = theme.bands[piece.index % len(theme.bands)]
        for rect in scene.rects(at, piece.start, piece.end):
            painter.fillRect(rect, colour)
    for start, end in scene.bands.left_out(line.start, line.end):
        for rect in scene.rects(at, start, end):
            painter.fillRect(rect, theme.left_out)
    _paint_overlaps(painter, scene, at)


def _paint_overlaps(painter: QPainter, scene: Scene, at: Placed) -> None:
    line = at.line
    repeated = scene.bands.repeated(line.start, line.end)
    if not repeated:
        return
    hatch = QBrush(scene.theme.overlap, Qt.BrushStyle.BDiagPattern)
    # The pattern belongs to the text, not to the window: it must not crawl while scrolling.
    painter.setBrushOrigin(scene.origin, at.y - line.top)
    for start, end in repeated:
        for rect in scene.rects(at, start, end):
            painter.fillRect(rect, hatch)
    edges = scene.theme.band_edges
    for piece in scene.bands.repeaters(line.start, line.end):
        if piece.start > line.start:
            x = scene.origin + line.x_of(piece.start)
            bar = QRectF(x, at.y, 2.5, line.height)
            painter.fillRect(bar, edges[piece.index % len(edges)])


def _paint_marks(painter: QPainter, scene: Scene, at: Placed) -> None:
    line = at.line
    for layer in scene.layers:
        if not layer.underline and not layer.strike:
            for start, end in layer.within(line.start, line.end):
                for rect in scene.rects(at, start, end, fill=False):
                    painter.fillRect(rect.adjusted(0, 1, 0, -1), layer.colour)
    start, end = scene.selection
    for rect in scene.rects(at, start, end, fill=False):
        painter.fillRect(rect, scene.theme.accent)
    if start <= line.text_end < min(end, line.end):
        x = scene.origin + line.cell(line.text_end)[0]
        painter.fillRect(QRectF(x, at.y, _TAIL, line.height), scene.theme.accent)


def _paint_rows(painter: QPainter, scene: Scene) -> None:
    painter.setPen(scene.theme.text)
    done = -1
    for at in scene.placed:
        if at.row_index != done:
            done = at.row_index
            place = QPointF(scene.origin, at.y - at.line.top)
            at.row.shaped.draw(painter, place, _formats(scene, at.row), scene.area)


def _formats(scene: Scene, row: RowLayout) -> list[QTextLayout.FormatRange]:
    theme = scene.theme
    found = [
        _coloured(row, start, end, theme.muted)
        for start, end in scene.bands.left_out(row.start, row.end)
    ]
    start, end = max(scene.selection[0], row.start), min(scene.selection[1], row.end)
    if start < end:
        found.append(_coloured(row, start, end, theme.accent_text))
    return found


def _coloured(row: RowLayout, start: int, end: int, colour: QColor) -> QTextLayout.FormatRange:
    how = QTextCharFormat()
    how.setForeground(colour)
    found = QTextLayout.FormatRange()
    found.start = row.pos_of(start)
    found.length = row.pos_of(end) - row.pos_of(start)
    found.format = how
    return found


def _paint_underlines(painter: QPainter, scene: Scene, at: Placed) -> None:
    for layer in scene.layers:
        if layer.underline or layer.strike:
            painter.setPen(QPen(layer.colour, 2, layer.style, Qt.PenCapStyle.FlatCap))
            for start, end in layer.within(at.line.start, at.line.end):
                for rect in scene.rects(at, start, end, fill=False):
                    y = rect.center().y() + 1 if layer.strike else rect.bottom() - 2
                    painter.drawLine(QLineF(rect.left(), y, rect.right(), y))


def _paint_cuts(painter: QPainter, scene: Scene, at: Placed) -> None:
    line = at.line
    painter.setPen(QPen(scene.theme.cut, 1))
    for index in scene.bands.starting(line.start, line.end):
        offset = int(scene.bands.fresh[index])
        if not index:
            continue
        if offset == line.start:
            y = at.y + 0.5
            painter.drawLine(QLineF(scene.area.left(), y, scene.area.right(), y))
        else:
            x = round(scene.origin + line.x_of(offset)) + 0.5
            painter.drawLine(QLineF(x, at.y, x, at.y + line.height))


def _paint_pages(painter: QPainter, scene: Scene, at: Placed) -> None:
    for _offset, number in scene.pages.within(at.line.start, at.line.end):
        theme, area = scene.theme, scene.area
        painter.setPen(QPen(theme.muted, 1, Qt.PenStyle.DashLine))
        y = at.y + 0.5
        painter.drawLine(QLineF(area.left(), y, area.right(), y))
        painter.setFont(scene.label_font)
        label = page_label(number)
        width = painter.fontMetrics().horizontalAdvance(label) + 8
        box = QRectF(area.right() - width - 4, at.y + 3, width, painter.fontMetrics().height() + 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.base)
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.muted)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)


def page_label(number: int) -> str:
    return f"p. {number}"


def _paint_frame(painter: QPainter, scene: Scene) -> None:
    """Around the selected chunk, with what it repeats; open where it leaves the window."""
    if not 0 <= scene.chosen < len(scene.bands):
        return
    start, end = scene.bands.span(scene.chosen)
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for at in scene.placed:
        for rect in scene.rects(at, start, end):
            path.addRect(_stretched(rect, scene, at, start, end))
    if path.isEmpty():
        return
    inside = path.simplified()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipPath(inside, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(scene.theme.selected, 4))  # half of it is outside, and clipped
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(inside)
    painter.restore()


def _stretched(rect: QRectF, scene: Scene, at: Placed, start: int, end: int) -> QRectF:
    is_first, is_last = at is scene.placed[0], at is scene.placed[-1]
    up = _BEYOND if is_first and start < at.line.start else 0
    down = _BEYOND if is_last and end > at.line.end else 0
    return rect.adjusted(0, -up, 0, down)
