"""Progress and cancelling, without any toolkit."""

from __future__ import annotations

import threading
from collections.abc import Callable

from chunkscope.core.errors import Cancelled

Report = Callable[[int, int, str], None]


def silent(_done: int, _total: int, _note: str) -> None:
    """The report of work that nobody follows."""


class Job:
    """One running piece of work: it reports through `step`, others pause it or stop it."""

    def __init__(self, report: Report = silent) -> None:
        self._report = report
        self._cancelled = threading.Event()
        self._going = threading.Event()
        self._going.set()

    def cancel(self) -> None:
        self._cancelled.set()
        self._going.set()

    def pause(self) -> None:
        """Have the work wait at its next check, until `resume` or `cancel`."""
        if not self.is_cancelled:
            self._going.clear()
        if self.is_cancelled:  # by another thread, between the two
            self._going.set()

    def resume(self) -> None:
        self._going.set()

    @property
    def is_paused(self) -> bool:
        return not self._going.is_set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def check(self) -> None:
        """Wait while paused; raise Cancelled when somebody asked to stop."""
        self._going.wait()
        if self._cancelled.is_set():
            raise Cancelled

    def step(self, done: int, total: int, note: str = "") -> None:
        """Report progress, and stop here if asked to."""
        self.check()
        self._report(done, total, note)


class _Quiet(Job):
    """Shared by all callers that want neither progress nor cancelling."""

    def cancel(self) -> None:
        raise RuntimeError("NO_JOB is shared and cannot be cancelled")

    def pause(self) -> None:
        raise RuntimeError("NO_JOB is shared and cannot be paused")


NO_JOB = _Quiet()
