"""The owner's side: a few warm workers, watched, killed when they misbehave."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, BinaryIO, cast

from chunkscope import paths
from chunkscope.core.errors import (
    ChunkscopeError,
    DamagedResource,
    LoadError,
    PasswordNeeded,
    WrongUsage,
)
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox.frames import Frame, read_frame, write_frame
from chunkscope.core.sandbox.limits import OWNER_VARIABLE, Limits
from chunkscope.core.sandbox.shared import (
    EXCHANGE_VARIABLE,
    IS_SUPPORTED,
    Inbox,
    SharedBlob,
    as_bytes,
)

log = logging.getLogger(__name__)

_POLL_SECONDS = 0.05
_PIPE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Item:
    """One result that a task handed over."""

    head: dict[str, Any]
    blobs: list[bytearray | SharedBlob]


class Failure(Enum):
    """How a worker was lost."""

    DIED = "died"
    STALLED = "stalled"
    LATE = "late"
    MEMORY = "memory"
    RAISED = "raised"


class WorkerFailed(ChunkscopeError):
    """The worker was stopped or died; `kept` and `current` tell how far it had come.

    `reason` speaks of a document; who runs other work makes a sentence from `kind` and `detail`.
    """

    def __init__(
        self,
        reason: str,
        kept: dict[str, bytearray],
        current: str | None,
        kind: Failure = Failure.RAISED,
        detail: str = "",
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.kept = kept
        self.current = current
        self.kind = kind
        self.detail = detail or reason


@dataclass(slots=True)
class _Progress:
    """What is known of the task that a worker runs."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    kept: dict[str, bytearray] = field(default_factory=dict)
    current: str | None = None

    def failure(self, reason: str, kind: Failure, detail: str = "") -> WorkerFailed:
        return WorkerFailed(reason, self.kept, self.current, kind, detail)


