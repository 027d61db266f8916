"""Going about in the chunks, and comparing profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from chunkscope.gui.actions import profiles
from chunkscope.gui.panels.presets_table import PresetsDialog

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


def go_to_chunk(window: MainWindow) -> None:
    preview = window.state.preview
    if preview is None or not len(preview.bands):
        window.tell("There are no chunks yet.")
        return
    last = len(preview.bands) - 1
    chosen, is_ok = QInputDialog.getInt(window, "Go to chunk", f"Chunk (0–{last:,})", 0, 0, last)
    if is_ok:
        window.state.select_chunk(chosen)


def go_to_offset(window: MainWindow) -> None:
    document = window.state.document
    if document is None:
        window.tell("Open a document first.")
        return
    last = max(len(document.text) - 1, 0)
    label = f"Offset (0–{last:,})"
    chosen, is_ok = QInputDialog.getInt(window, "Go to offset", label, 0, 0, last)
    if is_ok:
        window.state.reveal(chosen)


def add_lane(window: MainWindow) -> None:
    """Put the current profile beside others on the same document."""
    if window.state.document is None:
        window.tell("Open a document first.")
        return
    window.comparison.add_lane(window.state.profile)
    window.pages.setCurrentWidget(window.comparison)


def try_presets(window: MainWindow) -> PresetsDialog | None:
    """Cut the document by every preset, and show the figures in a table."""
    if window.state.document is None:
        window.tell("Open a document first.")
        return None
    dialog = PresetsDialog(window.state, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.chosen.connect(lambda profile: profiles.use(window, profile))
    dialog.open()
    return dialog
