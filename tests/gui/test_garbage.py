"""Who collects garbage: never a worker's thread."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from chunkscope.gui.garbage import GarbageCollector


class _Ring:
    """Garbage that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


def test_garbage_goes_in_the_thread_of_the_window(qtbot: QtBot) -> None:
    gc.enable()
    ended_in: list[threading.Thread] = []
    owner = QObject()
    GarbageCollector(owner)
    weakref.finalize(_Ring(), lambda: ended_in.append(threading.current_thread()))
    with ThreadPoolExecutor(1) as worker:
        # Far more than the number at which Python collects, in whatever thread that is.
        kept = worker.submit(lambda: [_Ring() for _ in range(100_000)]).result()
    assert ended_in == []
    qtbot.waitUntil(lambda: bool(ended_in), timeout=60_000)
    assert ended_in == [threading.main_thread()]
    assert len(kept) == 100_000