class _Worker:
    """One child process with a thread that reads what it says."""

    def __init__(self) -> None:
        self._inbox = Inbox() if IS_SUPPORTED else None
        self.process = _start(self._inbox)
        _widen(cast(BinaryIO, self.process.stdout))
        self.heard = time.monotonic()
        self._frames: queue.Queue[Frame | None] = queue.Queue(maxsize=8)
        self._closing = threading.Event()
        self._reader = threading.Thread(target=self._read, name="sandbox-reader", daemon=True)
        self._reader.start()

    def send(self, head: dict[str, Any], blobs: Sequence[bytes | bytearray]) -> None:
        self.heard = time.monotonic()
        write_frame(cast(BinaryIO, self.process.stdin), "task", head, blobs)

    def receive(self, timeout: float) -> Frame | None:
        """The next frame; None when the worker is gone; raises queue.Empty when it is silent."""
        return self._frames.get(timeout=timeout)

    def kill(self) -> int:
        """End the process, wait for it and for its thread; its exit status."""
        self._closing.set()
        self.process.kill()
        status = self.process.wait()
        with contextlib.suppress(OSError):  # what was not sent cannot be flushed any more
            cast(BinaryIO, self.process.stdin).close()
        self._reader.join(timeout=5)
        cast(BinaryIO, self.process.stdout).close()
        if self._inbox is not None:
            self._inbox.close()
        return status

    def exit_status(self) -> int:
        """How a worker that closed its pipe ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=5)
        return self.kill()

    def _read(self) -> None:
        stream = cast(BinaryIO, self.process.stdout)
        while True:
            try:
                frame = read_frame(stream, self._mark_alive, self._inbox)
            except (OSError, ValueError):  # closed under us, or not a frame at all
                frame = None
            self._mark_alive()
            if not self._put(frame) or frame is None:
                return

    def _put(self, frame: Frame | None) -> bool:
        while not self._closing.is_set():
            try:
                self._frames.put(frame, timeout=_POLL_SECONDS)
            except queue.Full:
                self._mark_alive()  # waiting for us, not stalled
            else:
                return True
        return False

    def _mark_alive(self) -> None:
        self.heard = time.monotonic()


class Sandbox:
    """A pool of workers; any thread may run tasks in it."""

    def __init__(
        self, workers: int = 2, limits: Limits | None = None, plugins: Sequence[str] = ()
    ) -> None:
        self.limits = limits or Limits()
        self.workers = workers
        self._plugins = list(plugins)
        self._slots = threading.BoundedSemaphore(workers)
        self._idle: list[_Worker] = []
        self._lock = threading.Lock()
        self._is_closed = False

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the idle workers; a running task ends its own."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._is_closed = True
        for worker in idle:
            worker.kill()

    def run(
        self,
        task: str,
        args: dict[str, Any],
        *,
        kept: dict[str, bytearray] | None = None,
        skipped: dict[str, str] | None = None,
        job: Job = NO_JOB,
        total_seconds: float | None = None,
    ) -> Iterator[Item]:
        """Run `module:function` with these arguments in a worker and yield what it hands over."""
        kept = kept or {}
        progress = _Progress(self.limits, kept=dict(kept))
        total = total_seconds if total_seconds is not None else self.limits.total_seconds
        head = {
            "task": task,
            "args": args,
            "plugins": self._plugins,
            "limits": self.limits.to_json(),
            "kept": list(kept),
            "skipped": skipped or {},
        }
        with self._slots:
            worker = self._take()
            reusable = False
            try:
                try:
                    worker.send(head, list(kept.values()))
                except OSError:
                    raise _death(worker, progress) from None
                for frame in _frames(worker, progress, total, job):
                    if frame.kind == "item":
                        yield Item(frame.head, frame.blobs)
                    elif frame.kind == "error":
                        reusable = frame.head["type"] != "memory"
                        raise _raised(frame.head, progress)
                    elif frame.kind == "done":
                        reusable = frame.head["held_bytes"] < self.limits.retire_bytes
            finally:
                if reusable:
                    self._give_back(worker)
                else:
                    worker.kill()

    def _take(self) -> _Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return _Worker()

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(worker)
                return
        worker.kill()


def _frames(worker: _Worker, progress: _Progress, total: float, job: Job) -> Iterator[Frame]:
    """Items, then `done` or `error`; everything else is bookkeeping."""
    while True:
        frame = _next_frame(worker, progress, total, job)
        if frame.kind == "progress":
            job.step(frame.head["done"], frame.head["total"], frame.head["note"])
        elif frame.kind == "begin":
            progress.current = frame.head["key"]
        elif frame.kind == "keep":
            progress.kept[frame.head["key"]] = as_bytes(frame.blobs[0])
        elif frame.kind != "alive":
            yield frame
        if frame.kind in ("done", "error"):
            return


def _next_frame(worker: _Worker, progress: _Progress, total: float, job: Job) -> Frame:
    limits = progress.limits
    while True:
        try:
            frame = worker.receive(_POLL_SECONDS)
        except queue.Empty:
            job.check()
            now = time.monotonic()
            if now - worker.heard > limits.stall_seconds:
                raise progress.failure(
                    f"stopped after {limits.stall_seconds:g} s without progress "
                    "(the stall limit can be raised)",
                    Failure.STALLED,
                ) from None
            if now - progress.started > total:
                raise progress.failure(
                    f"stopped after {limits.total_seconds:g} s (the time limit can be raised)",
                    Failure.LATE,
                ) from None
            continue
        if frame is None:
            raise _death(worker, progress)
        if time.monotonic() - progress.started > total and frame.kind not in ("done", "error"):
            raise progress.failure(
                f"stopped after {limits.total_seconds:g} s (the time limit can be raised)",
                Failure.LATE,
            )
        return frame


def _death(worker: _Worker, progress: _Progress) -> WorkerFailed:
    status = worker.exit_status()
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return progress.failure(
            f"the parser crashed on it ({name}); the file may be damaged", Failure.DIED, name
        )
    return progress.failure(
        f"the parser ended without a result (exit code {status}); the file may be damaged",
        Failure.DIED,
        f"exit code {status}",
    )


def _raised(head: dict[str, Any], progress: _Progress) -> ChunkscopeError:
    kind, reason = head["type"], head["reason"]
    if kind == "memory":
        gigabytes = progress.limits.memory_bytes / 1e9
        return progress.failure(
            f"needs more than {gigabytes:g} GB of memory (the memory limit can be raised)",
            Failure.MEMORY,
        )
    if kind == "password":
        return PasswordNeeded("", reason)
    if kind == "load":
        return LoadError("", reason)
    if kind == "damaged":
        return DamagedResource(reason)
    if kind == "usage":
        return WrongUsage(reason)
    return progress.failure(
        f"could not be parsed ({reason}); the file may be damaged", Failure.RAISED, reason
    )


def _widen(pipe: BinaryIO) -> None:
    """A larger pipe: a document of 100 MB otherwise takes thousands of turns to pass it."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # the system may allow less
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _start(inbox: Inbox | None) -> subprocess.Popen[bytes]:
    environment = _environment()
    inherited: list[int] = []
    if inbox is not None:
        inherited.append(inbox.far_descriptor)
        environment[EXCHANGE_VARIABLE] = str(inbox.far_descriptor)
    try:
        process = subprocess.Popen(
            paths.worker_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C in the terminal is the owner's business
            pass_fds=inherited,
        )
    except OSError:
        if inbox is not None:
            inbox.close()
        raise
    if inbox is not None:
        inbox.release_far_end()
    return process


def _environment() -> dict[str, str]:
    """One computing thread a worker: thread pools only eat its address space."""
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, **single, OWNER_VARIABLE: str(os.getpid())}
