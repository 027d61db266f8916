"""The library: documents with their state, a filter, and what to do when there are none."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chunkscope.gui.models.library import ENTRY_ROLE, LibraryModel, details
from chunkscope.gui.state import AppState, Change, Entry, Status
from chunkscope.gui.theme import Theme

_PADDING = 8
_BADGE = 38
_KINDS = {
    "application/pdf": "PDF", "text/markdown": "MD", "text/html": "HTML", "text/plain": "TXT",
    "message/rfc822": "MAIL", "application/mbox": "MBOX", "text/x-chat": "CHAT", "text/csv": "CSV",
    "application/json": "JSON", "application/epub+zip": "EPUB", "application/rtf": "RTF",
    "application/vnd.oasis.opendocument.text": "ODT",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
}  # fmt: skip


class LibraryPanel(QWidget):
    """Chooses the document that is shown."""

    removed = Signal(list)

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.model = LibraryModel(self)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter documents")
        self.filter.setAccessibleName("Filter documents")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._proxy.setFilterFixedString)
        self.list = QListView()
        self.delegate = EntryDelegate(self.list)
        self._set_up_list()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        state.changed.connect(self._on_changed)

    def _set_up_list(self) -> None:
        self.list.setModel(self._proxy)
        self.list.setItemDelegate(self.delegate)
        self.list.setAccessibleName("Documents")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        remove = QShortcut(QKeySequence.StandardKey.Delete, self.list)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self.remove_selected)

    def set_theme(self, theme: Theme) -> None:
        self.delegate.theme = theme
        self.list.viewport().update()

    def remove_selected(self) -> None:
        """Take the chosen documents out of the library; the files stay where they are."""
        chosen = [index.data(ENTRY_ROLE) for index in self.list.selectionModel().selectedIndexes()]
        self._state.remove(entry.key for entry in chosen if isinstance(entry, Entry))

    def _on_current(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY_ROLE)
        if isinstance(entry, Entry) and entry.status is Status.READY:
            self._state.show_document(entry.key)

    def _on_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change:
            self.model.set_rows(self._state.entries)
        if (Change.DOCUMENTS | Change.CURRENT) & change:
            row = self.model.row_of(self._state.current)
            index = self._proxy.mapFromSource(self.model.index(row))
            if index.isValid() and index != self.list.currentIndex():
                self.list.setCurrentIndex(index)


class EntryDelegate(QStyledItemDelegate):
    """Two lines beside a badge that names the type."""

    theme: Theme | None = None

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        height = QFontMetrics(option.font).height()
        return QSize(160, 2 * height + 2 * _PADDING)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        entry = index.data(ENTRY_ROLE)
        if not isinstance(entry, Entry) or self.theme is None:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        option.text = ""
        widget = option.widget
        style = widget.style() if widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        painter.save()
        self._paint_entry(painter, option, entry, self.theme)
        painter.restore()

    def _paint_entry(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry, theme: Theme
    ) -> None:
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        box = option.rect.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        self._paint_badge(
            painter, QRect(box.left(), box.top() + 2, _BADGE, box.height() - 4), entry, theme
        )
        text = box.adjusted(_BADGE + _PADDING, 0, 0, 0)
        metrics = QFontMetrics(option.font)
        upper = QRect(text.left(), text.top(), text.width(), metrics.height())
        lower = upper.translated(0, metrics.height())
        painter.setFont(option.font)
        painter.setPen(theme.accent_text if is_selected else theme.text)
        title = metrics.elidedText(entry.title, Qt.TextElideMode.ElideMiddle, upper.width())
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, title)
        quiet = theme.error if entry.status is Status.FAILED else theme.muted
        painter.setPen(theme.accent_text if is_selected else quiet)
        line = metrics.elidedText(details(entry), Qt.TextElideMode.ElideRight, lower.width())
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter, line)

    def _paint_badge(self, painter: QPainter, box: QRect, entry: Entry, theme: Theme) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.error if entry.status is Status.FAILED else theme.line)
        painter.drawRoundedRect(box, 4, 4)
        font = painter.font()
        font.setPointSizeF(max(font.pointSizeF() * 0.72, 6.5))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(theme.base if entry.status is Status.FAILED else theme.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, badge(entry))


def badge(entry: Entry) -> str:
    """A word for the type of a document."""
    if entry.status is Status.FAILED:
        return "!"
    if entry.document is None:
        return "…"
    known = _KINDS.get(entry.document.media_type)
    return known or ("CODE" if "x-" in entry.document.media_type else "DOC")
