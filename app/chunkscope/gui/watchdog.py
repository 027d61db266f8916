"""Records how long the event loop was blocked; in debug mode it also says where."""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from dataclasses import dataclass
from time import perf_counter, process_time

from PySide6.QtCore import QObject, Qt, QTimer

log = logging.getLogger(__name__)

BEAT = 0.005  # seconds between two heartbeats
NOTICEABLE = 0.05  # a block that a person feels
_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Block:
    """A time in which the window did not react, and what its thread was doing.

    On a busy machine others run meanwhile: `busy` is the part that our own threads used.
    """

    seconds: float
    busy: float
    where: str = ""


class Watchdog(QObject):
    """A timer that should fire at each beat: what it is late by, the loop was blocked.

    A thread that holds the interpreter's lock blocks the loop just the same, and is counted.
    """

    def __init__(self, parent: QObject | None = None, *, names_places: bool = False) -> None:
        super().__init__(parent)
        self.longest = self.longest_busy = 0.0
        self.blocks: list[Block] = []
        self._last = self._used = 0.0
        self._where = ""
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(round(BEAT * 1000))
        self._timer.timeout.connect(self._on_beat)
        self._main = threading.get_ident()
        self._is_over = threading.Event()
        self._sampler = threading.Thread(target=self._sample, name="watchdog", daemon=True)
        self._names_places = names_places

    def start(self) -> None:
        self.reset()
        self._timer.start()
        if self._names_places and not self._sampler.is_alive():
            self._sampler.start()

    def reset(self) -> None:
        """Forget what was measured."""
        self.longest = self.longest_busy = 0.0
        self.blocks = []
        self._last, self._used = perf_counter(), process_time()

    def stop(self) -> None:
        self._timer.stop()
        self._is_over.set()
        if self._sampler.is_alive():
            self._sampler.join()

    def _on_beat(self) -> None:
        now, used = perf_counter(), process_time()
        late = now - self._last - BEAT
        busy = min(late, used - self._used)
        self._last, self._used = now, used
        self.longest, self.longest_busy = max(self.longest, late), max(self.longest_busy, busy)
        if late > NOTICEABLE:
            self.blocks.append(Block(late, busy, self._where))
            log.warning("the window stood still for %.0f ms%s", late * 1000, self._where)
        self._where = ""

    def _sample(self) -> None:
        """When a beat is overdue, note what the window's thread is at."""
        while not self._is_over.wait(NOTICEABLE / 2):
            if perf_counter() - self._last > NOTICEABLE and not self._where:
                frame = sys._current_frames().get(self._main)
                if frame is not None:
                    lines = traceback.format_stack(frame)[-_DEPTH:]
                    self._where = " at\n" + "".join(lines).rstrip()


def is_wanted() -> bool:
    """Whether debug mode is asked for by CHUNKSCOPE_DEBUG=1; `--debug` does the same."""
    return os.environ.get("CHUNKSCOPE_DEBUG", "") not in ("", "0")
