"""The sweep editor: what is tried, how it is judged, how many that makes and how long it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.embedding.base import SENTENCE_TRANSFORMERS, embedders
from chunkscope.core.evaluation.estimate import told_seconds
from chunkscope.core.evaluation.plan import BUDGETS
from chunkscope.core.search.options import Mode, Rerank
from chunkscope.core.text.tokenizers import tokenizers
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.chips import Chips
from chunkscope.gui.panels.tuning.question_dialog import hint

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState


class BadList(ValueError):
    """What was typed is no list of numbers."""


@dataclass(frozen=True, slots=True)
class NumberList:
    """Numbers that are typed with commas between them."""

    key: str
    label: str
    tip: str
    unset: str  # what happens where nothing is typed
    is_share: bool = False

    def parse(self, text: str) -> list[float] | list[int]:
        parts = [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]
        try:
            if self.is_share:
                return [_share(part) for part in parts]
            return [int(part.replace("_", "")) for part in parts]
        except ValueError:
            raise BadList(f"{self.label}: write numbers with commas, as {self.tip}") from None

    def write(self, values: Any) -> str:
        found = values if isinstance(values, list) else [values]
        if self.is_share:
            return ", ".join(f"{value * 100:g} %" for value in found)
        return ", ".join(f"{value}" for value in found)


def _share(text: str) -> float:
    value = float(text.removesuffix("%").strip())
    return value / 100 if text.endswith("%") or value > 1 else value


NUMBERS = (
    NumberList("max_size", "&Sizes", "128, 256, 512", "as each strategy has it"),
    NumberList("overlap_share", "&Overlaps", "0 %, 25 %", "as each strategy has it", is_share=True),
    NumberList("neighbours", "&Neighbours", "0, 1", "none: results come without their neighbours"),
)
_CHOICES: tuple[tuple[str, str], ...] = (
    ("strategy", "Strategies"),
    ("tokenizer", "Tokenizers"),
    ("embedder", "Models"),
    ("mode", "Search"),
    ("rerank", "Rerank"),
)


def _choices(key: str) -> list[str]:
    if key == "embedder":
        return [each for each in embedders if each != SENTENCE_TRANSFORMERS]
    kinds: dict[str, Any] = {
        "strategy": strategies, "tokenizer": tokenizers, "mode": Mode, "rerank": Rerank,
    }  # fmt: skip
    skipped = ("cross-encoder",)  # needs a folder: from a TOML file
    return [str(each) for each in kinds[key] if each not in skipped]


class SweepForm(QWidget):
    """Edits the grid of the state's table; what it does not know of a TOML file stays in it."""

    open_asked = Signal()
    save_asked = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._tuning = state.tuning
        self.chips = {key: Chips(label, _choices(key)) for key, label in _CHOICES}
        self.lines = {each.key: QLineEdit() for each in NUMBERS}
        self.headline = QComboBox()
        self.headline.addItems(
            [*(f"R@{budget}" for budget in BUDGETS), "recall", "ndcg", "mrr", "iou", "precision"]
        )
        self.k = _spin(1, 1000, "how many results the usual measures look at")
        self.sample = _spin(0, 100_000, "try so many of the grid by chance; 0: all of it")
        self.sample.setSpecialValueText("all")
        self.seed = _spin(0, 2**31 - 1, "of the bootstrap, the sample and the race")
        self.racing = QCheckBox("&Drop hopeless ones early")
        self.count, self.notes = QLabel(), hint("")
        self.problem = hint("")
        self.problem.setObjectName("problem")
        self._lay_out()
        self._connect()
        self._tuning.changed.connect(self._on_changed)
        self.show_table(self._tuning.table)

    # parts

    def _lay_out(self) -> None:
        inside = QWidget()
        outer = QVBoxLayout(inside)
        outer.setContentsMargins(12, 10, 12, 10)
        form = QFormLayout()
        outer.addLayout(form)
        outer.addStretch(1)  # or else the rows of chips would take the room
        form.setVerticalSpacing(10)
        form.setHorizontalSpacing(14)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(_heading("What is tried"))
        form.addRow("Strategies", self.chips["strategy"])
        for each in NUMBERS[:2]:
            form.addRow(each.label, self._line(each))
        form.addRow("Tokenizers", self.chips["tokenizer"])
        form.addRow("Models", self.chips["embedder"])
        form.addRow("Search", self.chips["mode"])
        form.addRow("Rerank", self.chips["rerank"])
        form.addRow(NUMBERS[2].label, self._line(NUMBERS[2]))
        form.addRow(_heading("How it is judged"))
        form.addRow("&Headline", self._judging())
        form.addRow("", self.racing)
        self.racing.setToolTip("A race over some of the documents first; clear losers end there")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area, 1)
        column.addWidget(self._foot())

    def _line(self, each: NumberList) -> QLineEdit:
        line = self.lines[each.key]
        line.setPlaceholderText(f"{each.unset}; or {each.tip}")
        line.setAccessibleName(each.label.replace("&", ""))
        line.setMaximumWidth(420)
        return line

    def _judging(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        self.headline.setAccessibleName("Headline measure")
        self.headline.setToolTip("R@2000: how much of the answers 2,000 tokens of context hold")
        row.addWidget(self.headline)
        for name, spin in (("k", self.k), ("Sample", self.sample), ("Seed", self.seed)):
            label = QLabel(name)
            label.setBuddy(spin)
            spin.setAccessibleName(name)
            row.addSpacing(8)
            row.addWidget(label)
            row.addWidget(spin)
        row.addStretch(1)
        return box

    def _foot(self) -> QWidget:
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(12, 6, 12, 10)
        said = QVBoxLayout()
        said.setSpacing(1)
        self.count.setObjectName("heading")
        for part in (self.count, self.notes, self.problem):
            said.addWidget(part)
        row.addLayout(said, 1)
        for text, signal in (("&Open TOML…", self.open_asked), ("Save &TOML…", self.save_asked)):
            button = QPushButton(text)
            button.clicked.connect(signal)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        return box

    def _connect(self) -> None:
        for chips in self.chips.values():
            chips.edited.connect(self._on_edited)
        for line in self.lines.values():
            line.textEdited.connect(self._on_edited)
        self.headline.activated.connect(self._on_edited)
        for spin in (self.k, self.sample, self.seed):
            spin.valueChanged.connect(self._on_edited)
        self.racing.toggled.connect(self._on_edited)

    # values

    def show_table(self, table: Mapping[str, Any]) -> None:
        """Fill the form from a sweep."""
        grid, settings = _first_grid(table), table.get("settings", {})
        for key, chips in self.chips.items():
            chips.show_chosen([str(each) for each in _listed(grid.get(key, []))])
        for each in NUMBERS:
            self.lines[each.key].setText(each.write(_listed(grid.get(each.key, []))))
        with QSignalBlocker(self.headline):
            head = str(settings.get("headline", "R@2000"))
            if self.headline.findText(head) < 0:
                self.headline.addItem(head)
            self.headline.setCurrentText(head)
        defaults = {"k": 5, "sample": 0, "seed": 0}
        for name, spin in (("k", self.k), ("sample", self.sample), ("seed", self.seed)):
            with QSignalBlocker(spin):
                spin.setValue(int(settings.get(name, defaults[name])))
        with QSignalBlocker(self.racing):
            self.racing.setChecked(bool(settings.get("racing", True)))
        self._tuning.refresh_plan()

    def table(self) -> dict[str, Any]:
        """The sweep in the form, with all that the form does not show."""
        before = self._tuning.table
        grid = {**_first_grid(before)}
        for key, chips in self.chips.items():
            _put(grid, key, chips.chosen())
        for each in NUMBERS:
            _put(grid, each.key, each.parse(self.lines[each.key].text()))
        if "overlap_share" in grid:
            grid.pop("overlap", None)
        settings = {
            **before.get("settings", {}),
            "headline": self.headline.currentText(),
            "k": self.k.value(),
            "sample": self.sample.value(),
            "seed": self.seed.value(),
            "racing": self.racing.isChecked(),
        }
        rest = before.get("grid")
        grids = [grid, *rest[1:]] if isinstance(rest, list) else grid
        return {**before, "grid": grids, "settings": settings}

    def _on_edited(self) -> None:
        try:
            table = self.table()
        except BadList as problem:
            self._tell(str(problem))
            return
        self._tuning.set_table(table)

    # what it comes to

    def _on_changed(self, change: TuningChange) -> None:
        if TuningChange.PLAN in change:
            self._show_plan()

    def _show_plan(self) -> None:
        plan = self._tuning.plan
        if plan is None:
            self._tell(self._tuning.plan_problem)
            return
        self._tell("")
        count = len(plan.configurations)
        said = "1 configuration" if count == 1 else f"{count:,} configurations"
        self.count.setText(f"{said} · {told_seconds(self._tuning.plan_seconds)}")
        self.notes.setText(self._told_rest(len(plan.left_out)))
        self.notes.setVisible(bool(self.notes.text()))

    def _told_rest(self, left_out: int) -> str:
        rest = self._tuning.table.get("grid")
        extra = len(rest) - 1 if isinstance(rest, list) else 0
        extra += len(self._tuning.table.get("configuration", []))
        parts = [f"{left_out:,} combinations cannot be and are left out"] if left_out else []
        if extra:
            parts.append(f"{extra:,} further grids or configurations come from the TOML file")
        return " · ".join(parts)

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        if problem:
            self.count.setText("Nothing can be tried like this")


def _spin(low: int, high: int, tip: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(low, high)
    spin.setKeyboardTracking(False)
    spin.setToolTip(tip)
    spin.setMinimumWidth(76)
    return spin


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("heading")
    return label


def _first_grid(table: Mapping[str, Any]) -> dict[str, Any]:
    grid = table.get("grid", {})
    if isinstance(grid, list):
        grid = grid[0] if grid else {}
    return dict(grid)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _put(grid: dict[str, Any], key: str, values: list[Any]) -> None:
    if values:
        grid[key] = values
    else:
        grid.pop(key, None)
