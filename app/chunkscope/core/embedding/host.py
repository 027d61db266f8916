"""A worker process that keeps a model loaded, and is replaced when it dies."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from chunkscope.core.embedding.base import EmbeddingFailed
from chunkscope.core.errors import Cancelled
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox import Failure, Item, Limits, Sandbox, WorkerFailed
from chunkscope.core.sandbox.limits import MEGABYTE

log = logging.getLogger(__name__)

_DAY = 86_400.0
# A batch may finish after a cancel, so that the model need not be loaded again; but not longer.
_GRACE_SECONDS = 0.6
_POLL_SECONDS = 0.05
# Weights are mapped, buffers reserved: address space says little of the memory that is used.
_ADDRESS_SPACE = 32_000 * MEGABYTE


def default_threads() -> int:
    """Half of the processor, so that the rest of the machine stays usable; two at least."""
    cores = os.cpu_count() or 1
    return max(min(2, cores), min(8, cores // 2))


def model_limits(threads: int, batch_seconds: float = 120.0) -> Limits:
    """Bounds of a worker that is trusted with a model: it may grow, but not fall silent."""
    return Limits(
        stall_seconds=batch_seconds,
        total_seconds=_DAY,
        memory_bytes=_ADDRESS_SPACE,
        threads=threads,
        retire_bytes=_ADDRESS_SPACE,
    )


class ModelHost:
    """Runs one task at a time in one process, which starts at the first task and stays."""

    def __init__(self, noun: str, limits: Limits, plugins: Sequence[str] = ()) -> None:
        self._noun = noun
        self._limits, self._plugins = limits, plugins
        self._lock = threading.Lock()
        self._turns = _Turns()
        self._sandbox: Sandbox | None = None
        self._end: weakref.finalize[[], ModelHost] | None = None

    def call(
        self,
        task: str,
        args: dict[str, Any],
        blobs: dict[str, bytes] | None = None,
        job: Job = NO_JOB,
    ) -> Item:
        """The one result of a task; a worker that was lost on the way is replaced once."""
        kept = {name: bytearray(blob) for name, blob in (blobs or {}).items()}
        try:
            return self._try(task, args, kept, job)
        except WorkerFailed as problem:
            if problem.kind not in (Failure.DIED, Failure.STALLED):
                raise self._failure(problem) from None
            log.warning("%s was lost (%s) and is started again", self._noun, problem.detail)
        try:
            return self._try(task, args, kept, job)
        except WorkerFailed as problem:
            raise self._failure(problem) from None

    def close(self) -> None:
        with self._lock:
            end, self._end, self._sandbox = self._end, None, None
        if end is not None:
            end()

    def _try(self, task: str, args: dict[str, Any], kept: dict[str, bytearray], job: Job) -> Item:
        with self._turns.wait(job):
            (found,) = self._workers().run(task, args, kept=kept, job=_Patient(job))
        return found

    def _workers(self) -> Sandbox:
        with self._lock:
            if self._sandbox is None:
                self._sandbox = Sandbox(1, self._limits, self._plugins)
                self._end = weakref.finalize(self, self._sandbox.close)
            return self._sandbox

    def _failure(self, problem: WorkerFailed) -> EmbeddingFailed:
        remedies = {
            Failure.DIED: "try again; if it happens again, memory may be short",
            Failure.STALLED: "try again with fewer programs running, or with a smaller model",
            Failure.LATE: "try again with fewer texts",
            Failure.MEMORY: "try again with a smaller model",
            Failure.RAISED: "the model may be damaged or not made for this",
        }
        return EmbeddingFailed(f"{self._noun} failed ({problem.detail}); {remedies[problem.kind]}")


class _Turns:
    """A lock given in the order of asking: a query waits for one batch of a long job only."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[object] = deque()

    @contextlib.contextmanager
    def wait(self, job: Job) -> Iterator[None]:
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
        try:
            with self._changed:
                while self._waiting[0] is not ticket:
                    if job.is_cancelled:  # not `check`: it would wait in here while paused
                        raise Cancelled
                    self._changed.wait(_POLL_SECONDS)
            yield
        finally:
            with self._changed:
                self._waiting.remove(ticket)
                self._changed.notify_all()


class _Patient(Job):
    """Another job's wish to stop, granted only when the worker does not come back by itself."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self._asked: float | None = None

    def check(self) -> None:
        if not self._job.is_cancelled:
            return
        now = time.monotonic()
        self._asked = self._asked or now
        if now - self._asked > _GRACE_SECONDS:
            raise Cancelled

    def step(self, done: int, total: int, note: str = "") -> None:
        self.check()
