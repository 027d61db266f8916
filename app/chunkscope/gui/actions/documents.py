"""Opening documents: from files, folders, the clipboard, a drop, the samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from chunkscope import paths

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


def open_files(window: MainWindow) -> None:
    chosen, _ = QFileDialog.getOpenFileNames(window, "Open documents")
    open_paths(window, chosen)


def open_folder(window: MainWindow) -> None:
    chosen = QFileDialog.getExistingDirectory(window, "Open a folder")
    open_paths(window, [chosen] if chosen else [])


def open_samples(window: MainWindow) -> None:
    window.state.open_paths([str(paths.sample_docs())])


def open_paths(window: MainWindow, chosen: list[str]) -> None:
    if chosen:
        window.settings.add_recent(chosen)
        window.state.open_paths(chosen)


def paste(window: MainWindow) -> None:
    """Open what the clipboard holds: files, or text."""
    if not take(window, QGuiApplication.clipboard().mimeData()):
        window.tell("The clipboard holds no text and no files.")


def take(window: MainWindow, data: QMimeData | None) -> bool:
    """Open what was dropped or pasted, if it can be opened; an empty clipboard gives None."""
    if data is None:
        return False
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    if files:
        open_paths(window, files)
    elif data.hasText() and not data.hasUrls() and data.text().strip():
        window.state.open_text(data.text())
    else:
        return False
    return True


def remove(window: MainWindow) -> None:
    window.library.remove_selected()
