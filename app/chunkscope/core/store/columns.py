"""How values stand in columns, and how rows are hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.blocks import Blocks

Vector = NDArray[np.float32]
Value = int | str | bytes | float | None

# SQLite refuses lone surrogates, which stand for the bytes of file names that are not UTF-8.
_TO_PRIVATE = {0xDC00 + byte: 0x10FF00 + byte for byte in range(0x80, 0x100)}
_FROM_PRIVATE = {private: surrogate for surrogate, private in _TO_PRIVATE.items()}
_WIDTH = 8


def to_name(text: str) -> str:
    """A file name or title as a column can hold it."""
    return text.translate(_TO_PRIVATE) if not text.isascii() else text


def from_name(text: str) -> str:
    return text.translate(_FROM_PRIVATE) if not text.isascii() else text


def to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


@lru_cache(maxsize=4_096)  # neighbours share their heading chain
def texts(column: str) -> tuple[str, ...]:
    """A JSON list of texts."""
    return tuple(json.loads(column))


def digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def row_hash(values: Iterable[Value]) -> bytes:
    """SHA-256 over all values of a row, each with its type and length."""
    found = hashlib.sha256()
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(_WIDTH, "little"))
        found.update(data)
    return found.digest()


def to_vector(vector: Vector) -> bytes:
    return vector.astype("<f4", copy=False).tobytes()


def from_vectors(blobs: Sequence[bytes], dimensions: int) -> Vector:
    """Vectors as the rows of one matrix; ValueError where one has another length."""
    if any(len(blob) != 4 * dimensions for blob in blobs):
        raise ValueError(f"a vector has not {dimensions} dimensions")
    return np.frombuffer(b"".join(blobs), "<f4").reshape(len(blobs), dimensions)


def to_blocks(blocks: Blocks) -> bytes:
    """Columns, heading chains and names of blocks in one piece."""
    columns = blocks.columns()
    head = to_json([[len(column) for column in columns], blocks.chains, blocks.names]).encode()
    return b"".join([len(head).to_bytes(_WIDTH, "little"), head, *columns])


def from_blocks(blob: bytes) -> Blocks:
    length = int.from_bytes(blob[:_WIDTH], "little")
    position = _WIDTH + length
    sizes, chains, names = json.loads(blob[_WIDTH:position])
    columns = []
    for size in sizes:
        columns.append(blob[position : position + size])
        position += size
    return Blocks.from_columns(columns, tuple(map(tuple, chains)), tuple(names))
