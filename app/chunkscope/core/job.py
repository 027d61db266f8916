"""Progress and cancelling, without any toolkit."""

from __future__ import annotations

import threading
from collections.abc import Callable

from chunkscope.core.errors import Cancelled

Report = Callable[[int, int, str], None]


def _silent(_done: int, _total: int, _note: str) -> None:
    pass


class Job:
    """One running piece of work: it reports through `step`, others stop it with `cancel`."""

    def __init__(self, report: Report = _silent) -> None:
        self._report = report
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise Cancelled when somebody asked to stop."""
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


NO_JOB = _Quiet()
