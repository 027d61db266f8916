"""The index: bring it up to date, and which workspace it is kept in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from chunkscope.core.store.store import DATABASE
from chunkscope.gui.layouts import arrange

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


def index_library(window: MainWindow) -> None:
    """Index what is in the library under the current profile, and show where to search it."""
    window.state.index.index_all()
    if any(entry.document for entry in window.state.entries):
        show_search(window)


def show_search(window: MainWindow) -> None:
    if not window.docks["Search"].isVisible():
        arrange(window, "Search")
    window.docks["Search"].raise_()


def toggle_pause(window: MainWindow) -> None:
    index = window.state.index
    if index.run is None:
        window.tell("Nothing is being indexed.")
    else:
        (index.resume if index.run.is_paused else index.pause)()


def stop(window: MainWindow) -> None:
    window.state.index.cancel()


def retry_failed(window: MainWindow) -> None:
    """Try again what could not be indexed."""
    state = window.state
    failed = [
        entry.document
        for entry in state.entries
        if entry.document and state.index.status(entry.document.id).startswith("failed")
    ]
    if failed:
        state.index.index(failed, retry=True)
    else:
        window.tell("Nothing in the library has failed to be indexed.")


def set_at_once(window: MainWindow, is_on: bool) -> None:
    """Whether documents are indexed as they come."""
    window.state.index.indexes_at_once = is_on
    window.settings.set_indexes_at_once(is_on)


def open_workspace(window: MainWindow) -> None:
    """Open a workspace, or make one in an empty folder."""
    chosen = QFileDialog.getExistingDirectory(
        window, "Open a workspace, or choose an empty folder for a new one"
    )
    if chosen:
        open_folder(window, chosen)


def open_folder(window: MainWindow, folder: str) -> None:
    if window.state.index.run is not None:
        window.tell("Wait until indexing has ended, or stop it, before the workspace is changed.")
        return
    window.settings.add_recent_workspace(folder)
    window.state.index.open(Path(folder))


def open_default(window: MainWindow) -> None:
    open_folder(window, str(window.settings.preferences().workspace()))


def open_existing(window: MainWindow) -> None:
    """At the start: the usual workspace, where there is one already."""
    index = window.state.index
    if index.workspace is None and (index.folder / DATABASE).exists():
        index.open()
