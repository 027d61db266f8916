"""The leaderboard: what may be said, every row with its interval, and what to do with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.scores import Row
from chunkscope.gui.changes import TuningChange
from chunkscope.gui.panels.tuning.interval_delegate import BAR_ROOM, IntervalDelegate
from chunkscope.gui.panels.tuning.leaderboard_model import (
    HEADLINE,
    LeaderboardModel,
    LeaderboardProxy,
)
from chunkscope.gui.panels.tuning.pinned_table import PinnedTable
from chunkscope.gui.panels.tuning.tables import ROW_ROLE, SORT_ROLE
from chunkscope.gui.theme import Theme

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

_HIDDEN_AT_FIRST = ("precision", "seconds", "mean size", "R@250", "R@500", "R@4000", "R@8000")


class LeaderboardPanel(QWidget):
    """Chosen rows are what plots and details show; the first of them can be applied."""

    apply_asked = Signal(object)
    report_asked = Signal()
    open_asked = Signal()

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tuning = state.tuning
        self.model = LeaderboardModel()
        self.proxy = LeaderboardProxy()
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT_ROLE)
        self.table = PinnedTable(self.proxy, "Leaderboard")
        self._delegate = IntervalDelegate(self)
        for view in (self.table.left, self.table.right):
            view.setItemDelegateForColumn(HEADLINE, self._delegate)
        self.table.extra[HEADLINE] = BAR_ROOM
        self.table.hide_columns(_HIDDEN_AT_FIRST)
        self.table.sort(HEADLINE)
        self.table.activated.connect(self._apply)
        self.table.left.selectionModel().selectionChanged.connect(self._on_selected)
        self.words = QLineEdit()
        self.words.setPlaceholderText("Filter configurations: hybrid 256")
        self.words.setAccessibleName("Filter configurations")
        self.words.setClearButtonEnabled(True)
        self.words.textChanged.connect(self.proxy.set_words)
        self.dropped = QCheckBox("&Hide dropped")
        self.dropped.setToolTip("Rows that lost the race saw only some of the questions")
        self.dropped.toggled.connect(self.proxy.hide_dropped)
        self.apply = QPushButton("&Apply")
        self.apply.setToolTip("Make this row's profile the current one (Enter); undo takes it back")
        self.apply.clicked.connect(self._apply)
        self.report = QPushButton("Re&port…")
        self.report.setToolTip("Everything as one HTML file, with the command of each row")
        self.report.clicked.connect(self.report_asked)
        self.open_run = QPushButton("Open &run…")
        self.open_run.setToolTip("Show a run that was kept by the window or the command line")
        self.open_run.clicked.connect(self.open_asked)
        self._is_showing = False
        self._lay_out()
        self._tuning.changed.connect(self._on_changed)
        self._show_rows()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.words, 1)
        for part in (self.dropped, self.open_run, self.report, self.apply):
            head.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 0)
        column.addLayout(head)
        column.addWidget(self.table, 1)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.table.left.viewport().update()

    def settings(self) -> Settings:
        found, plan = self._tuning.found, self._tuning.plan
        if found is not None and self._tuning.running is None:
            return found.run.origin.settings
        return plan.settings if plan else Settings()

    def _on_changed(self, change: TuningChange) -> None:
        if TuningChange.ROWS in change:
            self._show_rows()
        if TuningChange.CHOSEN in change:
            self._show_chosen()
        if TuningChange.PROGRESS in change and self._tuning.running is None:
            self.table.resize_columns()

    def _show_rows(self) -> None:
        before = len(self.model.rows)
        self._is_showing = True
        self.model.show_rows(self._tuning.rows, self.settings())
        self._is_showing = False
        if not before:
            self.table.resize_columns()
        self._show_chosen()
        has_rows = bool(self.model.rows)
        self.report.setEnabled(has_rows and self._tuning.found is not None)
        self.apply.setEnabled(bool(self.chosen()))

    def chosen(self) -> list[Row]:
        """The selected rows, the current one first."""
        selection = self.table.left.selectionModel()
        rows = [index.data(ROW_ROLE) for index in selection.selectedRows()]
        current = selection.currentIndex().data(ROW_ROLE)
        return sorted(rows, key=lambda row: row is not current)

    def _on_selected(self) -> None:
        if not self._is_showing:
            chosen = self.chosen()
            self.apply.setEnabled(bool(chosen))
            if chosen:
                self._tuning.choose(row.configuration.key for row in chosen)

    def _show_chosen(self) -> None:
        wanted = set(self._tuning.chosen)
        if wanted == {row.configuration.key for row in self.chosen()}:
            return
        self._is_showing = True
        selection = QItemSelection()
        for at in range(self.proxy.rowCount()):
            index = self.proxy.index(at, 0)
            if index.data(ROW_ROLE).configuration.key in wanted:
                selection.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        model = self.table.left.selectionModel()
        model.select(selection, flags.ClearAndSelect | flags.Rows)
        self._is_showing = False
        self.apply.setEnabled(bool(wanted))

    def _apply(self) -> None:
        chosen = self.chosen()
        if chosen:
            self.apply_asked.emit(chosen[0])
