"""Behind a row: its questions and why they failed, flow between two rows, plots, robustness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHeaderView, QLabel, QTableView, QTabWidget, QVBoxLayout, QWidget

from chunkscope.core.evaluation.scores import QuestionScore, Row
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.flow import FlowPanel
from chunkscope.gui.panels.tuning.plots import PlotsPanel
from chunkscope.gui.panels.tuning.robustness import RobustnessPanel
from chunkscope.gui.panels.tuning.tables import (
    ROW_ROLE,
    SORT_ROLE,
    Column,
    Index,
    TableModel,
    dress,
)
from chunkscope.gui.theme import Theme

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

FOUND = "found whole"  # what a question without a failure is called


@dataclass(frozen=True, slots=True)
class Asked:
    """A question under the main row, and under the second one where there is one."""

    id: str
    text: str
    score: QuestionScore
    other: QuestionScore | None = None

    def value(self, measure: str) -> float:
        return self.score.values.get(measure, -1.0)


def _percent(value: float) -> str:
    return f"{value:.0%}" if value >= 0 else ""


class AskedModel(TableModel[Asked]):
    """Every question of a row."""

    def show(self, asked: Sequence[Asked], headline: str) -> None:
        columns = [
            Column[Asked]("Question", lambda each: " ".join(each.text.split())),
            Column[Asked]("Class", lambda each: each.score.kind),
            Column[Asked](headline, lambda each: _percent(each.value(headline)),
                          lambda each: each.value(headline)),
            Column[Asked]("recall", lambda each: _percent(each.value("recall")),
                          lambda each: each.value("recall")),
            Column[Asked]("Why not", lambda each: each.score.failure or "—"),
        ]  # fmt: skip
        if any(each.other for each in asked):
            columns.append(Column[Asked]("In the other", _other))
        self.set_columns(columns)
        self.set_rows(asked)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role == Qt.ItemDataRole.ToolTipRole:
            return f"{self.rows[index.row()].text}\nDouble click: search it with this profile"
        return super().data(index, role)


def _other(asked: Asked) -> str:
    return (asked.other.failure or FOUND) if asked.other else ""


class _Moves(QSortFilterProxyModel):
    """All questions, or those that moved from one class to another."""

    move: tuple[str, str] | None = None

    def filterAcceptsRow(self, at: int, parent: Index) -> bool:
        if self.move is None:
            return True
        asked: Asked = self.sourceModel().index(at, 0, parent).data(ROW_ROLE)
        other = asked.other.failure if asked.other else ""
        return (asked.score.failure, other) == self.move


class DetailsPanel(QTabWidget):
    """Follows the chosen rows."""

    question_opened = Signal(object, str)  # a row, and the text of a question

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tuning = state.tuning
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        self.setAccessibleName("Details of the chosen rows")
        self.model = AskedModel()
        self.proxy = _Moves()
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT_ROLE)
        self.table = QTableView()
        self.table.setModel(self.proxy)
        dress(self.table, "Questions of the row")
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.doubleClicked.connect(lambda _: self.open_question())
        shortcut = QShortcut(QKeySequence("Return"), self.table, self.open_question)
        shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.about = QLabel()
        self.about.setObjectName("quiet")
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.flow = FlowPanel()
        self.flow.picked.connect(self._on_picked)
        self.plots = PlotsPanel(state)
        self.robustness = RobustnessPanel(state)
        for widget, name in (
            (self._questions(), "Questions of the row"),
            (self.flow, "Flow between two rows"),
            (self.plots, "Plots"),
            (self.robustness, "Robustness"),
        ):
            self.addTab(widget, name)
        self._tuning.changed.connect(self._on_changed)
        self._show()

    def _questions(self) -> QWidget:
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(12, 8, 12, 8)
        column.addWidget(self.about)
        column.addWidget(self.table, 1)
        return box

    def set_theme(self, theme: Theme) -> None:
        for part in (self.flow, self.plots, self.robustness):
            part.set_theme(theme)

    def _on_changed(self, change: TuningChange) -> None:
        if (TuningChange.ROWS | TuningChange.CHOSEN) & change:
            self._show()

    def _show(self) -> None:
        rows = self._tuning.chosen_rows
        self.proxy.move = None
        if not rows:
            self.model.set_rows([])
            self.about.setText("Choose a row of the leaderboard to see how its questions fared.")
            self.flow.show_rows([])
            return
        found = self._tuning.found
        texts = dict(found.texts) if found else {}
        headline = found.run.origin.settings.headline if found else "recall"
        other = {each.id: each for each in rows[1].questions} if len(rows) > 1 else {}
        asked = [
            Asked(each.id, texts.get(each.id, each.id), each, other.get(each.id))
            for each in rows[0].questions
        ]
        asked.sort(key=lambda each: not each.score.failure)  # what went wrong is what is looked for
        if any(headline not in each.values for each in rows[0].questions if each.values):
            headline = "recall"
        self.model.show(asked, headline)
        self._fit()
        self._tell(rows)
        self.flow.show_rows(rows[:2])

    def _tell(self, rows: Sequence[Row]) -> None:
        failed = sum(bool(each.failure) for each in rows[0].questions)
        said = f"{rows[0].name}: {failed:,} of {len(rows[0].questions):,} questions lack something"
        self.about.setText(said + (f" · beside {rows[1].name}" if len(rows) > 1 else ""))

    def _fit(self) -> None:
        header = self.table.horizontalHeader()
        for column in range(self.model.columnCount()):
            is_text = column == 0
            mode = QHeaderView.ResizeMode.Stretch if is_text else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(column, mode)
            if not is_text:
                self.table.setColumnWidth(column, (0, 96, 76, 70, 190, 190)[column])

    def _on_picked(self, before: str, after: str) -> None:
        """Only the questions that made this move."""
        self.proxy.move = (before, after)
        self.proxy.invalidate()
        self.setCurrentIndex(0)

    def open_question(self) -> None:
        asked = self.table.currentIndex().data(ROW_ROLE)
        rows = self._tuning.chosen_rows
        if isinstance(asked, Asked) and rows:
            self.question_opened.emit(rows[0], asked.text)
