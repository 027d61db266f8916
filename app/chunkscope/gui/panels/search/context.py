"""The context: the exact text that a language model would get, and where each part comes from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.query_files import write_atomically
from chunkscope.core.search.context import DEFAULT_BUDGET, Context
from chunkscope.core.search.templates import templates
from chunkscope.gui.changes import SearchChange
from chunkscope.gui.panels.library import small_font
from chunkscope.gui.panels.search.context_text import REPEATED, ShownContext, shown
from chunkscope.gui.state import AppState
from chunkscope.gui.theme import Theme, light, mixed
from chunkscope.gui.views.text_view import TextView

_LEAST, _MOST, _STEPS = 50, 128_000, 1000
_ROLES = ("hit", "neighbour", "attribution", "separator")
EMPTY = "Ask something and press Enter: here stands what a language model would get for it."


class ContextView(TextView):
    """Tells of each place where its text comes from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = ShownContext("", ())
        self.setAccessibleName("Context for a language model")
        self.set_compact(True)

    def set_font(self, font: QFont) -> None:
        """A little smaller than documents: there is less room."""
        super().set_font(small_font(font))

    def tool_tip_at(self, point: QPoint) -> str:
        if point.x() < self.margin_width():
            return ""
        part = self.shown.part_at(self.offset_at(point))
        return part.note if part else ""


class ContextPanel(QWidget):
    """Budget and template above, the text in the middle, what was left out below."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._search = state.search
        self._theme = light()
        self.view = ContextView()
        self.view.set_wrap(True)
        self.template = QComboBox()
        self.template.addItems(list(templates))
        self.template.setAccessibleName("Template of the context")
        for at, name in enumerate(templates):
            self.template.setItemData(at, templates[name].help, Qt.ItemDataRole.ToolTipRole)
        self._make_budget()
        self.repeats = QCheckBox("Repeats")
        self.repeats.setToolTip("Show struck what was removed because it stood there already")
        self.copy = self._button("Copy", "Copy the context")
        self.save = self._button("Save…", "Save the context as a text file")
        self.left_out = QLabel()
        self.left_out.setObjectName("quiet")
        self.left_out.setTextFormat(Qt.TextFormat.PlainText)
        self.left_out.setWordWrap(True)
        self.left_out.setAccessibleName("What was left out")
        self._lay_out()
        self._connect()
        self._show()

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    def _make_budget(self) -> None:
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setAccessibleName("Budget in tokens")
        self.slider.setMinimumWidth(50)
        self.budget = QSpinBox()
        self.budget.setRange(_LEAST, _MOST)
        self.budget.setGroupSeparatorShown(True)
        self.budget.setKeyboardTracking(False)
        self.budget.setAccessibleName("Budget in tokens")
        self.budget.setValue(DEFAULT_BUDGET)
        self.slider.setValue(_to_step(DEFAULT_BUDGET))
        self.meter = QProgressBar()
        self.meter.setAccessibleName("Tokens used")
        self.meter.setTextVisible(False)
        self.meter.setMinimumWidth(50)
        self.used = QLabel()
        self.used.setObjectName("quiet")

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(10, 4, 10, 4)
        row.setSpacing(8)
        for part in (self.template, self.budget):
            row.addWidget(part)
        row.addWidget(self.slider, 2)
        row.addWidget(self.meter, 1)
        for widget in (self.used, self.repeats):
            row.addWidget(widget)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 4, 10, 6)
        foot.addWidget(self.left_out, 1)
        for button in (self.copy, self.save):
            foot.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        column.addLayout(foot)

    def _connect(self) -> None:
        self.template.textActivated.connect(
            lambda name: self._search.set_wish(replace(self._search.wish, template=name))
        )
        self.slider.valueChanged.connect(self._on_slid)
        self.budget.valueChanged.connect(self._on_budget)
        self.repeats.toggled.connect(lambda _: self._show())
        self.copy.clicked.connect(self._on_copy)
        self.save.clicked.connect(self._on_save)
        self._search.changed.connect(self._on_changed)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.view.set_theme(theme)
        self._mark()

    def _on_slid(self, step: int) -> None:
        with QSignalBlocker(self.budget):
            self.budget.setValue(_to_budget(step))
        self._search.set_wish(replace(self._search.wish, budget=self.budget.value()))

    def _on_budget(self, value: int) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(_to_step(value))
        self._search.set_wish(replace(self._search.wish, budget=value))

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.CONTEXT in change and self.isVisible():
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """What came while another tab was in front."""
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        context, result = self._search.context, self._search.result
        is_there = context is not None and result is not None
        for button in (self.copy, self.save, self.repeats):
            button.setEnabled(is_there)
        if context is None or result is None:
            self.view.shown = ShownContext("", ())
            self.view.set_text("")
            self.used.clear()
            self.meter.reset()
            self.left_out.setText(EMPTY)
            return
        self.view.shown = shown(context, result, self.repeats.isChecked())
        if self.view.text() != self.view.shown.text:
            self.view.set_text(self.view.shown.text)
        self.meter.setRange(0, context.budget)
        self.meter.setValue(min(context.tokens, context.budget))
        self.used.setText(f"{context.tokens:,} used")
        self.left_out.setText(told(context))
        self._mark()

    def _mark(self) -> None:
        for role in (*_ROLES, REPEATED):
            spans = np.array(self.view.shown.spans(role), np.int64).reshape(-1, 2)
            self.view.set_layer(role, spans, self._colour(role), strike=role == REPEATED)

    def _colour(self, role: str) -> QColor:
        theme = self._theme
        if role == REPEATED:
            return theme.error
        share = {"hit": 0.22, "neighbour": 0.07}.get(role)
        if share is not None:
            return mixed(theme.base, theme.accent, share)
        return mixed(theme.base, theme.warning, 0.16)

    def _on_copy(self) -> None:
        if self._search.context is not None:
            QGuiApplication.clipboard().setText(self._search.context.text)

    def _on_save(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, "Save the context", "context.txt")
        if chosen:
            self.save_to(Path(chosen))

    def save_to(self, path: Path) -> None:
        """Write the exact text."""
        context = self._search.context
        if context is None:
            return
        try:
            write_atomically(path, context.text)
        except ChunkscopeError as problem:
            self._search.told.emit(str(problem))
        else:
            self._search.told.emit(f"Saved as {path}.")


def told(context: Context) -> str:
    """What was left out, a line for each rule."""
    count = len(context.included)
    lines = [f"{count} result{'s' if count != 1 else ''} by {context.tokenizer}."]
    ranks: dict[tuple[str, str], list[str]] = {}
    for each in context.left_out:
        tokens = f" ({each.tokens:,} tokens)" if each.tokens else ""
        ranks.setdefault((each.what, each.rule), []).append(f"{each.rank}{tokens}")
    for (what, rule), every in ranks.items():
        owner = "result" if what == "hit" else f"{what} of result"
        lines.append(f"Left out: {owner} {', '.join(every)}: {rule}.")
    return "\n".join(lines)


def _to_step(budget: int) -> int:
    share = np.log(budget / _LEAST) / np.log(_MOST / _LEAST)
    return round(float(share) * _STEPS)


def _to_budget(step: int) -> int:
    value = _LEAST * (_MOST / _LEAST) ** (step / _STEPS)
    return round(value, -1 if value < 1000 else -2) if step < _STEPS else _MOST
