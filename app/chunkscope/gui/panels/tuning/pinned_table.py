"""A table whose pinned columns stay where they are while the others scroll."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QMenu, QTableView, QWidget

from chunkscope.gui.panels.tuning.tables import dress

_LEAST_NAME, _MOST_NAME = 160, 460
_PAD = 22


class PinnedTable(QWidget):
    """Two views of one model beside each other, with one selection, one order, one scroll."""

    activated = Signal()

    def __init__(self, model: QAbstractItemModel, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.pinned: set[int] = {0, 1}
        self.hidden: set[int] = set()
        self.extra: dict[int, int] = {}  # room that a column's delegate needs beside the text
        self.left, self.right = QTableView(), QTableView()
        for view, title in ((self.left, f"{name}, pinned columns"), (self.right, name)):
            view.setModel(model)
            dress(view, title)
            view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
            header = view.horizontalHeader()
            header.setSortIndicatorShown(True)
            header.setSectionsClickable(True)
            header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            header.setToolTip("Click to sort; right click to pin, hide or show columns")
            view.doubleClicked.connect(lambda _: self.activated.emit())
            view.installEventFilter(self)
        self._join()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.left)
        row.addWidget(self.right, 1)
        model.modelReset.connect(self.refresh)
        self.refresh()

    def _join(self) -> None:
        self.right.setSelectionModel(self.left.selectionModel())
        self.left.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Both need the same room below, or the last rows would not stand side by side.
        for view in (self.left, self.right):
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.left.horizontalScrollBar().setStyleSheet(
            "QScrollBar::handle { background: transparent }"
        )
        one, other = self.left.verticalScrollBar(), self.right.verticalScrollBar()
        one.valueChanged.connect(other.setValue)
        other.valueChanged.connect(one.setValue)
        for view in (self.left, self.right):
            header = view.horizontalHeader()
            header.sectionClicked.connect(self.sort)
            header.sectionResized.connect(lambda *_: self._fit())
            header.customContextMenuRequested.connect(
                lambda point, view=view: self._menu(view, point)
            )

    def sort(self, column: int, order: Qt.SortOrder | None = None) -> None:
        """Numbers first show the largest; a second click turns the order."""
        header = self.left.horizontalHeader()
        if order is None:
            down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
            again = header.sortIndicatorSection() == column
            before = header.sortIndicatorOrder()
            order = (up if before == down else down) if again else (up if column == 0 else down)
        for view in (self.left, self.right):
            view.horizontalHeader().setSortIndicator(column, order)
        self._model.sort(column, order)

    def refresh(self) -> None:
        """Which column is shown where."""
        for column in range(self._model.columnCount()):
            is_left = column in self.pinned
            is_gone = column in self.hidden
            self.left.setColumnHidden(column, is_gone or not is_left)
            self.right.setColumnHidden(column, is_gone or is_left)
        self._fit()

    def resize_columns(self) -> None:
        """As wide as their names, or the usual figure; the first as its longest text.

        What every cell holds is not asked: that took a tenth of a second for 50 rows.
        """
        metrics = self.fontMetrics()
        figure = metrics.horizontalAdvance("100.0 MB") + _PAD
        for column in range(1, self._model.columnCount()):
            name = str(self._model.headerData(column, Qt.Orientation.Horizontal))
            width = max(metrics.horizontalAdvance(name) + _PAD, figure)
            for view in (self.left, self.right):
                view.setColumnWidth(column, width + self.extra.get(column, 0))
        names = (str(self._model.index(row, 0).data()) for row in range(self._model.rowCount()))
        longest = max(names, key=len, default="")
        width = metrics.horizontalAdvance(longest) + _PAD
        self.left.setColumnWidth(0, min(max(width, _LEAST_NAME), _MOST_NAME))
        self._fit()

    def _fit(self) -> None:
        width = self.left.horizontalHeader().length()
        limit = max(int(self.width() * 0.75), 200)
        self.left.setFixedWidth(min(max(width, 1), limit) + 1)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._fit()

    def _menu(self, view: QTableView, point: QPoint) -> None:
        column = view.horizontalHeader().logicalIndexAt(point)
        menu = self.column_menu(column)
        menu.popup(view.horizontalHeader().mapToGlobal(point))

    def column_menu(self, column: int) -> QMenu:
        """Pin, hide, and which are shown."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if column > 0:
            text = "Unpin column" if column in self.pinned else "Pin column"
            menu.addAction(text).triggered.connect(lambda: self._toggle(self.pinned, column))
            menu.addAction("Hide column").triggered.connect(
                lambda: self._toggle(self.hidden, column)
            )
            menu.addSeparator()
        for other in range(1, self._model.columnCount()):
            name = self._model.headerData(other, Qt.Orientation.Horizontal)
            action = menu.addAction(str(name))
            action.setCheckable(True)
            action.setChecked(other not in self.hidden)
            action.triggered.connect(lambda _=False, c=other: self._toggle(self.hidden, c))
        return menu

    def _toggle(self, columns: set[int], column: int) -> None:
        columns.symmetric_difference_update({column})
        self.refresh()

    def hide_columns(self, names: Iterable[str]) -> None:
        """Hide columns by name, at the beginning."""
        wanted = set(names)
        for column in range(self._model.columnCount()):
            if self._model.headerData(column, Qt.Orientation.Horizontal) in wanted:
                self.hidden.add(column)
        self.refresh()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter activates; left and right go over from one half to the other."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.activated.emit()
                return True
            if event.key() == Qt.Key.Key_Menu:
                self.column_menu(-1).popup(self.mapToGlobal(QPoint(20, 20)))
                return True
        return super().eventFilter(watched, event)
