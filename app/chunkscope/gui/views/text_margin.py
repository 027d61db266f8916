"""The margin of the text: number, size and kind of each chunk, its bar, and line numbers."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from chunkscope.gui.theme import Theme
from chunkscope.gui.views.text_bands import BandIndex
from chunkscope.gui.views.text_paint import Scene
from chunkscope.gui.views.text_top import Placed

_BAR, _GAP, _EDGE = 5, 7, 9
_SMALL = 0.85
_BOUNDARIES = {
    "section": "sec",
    "symbol": "sym",
    "paragraph": "para",
    "sentence": "sent",
    "token": "tok",
    "character": "char",
}
_UNITS = {"tokens": "tok", "words": "wd", "characters": "ch", "estimate": "est"}
_WIDEST = "para"
_LEFT_OUT = "left out"
_VCENTRE = Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | _VCENTRE
_LEFT = Qt.AlignmentFlag.AlignLeft | _VCENTRE


def small_font(font: QFont) -> QFont:
    found = QFont(font)
    found.setPointSizeF(font.pointSizeF() * _SMALL)
    return found


def bold_font(font: QFont) -> QFont:
    found = small_font(font)
    found.setBold(True)
    return found


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns of the margin stand; all fixed, so that numbers do not dance."""

    font: QFont
    bold: QFont
    number: int  # right edge
    size: int  # right edge
    boundary: int  # left edge
    signs: int  # left edge
    bars: int  # left edge
    width: int
    is_compact: bool = False  # neither size nor boundary


def columns_of(font: QFont, bands: BandIndex, lines: int, is_compact: bool = False) -> Columns:
    """From the widest things that the margin must hold."""
    small, bold = small_font(font), bold_font(font)
    plain, heavy = QFontMetrics(small), QFontMetrics(bold)
    digits = len(str(max(len(bands) - 1, 0)))
    bar_room = 2 * _BAR + 1
    if not len(bands):
        bars = _EDGE + plain.horizontalAdvance("0" * max(len(str(lines)), 4)) + _GAP
        return Columns(small, bold, 0, 0, 0, 0, bars, bars + bar_room)
    number = _EDGE + heavy.horizontalAdvance("0" * max(digits, 2))
    if is_compact:
        number = max(number, _EDGE + plain.horizontalAdvance("0" * len(str(lines))))
        bars = number + _GAP + heavy.horizontalAdvance("!✂") + _GAP
        return Columns(
            small, bold, number, number, number, number + _GAP, bars, bars + bar_room, True
        )
    largest = size_label(bands, int(bands.bands.sizes.argmax()))
    size = number + _GAP + plain.horizontalAdvance(largest)
    boundary = size + _GAP
    signs = boundary + plain.horizontalAdvance(_WIDEST) + _GAP
    bars = signs + heavy.horizontalAdvance("!✂") + _GAP
    return Columns(small, bold, number, size, boundary, signs, bars, bars + bar_room)


def size_label(bands: BandIndex, index: int) -> str:
    unit = bands.bands.unit
    return f"{bands.bands.sizes[index]} {_UNITS.get(unit, unit)}"


def boundary_label(boundary: str) -> str:
    return _BOUNDARIES.get(boundary, boundary)


def paint_margin(
    painter: QPainter, scene: Scene, columns: Columns, numbers: dict[int, int]
) -> None:
    """Paint the margin of all visible lines; `numbers` are those of rows that begin a line."""
    painter.save()
    painter.fillRect(QRectF(0, 0, columns.width, scene.area.height()), scene.theme.window)
    for at in scene.placed:
        _paint_bars(painter, scene, columns, at)
    left_out = False
    for at in scene.placed:
        starting = scene.bands.starting(at.line.start, at.line.end)
        is_left_out = any(True for _ in scene.bands.left_out(at.line.start, at.line.end))
        if starting:
            _paint_chunk(painter, scene, columns, at, starting)
        elif is_left_out and not left_out:
            _paint_label(painter, scene, columns, at, _LEFT_OUT)
        elif at.line is at.row.lines[0] and at.row_index in numbers:
            _paint_number(painter, scene, columns, at, numbers[at.row_index])
        left_out = is_left_out
    painter.restore()


