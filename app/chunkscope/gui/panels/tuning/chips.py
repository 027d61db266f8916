"""Choices that are ticked in place, wrapped like words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QToolButton, QWidget

_GAP = 5


class Flow(QLayout):
    """From left to right, then the next line."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), is_real=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, is_real=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        sizes = [item.minimumSize() for item in self._items]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def _place(self, rect: QRect, *, is_real: bool) -> int:
        x, y, row = rect.x(), rect.y(), 0
        for item in self._items:
            size = item.sizeHint()
            if row and x + size.width() > rect.right() + 1:
                x, y, row = rect.x(), y + row + _GAP, 0
            if is_real:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + _GAP
            row = max(row, size.height())
        return y + row - rect.y()


class Chips(QWidget):
    """Any number of names; `edited` comes when a person ticks one."""

    edited = Signal()

    def __init__(self, name: str, choices: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = Flow(self)
        self._name = name
        self._buttons: dict[str, QToolButton] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(name)
        for choice in choices:
            self._add(choice)

    def _add(self, choice: str) -> None:
        button = QToolButton()
        button.setText(choice)
        button.setCheckable(True)
        button.setObjectName("chip")
        button.setAccessibleName(f"{self._name}: {choice}")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.toggled.connect(lambda _: self.edited.emit())
        self._buttons[choice] = button
        self._flow.addWidget(button)

    def chosen(self) -> list[str]:
        return [name for name, button in self._buttons.items() if button.isChecked()]

    def show_chosen(self, names: Iterable[str]) -> None:
        """Tick these; one that is not among the choices is added to them."""
        wanted = list(names)
        for name in wanted:
            if name not in self._buttons:
                self._add(name)
        for name, button in self._buttons.items():
            with QSignalBlocker(button):
                button.setChecked(name in wanted)

    def button(self, name: str) -> QToolButton:
        return self._buttons[name]
