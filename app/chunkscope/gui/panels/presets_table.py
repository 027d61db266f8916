"""All presets on the current document, one row each; a click shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.chunking.statistics import Statistics
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile, presets
from chunkscope.core.workspace import chunk
from chunkscope.gui.errors import sentence_of
from chunkscope.gui.state import AppState

SORT_ROLE = Qt.ItemDataRole.UserRole + 2
PROFILE_ROLE = Qt.ItemDataRole.UserRole + 3

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Trial:
    """The figures of one preset."""

    profile: Profile
    chunks: int
    median: float
    largest: int
    repeated: float
    inside_sentence: int
    over_model: int


_COLUMNS: tuple[tuple[str, str], ...] = (
    ("Preset", "name"),
    ("Chunks", "chunks"),
    ("Median", "median"),
    ("Max", "largest"),
    ("Repeated", "repeated"),
    ("Cut sentences", "inside_sentence"),
    ("Over the model", "over_model"),
)


def try_preset(document: Document, name: str, job: Job) -> Trial:
    profile = Profile.preset(name)
    statistics = Statistics(chunk(document, profile, job=job))
    return Trial(
        profile,
        len(statistics.chunking),
        statistics.sizes.median,
        statistics.sizes.largest,
        statistics.repeated_share,
        len(statistics.inside_sentence),
        len(statistics.over_model),
    )


class TrialModel(QAbstractTableModel):
    """Rows appear as they are computed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Trial] = []

    def add(self, trial: Trial) -> None:
        self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows))
        self._rows.append(trial)
        self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section][0]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        trial, field = self._rows[index.row()], _COLUMNS[index.column()][1]
        value = trial.profile.name if field == "name" else getattr(trial, field)
        if role == Qt.ItemDataRole.DisplayRole:
            return _shown(field, value, trial)
        if role == SORT_ROLE:
            return value
        if role == Qt.ItemDataRole.TextAlignmentRole and field != "name":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return trial.profile if role == PROFILE_ROLE else None


def _shown(field: str, value: Any, trial: Trial) -> str:
    if field in ("median", "largest"):
        return f"{value:,.0f} {trial.profile.parameters.unit}"
    if field == "repeated":
        return f"{value:.0%}"
    return value if isinstance(value, str) else f"{value:,}"


class PresetsDialog(QDialog):
    """Fills itself in the background; choosing a row makes it the profile."""

    chosen = Signal(object)

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("All presets on this document")
        self.resize(860, 400)
        self._is_open = True
        self._jobs: list[Job] = []
        self.model = TrialModel(self)
        proxy = QSortFilterProxyModel(self)
        proxy.setSourceModel(self.model)
        proxy.setSortRole(SORT_ROLE)
        self.table = QTableView()
        self.table.setModel(proxy)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        self.table.setAccessibleName("Presets")
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        column = QVBoxLayout(self)
        self.table.verticalHeader().setDefaultSectionSize(30)
        self.table.setShowGrid(False)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        name = QHeaderView.ResizeMode.ResizeToContents
        self.table.horizontalHeader().setSectionResizeMode(0, name)
        self._hint = QLabel(
            "A click shows the preset in the preview; undo brings the old one back."
        )
        self._hint.setObjectName("quiet")
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        for part in (self._hint, self.table, close):
            column.addWidget(part)
        self._fill(state)

    def _fill(self, state: AppState) -> None:
        document = state.document
        if document is None:
            return
        for name in presets:
            job = state.tasks.run(
                "trials",
                partial(try_preset, document, name),
                self._add,
                lambda problem: state.failed.emit(sentence_of(problem)),
                label=f"Trying {name}",
            )
            self._jobs.append(job)

    def _add(self, trial: Trial) -> None:
        if self._is_open:
            self.model.add(trial)

    def done(self, result: int) -> None:
        """Closed before it was full: what is still to be computed is not."""
        self._is_open = False
        for job in self._jobs:
            job.cancel()
        super().done(result)

    def _on_row(self, current: QModelIndex) -> None:
        profile = current.data(PROFILE_ROLE)
        if isinstance(profile, Profile):
            self.chosen.emit(profile)
