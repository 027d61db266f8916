"""The headings of the current document; a click goes there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from chunkscope.core.blocks import Block, BlockKind
from chunkscope.gui.state import AppState, Change

_OFFSET_ROLE = Qt.ItemDataRole.UserRole
_MOST = 5_000
_NOTHING = "Headings and pages of the document stand here."
_NONE = "This document has no headings."


class OutlinePanel(QWidget):
    """A tree of headings, or of pages where there are none."""

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setAccessibleName("Outline")
        self.tree.itemActivated.connect(self._on_chosen)
        self.tree.itemClicked.connect(self._on_chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        self.hint = QLabel(_NOTHING)
        self.hint.setObjectName("quiet")
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.hint)
        column.addWidget(self.tree, 1)
        column.addStretch(0)
        state.changed.connect(self._on_changed)
        self._tell()

    def _on_changed(self, change: Change) -> None:
        if Change.CURRENT in change:
            self._rebuild()

    def _rebuild(self) -> None:
        self.tree.clear()
        document = self._state.document
        if document is None:
            self._tell()
            return
        headings = document.blocks.where(BlockKind.HEADING)[:_MOST].tolist()
        open_items: list[tuple[int, QTreeWidgetItem]] = []
        for block in (document.blocks[at] for at in headings):
            level = block.level or 1
            while open_items and open_items[-1][0] >= level:
                open_items.pop()
            parent = open_items[-1][1] if open_items else self.tree.invisibleRootItem()
            open_items.append((level, _item(parent, block.name, block)))
        if not headings:
            for at in document.blocks.where(BlockKind.PAGE)[:_MOST].tolist():
                block = document.blocks[at]
                _item(self.tree.invisibleRootItem(), f"Page {block.page}", block)
        self.tree.expandToDepth(1)
        self._tell()

    def _tell(self) -> None:
        is_empty = self.tree.topLevelItemCount() == 0
        has_document = self._state.document is not None
        self.hint.setText(_NONE if has_document else _NOTHING)
        self.hint.setVisible(is_empty)
        self.tree.setVisible(not is_empty)

    def _on_chosen(self, item: QTreeWidgetItem) -> None:
        self._state.reveal(int(item.data(0, _OFFSET_ROLE)))


def _item(parent: QTreeWidgetItem, text: str, block: Block) -> QTreeWidgetItem:
    item = QTreeWidgetItem(parent, [" ".join(text.split())])
    item.setData(0, _OFFSET_ROLE, block.start)
    item.setToolTip(0, f"offset {block.start:,}")
    return item
