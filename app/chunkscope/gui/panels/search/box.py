"""The box for the question, with what was asked before at the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class QueryBox(QLineEdit):
    """Up goes back in the history; Down forward again, and from the newest to the results."""

    left_down = Signal()
    left = Signal()

    def __init__(self, history: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history = history  # the newest first; shared with who writes it
        self._at = -1
        self._draft = ""
        self.setPlaceholderText("Search the index  (Ctrl+K)")
        self.setAccessibleName("Search the index")
        self.setClearButtonEnabled(True)
        self.setAcceptDrops(False)  # what is dropped is opened, wherever it falls
        self.textEdited.connect(self._forget_place)
        self.returnPressed.connect(self._forget_place)

    def _forget_place(self) -> None:
        self._at = -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Up:
            self._step(1)
        elif event.key() == Qt.Key.Key_Down and self._at < 0:
            self.left_down.emit()
        elif event.key() == Qt.Key.Key_Down:
            self._step(-1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _step(self, step: int) -> None:
        at = self._at + step
        if not -1 <= at < len(self._history):
            return
        if self._at < 0:
            self._draft = self.text()
        self._at = at
        self.setText(self._draft if at < 0 else self._history[at])
