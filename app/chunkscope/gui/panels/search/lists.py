"""The two ways to look at results: a list of cards, a dense table."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QTableView, QWidget

from chunkscope.core.search.model import SearchResult
from chunkscope.core.search.options import Group
from chunkscope.gui.panels.search.cards import CardDelegate
from chunkscope.gui.panels.search.channels import Scales
from chunkscope.gui.panels.search.results import COLUMNS, ResultModel
from chunkscope.gui.theme import Theme

_WIDTHS = (30, 112, 112, 44, 46, 52, 52, 52)


class ResultKeys(QObject):
    """The keys in a list of results beside those that move about: to the box, to the passage."""

    to_box = Signal()
    opened = Signal()

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        is_find = event.matches(QKeySequence.StandardKey.Find)
        if event.type() == QEvent.Type.ShortcutOverride and is_find:
            event.accept()  # before the window's own meaning of it
            return True
        if event.type() != QEvent.Type.KeyPress:
            return False
        is_top = event.key() == Qt.Key.Key_Up and self._view.currentIndex().row() <= 0
        if is_find or is_top or event.key() == Qt.Key.Key_Escape:
            self.to_box.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            return False
        return True


class CardList(QListView):
    """Only cards that are seen are laid out."""

    def __init__(self, model: ResultModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.delegate = CardDelegate(self)
        self.setModel(model)
        self.setItemDelegate(self.delegate)
        self.keys = ResultKeys(self)
        _set_up(self, "Results")
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(24)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_result(self, result: SearchResult | None) -> None:
        """Before the model shows it."""
        self.delegate.forget()
        self.delegate.scales = Scales.of(result)
        self.delegate.with_markers = bool(result and result.options.boundary_markers)
        self.setUniformItemSizes(not result or result.options.group != Group.GROUPED)

    def set_theme(self, theme: Theme) -> None:
        self.delegate.theme = theme
        self.delegate.forget()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.delegate.forget()
        super().resizeEvent(event)


class ResultTable(QTableView):
    """One line for each result."""

    def __init__(self, model: ResultModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.keys = ResultKeys(self)
        _set_up(self, "Results as a table")
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(QFontMetrics(self.font()).height() + 9)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)

    def set_theme(self, _theme: Theme) -> None:
        self.viewport().update()

    def show_columns(self, result: SearchResult | None) -> None:
        """Without the channels that nobody asked."""
        hits = result.hits if result else ()
        for column, name in enumerate(("bm25", "cosine", "rrf", "rerank"), start=4):
            is_used = any(getattr(hit.scores, name) is not None for hit in hits)
            self.setColumnHidden(column, not is_used)
        for column, is_used in (
            (2, any(hit.chunk.heading_chain for hit in hits)),
            (3, any(hit.chunk.page is not None for hit in hits)),
        ):
            self.setColumnHidden(column, not is_used)


def _set_up(view: QAbstractItemView, name: str) -> None:
    view.setAccessibleName(name)
    view.setMouseTracking(True)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setDragEnabled(True)
    view.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
    assert len(COLUMNS) == len(_WIDTHS) + 1
