"""Remembers where the sentences of a paragraph start, so that nothing is cut twice."""

from __future__ import annotations

import hashlib
import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence

_ENTRIES = 200_000
_BYTES = 64_000_000
# The key, the value and their places in the dictionary.
_OVERHEAD = 300


class Memory:
    """A bounded table from paragraphs to starts; any thread may use it.

    Paragraphs are known by a digest of 128 bits: the table does not hold a second copy of the text.
    """

    def __init__(self, entries: int = _ENTRIES, size: int = _BYTES) -> None:
        self._entries = entries
        self._size = size
        self._used = 0
        self._table: OrderedDict[bytes, array[int]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._table)

    def recall(self, key: bytes) -> Sequence[int] | None:
        with self._lock:
            found = self._table.get(key)
            if found is not None:
                self._table.move_to_end(key)
            return found

    def remember(self, key: bytes, starts: Sequence[int]) -> None:
        packed = array("q", starts)
        with self._lock:
            self._forget(key)
            self._table[key] = packed
            self._used += _cost(packed)
            while len(self._table) > self._entries or self._used > self._size:
                self._used -= _cost(self._table.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._table.clear()
            self._used = 0

    def _forget(self, key: bytes) -> None:
        old = self._table.pop(key, None)
        if old is not None:
            self._used -= _cost(old)


def key_of(paragraph: str, segmenter: str, language: str) -> bytes:
    """What the memory knows a paragraph by."""
    digest = hashlib.blake2b(f"{segmenter}\0{language}\0".encode(), digest_size=16)
    # Texts from outside may hold lone surrogates.
    digest.update(paragraph.encode("utf-8", "surrogatepass"))
    return digest.digest()


def _cost(starts: array[int]) -> int:
    return _OVERHEAD + len(starts) * starts.itemsize
