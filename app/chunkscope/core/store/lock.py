"""One writer: an OS lock, which the system frees when its holder dies, and a note of who holds it.

The note is a file of its own: opening the lock file to try the lock would empty it.
"""

from __future__ import annotations

import json
import logging
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope.core.store.db import now

if TYPE_CHECKING:
    from filelock import BaseFileLock

log = logging.getLogger(__name__)


class WriterLock:
    """The right to write to a workspace; held from `acquire` to `release`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "workspace.lock"
        self._note = folder / "workspace.owner"
        self._lock: BaseFileLock | None = None

    def acquire(self) -> str:
        """Take the lock; else the reason why it cannot be had."""
        from filelock import FileLock, Timeout

        lock = FileLock(self._path, mode=0o600)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return (
                f"it is in use by {self._holder()}; wait until that has finished, or choose "
                "another workspace"
            )
        except NotImplementedError:
            return "its file system has no locks"
        except OSError as problem:
            return f"its folder cannot be written to ({problem.strerror or problem})"
        self._lock = lock
        self._take_over()
        return ""

    def release(self) -> None:
        if self._lock is not None:
            with suppress(OSError):  # a note that stays is overwritten by the next writer
                self._note.unlink(missing_ok=True)
            self._lock.release()
            self._lock = None

    def _take_over(self) -> None:
        if self._note.exists():
            log.info("%s ended without closing the workspace", self._holder())
        try:
            self._write_note()
        except OSError as problem:  # a full disk: others will not learn who holds the lock
            log.info("no note of who writes to the workspace: %s", problem)

    def _write_note(self) -> None:
        note = {"pid": os.getpid(), "host": socket.gethostname(), "since": now()}
        beside = self._note.with_name(self._note.name + ".new")
        beside.write_text(json.dumps(note), "utf-8")
        beside.chmod(0o600)
        beside.replace(self._note)

    def _holder(self) -> str:
        try:
            note = json.loads(self._note.read_text("utf-8"))
            return f"process {note['pid']} on {note['host']} since {note['since']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"
