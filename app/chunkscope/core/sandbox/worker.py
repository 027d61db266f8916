"""The process that does the dangerous work: reads tasks on stdin, writes frames on stdout."""

from __future__ import annotations

import gc
import importlib
import logging
import os
import sys
import threading
import time
from typing import Any, BinaryIO, cast

from chunkscope.core.errors import (
    ChunkscopeError,
    DamagedResource,
    LoadError,
    PasswordNeeded,
    WrongUsage,
)
from chunkscope.core.sandbox.frames import Frame, read_frame, write_frame
from chunkscope.core.sandbox.limits import OWNER_VARIABLE, Limits
from chunkscope.core.sandbox.shared import EXCHANGE_VARIABLE, Outbox, as_bytes
from chunkscope.core.sandbox.watch import Watch

log = logging.getLogger(__name__)

# What libraries may ask of the stack before Python's own guard answers.
_RECURSION_LIMIT = 3_000
_OWNER_SECONDS = 1.0


def main() -> int:
    """Serve tasks until the owner closes the pipe."""
    requests, replies = _private_pipes()
    outbox = _outbox()
    sys.setrecursionlimit(_RECURSION_LIMIT)
    # Parsers make many objects and few cycles: collecting as often as usual costs a tenth.
    gc.set_threshold(100_000, 50, 50)
    threading.Thread(target=_end_with_owner, daemon=True).start()
    _tell_alive(replies)
    while (frame := read_frame(requests)) is not None:
        try:
            _serve(frame, replies, outbox)
        except BrokenPipeError:
            return 1
        except BaseException as problem:  # noqa: BLE001 - the last frame before the owner
            # A panic in a Rust extension is a BaseException, and must not end the worker.
            write_frame(replies, "error", _describe(problem))
        else:
            write_frame(replies, "done", {"held_bytes": _held_bytes()})
    return 0


def _tell_alive(replies: BinaryIO) -> None:
    """A sign of life: on a busy machine our own imports must not count as a parser that hangs."""
    write_frame(replies, "alive", {})


def _end_with_owner() -> None:
    """An owner that was killed cannot end us: a worker that waits would stay for ever."""
    owner = int(os.environ.get(OWNER_VARIABLE, os.getppid()))
    while sys.platform != "win32":
        if os.getppid() != owner:
            os._exit(1)
        time.sleep(_OWNER_SECONDS)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for ourselves: a library that prints must not write into the protocol."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    return cast(BinaryIO, requests), cast(BinaryIO, replies)


def _outbox() -> Outbox | None:
    descriptor = os.environ.pop(EXCHANGE_VARIABLE, "")
    return Outbox(int(descriptor)) if descriptor else None


def _serve(frame: Frame, replies: BinaryIO, outbox: Outbox | None) -> None:
    head = frame.head
    limits = Limits(**head["limits"])
    _limit_resources(limits)
    for name in head["plugins"]:
        importlib.import_module(name)
    module, _, function = head["task"].partition(":")
    task = getattr(importlib.import_module(module), function)
    _tell_alive(replies)
    kept: dict[str, bytes | bytearray] = dict(
        zip(head["kept"], map(as_bytes, frame.blobs), strict=True)
    )
    task(head["args"], Watch(replies, limits, kept, head["skipped"], outbox))


def _limit_resources(limits: Limits) -> None:
    if sys.platform == "win32":
        return
    import resource

    if sys.platform == "linux":  # macOS accepts the call and does not enforce it
        _lower(resource.RLIMIT_AS, limits.memory_bytes)
    # The owner enforces the time; should it have been killed, this ends an orphan that loops.
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = limits.total_seconds * limits.threads
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + allowed) + 5)


def _lower(kind: int, soft: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _held_bytes() -> int:
    """The memory that this process still has; where that is not told, the most that it ever had."""
    if sys.platform == "win32":
        return 0
    if sys.platform == "linux":
        # Not ru_maxrss: Linux counts into it what the owner had when it started us.
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _describe(problem: BaseException) -> dict[str, Any]:
    """An exception as the owner will raise it again."""
    if isinstance(problem, MemoryError):
        return {"type": "memory", "reason": ""}
    if isinstance(problem, PasswordNeeded):
        return {"type": "password", "reason": problem.reason}
    if isinstance(problem, LoadError):
        return {"type": "load", "reason": problem.reason}
    if isinstance(problem, DamagedResource):
        return {"type": "damaged", "reason": str(problem)}
    if isinstance(problem, WrongUsage):
        return {"type": "usage", "reason": str(problem)}
    if isinstance(problem, ChunkscopeError):
        return {"type": "load", "reason": str(problem)}
    log.debug("task failed", exc_info=problem)
    reason = f"{type(problem).__name__}: {problem}".splitlines()[0][:300]
    return {"type": "unexpected", "reason": reason}


if __name__ == "__main__":
    sys.exit(main())
