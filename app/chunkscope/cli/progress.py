"""Progress of long commands: a bar on a terminal, nothing in a pipe; Ctrl-C stops safely."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

from chunkscope.cli.output import plain, say
from chunkscope.core.job import Job

_EVERY_SECONDS = 0.1
_WIDTH = 24


class Bar:
    """One line that is drawn over again."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = 0.0

    def show(self, done: int, total: int, note: str) -> None:
        moment = time.monotonic()
        if moment - self._drawn < _EVERY_SECONDS:
            return
        self._drawn = moment
        filled = _WIDTH * done // total if total else 0
        line = f"{'█' * filled}{'░' * (_WIDTH - filled)} {done:,}/{total:,} {note}"
        columns = shutil.get_terminal_size().columns
        say(f"\r\x1b[K{plain(line)[: columns - 1]}", self._stream, end="")
        self._stream.flush()

    def clear(self) -> None:
        if self._drawn:
            say("\r\x1b[K", self._stream, end="")
            self._stream.flush()


@contextmanager
def visible_job(stream: TextIO | None = None) -> Iterator[Job]:
    """A job that a person can watch and stop; a second Ctrl-C does not wait."""
    stream = stream or sys.stderr
    bar = Bar(stream)
    job = Job(bar.show) if stream.isatty() else Job()
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: FrameType | None) -> None:
        job.cancel()
        signal.signal(signal.SIGINT, before)

    is_main = threading.current_thread() is threading.main_thread()
    if is_main:
        signal.signal(signal.SIGINT, stop)
    try:
        yield job
    finally:
        bar.clear()
        if is_main:
            signal.signal(signal.SIGINT, before)
