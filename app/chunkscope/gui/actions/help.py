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
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chunkscope.gui.about import AboutDialog
from chunkscope.gui.log_viewer import LogViewer
from chunkscope.gui.theme import chosen

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
    _open(dialog)


def show_about(window: MainWindow) -> None:
    _open(AboutDialog(window))


def show_log(window: MainWindow) -> None:
    """Beside the window, so that one can work on and watch it."""
    viewer = LogViewer(window.log_memory, chosen(window.settings.theme()), window)
    viewer.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    viewer.show()


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
