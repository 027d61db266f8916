"""The text of a document with its chunks as bands: to read, to choose in, to copy from."""

from __future__ import annotations

import html
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDrag,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from chunkscope.core.chunking.bands import Bands
from chunkscope.core.text.codepoints import Offsets
from chunkscope.gui.theme import Theme, light
from chunkscope.gui.views.text_bands import BandIndex, SpanLayer
from chunkscope.gui.views.text_margin import Columns, columns_of, paint_margin
from chunkscope.gui.views.text_paint import Pages, Scene, page_label, paint_text
from chunkscope.gui.views.text_port import PAD
from chunkscope.gui.views.text_rows import Rows
from chunkscope.gui.views.text_selection import SelectableText, Selection

_FOCUS = 1.0


class TextView(SelectableText):
    """Signals tell what the user did; methods that set something are silent."""

    chunk_selected = Signal(int)
    painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self._theme = light()
        self._bands = BandIndex(Bands())
        self._layers: dict[str, SpanLayer] = {}
        self._pages = _no_pages()
        self._chosen = -1
        self._columns: Columns | None = None
        self._is_compact = False
        self._held: QPoint | None = None  # where the mouse holds a chunk by its margin
        self.describe: Callable[[int], str] | None = None
        super().__init__(parent)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Text with chunks")

    # What is shown

    def set_text(self, text: str, rows: Rows | None = None) -> None:
        """Show another text; what was known of the one before is forgotten."""
        self._bands, self._chosen, self._layers = BandIndex(Bands()), -1, {}
        self._pages, self._columns = _no_pages(), None
        self._select(Selection())
        super().set_text(text, rows)

    def set_bands(self, bands: Bands) -> None:
        before = self.margin_width()
        self._bands, self._columns = BandIndex(bands), None
        if self._chosen >= len(bands):
            self._chosen = -1
        self._repaint(before)

    def bands(self) -> Bands:
        return self._bands.bands

    def set_pages(self, offsets: Offsets, numbers: Offsets) -> None:
        self._pages = Pages(np.asarray(offsets, np.int64), np.asarray(numbers, np.int64))
        self._repaint(-1)

    def set_layer(
        self,
        name: str,
        spans: Offsets,
        colour: QColor,
        underline: bool = False,
        style: Qt.PenStyle = Qt.PenStyle.SolidLine,
        strike: bool = False,
    ) -> None:
        """Mark spans: behind the text, by a line below it, or by one through it."""
        self._layers[name] = SpanLayer(spans, colour, underline, style, strike)
        self.viewport().update()

    def clear_layer(self, name: str) -> None:
        if self._layers.pop(name, None):
            self.viewport().update()

    def set_compact(self, is_compact: bool) -> None:
        """A narrow margin, for views beside each other."""
        self._is_compact, self._columns = is_compact, None
        self._relayout()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.viewport().update()

    def set_font(self, font: QFont) -> None:
        self._columns = None
        super().set_font(font)

    def set_zoom(self, zoom: float) -> None:
        self._columns = None
        super().set_zoom(zoom)

    def margin_width(self) -> int:
        return self._margin().width

    def right_pad(self) -> int:
        """Room for the number of a page, where there are pages."""
        if not len(self._pages.numbers):
            return PAD
        label = page_label(int(self._pages.numbers.max()))
        return PAD + QFontMetrics(self._margin().font).horizontalAdvance(label) + 14

    def _margin(self) -> Columns:
        if self._columns is None:
            font = QFont(self._font)
            font.setPointSizeF(self._font.pointSizeF() * self._zoom)
            lines = self._rows.line_of(len(self._rows) - 1)
            self._columns = columns_of(font, self._bands, lines, self._is_compact)
        return self._columns

    def _repaint(self, margin_before: int) -> None:
        if self.margin_width() != margin_before:
            self._relayout()
        else:
            self.viewport().update()

    # Chunks

    def chosen_chunk(self) -> int:
        """The selected chunk, or -1."""
        return self._chosen

    def select_chunk(self, index: int, scroll: bool = True) -> None:
        """Frame a chunk, and bring it into view unless the reader is looking at it already."""
        if not 0 <= index < len(self._bands):
            index = -1
        is_new, self._chosen = index != self._chosen, index
        self.viewport().update()
        if scroll and index >= 0 and (is_new or not self._is_in_view(index)):
            self.go_to(int(self._bands.fresh[index]))

    def next_chunk(self) -> None:
        self._step(1)

    def previous_chunk(self) -> None:
        self._step(-1)

    def go_to(self, offset: int, select: bool = False) -> None:
        """Bring an offset into view; `select` also selects the chunk that it lies in."""
        super().go_to(offset)
        if select:
            self.select_chunk(self._bands.chunk_at(offset), scroll=False)

    def _step(self, step: int) -> None:
        if not len(self._bands):
            return
        at = self._chosen
        if at < 0:
            at = self._bands.chunk_at(self.top_offset()) - (step > 0)
        self._choose(min(max(at + step, 0), len(self._bands) - 1))
        self.go_to(int(self._bands.fresh[self._chosen]))

    def _choose(self, index: int) -> None:
        self.select_chunk(index, scroll=False)
        self.chunk_selected.emit(index)

    def _on_click(self, offset: int) -> None:
        index = self._bands.chunk_at(offset)
        if index >= 0:
            self._choose(index)

    def _is_in_view(self, index: int) -> bool:
        (start, end), (top, bottom) = self._bands.span(index), self.visible_range()
        return start < bottom and end > top

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step:
                self._step(step)
                return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        is_left = event.button() == Qt.MouseButton.LeftButton
        if is_left and point.x() < self.margin_width() and self._held_chunk(point) >= 0:
            self._held = point
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        held, self._held = self._held, None
        if held is None:
            super().mouseReleaseEvent(event)
        else:
            self._choose(self._held_chunk(held))

    def _held_chunk(self, point: QPoint) -> int:
        """The chunk beside a place of the margin: the one that begins there, if one does."""
        at = self._placed_at(point.y())
        starting = self._bands.starting(at.line.start, at.line.end)
        return starting[0] if starting else self._bands.chunk_at(self.offset_at(point))

    def _carry_out(self, index: int) -> None:
        """Let the chunk's text be dropped in another program."""
        start, end = self._bands.span(index)
        data = QMimeData()
        data.setText(self._text[start:end])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            moved = event.position().toPoint() - self._held
            if moved.manhattanLength() >= QApplication.startDragDistance():
                held, self._held = self._held, None
                self._carry_out(self._held_chunk(held))
            return
        in_margin = event.position().x() < self.margin_width()
        shape = Qt.CursorShape.ArrowCursor if in_margin else Qt.CursorShape.IBeamCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tool_tip_at(event.pos())
            QToolTip.showText(event.globalPos(), _as_plain(text), self.viewport())
            return True
        return super().viewportEvent(event)

    def tool_tip_at(self, point: QPoint) -> str:
        """What there is to say of a place: of its chunk, or why it is in none."""
        at = self._placed_at(point.y())
        starting = self._bands.starting(at.line.start, at.line.end)
        if point.x() < self.margin_width() and starting:
            return "\n\n".join(self._bands.summary(index) for index in starting[:5])
        offset = self.offset_at(point)
        reason = self._bands.reason_at(offset)
        if reason:
            return f"Left out: {reason}"
        index = self._bands.chunk_at(offset)
        if index < 0:
            return ""
        return (self.describe or self._bands.summary)(index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        scene = self._scene()
        paint_text(painter, scene)
        rows = {each.row_index for each in scene.placed}
        numbers = {row: self._rows.line_of(row) for row in rows if not self._rows.is_continued(row)}
        paint_margin(painter, scene, self._margin(), numbers)
        if self.hasFocus():
            self._paint_focus(painter)
        painter.end()
        self.painted.emit()

    def _scene(self) -> Scene:
        area = QRectF(self.viewport().rect()).adjusted(self.margin_width(), 0, 0, 0)
        layers = tuple(self._layers.values())
        return Scene(
            self._theme, self.placed(), self.origin(), area, self._bands, layers,
            self.selection(), self._chosen, self._pages, self._margin().font,
        )  # fmt: skip

    def _paint_focus(self, painter: QPainter) -> None:
        half = _FOCUS / 2
        painter.setPen(QPen(self._theme.accent, _FOCUS))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.viewport().rect()).adjusted(half, half, -half, -half))


def _no_pages() -> Pages:
    return Pages(np.zeros(0, np.int64), np.zeros(0, np.int64))


def _as_plain(text: str) -> str:
    """Text of a document must never be taken for markup."""
    if not text:
        return ""
    return f"<p style='margin:0; white-space:pre-wrap'>{html.escape(text)}</p>"
