"""Explain: the stages of a search, and the way of every candidate through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.search.model import Candidate, SearchResult
from chunkscope.gui.changes import SearchChange
from chunkscope.gui.models.library import as_markup
from chunkscope.gui.panels.search.channels import Scales, channels_of
from chunkscope.gui.panels.search.waterfall import WaterfallView
from chunkscope.gui.state import AppState
from chunkscope.gui.theme import Theme, light, mixed

COLUMNS = ("#", "Passage", "BM25", "Cosine", "Fused", "Rerank", "Dropped at", "Because")
_WIDTHS = (34, 150, 84, 96, 100, 100, 78)
Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class CandidateModel(QAbstractTableModel):
    """All candidates: those shown first, then the dropped ones by how far they came."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Candidate] = ()
        self._titles: Mapping[str, str] = {}
        self._scales = Scales()
        self._tint = QColor()
        self._muted = QColor()
        self._rank: int | None = None

    def set_result(
        self, result: SearchResult | None, titles: Mapping[str, str], only_dropped: bool
    ) -> None:
        self.beginResetModel()
        every = result.waterfall.candidates if result else ()
        self._rows = [each for each in every if each.rank is None or not only_dropped]
        self._titles, self._scales = titles, Scales.of(result)
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        self._tint, self._muted = mixed(theme.base, theme.accent, 0.2), theme.muted

    def set_selected(self, rank: int | None) -> int:
        """Tint the row of a rank; the row, or -1."""
        self._rank = rank
        if self._rows:
            last = self.index(len(self._rows) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.BackgroundRole])
        return next((at for at, row in enumerate(self._rows) if rank and row.rank == rank), -1)

    def candidate(self, at: int) -> Candidate:
        return self._rows[at]

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_markup(self._tip(row))
        if role == Qt.ItemDataRole.BackgroundRole and row.rank and row.rank == self._rank:
            return self._tint
        if role == Qt.ItemDataRole.ForegroundRole and row.rank is None:
            return self._muted
        return None

    def _cell(self, row: Candidate, column: int) -> str:
        fixed = {
            0: str(row.rank or "–"), 1: self._name(row), 6: row.stage, 7: row.rule
        }  # fmt: skip
        if column in fixed:
            return fixed[column]
        name = COLUMNS[column]
        for channel in channels_of(row, self._scales):
            if channel.name.lower() == name.lower() and channel.score is not None:
                return " ".join(
                    part for part in (channel.place, channel.figure, channel.arrow) if part
                )
        return ""

    def _name(self, row: Candidate) -> str:
        number = row.chunk_id.rpartition(":")[2] if ":" in row.chunk_id else ""
        title = self._titles.get(row.document_id) or row.document_id
        return f"{title} · {number}" if number else title

    def _tip(self, row: Candidate) -> str:
        said = [f"{self._name(row)}\n{row.chunk_id}"]
        said += [channel.spoken for channel in channels_of(row, self._scales)]
        said.append(f"dropped at {row.stage}: {row.rule}" if row.rule else f"result {row.rank}")
        return "\n".join(said)


class ExplainPanel(QWidget):
    """The stages at the left, the candidates at the right."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._search = state.search
        self._theme = light()
        self.waterfall = WaterfallView()
        self.model = CandidateModel(self)
        self.table = QTableView()
        self.only_dropped = QCheckBox("Only dropped")
        self.heat = QCheckBox("Heat")
        self.heat.setToolTip("Colour the passage by the words that carried the similarity (Ctrl+H)")
        self.heat.setAccessibleName("Heat of the words")
        self.only_dropped.setToolTip("Only the candidates that are not shown, with the reason")
        self.story = QLabel()
        self.story.setObjectName("quiet")
        self.story.setTextFormat(Qt.TextFormat.PlainText)
        self.story.setWordWrap(True)
        self._set_up_table()
        self._lay_out()
        self.only_dropped.toggled.connect(lambda _: self._show())
        self.heat.toggled.connect(self._search.set_heat)
        self.table.clicked.connect(self._on_clicked)
        self._search.changed.connect(self._on_changed)
        self._show()

    def _set_up_table(self) -> None:
        self.table.setModel(self.model)
        self.table.setAccessibleName("Candidates and why they were dropped")
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(QFontMetrics(self.font()).height() + 8)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(10, 2, 10, 2)
        row.addWidget(self.story, 1)
        row.addWidget(self.heat)
        row.addWidget(self.only_dropped)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.waterfall)
        splitter.addWidget(self.table)
        splitter.setSizes([240, 560])
        splitter.setStretchFactor(1, 1)
        splitter.setHandleWidth(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(splitter, 1)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.waterfall.set_theme(theme)
        self.model.set_theme(theme)

    def _on_changed(self, change: SearchChange) -> None:
        if SearchChange.RESULT in change:
            self._show()
        elif SearchChange.SELECTION in change:
            self._show_selected()
        if SearchChange.HEAT in change:
            self.heat.setChecked(self._search.shows_heat)

    def _show(self) -> None:
        result = self._search.result
        self.waterfall.set_result(result)
        self.model.set_result(result, self._titles(), self.only_dropped.isChecked())
        self._show_selected()

    def _titles(self) -> dict[str, str]:
        entries = (each.document for each in self._state.entries)
        titles = {each.id: each.title for each in entries if each is not None}
        hits = self._search.result.hits if self._search.result else ()
        return titles | {hit.chunk.document_id: hit.chunk.title for hit in hits}

    def _show_selected(self) -> None:
        hit, result = self._search.hit, self._search.result
        at = self.model.set_selected(hit.rank if hit else None)
        if at >= 0:
            self.table.scrollTo(self.model.index(at, 0))
        if hit is not None:
            said = [channel.spoken for channel in channels_of(hit, Scales.of(result))]
            self.story.setText(f"Result {hit.rank}: " + " → ".join(said))
        elif result is None:
            self.story.setText("Search for something to see how its results came about.")
        else:
            self.story.setText("Choose a result to follow its way.")

    def _on_clicked(self, index: QModelIndex) -> None:
        rank = self.model.candidate(index.row()).rank
        if rank:
            self._search.select(rank - 1)
