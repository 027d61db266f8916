"""The settings: one row for each preference, found by a word, taken over as they are changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFontComboBox,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core import params
from chunkscope.core.chunking.models import reading_models
from chunkscope.core.params import BadParameter, Declared
from chunkscope.gui.forms import SUGGESTIONS, ChoiceField, Field, NumberField, make_field
from chunkscope.gui.preferences import DECLARED, GROUPS, Preferences

_UNITS = {
    "reading_size": " pt",
    "window_size": " pt",
    "memory_limit": " MB",
    "stall_limit": " s",
    "time_limit": " s",
}
_AT_RESTART = ("workers",)
_MODEL_PREFIX = "sentence-transformers:"
SUGGESTIONS.setdefault("embedder", lambda: tuple(reading_models))


class FolderField(Field):
    """A folder, typed or chosen; what stands in front of it is kept."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.line = QLineEdit()
        self.line.setClearButtonEnabled(True)
        self.line.setPlaceholderText("automatic")
        self.row.addWidget(self.line, 1)
        self.row.addWidget(_browse_button(self, self._choose))
        self.line.editingFinished.connect(lambda: self.edited.emit(self.line.text(), False))
        self.name_parts()

    def _choose(self, folder: str) -> None:
        self.line.setText(folder)
        self.edited.emit(folder, False)

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.line):
            self.line.setText(str(value))


class ModelField(ChoiceField):
    """An embedder by its name, or a model by its folder."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.row.addWidget(_browse_button(self, self._choose))
        self.name_parts()

    def _choose(self, folder: str) -> None:
        self.box.setCurrentText(_MODEL_PREFIX + folder)
        self.edited.emit(self.box.currentText(), False)


class FontField(Field):
    """A typeface; none is the window's."""

    def __init__(self, known: Declared, parent: QWidget | None = None) -> None:
        super().__init__(known, parent)
        self.box = QFontComboBox()
        self.box.setSizeAdjustPolicy(
            QFontComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.row.addWidget(self.box, 1)
        reset = QPushButton("As the window")
        self.row.addWidget(reset)
        self.box.currentFontChanged.connect(self._on_chosen)
        reset.clicked.connect(lambda: self.edited.emit("", False))
        self.name_parts()
        reset.setAccessibleName("Reading font as the window")

    def _on_chosen(self, font: QFont) -> None:
        self.edited.emit(font.family(), False)

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setCurrentFont(QFont(str(value)) if value else self.font())


def _browse_button(field: Field, chosen: Any) -> QPushButton:
    button = QPushButton("Browse…")

    def browse() -> None:
        folder = QFileDialog.getExistingDirectory(field, field.known.param.help)
        if folder:
            chosen(folder)

    button.clicked.connect(browse)
    return button


def _make(known: Declared) -> Field:
    kinds: dict[str, type[Field]] = {
        "reading_font": FontField,
        "embedder": ModelField,
        "workspace_folder": FolderField,
    }
    field = kinds[known.name](known) if known.name in kinds else make_field(known)
    if isinstance(field, NumberField):
        field.spin.setSuffix(_UNITS.get(known.name, ""))
        field.spin.setMinimumWidth(104)
        if isinstance(field.spin, QDoubleSpinBox):
            field.spin.setDecimals(1)
            field.spin.setSingleStep(1)
        if known.param.low == 0:
            field.spin.setSpecialValueText("automatic")
    return field


class _WheelGuard(QObject):
    """Turning the wheel scrolls the settings; only a part that was chosen takes it for itself."""

    def watch(self, field: Field) -> None:
        for kind in (QComboBox, QAbstractSpinBox, QSlider):
            for part in field.findChildren(kind):
                part.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_wheel = event.type() == QEvent.Type.Wheel
        if is_wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


@dataclass(frozen=True, slots=True)
class _Row:
    """The widgets of one setting, and the words that it is found by."""

    field: Field
    widgets: tuple[QWidget, ...]
    words: str


class SettingsDialog(QDialog):
    """`changed` carries the new preferences; nothing has to be confirmed."""

    changed = Signal(object)

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Settings")
        self.resize(640, 640)
        self.preferences = preferences
        self.rows: dict[str, _Row] = {}
        self._headings: dict[str, QLabel] = {}
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find a setting")
        self.search.setAccessibleName("Find a setting")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.problem = QLabel()
        self.problem.setObjectName("problem")
        self.problem.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.setWordWrap(True)
        self.problem.hide()
        self._nothing = QLabel("No setting has this word.")
        self._nothing.setObjectName("quiet")
        self._lay_out()
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Return belongs to the field that is being edited
        self._guard = _WheelGuard(self)
        for row in self.rows.values():
            self._guard.watch(row.field)
        self._show()
        self._filter("")
        self.search.setFocus()

    def _lay_out(self) -> None:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(4, 4, 12, 4)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for title, names in GROUPS.items():
            self._add_heading(grid, title)
            for name in names:
                self._add_row(grid, title, name)
        grid.setRowStretch(grid.rowCount(), 1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        for widget in (self.search, self._nothing, area, self.problem, self._buttons()):
            column.addWidget(widget)

    def _add_heading(self, grid: QGridLayout, title: str) -> None:
        label = QLabel(title)
        label.setObjectName("heading")
        font = label.font()
        font.setWeight(QFont.Weight.DemiBold)
        label.setFont(font)
        label.setContentsMargins(0, 12 if self._headings else 0, 0, 2)
        grid.addWidget(label, grid.rowCount(), 0, 1, 2)
        self._headings[title] = label

    def _add_row(self, grid: QGridLayout, title: str, name: str) -> None:
        known = DECLARED[name]
        text = name.replace("_", " ").capitalize()
        label = QLabel(text)
        field = _make(known)
        told = known.param.help + (" (from the next start on)" if name in _AT_RESTART else "")
        hint = QLabel(told)
        hint.setObjectName("quiet")
        hint.setWordWrap(True)
        hint.setContentsMargins(0, 0, 0, 7)
        at = grid.rowCount()
        grid.addWidget(label, at, 0)
        grid.addWidget(field, at, 1)
        grid.addWidget(hint, at + 1, 1)
        field.edited.connect(lambda value, _drag, name=name: self._on_edited(name, value))
        words = f"{title} {text} {told} {' '.join(known.param.choices)}".casefold()
        self.rows[name] = _Row(field, (label, field, hint), words)

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.RestoreDefaults | QDialogButtonBox.StandardButton.Close
        )
        buttons.rejected.connect(self.reject)
        restore = buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        restore.clicked.connect(lambda: self._take(Preferences()))
        return buttons

    def _on_edited(self, name: str, value: Any) -> None:
        if value != getattr(self.preferences, name):
            self._take(replace(self.preferences, **{name: value}))

    def _take(self, wanted: Preferences) -> None:
        """Take values over, or say in place why not."""
        try:
            params.check(wanted)
        except BadParameter as problem:
            self.problem.setText(str(problem).replace("_", " ").capitalize() + ".")
            self.problem.show()
            return
        self.problem.hide()
        self.preferences = wanted
        self._show()
        self.changed.emit(wanted)

    def _show(self) -> None:
        for name, row in self.rows.items():
            row.field.show_value(getattr(self.preferences, name))

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        shown = {
            name for name, row in self.rows.items() if all(word in row.words for word in words)
        }
        for name, row in self.rows.items():
            for widget in row.widgets:
                widget.setVisible(name in shown)
        for title, heading in self._headings.items():
            heading.setVisible(bool(shown.intersection(GROUPS[title])))
        self._nothing.setVisible(not shown)