def _paint_bars(painter: QPainter, scene: Scene, columns: Columns, at: Placed) -> None:
    """The bar of the line's chunk, and left of it that of the next which repeats the line."""
    edges, line = scene.theme.band_edges, at.line
    pieces = list(scene.bands.pieces(line.start, line.end))
    x = columns.width - _BAR
    share = line.height / max(len(pieces), 1)
    for rank, piece in enumerate(pieces):
        rect = QRectF(x, at.y + rank * share, _BAR, share + (rank + 1 < len(pieces)))
        painter.fillRect(rect, edges[piece.index % len(edges)])
    for piece in scene.bands.repeaters(line.start, line.end)[:1]:
        rect = QRectF(x - _BAR - 1, at.y, _BAR, line.height)
        painter.fillRect(rect, edges[piece.index % len(edges)])


def _paint_chunk(
    painter: QPainter, scene: Scene, columns: Columns, at: Placed, starting: range
) -> None:
    theme, bands, first = scene.theme, scene.bands, starting[0]
    colour = theme.band_edges[first % len(theme.band_edges)]
    number = _cell(at, 0, columns.number)
    if scene.chosen in starting:
        first, colour = scene.chosen, theme.accent_text
        _paint_pill(painter, scene, number, QFontMetrics(columns.bold), str(first))
    _put(painter, columns.bold, colour, number, _RIGHT, str(first))
    if len(starting) > 1 and not columns.is_compact:
        more = _cell(at, columns.number + _GAP, columns.signs)
        _put(painter, columns.font, theme.muted, more, _LEFT, f"… {starting[-1]}")
    elif not columns.is_compact:
        size = _cell(at, columns.number, columns.size)
        _put(painter, columns.font, theme.text, size, _RIGHT, size_label(bands, first))
        where = _cell(at, columns.boundary, columns.signs)
        label = boundary_label(bands.bands.boundaries[first]) if bands.bands.boundaries else ""
        _put(painter, columns.font, theme.muted, where, _LEFT, label)
    signs = "".join(dict.fromkeys("".join(bands.signs(index) for index in starting[:50])))
    if signs:
        colour = theme.error if "!" in signs else theme.warning
        _put(painter, columns.bold, colour, _cell(at, columns.signs, columns.bars), _LEFT, signs)


def _paint_pill(
    painter: QPainter, scene: Scene, cell: QRect, metrics: QFontMetrics, label: str
) -> None:
    """Behind the number of the selected chunk."""
    width = metrics.horizontalAdvance(label) + 8
    pill = QRectF(cell.right() - width + 5, cell.top() + 2, width, cell.height() - 4)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(scene.theme.selected)
    painter.drawRoundedRect(pill, 4, 4)


def _paint_number(
    painter: QPainter, scene: Scene, columns: Columns, at: Placed, number: int
) -> None:
    cell = _cell(at, 0, columns.bars - _GAP)
    _put(painter, columns.font, _faint(scene.theme), cell, _RIGHT, str(number))


def _paint_label(painter: QPainter, scene: Scene, columns: Columns, at: Placed, label: str) -> None:
    cell = _cell(at, 0, columns.bars - _GAP)
    _put(painter, columns.font, scene.theme.muted, cell, _RIGHT, label)


def _cell(at: Placed, left: int, right: int) -> QRect:
    return QRect(left, at.y, right - left, at.line.height)


def _put(
    painter: QPainter, font: QFont, colour: QColor, cell: QRect, where: Qt.AlignmentFlag, text: str
) -> None:
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(cell, int(where) | int(Qt.TextFlag.TextDontClip), text)


def _faint(theme: Theme) -> QColor:
    found = QColor(theme.muted)
    found.setAlphaF(0.65)
    return found
