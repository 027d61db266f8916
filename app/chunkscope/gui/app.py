"""Starts the window."""

from __future__ import annotations

import logging
import os
import platform
import sys
from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from chunkscope import __version__
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.actions import documents
from chunkscope.gui.errors import LastResort
from chunkscope.gui.garbage import GarbageCollector
from chunkscope.gui.icons import app_icon
from chunkscope.gui.log_viewer import LogMemory
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.settings import Settings
from chunkscope.gui.style import choose_font
from chunkscope.gui.watchdog import Watchdog, is_wanted

log = logging.getLogger(__name__)


def run(paths: Sequence[str] = (), is_debugging: bool = False) -> int:
    """Open the window, with documents if any are named, until it is closed."""
    memory = LogMemory()
    memory.install()
    app = make_app(sys.argv[:1])
    log.info("Chunkscope %s on Python %s starts", __version__, platform.python_version())
    settings = Settings()
    preferences = settings.preferences()
    with Sandbox(preferences.worker_count(), preferences.limits()) as sandbox:
        window = MainWindow(sandbox, settings, memory)
        LastResort(window).install()
        watchdog = _watch(window) if is_debugging or is_wanted() else None
        window.show()
        documents.open_paths(window, [os.path.abspath(path) for path in paths])
        QTimer.singleShot(0, window.state.warm_up)
        status = app.exec()
        if watchdog is not None:
            watchdog.stop()
            log.warning("the longest block of the window: %.0f ms", watchdog.longest * 1000)
        return status


def _watch(window: MainWindow) -> Watchdog:
    """Tell on stderr when the window stands still, and where."""
    logging.getLogger("chunkscope").addHandler(logging.StreamHandler(sys.stderr))
    watchdog = Watchdog(window, names_places=True)
    watchdog.start()
    return watchdog


def make_app(arguments: list[str]) -> QApplication:
    """The application, looking the same everywhere."""
    app = QApplication(arguments)
    app.setApplicationName("Chunkscope")
    app.setOrganizationName("Chunkscope")
    app.setDesktopFileName("chunkscope")
    app.setStyle("Fusion")
    # The window's thread needs the interpreter for a moment hundreds of times in one painting;
    # by default a busy worker gives it away only every 5 ms.
    sys.setswitchinterval(0.0005)
    GarbageCollector(app)
    app.setWindowIcon(app_icon())
    choose_font(app)
    return app
