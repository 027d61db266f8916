"""What a task running in a worker sees of its owner."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, BinaryIO

from chunkscope.core.sandbox.frames import write_frame
from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.shared import Outbox

_PROGRESS_INTERVAL = 0.05


class Watch:
    """Progress, checkpoints and results of one task.

    A task of many parts can survive the loss of its worker: `kept(key)` gives back what an earlier
    worker finished, `skipped(key)` says why a part must be left out, `begin(key)` names the part
    that is to blame if the worker dies now, `keep(key, blob)` puts a finished part into safety.
    """

    def __init__(
        self,
        stream: BinaryIO | None = None,
        limits: Limits | None = None,
        kept: dict[str, bytes | bytearray] | None = None,
        skipped: dict[str, str] | None = None,
        outbox: Outbox | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._stream = stream
        self._outbox = outbox
        self._kept = kept or {}
        self._skipped = skipped or {}
        self._reported = 0.0

    def progress(self, done: int, total: int, note: str = "") -> None:
        """Show a sign of life; call it often, it is sent at most twenty times a second."""
        now = time.monotonic()
        if now - self._reported >= _PROGRESS_INTERVAL:
            self._reported = now
            self._send("progress", {"done": done, "total": total, "note": note})

    def begin(self, key: str) -> None:
        self._send("begin", {"key": key})

    def keep(self, key: str, blob: bytes) -> None:
        self._send("keep", {"key": key}, [blob])

    def kept(self, key: str) -> bytes | bytearray | None:
        return self._kept.get(key)

    def skipped(self, key: str) -> str | None:
        return self._skipped.get(key) or self._skipped.get("*")

    def item(self, head: dict[str, Any], blobs: Sequence[bytes | bytearray] = ()) -> None:
        """Hand one finished result over."""
        self._send("item", head, blobs, self._outbox)

    def _send(
        self,
        kind: str,
        head: dict[str, Any],
        blobs: Sequence[bytes | bytearray] = (),
        outbox: Outbox | None = None,
    ) -> None:
        if self._stream is not None:
            write_frame(self._stream, kind, head, blobs, outbox)
