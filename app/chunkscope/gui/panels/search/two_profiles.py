"""One query in two indexed profiles, aligned by what they show of the sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.job import Job
from chunkscope.core.search.alignment import Aligned, Found, Place, align
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.gui.changes import IndexChange, SearchChange
from chunkscope.gui.panels.search.copies import section_of, title_of
from chunkscope.gui.panels.search.results import tool_tip
from chunkscope.gui.state import AppState
from chunkscope.gui.tasks import Latest
from chunkscope.gui.theme import Theme, light

COLUMNS = ("#", "Left", "", "#", "Right")
Pair = tuple[SearchResult, SearchResult]
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_SHOWN = 160


class PairModel(QAbstractTableModel):
    """One row for each passage: at the left, at the right, or at both sides."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pair: Pair | None = None
        self._rows: Sequence[Aligned] = ()
        self._names = ("Left", "Right")
        self.theme = light()

    def set_pair(self, pair: Pair | None, names: tuple[str, str]) -> None:
        self.beginResetModel()
        self._pair, self._names = pair, names
        places = [[Place.of(hit) for hit in side.hits] for side in pair] if pair else [[], []]
        self._rows = align(*places)
        self.endResetModel()

    def line(self, at: int) -> Aligned:
        return self._rows[at]

    def hit(self, at: int, column: int) -> Hit | None:
        """The hit that a cell shows."""
        if self._pair is None:
            return None
        row, side = self._rows[at], 0 if column < 2 else 1
        rank = row.right if side else row.left
        return self._pair[side].hits[rank - 1] if rank else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return {1: self._names[0], 4: self._names[1]}.get(section, COLUMNS[section])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], index.column()
        hit = self.hit(index.row(), column)
        if role == Qt.ItemDataRole.DisplayRole:
            if column == 2:
                return change_of(row)
            if hit is None:
                return missing(row) if column in (1, 4) else ""
            return str(hit.rank) if column in (0, 3) else line_of(hit)
        if role == Qt.ItemDataRole.ToolTipRole and hit is not None and column != 2:
            return tool_tip(hit)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(row, column, hit)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (0, 2, 3):
            return Qt.AlignmentFlag.AlignCenter
        return None

    def _colour(self, row: Aligned, column: int, hit: Hit | None) -> QColor | None:
        if column == 2:
            change = row.change or 0
            return self.theme.good if change > 0 else self.theme.error if change < 0 else None
        return self.theme.muted if hit is None else None


def line_of(hit: Hit) -> str:
    place = section_of(hit) or title_of(hit)
    return f"{place}: {' '.join(hit.text[:_SHOWN].split())}"


def change_of(row: Aligned) -> str:
    """How the rank changes from left to right."""
    if row.change is None:
        return "←" if row.left else "→"
    if not row.change:
        return "="
    return f"▲{row.change}" if row.change > 0 else f"▼{-row.change}"


def missing(row: Aligned) -> str:
    """What to say on the side that does not show a passage."""
    return f"within result {row.within}" if row.within else "not found"


def summary_of(rows: Sequence[Aligned]) -> str:
    """What the two cuts have in common."""
    both = [row for row in rows if row.found is Found.BOTH]
    moved = sum(1 for row in both if row.change)
    within = sum(1 for row in rows if row.within)
    left = sum(1 for row in rows if row.found is Found.LEFT)
    right = sum(1 for row in rows if row.found is Found.RIGHT)
    said = f"{len(both)} found by both, {moved} of them at another rank"
    said += f"; {left} only left, {right} only right"
    return said + (f", {within} within another result" if within else "")


class TwoProfilesPanel(QWidget):
    """Follows the query of the search panel while it is seen."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._latest = Latest(state.tasks, "two profiles", "Searching twice")
        self._asked: tuple[object, ...] = ()
        self._chosen: set[QComboBox] = set()  # by the person; the others follow the index
        self.model = PairModel(self)
        self.left, self.right = self._choice("left"), self._choice("right")
        self.summary = QLabel()
        self.summary.setObjectName("quiet")
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.table = QTableView()
        self._set_up_table()
        row = QHBoxLayout()
        row.setContentsMargins(10, 4, 10, 4)
        row.addWidget(self.left, 1)
        row.addWidget(QLabel("against"))
        row.addWidget(self.right, 1)
        row.addWidget(self.summary, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        state.search.changed.connect(self._on_changed)
        state.index.changed.connect(self._on_index)
        self.fill()

    def _choice(self, side: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"Profile at the {side}")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(10)
        box.activated.connect(lambda _: self._on_chosen(box))
        return box

    def _on_chosen(self, box: QComboBox) -> None:
        self._chosen.add(box)
        self.look()

    def _set_up_table(self) -> None:
        table, header = self.table, self.table.horizontalHeader()
        table.setModel(self.model)
        table.setAccessibleName("Results of two profiles side by side")
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(QFontMetrics(self.font()).height() + 9)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for column, width in ((0, 34), (2, 44), (3, 34)):
            table.setColumnWidth(column, width)
        for column in (1, 4):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        table.clicked.connect(self._on_clicked)
        table.activated.connect(self._on_clicked)

    def set_theme(self, theme: Theme) -> None:
        self.model.theme = theme
        self.table.viewport().update()

    def _on_index(self, change: IndexChange) -> None:
        if (IndexChange.PROFILES | IndexChange.WORKSPACE) & change:
            self.fill()

    def _on_changed(self, change: SearchChange) -> None:
        if (SearchChange.RESULT | SearchChange.OPTIONS) & change:
            self.look()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def fill(self) -> None:
        """The indexed profiles; the newest against the one before it."""
        every = self._state.index.profiles
        for box, usual in ((self.left, 1), (self.right, 0)):
            chosen = box.currentData() if box in self._chosen else None
            with QSignalBlocker(box):
                box.clear()
                for stored in every:
                    box.addItem(f"{stored.name} ({stored.chunks:,})", stored.id)
                at = box.findData(chosen) if chosen else -1
                box.setCurrentIndex(at if at >= 0 else min(usual, len(every) - 1))
        self.look()

    def look(self) -> None:
        """Search both, once for each question."""
        search, workspace = self._state.search, self._state.index.workspace
        query, options = search.query, search.options
        ids = (self.left.currentData(), self.right.currentData())
        if not self.isVisible():
            return
        if len(self._state.index.profiles) < 2:
            self._show(None, "Index the library under a second profile to compare the two.")
            return
        if workspace is None or search.result is None or not query.strip():
            self._show(None, "Search for something: both profiles are asked.")
            return
        asked = (query, options, ids, search.result.profile)
        if asked == self._asked:
            return
        self._asked = asked

        def work(job: Job) -> Pair:
            first, second = (workspace.search(query, each, options, job) for each in ids)
            return first, second

        self._latest.request(work, lambda pair: self._show(pair, ""), self._fail)

    def _fail(self, problem: Exception) -> None:
        self._show(None, str(problem))

    def _show(self, pair: Pair | None, why: str) -> None:
        if pair is None:
            self._asked = ()
        names = (self.left.currentText(), self.right.currentText())
        self.model.set_pair(pair, names)
        rows = [self.model.line(at) for at in range(self.model.rowCount())]
        self.summary.setText(why or summary_of(rows))

    def _on_clicked(self, index: QModelIndex) -> None:
        hit = self.model.hit(index.row(), index.column()) or self.model.hit(
            index.row(), 4 if index.column() < 2 else 0
        )
        if hit is not None:
            chunk = hit.chunk
            self._state.search.show_span(chunk.document_id, chunk.start, chunk.end)
