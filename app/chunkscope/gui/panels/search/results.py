"""Results as a model, for cards and for a table: hits, and documents above theirs."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from chunkscope.core.search.model import DocumentHits, Hit, SearchResult
from chunkscope.core.search.options import Group
from chunkscope.gui.panels.search.copies import as_cited, as_text, page_of, section_of, title_of

ROW_ROLE = Qt.ItemDataRole.UserRole + 10
COLUMNS = ("#", "Document", "Section", "Page", "BM25", "Cosine", "Fused", "Rerank", "Passage")
_NUMBERS = (0, 4, 5, 6, 7)
_TIP = 1_500  # characters of a passage in its tool tip

Index = QModelIndex | QPersistentModelIndex
Row = Hit | DocumentHits
_NOWHERE = QModelIndex()


def rows_of(result: SearchResult | None) -> list[Row]:
    """The lines of a result: hits alone, or under a line for each document."""
    if result is None:
        return []
    if result.options.group != Group.GROUPED:
        return list(result.hits)
    rows: list[Row] = []
    for each in result.by_document:
        rows += (each, *each.hits)
    return rows


class ResultModel(QAbstractTableModel):
    """Column 0 of a row serves the cards, all of them the table."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()

    def set_result(self, result: SearchResult | None) -> None:
        self.beginResetModel()
        self._rows = rows_of(result)
        self.endResetModel()

    def row(self, at: int) -> Row | None:
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def row_of(self, rank: int) -> int:
        """The row of a hit by its rank, or -1."""
        found = (
            at for at, row in enumerate(self._rows) if isinstance(row, Hit) and row.rank == rank
        )
        return next(found, -1)

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

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.row(index.row()), DocumentHits):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return cell(row, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return row if role == ROW_ROLE else None

    def mimeTypes(self) -> list[str]:
        return ["text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """What is dragged out is the passage with its citation."""
        rows = [self.row(at) for at in sorted({index.row() for index in indexes})]
        data = QMimeData()
        data.setText("\n".join(as_cited(row) for row in rows if isinstance(row, Hit)))
        return data


def cell(row: Row, column: int) -> str:
    """The text of a cell of the table."""
    if isinstance(row, DocumentHits):
        return {0: f"{row.rank}.", 1: row.title or row.source}.get(column, "")
    scores = row.scores
    numbers = {4: scores.bm25, 5: scores.cosine, 6: scores.rrf, 7: scores.rerank}
    if column in numbers:
        value = numbers[column]
        return "" if value is None else f"{value:.{1 if column == 4 else 3}f}"
    return (
        str(row.rank), title_of(row), section_of(row), page_of(row), "", "", "", "",
        " ".join(row.text[:300].split()),
    )[column]  # fmt: skip


def tool_tip(row: Row) -> str:
    """As markup in which the document's text is escaped: it must never be taken for markup."""
    if isinstance(row, DocumentHits):
        lines = f"{row.title}\n{row.source}"
    else:
        shown = as_text(row)
        more = "…" if len(shown) > _TIP else ""
        lines = f"{title_of(row)} · {section_of(row)}\n\n{shown[:_TIP]}{more}"
    return f"<p style='white-space:pre-wrap'>{html.escape(lines)}</p>"


def spoken(row: Row) -> str:
    """A row for who listens."""
    if isinstance(row, DocumentHits):
        return f"document {row.rank}: {row.title}, {len(row.hits)} passages"
    section = f", {section_of(row)}" if row.chunk.heading_chain else ""
    return f"{row.rank}: {title_of(row)}{section}. {' '.join(row.text[:200].split())}"
