"""Help: the keys, and what this program is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLabel,
    QMessageBox,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chunkscope import __version__

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow

_IN_THE_TEXT = (
    ("Click", "select the chunk"),
    ("Drag", "select text"),
    ("Double click", "select a word"),
    ("Ctrl+Wheel", "zoom"),
    ("Del", "remove the chosen documents (in the library)"),
)


def show_keys(window: MainWindow) -> None:
    dialog = QDialog(window)
    dialog.setWindowTitle("Keyboard shortcuts")
    dialog.resize(460, 560)
    inside = QWidget()
    form = QFormLayout(inside)
    form.setContentsMargins(18, 14, 18, 14)
    form.setHorizontalSpacing(28)
    for key, what in (*((key, name) for name, key in window.menus.shortcuts()), *_IN_THE_TEXT):
        label = QLabel(key)
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        form.addRow(label, QLabel(what))
    area = QScrollArea()
    area.setWidget(inside)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName("Keyboard shortcuts")
    close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close.rejected.connect(dialog.reject)
    column = QVBoxLayout(dialog)
    column.addWidget(area)
    column.addWidget(close)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def show_about(window: MainWindow) -> None:
    box = QMessageBox(window)
    box.setWindowTitle("About Chunkscope")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(
        f"Chunkscope {__version__}\n\nSee how every chunking strategy cuts your documents, "
        "tune the cut while you watch, and measure which one retrieves best.\n\nMIT licence."
    )
    box.open()
