"""Results as cards: title, place, a snippet with its marks, and the channels' bars."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from chunkscope.core.search.model import DocumentHits, Hit
from chunkscope.gui.panels.library import small_font
from chunkscope.gui.panels.search.channels import BAR, Scales, channels_of, paint_channel
from chunkscope.gui.panels.search.copies import page_of, section_of, title_of
from chunkscope.gui.panels.search.results import ROW_ROLE
from chunkscope.gui.panels.search.snippets import Kind, snippet_of
from chunkscope.gui.textpos import TextPositions
from chunkscope.gui.theme import Theme, light, mixed

LINES = 5
_PAD = 12.0
_GAP = 4.0
_BETWEEN = 14.0
_HOPE, _LEAST = 1.3, 80  # characters: of average ones more fit, as most are narrow
_KEPT = 64  # laid out snippets; a screen shows a dozen

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Laid:
    """A snippet laid out, and the places of its stitches in it."""

    layout: QTextLayout
    stitches: tuple[QRectF, ...]
    is_cut: bool


class CardDelegate(QStyledItemDelegate):
    """Lays out what is visible, once; a theme, a width or a result makes it forget."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = light()
        self.scales = Scales()
        self.with_markers = False
        self._laid: OrderedDict[tuple[int, int], Laid] = OrderedDict()

    def forget(self) -> None:
        self._laid.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics, small = QFontMetricsF(option.font), QFontMetricsF(small_font(option.font))
        if isinstance(index.data(ROW_ROLE), DocumentHits):
            return QSize(200, round(metrics.height() + 1.4 * _PAD))
        text = metrics.height() + small.height() + LINES * metrics.lineSpacing()
        return QSize(200, round(text + small.height() + BAR + 4 * _GAP + 2 * _PAD + _GAP))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        painter.save()
        if isinstance(row, DocumentHits):
            self._paint_document(painter, option, row)
        elif isinstance(row, Hit):
            self._paint_card(painter, option, row)
        painter.restore()

    def _paint_document(
        self, painter: QPainter, option: QStyleOptionViewItem, row: DocumentHits
    ) -> None:
        box = QRectF(option.rect).adjusted(_PAD, _PAD * 0.7, -_PAD, -2)
        font = QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold)
        count = f"{len(row.hits)} passage{'s' if len(row.hits) > 1 else ''}"
        wide = QFontMetricsF(option.font).horizontalAdvance(count) + _PAD
        painter.setFont(font)
        painter.setPen(self.theme.text)
        _draw_elided(painter, box.adjusted(0, 0, -wide, 0), f"{row.rank}. {row.title}", font)
        painter.setFont(option.font)
        painter.setPen(self.theme.muted)
        painter.drawText(box, _RIGHT, count)

    def _paint_card(self, painter: QPainter, option: QStyleOptionViewItem, hit: Hit) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(2, 3, -2, -3)
        self._paint_ground(painter, option, box)
        inside = box.adjusted(_PAD, _PAD - 2, -_PAD, -_PAD + 2)
        at = self._paint_head(painter, option, hit, inside)
        at = self._paint_snippet(painter, option, hit, inside, at + _GAP)
        small = small_font(option.font)
        height = QFontMetricsF(small).height() + 2 + BAR
        channels = channels_of(hit, self.scales)
        cell = (inside.width() - _BETWEEN * (len(channels) - 1)) / max(len(channels), 1)
        for number, channel in enumerate(channels):
            left = inside.left() + number * (cell + _BETWEEN)
            area = QRectF(left, inside.bottom() - height, cell, height)
            paint_channel(painter, area, channel, self.theme, small)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, box: QRectF) -> None:
        theme, states = self.theme, QStyle.StateFlag
        is_selected = bool(option.state & states.State_Selected)
        ground = theme.base
        if not is_selected and option.state & states.State_MouseOver:
            ground = mixed(theme.base, theme.text, 0.03)
        painter.setPen(QPen(theme.accent if is_selected else theme.line, 2 if is_selected else 1))
        painter.setBrush(ground)
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 7, 7)

    def _paint_head(
        self, painter: QPainter, option: QStyleOptionViewItem, hit: Hit, box: QRectF
    ) -> float:
        """Rank and title, the page at the right; the section below."""
        theme, font = self.theme, QFont(option.font)
        font.setWeight(QFont.Weight.DemiBold)
        metrics, small = QFontMetricsF(font), small_font(option.font)
        upper = QRectF(box.left(), box.top(), box.width(), metrics.height())
        rank = f"{hit.rank}  "
        painter.setFont(font)
        painter.setPen(theme.accent)
        painter.drawText(upper, _LEFT, rank)
        page = page_of(hit)
        room = upper.adjusted(
            metrics.horizontalAdvance(rank), 0, -metrics.horizontalAdvance(page + "  "), 0
        )
        painter.setPen(theme.text)
        _draw_elided(painter, room, title_of(hit), font)
        painter.setFont(small)
        painter.setPen(theme.muted)
        painter.drawText(upper, _RIGHT, page)
        height = QFontMetricsF(small).height()
        lower = QRectF(box.left(), upper.bottom() + 1, box.width(), height)
        _draw_elided(painter, lower, _place(hit), small, Qt.TextElideMode.ElideLeft)
        return lower.bottom()

    def _paint_snippet(
        self, painter: QPainter, option: QStyleOptionViewItem, hit: Hit, box: QRectF, top: float
    ) -> float:
        laid = self._snippet(option, hit, box.width())
        place = QPointF(box.left(), top)
        painter.setPen(self.theme.text)
        laid.layout.draw(painter, place)
        painter.setPen(QPen(self.theme.accent, 1.5, Qt.PenStyle.DashLine))
        for mark in laid.stitches:
            x = place.x() + mark.center().x()
            painter.drawLine(QPointF(x, top + mark.top()), QPointF(x, top + mark.bottom()))
        return top + LINES * QFontMetricsF(option.font).lineSpacing()

    def _snippet(self, option: QStyleOptionViewItem, hit: Hit, width: float) -> Laid:
        key = (hit.rank, round(width))
        if key not in self._laid:
            self._laid[key] = self._lay_out(option.font, hit, width)
            if len(self._laid) > _KEPT:
                self._laid.popitem(last=False)
        self._laid.move_to_end(key)
        return self._laid[key]

    def _lay_out(self, font: QFont, hit: Hit, width: float) -> Laid:
        metrics = QFontMetricsF(font)
        room = int(LINES * width / max(metrics.averageCharWidth(), 1.0) * _HOPE)
        laid = self._try(font, hit, width, room)
        while laid.is_cut and room > _LEAST:
            room = int(room * 0.9)
            laid = self._try(font, hit, width, room)
        return laid

    def _try(self, font: QFont, hit: Hit, width: float, room: int) -> Laid:
        """A snippet of so many characters; it may turn out to need too many lines."""
        snippet = snippet_of(hit, room, self.with_markers)
        places = TextPositions(snippet.text)
        layout = QTextLayout(snippet.text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        ranges = []
        for start, end, kind in snippet.stretches:
            found = QTextLayout.FormatRange()
            found.start = places.to_pos(start)
            found.length = places.to_pos(end) - found.start
            found.format = self._format(kind)
            ranges.append(found)
        layout.setFormats(ranges)
        is_cut = _make_lines(layout, width, QFontMetricsF(font).lineSpacing())
        stitches = tuple(
            rect
            for at in snippet.stitches
            if (rect := _rect_of(layout, places.to_pos(at))) is not None
        )
        return Laid(layout, stitches, is_cut)

    def _format(self, kind: Kind) -> QTextCharFormat:
        theme, found = self.theme, QTextCharFormat()
        if kind is Kind.NEIGHBOUR:
            found.setForeground(theme.muted)
        elif kind is Kind.TERM:
            found.setBackground(theme.hit)
            found.setForeground(theme.text)
        else:
            found.setForeground(QColor(theme.text))
        return found


def _make_lines(layout: QTextLayout, width: float, pitch: float) -> bool:
    """At most so many lines; whether there would be more."""
    layout.beginLayout()
    for number in range(LINES):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * pitch))
    more = layout.createLine()
    is_cut = more.isValid()
    if is_cut:  # a line that is laid out is drawn: this one must not be seen
        more.setLineWidth(width)
        more.setPosition(QPointF(-1e6, 0))
    layout.endLayout()
    return is_cut


def _rect_of(layout: QTextLayout, pos: int) -> QRectF | None:
    line = layout.lineForTextPosition(pos)
    if not line.isValid() or line.position().x() < 0:
        return None
    low, high = (_x_of(line, at) for at in (pos, pos + 1))
    return QRectF(low, line.y(), high - low, line.height())


def _x_of(line: QTextLine, pos: int) -> float:
    found: Any = line.cursorToX(pos)  # with the position, or without: versions differ
    return float(found[0] if isinstance(found, tuple) else found)


def _place(hit: Hit) -> str:
    """The section, or else the lines."""
    first, last = hit.chunk.lines
    return section_of(hit) or f"lines {first:,}–{last:,}"


def _draw_elided(
    painter: QPainter,
    box: QRectF,
    text: str,
    font: QFont,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    shown = QFontMetricsF(font).elidedText(" ".join(text.split()), mode, box.width())
    painter.drawText(box, _LEFT, shown)
