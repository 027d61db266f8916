"""Everything that may go wrong behind a window's back, collected in one list."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from chunkscope.core.errors import ChunkscopeError

# What the offscreen platform and its few fonts cannot do, and say so each time.
_HARMLESS = (
    "propagateSizeHints", "does not support raise", "grabbing the keyboard",
    "OpenType support missing",
)  # fmt: skip


class _Listener(logging.Handler):
    """Errors of the log, and tasks that failed with anything but a sentence."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        problem = record.exc_info[1] if record.exc_info else None
        if record.levelno >= logging.ERROR:
            self._faults.append(f"logged: {record.getMessage()} {_told(problem)}")
        elif record.name == "chunkscope.gui.tasks" and problem is not None:
            self._faults += [] if isinstance(problem, ChunkscopeError) else [_told(problem)]


def _told(problem: BaseException | None) -> str:
    if problem is None:
        return ""
    return "".join(traceback.format_exception(problem)[-6:])


@contextmanager
def collected() -> Iterator[list[str]]:
    """The faults that happen meanwhile: exceptions anywhere, Qt's warnings, errors in the log."""
    faults: list[str] = []

    def on_message(kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not any(each in text for each in _HARMLESS):
            faults.append(f"Qt: {text}")

    listener, log = _Listener(faults), logging.getLogger("chunkscope")
    before = sys.excepthook, threading.excepthook, sys.unraisablehook, log.level
    sys.excepthook = lambda _kind, value, _trace: faults.append(f"raised: {_told(value)}")
    threading.excepthook = lambda args: faults.append(f"in a thread: {_told(args.exc_value)}")
    sys.unraisablehook = lambda args: faults.append(f"unraisable: {_told(args.exc_value)}")
    log.addHandler(listener)
    log.setLevel(logging.DEBUG)
    former = qInstallMessageHandler(on_message)
    try:
        yield faults
    finally:
        qInstallMessageHandler(former)
        log.removeHandler(listener)
        sys.excepthook, threading.excepthook, sys.unraisablehook, level = before
        log.setLevel(level)
