"""Problems in the window: a sentence where it belongs, a report for what nobody foresaw."""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from chunkscope import __version__
from chunkscope.core.errors import ChunkscopeError

log = logging.getLogger(__name__)


def report_of(kind: type[BaseException], value: BaseException, trace: TracebackType | None) -> str:
    """What a person sends us: versions and the traceback, no text of documents."""
    head = (
        f"Chunkscope {__version__}, Python {platform.python_version()}, PySide {pyside_version}, "
        f"{platform.platform()}"
    )
    return head + "\n\n" + "".join(traceback.format_exception(kind, value, trace))


def report_on(problem: BaseException) -> str:
    return report_of(type(problem), problem, problem.__traceback__)


def sentence_of(problem: BaseException) -> str:
    """What a person reads: the problem's own sentence, or that it is our fault."""
    if isinstance(problem, ChunkscopeError):
        return str(problem)
    return (
        f"Chunkscope met a fault of its own ({type(problem).__name__}). Your documents are "
        "unchanged; other settings may work. The report says what happened."
    )


def tell(parent: QWidget, problem: ChunkscopeError) -> None:
    """A problem that a person can act on, in its own sentence."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Chunkscope")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(str(problem))
    _add_copy(box, report_on(problem))
    box.open()


def attempt(parent: QWidget, action: Callable[[], object]) -> None:
    """Do something, or say why it cannot be done."""
    try:
        action()
    except ChunkscopeError as problem:
        tell(parent, problem)


def _add_copy(box: QMessageBox, report: str) -> None:
    # Such a button closes the box; the report is on the clipboard by then.
    copy = box.addButton("Copy report", QMessageBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
    box.addButton(QMessageBox.StandardButton.Close)


class LastResort(QObject):
    """Shows what was not foreseen, from whichever thread it comes."""

    _raised = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._raised.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        sys.excepthook = self._on_exception
        threading.excepthook = lambda args: self._on_exception(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )

    def _on_exception(
        self, kind: type[BaseException], value: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.exit(130)
            return
        log.error("unexpected", exc_info=(kind, value, trace))
        self._raised.emit(report_of(kind, value, trace))

    def _show(self, report: str) -> None:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Something went wrong")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("Chunkscope met a fault of its own. Your documents are unchanged.")
        box.setDetailedText(report)
        _add_copy(box, report)
        box.open()
