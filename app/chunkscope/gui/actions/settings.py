"""The settings: show them, and let them take effect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from chunkscope.gui.actions import view
from chunkscope.gui.preferences import Preferences
from chunkscope.gui.settings_dialog import SettingsDialog
from chunkscope.gui.theme import choose_reading_font
from chunkscope.gui.views.text_view import TextView

if TYPE_CHECKING:
    from chunkscope.gui.main_window import MainWindow


def show(window: MainWindow) -> SettingsDialog:
    dialog = SettingsDialog(window.settings.preferences(), window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.changed.connect(lambda wanted: take(window, wanted))
    dialog.open()
    return dialog


def take(window: MainWindow, wanted: Preferences) -> None:
    """Keep preferences and let them be seen."""
    before = window.settings.preferences().workspace()
    window.settings.set_preferences(wanted)
    apply(window, wanted)
    if wanted.workspace() != before:
        _move(window, wanted.workspace())


def _move(window: MainWindow, folder: Path) -> None:
    """Another workspace: at once where one is open, else when it is needed."""
    index = window.state.index
    if index.workspace is None:
        index.folder = folder
    else:
        index.open(folder)


def apply(window: MainWindow, wanted: Preferences) -> None:
    window.sandbox.limits = wanted.limits()
    _set_fonts(window, wanted)
    view.set_theme(window, wanted.theme)


def _set_fonts(window: MainWindow, wanted: Preferences) -> None:
    font = QFont(window.usual_font)
    if wanted.window_size:
        font.setPointSizeF(wanted.window_size)
    if font != QApplication.font():
        QApplication.setFont(font)
    reading = choose_reading_font(wanted.reading_font, wanted.reading_size)
    for text in window.findChildren(TextView):
        text.set_font(reading)


def new_profile(window: MainWindow) -> None:
    """Start from the settings again."""
    window.state.set_profile(window.settings.preferences().new_profile(), "New profile")
