"""What to take along: a format, and of which documents."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from chunkscope.core.export import ExportFormat, export_formats
from chunkscope.gui.state import AppState, Status

_NAME_ROLE = Qt.ItemDataRole.UserRole


class ExportDialog(QDialog):
    """Asks; `save_asked` and `copy_asked` carry the format and whether all documents are meant."""

    save_asked = Signal(str, bool)
    copy_asked = Signal(str, bool)

    def __init__(self, state: AppState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.resize(540, 560)
        self._state = state
        self.formats = QListWidget()
        self.formats.setAccessibleName("Format")
        for name in export_formats:
            self.formats.addItem(_item(export_formats[name]))
        self.scope = self._make_scope()
        self.buttons = QDialogButtonBox()
        self._make_buttons()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        column.addWidget(self.formats, 1)
        column.addWidget(self.scope)
        column.addWidget(self.buttons)
        self.formats.currentItemChanged.connect(self._on_format)
        self.formats.setCurrentRow(0)

    def _make_scope(self) -> QWidget:
        made = QWidget()
        ready = [entry for entry in self._state.entries if entry.status is Status.READY]
        document = self._state.document
        self.one = QRadioButton(f"This document: {document.title if document else 'none'}")
        self.all = QRadioButton(f"All documents of the library ({len(ready):,})")
        self.one.setChecked(True)
        self.all.setEnabled(len(ready) > 1)
        group = QButtonGroup(made)
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        for button in (self.one, self.all):
            button.setAccessibleName(button.text())
            group.addButton(button)
            column.addWidget(button)
        return made

    def _make_buttons(self) -> None:
        roles = QDialogButtonBox.ButtonRole
        self.save = QPushButton("Save as…")
        self.save.setDefault(True)
        self.copy = QPushButton("Copy")
        self.copy.setToolTip("Put it on the clipboard")
        self.buttons.addButton(self.save, roles.AcceptRole)
        self.buttons.addButton(self.copy, roles.ActionRole)
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.rejected.connect(self.reject)
        self.save.clicked.connect(lambda: self.save_asked.emit(self.chosen(), self.is_all()))
        self.copy.clicked.connect(lambda: self.copy_asked.emit(self.chosen(), self.is_all()))

    def chosen(self) -> str:
        """The name of the format."""
        return str(self.formats.currentItem().data(_NAME_ROLE))

    def choose(self, name: str) -> None:
        self.formats.setCurrentRow(list(export_formats).index(name))

    def is_all(self) -> bool:
        return self.all.isChecked()

    def _on_format(self) -> None:
        how = export_formats[self.chosen()]
        self.copy.setEnabled(how.is_text)
        self.scope.setVisible(how.needs_documents)


def _item(how: ExportFormat) -> QListWidgetItem:
    item = QListWidgetItem(f"{how.label}  ({how.suffix})\n{how.help}")
    item.setData(_NAME_ROLE, how.name)
    item.setToolTip(how.help)
    return item
