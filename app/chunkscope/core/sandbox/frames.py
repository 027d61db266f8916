"""The messages between a worker and its owner: a JSON head and raw blobs, never pickles."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from chunkscope.core.sandbox.shared import LARGE_BYTES, Inbox, Outbox, SharedBlob

_LENGTH = struct.Struct("<I")
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: str
    head: dict[str, Any]
    blobs: list[bytearray | SharedBlob] = field(default_factory=list)


def write_frame(
    stream: BinaryIO,
    kind: str,
    head: dict[str, Any],
    blobs: Sequence[bytes | bytearray] = (),
    outbox: Outbox | None = None,
) -> None:
    """Send a message; large blobs pass the pipe only where there is no outbox."""
    apart = [
        outbox is not None and len(blob) >= LARGE_BYTES and outbox.send(blob) for blob in blobs
    ]
    sizes = [[len(blob), is_apart] for blob, is_apart in zip(blobs, apart, strict=True)]
    # Lone surrogates (a file name that is not UTF-8) survive as JSON escapes.
    line = json.dumps([kind, sizes, head]).encode("ascii")
    stream.write(_LENGTH.pack(len(line)) + line)
    for blob, is_apart in zip(blobs, apart, strict=True):
        if not is_apart:
            stream.write(blob)
    stream.flush()


def read_frame(
    stream: BinaryIO, alive: Callable[[], None] = lambda: None, inbox: Inbox | None = None
) -> Frame | None:
    """The next message, or None at the end; `alive` is called for every piece that arrives."""
    prefix = stream.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(prefix)
    line = stream.read(length)
    if len(line) < length:
        return None
    kind, sizes, head = json.loads(line)
    blobs: list[bytearray | SharedBlob] = []
    for size, is_apart in sizes:
        apart = inbox.receive(size) if inbox is not None and is_apart else None
        blob = apart or _read_blob(stream, size, alive)
        if blob is None:
            return None
        blobs.append(blob)
    return Frame(kind, head, blobs)


def _read_blob(stream: BinaryIO, size: int, alive: Callable[[], None]) -> bytearray | None:
    blob = bytearray(size)
    view = memoryview(blob)
    done = 0
    while done < size:
        count = stream.readinto(view[done : done + _PIECE])  # type: ignore[attr-defined]
        if not count:
            return None
        done += count
        alive()
    return blob
