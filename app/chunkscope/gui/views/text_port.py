"""A window onto a text of any length: lays out what is visible, scrolls, wraps and zooms."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from chunkscope.gui.theme import reading_font
from chunkscope.gui.views.text_heights import heights_of
from chunkscope.gui.views.text_layout import LayoutCache, LayoutStyle
from chunkscope.gui.views.text_rows import Rows, build_rows
from chunkscope.gui.views.text_top import Placed, Top

PAD = 10  # between the margin and the text
_MOST = 1_000_000_000  # steps of the scroll bar, which counts in 32 bits
_ZOOM_STEP, _ZOOM_LEAST, _ZOOM_MOST = 1.1, 0.4, 5.0
_NOTCH = 120
_LINES_PER_NOTCH = 3


class TextPort(QAbstractScrollArea):
    """The top is kept exactly, as a row and pixels; the scroll bar follows by estimate."""

    scrolled = Signal(int)
    range_changed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._rows = "", build_rows("")
        self._font, self._zoom, self._wraps = reading_font(), 1.0, True
        self._scale, self._known, self._turned = 1, 0, 0
        self._is_following = False
        self._range = (-1, -1)
        self._placed: list[Placed] | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._set_bars()
        self._rebuild()

    # What is shown

    def text(self) -> str:
        return self._text

    def set_text(self, text: str, rows: Rows | None = None) -> None:
        """Show a text from its top; `rows` may have been built by a worker."""
        self._text, self._rows = text, build_rows(text) if rows is None else rows
        self._rebuild()
        self.horizontalScrollBar().setValue(0)
        self._range = (-1, -1)
        self._refresh()

    def set_font(self, font: QFont) -> None:
        self._font = QFont(font)
        self._relayout()

    def wraps(self) -> bool:
        return self._wraps

    def set_wrap(self, wraps: bool) -> None:
        self._wraps = wraps
        self._set_bars()
        self._relayout()

    def zoom(self) -> float:
        return self._zoom

    def set_zoom(self, zoom: float) -> None:
        zoom = min(max(zoom, _ZOOM_LEAST), _ZOOM_MOST)
        if zoom != self._zoom:
            self._zoom = zoom
            self._relayout()

    def zoom_in(self) -> None:
        self.set_zoom(self._zoom * _ZOOM_STEP)

    def zoom_out(self) -> None:
        self.set_zoom(self._zoom / _ZOOM_STEP)

    def zoom_reset(self) -> None:
        self.set_zoom(1.0)

    def laid_out(self) -> int:
        """How many rows were laid out for the present text, width and font."""
        return self._cache.made

    # Where things are

    def margin_width(self) -> int:
        return 0

    def right_pad(self) -> int:
        return PAD

    def origin(self) -> int:
        """Where the text's own x begins, in the viewport."""
        return self.margin_width() + PAD - self.horizontalScrollBar().value()

    def placed(self) -> list[Placed]:
        """The visible lines, from the top."""
        if self._placed is None:
            self._placed = self._top.place(self.viewport().height())
        return self._placed

    def visible_range(self) -> tuple[int, int]:
        placed = self.placed()
        return placed[0].line.start, min(placed[-1].line.end, len(self._text))

    def top_offset(self) -> int:
        return self._top.offset

    def set_top_offset(self, offset: int) -> None:
        """Scroll without telling, so that two views may follow each other."""
        self._top.stand_at(offset)
        self._refresh(tell=False)

    def go_to(self, offset: int, select: bool = False) -> None:
        """Bring an offset into the upper third, unless it can be seen well where it is."""
        rect = self.rect_of(offset)
        height = self.viewport().height()
        if not rect.isEmpty() and rect.top() >= 0 and rect.bottom() < height:
            return
        self._top.stand_at(offset)
        self._top.move(-height // 3)
        self._show_x(offset)
        self._refresh()

    def offset_at(self, point: QPoint) -> int:
        """The character at a place of the viewport."""
        placed = self._placed_at(point.y())
        return placed.line.offset_at(point.x() - self.origin())

    def caret_at(self, point: QPoint) -> int:
        """The place between two characters that is nearest to a point."""
        placed = self._placed_at(point.y())
        return placed.line.offset_at(point.x() - self.origin(), between=True)

    def rect_of(self, offset: int) -> QRect:
        """Where a character stands in the viewport; empty if it cannot be seen."""
        for placed in self.placed():
            if placed.line.start <= offset < placed.line.end:
                left, right = (round(x) for x in placed.line.cell(offset))
                width = max(right - left, 1)
                rect = QRect(self.origin() + left, placed.y, width, placed.line.height)
                area = self.viewport().rect().adjusted(self.margin_width(), 0, 0, 0)
                return rect if rect.intersects(area) else QRect()
        return QRect()

    def _placed_at(self, y: int) -> Placed:
        found = (each for each in self.placed() if y < each.y + each.line.height)
        return next(found, self.placed()[-1])

    # Scrolling

    def scroll_by(self, pixels: int) -> None:
        self._top.move(pixels)
        self._refresh()

    def scroll_to_start(self) -> None:
        self._top.stand_at(0)
        self._refresh()

    def scroll_to_end(self) -> None:
        self._top.stand_at(len(self._text))
        self._refresh()

    def line_pitch(self) -> int:
        return self._cache.style.pitch

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        if self._is_following:
            return
        bar = self.verticalScrollBar()
        value = bar.value()
        near = abs(value - self._known) * self._scale <= 2 * self.viewport().height()
        if value <= 0:
            self._top.stand_at(0)
        elif value >= bar.maximum():
            self._top.stand_at(len(self._text))
        elif near and not bar.isSliderDown():
            self._top.move((value - self._known) * self._scale)
        else:
            self._top.stand_near(value * self._scale)
        self._refresh()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_by(turn.y())
        elif abs(turn.x()) > abs(turn.y()) or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (event.pixelDelta().x() or turn.x() or turn.y()))
        else:
            self.scroll_by(-(event.pixelDelta().y() or self._wheel_pixels(turn.y())))
        event.accept()

    def _zoom_by(self, turn: int) -> None:
        self._turned += turn
        while abs(self._turned) >= _NOTCH:
            (self.zoom_in if self._turned > 0 else self.zoom_out)()
            self._turned -= _NOTCH if self._turned > 0 else -_NOTCH

    def _wheel_pixels(self, turn: int) -> int:
        return round(turn / _NOTCH * _LINES_PER_NOTCH * self.line_pitch())

    def _show_x(self, offset: int) -> None:
        x = self._cache.row(self._rows.row_of(offset)).line_of(offset).cell(offset)[0]
        bar = self.horizontalScrollBar()
        if not bar.value() <= x < bar.value() + self._text_width():
            bar.setValue(max(round(x) - self._text_width() // 3, 0))

    # Keeping up

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._wraps and self._cache.style.width != self._text_width():
            self._relayout()
        else:
            self._refresh()

    def _text_width(self) -> int:
        return max(self.viewport().width() - self.margin_width() - PAD - self.right_pad(), 40)

    def _relayout(self) -> None:
        """Lay out anew, with the same character at the top."""
        offset = self.top_offset()
        self._rebuild()
        self._top.stand_at(offset)
        self._refresh()

    def _rebuild(self) -> None:
        font = QFont(self._font)
        font.setPointSizeF(max(self._font.pointSizeF() * self._zoom, 1.0))
        style = LayoutStyle(font, self._text_width() if self._wraps else None)
        self._cache = LayoutCache(self._text, self._rows, style)
        self._heights = heights_of(self._text, self._rows, self._cache)
        self._top = Top(self._rows, self._cache, self._heights)
        self._widest = 0.0
        if not self._wraps:
            self._widest = max(line.width for line in self._cache.row(self._rows.longest()).lines)

    def _refresh(self, tell: bool = True) -> None:
        self._placed = None
        self._fill_bottom()
        self._follow()
        self.viewport().update()
        if self.visible_range() != self._range:
            self._range = self.visible_range()
            self.range_changed.emit(*self._range)
            if tell:
                self.scrolled.emit(self.top_offset())

    def _fill_bottom(self) -> None:
        """Leave no room below the end while there is text above."""
        last = self.placed()[-1]
        is_end = last.row_index == len(self._rows) - 1 and last.line is last.row.lines[-1]
        missing = self.viewport().height() - last.y - last.line.height
        self._is_at_end = is_end and missing >= 0
        if self._is_at_end and missing > 0 and not self._top.is_start:
            self._top.move(-missing)
            self._placed = None

    def _follow(self) -> None:
        """Set both scroll bars to what is shown."""
        self._is_following = True
        height, bar = self.viewport().height(), self.verticalScrollBar()
        self._scale = self._heights.total // _MOST + 1
        bar.setRange(0, max(self._heights.total - height, 0) // self._scale)
        bar.setPageStep(max(height // self._scale, 1))
        bar.setSingleStep(max(self.line_pitch() // self._scale, 1))
        if not bar.isSliderDown():
            bar.setValue(self._bar_value(bar.maximum()))
        self._known = bar.value()
        self._follow_across()
        self._is_following = False

    def _bar_value(self, most: int) -> int:
        if self._top.is_start:
            return 0
        if self._is_at_end:
            return most
        return min(max(self._top.y // self._scale, 1), max(most - 1, 0))

    def _set_bars(self) -> None:
        # A bar that came and went would change the width, and with it what made it come.
        policy = Qt.ScrollBarPolicy
        across = policy.ScrollBarAlwaysOff if self._wraps else policy.ScrollBarAlwaysOn
        self.setVerticalScrollBarPolicy(policy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(across)

    def _follow_across(self) -> None:
        bar = self.horizontalScrollBar()
        if not self._wraps:
            shown = max(each.line.width for each in self.placed())
            self._widest = max(self._widest, shown)
        hidden = 0 if self._wraps else int(self._widest) + PAD - self._text_width()
        bar.setRange(0, max(hidden, 0))
        bar.setPageStep(self._text_width())
        bar.setSingleStep(2 * self.line_pitch())
