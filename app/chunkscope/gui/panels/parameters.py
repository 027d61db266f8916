"""Strategy, preset and every parameter: what decides the cut."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QFrame,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.chunking.strategies import Strategy, strategies
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.params import declared
from chunkscope.core.profile import Profile, presets
from chunkscope.gui.forms import Field, make_field
from chunkscope.gui.state import AppState, Change

_drags = itertools.count(1)
_LABELS = {"max_size": "max size", "min_size": "min size"}


class ParametersPanel(QWidget):
    """A form that is made anew for each strategy."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._fields: dict[str, Field] = {}
        self._drag = 0
        self._presets = self._choice("preset", list(presets), self._on_preset)
        self._strategies = self._choice("strategy", list(strategies), self._on_strategy)
        self._help = self._label(muted=True)
        self._problem = self._label(muted=False)
        self._problem.setAccessibleName("Why a value cannot be")
        self._form = QFormLayout()
        self._lay_out()
        self._problem.hide()
        state.changed.connect(self._on_changed)
        self._rebuild()

    def _choice(self, name: str, items: list[str], slot: Any) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.addItems(items)
        box.textActivated.connect(slot)
        return box

    def _label(self, *, muted: bool) -> QLabel:
        label = QLabel()
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setObjectName("quiet" if muted else "problem")
        return label

    def _lay_out(self) -> None:
        top = QFormLayout()
        top.addRow("Preset", self._presets)
        top.addRow("Strategy", self._strategies)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(12, 10, 12, 10)
        column.addLayout(top)
        column.addWidget(self._help)
        column.addWidget(self._problem)
        column.addLayout(self._form)
        column.addStretch(1)
        for form in (top, self._form):
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
            form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
            form.setVerticalSpacing(5)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def field(self, name: str) -> Field:
        """The editor of a parameter."""
        return self._fields[name]

    def _rebuild(self) -> None:
        """Make the fields of the strategy, its own before those that all have."""
        while self._form.rowCount():
            self._form.removeRow(0)
        self._fields.clear()
        every = declared(type(self._state.profile.parameters))
        shared = declared(Strategy)
        own = [name for name in every if name not in shared]
        for name in (*own, *shared):
            field = make_field(every[name])
            field.edited.connect(partial(self._on_edited, name))
            label = QLabel(_LABELS.get(name, name.replace("_", " ")))
            label.setBuddy(field.focusProxy() or field)
            label.setToolTip(every[name].param.help)
            self._form.addRow(label, field)
            self._fields[name] = field
        self._show()

    def _show(self) -> None:
        profile = self._state.profile
        for name, value in profile.parameters.values():
            self._fields[name].show_value(value)
        uses_tokens = profile.parameters.unit == "tokens"
        self._fields["tokenizer"].setEnabled(uses_tokens)
        with QSignalBlocker(self._strategies), QSignalBlocker(self._presets):
            self._strategies.setCurrentText(profile.strategy)
            self._presets.setCurrentIndex(self._presets.findText(_preset_of(profile)))
        self._presets.setPlaceholderText(f"{profile.name}, changed")
        text = (strategies[profile.strategy].__doc__ or "").strip().splitlines()[0]
        self._help.setText(text)

    def _on_changed(self, change: Change) -> None:
        if Change.PROFILE not in change:
            return
        names = list(declared(type(self._state.profile.parameters)))
        if set(names) != set(self._fields):
            self._rebuild()
        else:
            self._show()

    def _on_edited(self, name: str, value: object, is_dragging: bool) -> None:
        if is_dragging:
            self._drag = self._drag or next(_drags)
        drag, label = self._drag, name.replace("_", " ")
        if not is_dragging:
            self._drag = 0
        self._try(lambda: self._state.profile.with_values({name: value}), f"Set {label}", drag)

    def _on_strategy(self, name: str) -> None:
        self._try(lambda: self._state.profile.with_strategy(name), f"Strategy {name}")

    def _on_preset(self, name: str) -> None:
        self._try(lambda: Profile.preset(name), f"Preset {name}")

    def _try(self, make: Any, text: str, drag: int = 0) -> None:
        """Take the new profile, or say why it cannot be and show the old one."""
        try:
            profile = make()
        except ChunkscopeError as problem:
            self._problem.setText(str(problem))
            self._problem.show()
            self._show()
            return
        self._problem.clear()
        self._problem.hide()
        self._state.set_profile(profile, text, drag=drag)


def _preset_of(profile: Profile) -> str:
    """The preset that a profile equals, whatever its name."""
    for name in presets:
        known = presets[name].profile
        if (known.strategy, known.parameters) == (profile.strategy, profile.parameters):
            return name
    return ""
