"""The library: documents with their state, a filter, and what to do when there are none."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPen,
    QShortcut,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.model import Document
from chunkscope.gui.models.library import (
    ENTRY_ROLE,
    STATUS_ROLE,
    LibraryModel,
    details,
    tool_tip,
)
from chunkscope.gui.state import AppState, Change, Entry, Status
from chunkscope.gui.theme import Theme, mixed

_PADDING = 8
_BADGE = 38
_DOT = 3.5  # radius
_KINDS = {
    "application/pdf": "PDF", "text/markdown": "MD", "text/html": "HTML", "text/plain": "TXT",
    "message/rfc822": "MAIL", "application/mbox": "MBOX", "text/x-chat": "CHAT", "text/csv": "CSV",
    "application/json": "JSON", "application/epub+zip": "EPUB", "application/rtf": "RTF",
    "application/vnd.oasis.opendocument.text": "ODT",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
}  # fmt: skip


class LibraryPanel(QWidget):
    """Chooses the document that is shown."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.model = LibraryModel(self)
        self.model.status = self._status
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.model)
        self._proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter documents")
        self.filter.setAccessibleName("Filter documents")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAcceptDrops(False)  # what is dropped is opened, wherever it falls
        self.filter.textChanged.connect(self._proxy.setFilterFixedString)
        self.list = QListView()
        self.delegate = EntryDelegate(self.list)
        self._set_up_list()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.filter)
        self.hint = QLabel("No documents yet. Drop files, folders or text anywhere.")
        self.hint.setObjectName("quiet")
        self.hint.setWordWrap(True)
        self.hint.setContentsMargins(6, 4, 6, 0)
        column.addWidget(self.hint)
        column.addWidget(self.list, 1)
        state.changed.connect(self._on_changed)
        state.index.changed.connect(lambda _: self.list.viewport().update())

    def _status(self, entry: Entry) -> str:
        return self._state.index.status(entry.document.id) if entry.document else ""

    def _set_up_list(self) -> None:
        self.list.setModel(self._proxy)
        self.list.setItemDelegate(self.delegate)
        self.list.setAccessibleName("Documents")
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        remove = QShortcut(QKeySequence.StandardKey.Delete, self.list)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self.remove_selected)

    def set_theme(self, theme: Theme) -> None:
        self.delegate.theme = theme
        self.list.viewport().update()

    def _show_menu(self, place: QPoint) -> None:
        """What can be done with the entry under the mouse."""
        entry = self.list.indexAt(place).data(ENTRY_ROLE)
        if not isinstance(entry, Entry):
            return
        menu = QMenu(self)
        if entry.status is Status.FAILED:
            menu.addAction("Try again").triggered.connect(lambda: self._state.retry(entry.key))
        elif entry.document is not None:
            self._add_index_actions(menu, entry.document)
        about = menu.addAction("Copy report")
        about.triggered.connect(lambda: QGuiApplication.clipboard().setText(tool_tip(entry)))
        menu.addAction("Remove from library").triggered.connect(self.remove_selected)
        menu.popup(self.list.viewport().mapToGlobal(place))

    def _add_index_actions(self, menu: QMenu, document: Document) -> None:
        index = self._state.index
        has_failed = index.status(document.id).startswith("failed")
        action = menu.addAction("Retry indexing" if has_failed else "Index this document")
        action.triggered.connect(lambda: index.index([document], retry=has_failed))

    def remove_selected(self) -> None:
        """Take the chosen documents out of the library; the files stay where they are."""
        chosen = [index.data(ENTRY_ROLE) for index in self.list.selectionModel().selectedIndexes()]
        self._state.remove(entry.key for entry in chosen if isinstance(entry, Entry))

    def _on_current(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY_ROLE)
        if isinstance(entry, Entry) and entry.status is not Status.LOADING:
            self._state.show_document(entry.key)

    def _on_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change:
            self.model.set_rows(self._state.entries)
            self.hint.setVisible(not self._state.entries)
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
        lower = QFontMetrics(small_font(option.font)).height()
        return QSize(160, height + lower + 2 + 2 * _PADDING)

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
        painter.save()
        self._paint_ground(painter, option, self.theme)
        self._paint_entry(painter, option, entry, self.theme)
        self._paint_status(painter, option.rect, str(index.data(STATUS_ROLE) or ""), self.theme)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, theme: Theme) -> None:
        """Behind the entry: a tint where it is selected, on which text keeps its colour."""
        states = QStyle.StateFlag
        is_selected = bool(option.state & states.State_Selected)
        if not is_selected and not option.state & states.State_MouseOver:
            return
        share, other = (0.18, theme.accent) if is_selected else (0.06, theme.text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(theme.window, other, share))
        painter.drawRoundedRect(option.rect.adjusted(2, 1, -2, -1), 6, 6)
        if option.state & states.State_HasFocus:
            painter.setPen(theme.accent)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(option.rect.adjusted(2, 1, -3, -2), 6, 6)

    def _paint_entry(
        self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry, theme: Theme
    ) -> None:
        box = option.rect.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        badge_box = QRect(box.left(), box.top() + 2, _BADGE, box.height() - 4)
        self._paint_badge(painter, badge_box, entry, theme)
        text = box.adjusted(_BADGE + _PADDING, 0, 0, 0)
        small = small_font(option.font)
        upper = QRect(text.left(), text.top(), text.width(), QFontMetrics(option.font).height())
        upper.setWidth(upper.width() - 3 * int(_DOT))
        lower = QRect(text.left(), upper.bottom() + 2, text.width(), QFontMetrics(small).height())
        quiet = theme.error if entry.status is Status.FAILED else theme.muted
        for cell, font, colour, line, elide in (
            (upper, option.font, theme.text, entry.title, Qt.TextElideMode.ElideMiddle),
            (lower, small, quiet, details(entry), Qt.TextElideMode.ElideRight),
        ):
            painter.setFont(font)
            painter.setPen(colour)
            shown = QFontMetrics(font).elidedText(line, elide, cell.width())
            painter.drawText(cell, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_status(self, painter: QPainter, box: QRect, status: str, theme: Theme) -> None:
        """How it stands to the index: a dot that is full, half full or empty."""
        if not status:
            return
        middle = QPointF(box.right() - _PADDING - _DOT, box.top() + _PADDING + 2 * _DOT)
        colour, share = _sign(status, theme)
        painter.setPen(QPen(colour, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, _DOT, _DOT)
        painter.setBrush(colour)
        circle = QRectF(middle.x() - _DOT, middle.y() - _DOT, 2 * _DOT, 2 * _DOT)
        painter.drawPie(circle, 90 * 16, -round(360 * 16 * share))

    def _paint_badge(self, painter: QPainter, box: QRect, entry: Entry, theme: Theme) -> None:
        is_failed = entry.status is Status.FAILED
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.error if is_failed else mixed(theme.window, theme.text, 0.1))
        painter.drawRoundedRect(box, 5, 5)
        font = painter.font()
        font.setPointSizeF(max(font.pointSizeF() * 0.72, 6.5))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(theme.base if is_failed else theme.muted)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, badge(entry))


def _sign(status: str, theme: Theme) -> tuple[QColor, float]:
    """The colour of a standing, and how much of its dot is full."""
    if status.startswith("embedding"):
        return theme.accent, int(status.split()[-1].rstrip("%")) / 100
    if status.startswith("stale"):
        return theme.warning, 0.5
    known = {"indexed": (theme.good, 1.0), "queued": (theme.accent, 0.0)}
    if status.startswith("failed"):
        return theme.error, 1.0
    return known.get(status, (theme.muted, 0.0))


def small_font(font: QFont) -> QFont:
    found = QFont(font)
    found.setPointSizeF(font.pointSizeF() * 0.88)
    return found


def badge(entry: Entry) -> str:
    """A word for the type of a document."""
    if entry.status is Status.FAILED:
        return "!"
    if entry.document is None:
        return "…"
    known = _KINDS.get(entry.document.media_type)
    return known or ("CODE" if "x-" in entry.document.media_type else "DOC")
