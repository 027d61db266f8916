"""Widgets made from declared parameters: a slider with a spin box, a choice, a switch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from chunkscope.core.params import Declared, parse
from chunkscope.core.text.sentences.languages import LANGUAGES
from chunkscope.core.text.tokenizers import tokenizers

_STEPS = 1000
_WIDE = 1000  # ranges over this go by factors, so that small values can be hit
_SLIDE_MOST = 8192.0  # a slider to the end of every range could not be aimed; the spin box goes on
SUGGESTIONS: dict[str, Callable[[], tuple[str, ...]]] = {
    "tokenizer": lambda: tuple(tokenizers),
    "language": lambda: LANGUAGES,
}


class Field(QWidget):
    """An editor of one parameter. `edited` carries the value and whether a drag is going on."""

    edited = Signal(object, bool)

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.known = known
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.setToolTip(known.param.help)

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def name_parts(self) -> None:
        """Tell assistive technology what each part is."""
        label = self.known.name.replace("_", " ")
        for part in self.findChildren(QWidget):
            part.setAccessibleName(label)
            part.setAccessibleDescription(self.known.param.help)
            part.setToolTip(self.known.param.help)
            part.setAcceptDrops(False)  # what is dropped is opened, wherever it falls


class NumberField(Field):
    """A slider and a spin box that follow each other."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self._low, self._high = float(known.param.low or 0), float(known.param.high or 1)
        self._top = min(self._high, _SLIDE_MOST)
        self._is_wide = self._top - self._low > _WIDE
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setMinimumWidth(60)
        self.slider.setPageStep(50)
        self.spin: QSpinBox | QDoubleSpinBox = self._make_spin(known)
        self.row.addWidget(self.slider, 1)
        self.row.addWidget(self.spin)
        self.slider.valueChanged.connect(self._on_slid)
        self.spin.valueChanged.connect(self._on_typed)
        self.name_parts()

    def _make_spin(self, known: Declared) -> QSpinBox | QDoubleSpinBox:
        spin: QSpinBox | QDoubleSpinBox
        if known.type is int:
            spin = QSpinBox()
            spin.setRange(int(self._low), int(self._high))
            spin.setGroupSeparatorShown(True)
        else:
            spin = QDoubleSpinBox()
            spin.setRange(self._low, self._high)
            spin.setSingleStep(0.01)
            spin.setDecimals(2)
        spin.setKeyboardTracking(False)
        spin.setMinimumWidth(78)
        return spin

    def _to_step(self, value: float) -> int:
        """The slider's place for a value; what is typed beyond its end leaves it there."""
        value = min(max(value, self._low), self._top)
        if not self._is_wide:
            return round((value - self._low) / (self._top - self._low) * _STEPS)
        return round(math.log1p(value - self._low) / math.log1p(self._top - self._low) * _STEPS)

    def _to_value(self, step: int) -> float:
        if not self._is_wide:
            return self._low + step / _STEPS * (self._top - self._low)
        return self._low + math.expm1(step / _STEPS * math.log1p(self._top - self._low))

    def _on_slid(self, step: int) -> None:
        value = self._to_value(step)
        chosen: float = round(value) if self.known.type is int else round(value, 2)
        with QSignalBlocker(self.spin):
            self.spin.setValue(chosen)  # type: ignore[arg-type]
        self.edited.emit(self.known.type(chosen), self.slider.isSliderDown())

    def _on_typed(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(self._to_step(value))
        self.edited.emit(self.known.type(value), False)

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.spin), QSignalBlocker(self.slider):
            self.spin.setValue(value)
            if not self.slider.isSliderDown():
                self.slider.setValue(self._to_step(value))


class ChoiceField(Field):
    """One of several names; where any text is allowed, it can be typed."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.box = QComboBox()
        self.box.addItems(list(known.param.choices or SUGGESTIONS.get(known.name, tuple)()))
        self.box.setEditable(not known.param.choices)
        self.box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.row.addWidget(self.box, 1)
        self.box.textActivated.connect(lambda text: self.edited.emit(text, False))
        line = self.box.lineEdit()
        if line is not None:
            line.editingFinished.connect(lambda: self.edited.emit(self.box.currentText(), False))
        self.name_parts()

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setCurrentText(str(value))


class SwitchField(Field):
    """On or off."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.box = QCheckBox()
        self.row.addWidget(self.box, 1)
        self.box.toggled.connect(lambda value: self.edited.emit(value, False))
        self.name_parts()

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(bool(value))


class ManyField(Field):
    """Any number of names, ticked in a menu."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.button = QToolButton()
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.button.setObjectName("choice")
        self.button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        menu = QMenu(self.button)
        self._actions: list[QAction] = []
        for choice in known.param.choices:
            action = menu.addAction(choice.replace("_", " "))
            action.setData(choice)
            action.setCheckable(True)
            action.toggled.connect(self._on_ticked)
            self._actions.append(action)
        self.button.setMenu(menu)
        self.row.addWidget(self.button, 1)
        self.name_parts()

    def _chosen(self) -> tuple[str, ...]:
        return tuple(action.data() for action in self._actions if action.isChecked())

    def _on_ticked(self) -> None:
        self._label()
        self.edited.emit(self._chosen(), False)

    def _label(self) -> None:
        chosen = self._chosen()
        self.button.setText(", ".join(name.replace("_", " ") for name in chosen) or "nothing")

    def show_value(self, value: Any) -> None:
        for action in self._actions:
            with QSignalBlocker(action):
                action.setChecked(action.data() in value)
        self._label()


class ListField(Field):
    """Any number of texts, typed with commas between them."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.box = QLineEdit()
        self.box.setPlaceholderText("any")
        self.row.addWidget(self.box, 1)
        self.box.editingFinished.connect(
            lambda: self.edited.emit(parse(self.known, self.box.text()), False)
        )
        self.name_parts()

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setText(", ".join(value))


def make_field(known: Declared) -> Field:
    """The editor that fits a parameter."""
    if known.type is bool:
        return SwitchField(known)
    if known.type is tuple:
        return ManyField(known) if known.param.choices else ListField(known)
    if known.type in (int, float):
        return NumberField(known)
    return ChoiceField(known)
