"""How things are shown: theme, zoom, wrapping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from chunkscope.gui import style
from chunkscope.gui import theme as themes

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


def set_theme(window: MainWindow, name: str) -> None:
    """Show `light`, `dark`, `contrast`, or what the `system` prefers."""
    window.settings.set_theme(name)
    theme = themes.chosen(name)
    app = QApplication.instance()
    if isinstance(app, QApplication):
        style.apply(app, theme)
    for part in window.themed():
        part.set_theme(theme)


def zoom(window: MainWindow, steps: int) -> None:
    """One step in or out; 0 is the normal size."""
    view = window.preview.view
    {0: view.zoom_reset, 1: view.zoom_in, -1: view.zoom_out}[steps]()
    window.settings.set_zoom(view.zoom())


def set_wrap(window: MainWindow, wraps: bool) -> None:
    window.preview.view.set_wrap(wraps)
    window.settings.set_wraps(wraps)
