"""Text to select and to copy, with the mouse and the keyboard; what is copied is the source's."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, Qt, QTextBoundaryFinder, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from chunkscope.gui.textpos import TextPositions
from chunkscope.gui.views.text_port import TextPort

_REACH = 200  # no word is longer than it need be looked for
_DRAG_INTERVAL = 40  # milliseconds between the steps of a drag beyond the edge
_COPY, _SELECT_ALL = QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.SelectAll
_LEFT_BUTTON = Qt.MouseButton.LeftButton


@dataclass(frozen=True, slots=True)
class Selection:
    """From where it was begun to where it is now."""

    anchor: int = 0
    caret: int = 0

    @property
    def span(self) -> tuple[int, int]:
        return min(self.anchor, self.caret), max(self.anchor, self.caret)


def word_at(text: str, offset: int, start: int, end: int) -> Selection:
    """The word, or the blanks or signs between words, at an offset of a row."""
    start, end = max(start, offset - _REACH), min(end, offset + _REACH)
    near = text[start:end]
    if not near or offset >= end:
        return Selection(offset, offset)
    places = TextPositions(near)
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, near)
    finder.setPosition(places.to_pos(offset - start))
    first = finder.position() if finder.isAtBoundary() else finder.toPreviousBoundary()
    finder.setPosition(places.to_pos(offset - start))
    last = finder.toNextBoundary()
    last = places.pos_length if last < 0 else last
    return Selection(start + places.to_offset(max(first, 0)), start + places.to_offset(last))


def _is_ours(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and (event.matches(_COPY) or event.matches(_SELECT_ALL))


class SelectableText(TextPort):
    """A click that selects nothing is told to `_on_click`."""

    selection_changed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = Selection()
        self._pressed: QPoint | None = None
        self._dragged = QPoint()
        self._drag = QTimer(self)
        self._drag.setInterval(_DRAG_INTERVAL)
        self._drag.timeout.connect(self._on_drag)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def selection(self) -> tuple[int, int]:
        return self._selection.span

    def set_selection(self, start: int, end: int) -> None:
        self._select(Selection(start, end))

    def select_all(self) -> None:
        self._select(Selection(0, len(self._text)))

    def copy(self) -> None:
        """Put exactly what is selected on the clipboard."""
        start, end = self.selection()
        if start < end:
            QGuiApplication.clipboard().setText(self._text[start:end])

    def _on_click(self, offset: int) -> None:
        """For who needs it."""

    def _select(self, selection: Selection) -> None:
        changed = selection.span != self.selection()
        self._selection = selection
        if changed:
            self.viewport().update()
            self.selection_changed.emit(*selection.span)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != _LEFT_BUTTON:
            super().mousePressEvent(event)
            return
        self._pressed = event.position().toPoint()
        caret = self.caret_at(self._pressed)
        extends = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        self._select(Selection(self._selection.anchor if extends else caret, caret))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._dragged = event.position().toPoint()
        if self._pressed is None or not self._is_drag():
            return
        self._extend()
        beyond = not 0 <= self._dragged.y() < self.viewport().height()
        if beyond != self._drag.isActive():
            self._drag.start() if beyond else self._drag.stop()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag.stop()
        pressed, self._pressed = self._pressed, None
        start, end = self.selection()
        if pressed is not None and event.button() == _LEFT_BUTTON and start == end:
            self._on_click(self.offset_at(pressed))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == _LEFT_BUTTON:
            offset = self.offset_at(event.position().toPoint())
            row = self._rows.row_of(offset)
            self._select(word_at(self._text, offset, self._rows.start(row), self._rows.end(row)))

    def _is_drag(self) -> bool:
        """Whether the mouse has left the place where it was pressed, or did before."""
        start, end = self.selection()
        moved = self._dragged - (self._pressed or self._dragged)
        return start < end or moved.manhattanLength() >= QApplication.startDragDistance() // 2

    def _extend(self) -> None:
        self._select(Selection(self._selection.anchor, self.caret_at(self._dragged)))

    def _on_drag(self) -> None:
        beyond = self._dragged.y() - (0 if self._dragged.y() < 0 else self.viewport().height())
        self.scroll_by(beyond)
        self._extend()

    # Keyboard

    def event(self, event: QEvent) -> bool:
        # The keys belong to the text that has the focus, before any menu of the window.
        if event.type() == QEvent.Type.ShortcutOverride and _is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(_COPY):
            self.copy()
        elif event.matches(_SELECT_ALL):
            self.select_all()
        elif not self._scroll_for(event.key()):
            super().keyPressEvent(event)

    def _scroll_for(self, key: int) -> bool:
        keys, line = Qt.Key, self.line_pitch()
        page = max(self.viewport().height() - line, line)
        steps = {keys.Key_Up: -line, keys.Key_Down: line}
        steps |= {keys.Key_PageUp: -page, keys.Key_PageDown: page, keys.Key_Space: page}
        across = {keys.Key_Left: -2 * line, keys.Key_Right: 2 * line}
        if key in steps:
            self.scroll_by(steps[Qt.Key(key)])
        elif key in across:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() + across[Qt.Key(key)])
        elif key == keys.Key_Home:
            self.scroll_to_start()
        elif key == keys.Key_End:
            self.scroll_to_end()
        else:
            return False
        return True
