"""The documents of the library as a list model."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from chunkscope.gui.state import Entry, Status

ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
STATUS_ROLE = Qt.ItemDataRole.UserRole + 2

Index = QModelIndex | QPersistentModelIndex


class LibraryModel(QAbstractListModel):
    """Holds the entries; whoever needs more than the text asks for the entry itself."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Entry] = []
        self.status: Callable[[Entry], str] = lambda _entry: ""  # to the index

    def set_rows(self, rows: Sequence[Entry]) -> None:
        """Show other entries; where only values changed, the selection stays."""
        if [row.key for row in rows] == [row.key for row in self._rows]:
            changed = [at for at, row in enumerate(rows) if row is not self._rows[at]]
            self._rows = list(rows)
            for at in changed:
                self.dataChanged.emit(self.index(at), self.index(at))
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row_of(self, key: int | None) -> int:
        return next((at for at, row in enumerate(self._rows) if row.key == key), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        entry = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_markup(tool_tip(entry, self.status(entry)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            status = self.status(entry)
            return f"{entry.title}, {details(entry)}" + (f", {status}" if status else "")
        if role == STATUS_ROLE:
            return self.status(entry)
        return entry if role == ENTRY_ROLE else None


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def details(entry: Entry) -> str:
    """One line about an entry: its state, size and chunks, or why it failed."""
    if entry.status is Status.LOADING:
        return "loading…"
    if entry.document is None:
        return f"failed: {entry.error}"
    parts = [counted(len(entry.document.text), "character")]
    if entry.chunks is not None:
        parts.insert(0, counted(entry.chunks, "chunk"))
    if entry.document.missing:
        parts.append("partial")
    return " · ".join(parts)


def as_markup(text: str) -> str:
    """Text of a document must never be taken for markup."""
    return f"<p style='white-space:pre-wrap'>{html.escape(text)}</p>"


def tool_tip(entry: Entry, status: str = "") -> str:
    """Everything about an entry; shown as plain text."""
    lines = [entry.title, entry.source, details(entry), f"index: {status}" if status else ""]
    if entry.document is not None:
        lines.append(entry.document.media_type)
        lines += [f"missing: {line}" for line in entry.document.missing]
        lines += [f"note: {line}" for line in entry.document.warnings]
    return "\n".join(dict.fromkeys(line for line in lines if line))
