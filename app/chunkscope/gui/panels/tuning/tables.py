"""A table model of frozen rows: columns are declared, one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

SORT_ROLE = Qt.ItemDataRole.UserRole + 2
ROW_ROLE = Qt.ItemDataRole.UserRole + 3

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)  # no slots: a generic one would refuse the class that typing notes on it
class Column(Generic[Row]):
    """What a column shows of a row, and what it is sorted by."""

    name: str
    text: Callable[[Row], str]
    value: Callable[[Row], Any] | None = None  # a number; none: the text, on the left
    tip: str = ""


class TableModel(QAbstractTableModel, Generic[Row]):
    """Rows are replaced as a whole; whoever needs more than text asks for the row itself."""

    def __init__(self, columns: Sequence[Column[Row]] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = list(columns)
        self.rows: list[Row] = []

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        if [each.name for each in columns] != [each.name for each in self.columns]:
            self.beginResetModel()
            self.columns = list(columns)
            self.endResetModel()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Where only values changed, the selection stays."""
        if len(rows) == len(self.rows) and rows:
            self.rows = list(rows)
            last = self.index(len(rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.value else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == SORT_ROLE:
            return column.value(row) if column.value else column.text(row).casefold()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.value else None
        return row if role == ROW_ROLE else None


def dress(table: QTableView, name: str) -> None:
    """The looks that all tables of the page share."""
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)  # Tab leaves the table, the arrows go about in it
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(28)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
