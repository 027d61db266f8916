"""The outcome of packing, and chunks that are too small joined to their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunkscope.core.chunking.budget import Budget
from chunkscope.core.chunking.pieces import Pieces, Wall
from chunkscope.core.text.codepoints import Offsets, locate_one
from chunkscope.core.text.units import Ruler


@dataclass(frozen=True, slots=True)
class Packed:
    """The chunks' spans, in order, and their exact raw lengths."""

    starts: Offsets
    ends: Offsets
    raw: Offsets


def join_small(ruler: Ruler, pieces: Pieces, packed: Packed, budget: Budget) -> Packed:
    """Chunks below the least size join the one before, or take from it, or join the one after."""
    if not (packed.raw < budget.least).any():
        return packed
    joiner = _Joiner(ruler, pieces, budget)
    columns = packed.starts.tolist(), packed.ends.tolist(), packed.raw.tolist()
    for start, end, size in zip(*columns, strict=True):
        joiner.add(start, end, size)
    return joiner.finish()


class _Joiner:
    """Takes chunks in order and settles those that are too small."""

    def __init__(self, ruler: Ruler, pieces: Pieces, budget: Budget) -> None:
        self._ruler = ruler
        self._budget = budget
        self._pieces = pieces
        self._fences = set(pieces.starts[pieces.wall == Wall.FENCE].tolist())
        self._chunks: list[tuple[int, int, int]] = []

    def add(self, start: int, end: int, size: int) -> None:
        chunks, least = self._chunks, self._budget.least
        if chunks and start not in self._fences:
            before = chunks[-1]
            if min(size, before[2]) < least and self._fits(before[0], end):
                chunks[-1] = (before[0], end, self._raw(before[0], end))
                return
            if size < least and start >= before[1]:
                start, size = self._borrow(start, end, size)
        chunks.append((start, end, size))

    def _borrow(self, start: int, end: int, size: int) -> tuple[int, int]:
        """Move the cut back so that both have enough."""
        first = self._chunks[-1][0]
        # What the chunk before it repeats is nothing of its own.
        repeated = self._chunks[-2][1] if len(self._chunks) > 1 else 0
        starts, ends = self._pieces.starts, self._pieces.ends
        at = locate_one(starts, start) - 1
        while at >= 0 and starts[at] > first and not self._pieces.wall[at + 1]:
            moved = self._raw(int(starts[at]), end)
            left = self._raw(first, int(ends[at - 1]))
            if left < self._budget.least or not self._fits(int(starts[at]), end):
                break
            if ends[at - 1] <= repeated:
                break
            if moved >= self._budget.least:
                self._chunks[-1] = (first, int(ends[at - 1]), left)
                return int(starts[at]), moved
            at -= 1
        return start, size

    def _fits(self, start: int, end: int) -> bool:
        cost = self._pieces.cost[locate_one(self._pieces.starts, start, "right") - 1]
        return self._raw(start, end) + int(cost) <= self._budget.limit

    def _raw(self, start: int, end: int) -> int:
        return int(self._ruler.raw(np.array([start]), np.array([end]))[0])

    def finish(self) -> Packed:
        columns = np.array(self._chunks, np.int64)
        return Packed(columns[:, 0].copy(), columns[:, 1].copy(), columns[:, 2].copy())
