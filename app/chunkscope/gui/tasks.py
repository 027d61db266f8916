"""Background work: the only file with threads."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from chunkscope.core.errors import Cancelled
from chunkscope.core.job import Job

log = logging.getLogger(__name__)

_SLOW_SECONDS = 0.5  # what takes longer is worth a line in the log

T = TypeVar("T")
Work = Callable[[Job], T]
Done = Callable[[Any], None]
Failed = Callable[[Exception], None]


@dataclass(slots=True)
class Activity:
    """Work that is worth telling of: the worker writes its progress, the window looks at it."""

    label: str
    done: int = 0
    total: int = 0
    note: str = ""

    def report(self, done: int, total: int, note: str) -> None:
        self.done, self.total, self.note = done, total, note


class Tasks(QObject):
    """Runs work in threads and hands results to the window's thread, in order.

    One QObject drains a queue of closures: an object per task could be destroyed in its thread.
    """

    busy_changed = Signal(bool)
    _woken = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._results: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lanes: dict[str, ThreadPoolExecutor] = {}
        self._jobs: dict[Job, Activity | None] = {}
        self._lock = threading.Lock()
        self._is_closed = False
        self._woken.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        lane: str,
        work: Work[T],
        done: Done,
        failed: Failed,
        *,
        stopped: Callable[[], None] | None = None,
        label: str = "",
        workers: int = 1,
    ) -> Job:
        """Run work in a lane; exactly one of the callbacks comes, in the window's thread.

        Work with a label is shown to the user while it runs, who may stop it.
        """
        activity = Activity(label) if label else None
        job = Job(activity.report) if activity else Job()
        if self._is_closed:
            job.cancel()
            return job
        if lane not in self._lanes:
            self._lanes[lane] = ThreadPoolExecutor(workers, thread_name_prefix=lane)
        self._jobs[job] = activity
        self.busy_changed.emit(True)
        self._lanes[lane].submit(self._execute, job, work, done, failed, stopped or _nothing)
        return job

    def _execute(
        self, job: Job, work: Work[T], done: Done, failed: Failed, stopped: Callable[[], None]
    ) -> None:
        activity = self._jobs.get(job)
        label = activity.label if activity else "a task"
        began = time.monotonic()
        try:
            job.check()
            result = work(job)
        except Cancelled:
            log.debug("%s: stopped", label)
            self.post(lambda: self._finish(job, stopped, stopped))
        except Exception as problem:
            # The message may quote a document; where it happened does not.
            log.warning("%s failed (%s)", label, type(problem).__name__)
            log.debug("a task failed", exc_info=True)
            self.post(partial(self._finish, job, partial(failed, problem), stopped))
        else:
            took = time.monotonic() - began
            log.log(logging.INFO if took > _SLOW_SECONDS else logging.DEBUG, "%s took %.1f s",
                    label, took)  # fmt: skip
            self.post(lambda: self._finish(job, lambda: done(result), stopped))

    def _finish(self, job: Job, then: Callable[[], None], stopped: Callable[[], None]) -> None:
        self._jobs.pop(job, None)
        (stopped if job.is_cancelled else then)()
        if not self._jobs:
            self.busy_changed.emit(False)

    def post(self, closure: Callable[[], None]) -> None:
        """Have something done in the window's thread, from any thread."""
        self._results.put(closure)
        with self._lock:
            if not self._is_closed:
                self._woken.emit()

    def _drain(self) -> None:
        while True:
            try:
                closure = self._results.get_nowait()
            except queue.Empty:
                return
            closure()

    @property
    def is_busy(self) -> bool:
        return bool(self._jobs)

    def activities(self) -> list[Activity]:
        """What runs that is worth telling of, the oldest first."""
        return [activity for activity in self._jobs.values() if activity is not None]

    def cancel_shown(self) -> None:
        """Stop what the user is told of."""
        for job, activity in list(self._jobs.items()):
            if activity is not None:
                job.cancel()

    def cancel_all(self) -> None:
        for job in list(self._jobs):
            job.cancel()

    def shutdown(self) -> None:
        """Cancel everything and wait: no thread outlives the window."""
        with self._lock:
            self._is_closed = True
        self.cancel_all()
        for lane in self._lanes.values():
            lane.shutdown(wait=True, cancel_futures=True)
        self._jobs.clear()


class Latest:
    """A lane in which only the newest request counts: what is superseded is dropped."""

    def __init__(self, tasks: Tasks, lane: str, label: str = "") -> None:
        self._tasks = tasks
        self._lane = lane
        self._label = label
        self._running: Job | None = None
        self._ticket: object | None = None
        self._waiting: tuple[Work[Any], Done, Failed] | None = None

    def request(self, work: Work[T], done: Done, failed: Failed) -> None:
        """Start at once, or when what runs has finished; an older request that waits is gone."""
        if self._running is None:
            self._start(work, done, failed)
        else:
            self._waiting = (work, done, failed)

    def _start(self, work: Work[T], done: Done, failed: Failed) -> None:
        ticket = object()
        self._ticket = ticket
        self._running = self._tasks.run(
            self._lane,
            work,
            lambda result: self._next(ticket, lambda: done(result)),
            lambda problem: self._next(ticket, lambda: failed(problem)),
            stopped=lambda: self._next(ticket, _nothing),
            label=self._label,
        )

    def _next(self, ticket: object, tell: Callable[[], None]) -> None:
        if ticket is not self._ticket:  # dropped: something else runs by now
            return
        self._running = None
        waiting, self._waiting = self._waiting, None
        # A result that is older than what waits is shown all the same: the cut follows the hand.
        tell()
        if waiting is not None and self._running is None:
            self._start(*waiting)

    def drop(self) -> None:
        """Forget what runs and what waits."""
        self._waiting = None
        if self._running is not None:
            self._running.cancel()
            self._running = None
            self._ticket = None


def _nothing() -> None:
    pass
