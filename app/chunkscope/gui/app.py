"""Starts the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from PySide6.QtWidgets import QApplication

from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.actions import documents
from chunkscope.gui.errors import LastResort
from chunkscope.gui.icons import app_icon
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings
from chunkscope.gui.style import choose_font


def run(paths: Sequence[str] = ()) -> int:
    """Open the window, with documents if any are named, until it is closed."""
    app = make_app(sys.argv[:1])
    with Sandbox(workers=min(os.cpu_count() or 1, 4)) as sandbox:
        window = MainWindow(sandbox, Settings())
        LastResort(window).install()
        window.show()
        documents.open_paths(window, [os.path.abspath(path) for path in paths])
        return app.exec()


def make_app(arguments: list[str]) -> QApplication:
    """The application, looking the same everywhere."""
    app = QApplication(arguments)
    app.setApplicationName("Chunkscope")
    app.setOrganizationName("Chunkscope")
    app.setStyle("Fusion")
    app.setWindowIcon(app_icon())
    choose_font(app)
    return app
