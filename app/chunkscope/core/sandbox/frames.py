"""The messages between a worker and its owner: a JSON head and raw blobs, never pickles."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<I")
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    kind: str
    head: dict[str, Any]
    blobs: list[bytearray] = field(default_factory=list)


def write_frame(
    stream: BinaryIO, kind: str, head: dict[str, Any], blobs: Sequence[bytes | bytearray] = ()
) -> None:
    # Lone surrogates (a file name that is not UTF-8) survive as JSON escapes.
    line = json.dumps([kind, [len(blob) for blob in blobs], head]).encode("ascii")
    stream.write(_LENGTH.pack(len(line)) + line)
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def read_frame(stream: BinaryIO, alive: Callable[[], None] = lambda: None) -> Frame | None:
    """The next message, or None at the end; `alive` is called for every piece that arrives."""
    prefix = stream.read(_LENGTH.size)
    if len(prefix) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(prefix)
    line = stream.read(length)
    if len(line) < length:
        return None
    kind, sizes, head = json.loads(line)
    blobs = [_read_blob(stream, size, alive) for size in sizes]
    if any(blob is None for blob in blobs):
        return None
    return Frame(kind, head, [blob for blob in blobs if blob is not None])


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
