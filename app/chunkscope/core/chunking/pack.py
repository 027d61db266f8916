"""The one packer: joins neighbouring pieces up to a budget and carries the overlap over."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.pieces import Pieces, Wall
from chunkscope.core.text.codepoints import Offsets, locate_one, plain
from chunkscope.core.text.units import Ruler

# Most chunks end within so many pieces.
_NEAR = 64


@dataclass(frozen=True, slots=True)
class Budget:
    """Raw lengths: what a chunk may hold, should hold, must hold, and repeats."""

    limit: int
    target: int
    least: int = 0
    overlap: int = 0
    overlap_sentences: int = 0

    @classmethod
    def of(
        cls,
        ruler: Ruler,
        max_size: int,
        *,
        target_size: int = 0,
        min_size: int = 0,
        overlap: int = 0,
        overlap_sentences: int = 0,
    ) -> Budget:
        limit = max(ruler.limit(max_size), 1)
        target = min(ruler.limit(target_size), limit) if target_size else limit
        # What a model adds to every text is in the maximum and the minimum, not in an overlap.
        return cls(
            limit,
            max(target, 1),
            max(ruler.limit(min_size), 0),
            overlap * _per_unit(ruler),
            overlap_sentences,
        )

    @property
    def repeats(self) -> bool:
        return bool(self.overlap or self.overlap_sentences)


def _per_unit(ruler: Ruler) -> int:
    return ruler.limit(2) - ruler.limit(1)


def _lowered(starts: Offsets) -> Offsets:
    return np.minimum.accumulate(starts[::-1])[::-1]


def _find_near(values: memoryview, key: int, low: int) -> int:
    """`bisect_left` from `low` on, quick where the place is not far from there."""
    high = low + _NEAR
    if high >= len(values):
        return bisect_left(values, key, low)
    if values[high] < key:
        return bisect_left(values, key, high)
    return bisect_left(values, key, low, high)


@dataclass(frozen=True, slots=True)
class Packed:
    """The chunks' spans, in order, and their exact raw lengths."""

    starts: Offsets
    ends: Offsets
    raw: Offsets


class Packer:
    """Greedy packing by bisection: the work grows with the chunks, not with the pieces.

    `points` are the places where repeated text may begin: sentences inside larger pieces.
    """

    def __init__(
        self, analysis: Analysis, ruler: Ruler, pieces: Pieces, budget: Budget, points: Offsets
    ) -> None:
        self._layout = analysis.layout
        self._ruler = ruler
        self._budget = budget
        self._pieces = pieces
        # Counts of tokens may fall where a text grows: sorted the careful way, they never mislead.
        self._firsts, self._lasts = plain(pieces.starts), plain(pieces.ends)
        self._starts = plain(_lowered(pieces.lengths.before))
        self._ends = plain(np.maximum.accumulate(pieces.lengths.after))
        self._heads, self._tails = plain(pieces.lengths.heads), plain(pieces.lengths.tails)
        self._cost = plain(pieces.cost)
        self._set_walls(pieces)
        if budget.repeats:
            lengths = analysis.measure(ruler, points, points)
            self._points = plain(points)
            self._point_starts = plain(_lowered(lengths.before))
            self._point_heads = plain(lengths.heads)
            self._low = 0

    def _set_walls(self, pieces: Pieces) -> None:
        fences = np.flatnonzero(pieces.wall >= Wall.SECTION)
        walls = np.flatnonzero(pieces.wall)
        self._walls = [*walls.tolist(), len(pieces)]
        self._fences = [0, *fences.tolist()]

    def pack(self) -> tuple[list[int], list[int]]:
        """The offset at which each chunk starts, and the number of the piece after it."""
        starts: list[int] = []
        after: list[int] = []
        count = len(self._pieces)
        repeats = self._budget.repeats
        fresh = wall = 0
        start, base, head = self._begin(0) if count else (0, 0, 0)
        while fresh < count:
            while self._walls[wall] <= fresh:
                wall += 1
            end = self._grow(start, base, head, fresh, self._walls[wall])
            starts.append(start)
            after.append(end)
            if end < count:
                start, base, head = self._carry(start, end) if repeats else self._begin(end)
            fresh = end
        return starts, after

    def _begin(self, at: int) -> tuple[int, int, int]:
        return self._firsts[at], self._starts[at], self._heads[at]

    def _grow(self, start: int, base: int, head: int, fresh: int, stop: int) -> int:
        """The piece after the last that fits; one always does."""
        ends = self._ends
        allowed = self._budget.target - self._cost[fresh]
        low, high = fresh, fresh + _NEAR
        if high >= stop:
            high = stop
        elif ends[high - 1] <= base + allowed:
            low, high = high, stop
        end = bisect_right(ends, base + allowed, low, high)
        # Counting finds what the tables could not know.
        while (
            end > fresh + 1
            and head > self._tails[end - 1]
            and self._count(start, self._lasts[end - 1]) > allowed
        ):
            end -= 1
        return end if end > fresh else fresh + 1

    def _count(self, start: int, end: int) -> int:
        return int(self._ruler.raw(np.array([start]), np.array([end]))[0])

    def _carry(self, start: int, end: int) -> tuple[int, int, int]:
        """Where the next chunk starts: some of this one is repeated, and one new piece fits."""
        fence = self._fences[bisect_right(self._fences, end) - 1]
        lowest = max(self._firsts[fence], start + 1)
        last = self._lasts[end - 1]
        if lowest >= last:
            return self._begin(end)
        # Chunks go on: so do the places at which repeated text may begin.
        low = self._low = _find_near(self._points, lowest, self._low)
        high = _find_near(self._points, last, low)
        if self._budget.overlap_sentences:
            at = max(low, high - self._budget.overlap_sentences)
        else:
            at = bisect_left(
                self._point_starts, self._ends[end - 1] - self._budget.overlap, low, high
            )
        while at < high and not self._can_start(at, end):
            at += 1
        if at < high:
            return self._points[at], self._point_starts[at], self._point_heads[at]
        return self._carry_words(lowest, end) or self._begin(end)

    def _can_start(self, at: int, end: int) -> bool:
        budget, point, head = self._budget, self._points[at], self._point_heads[at]
        limit = budget.limit - self._cost[end]
        if self._ends[end] - self._point_starts[at] > limit:
            return False
        if head > self._tails[end] and self._count(point, self._lasts[end]) > limit:
            return False
        if budget.overlap_sentences or head <= self._tails[end - 1]:
            return True
        return self._count(point, self._lasts[end - 1]) <= budget.overlap

    def _carry_words(self, lowest: int, end: int) -> tuple[int, int, int] | None:
        """The last words of a piece that is too long to be repeated whole."""
        if self._budget.overlap_sentences:
            return None
        words = self._layout.word_starts
        low = locate_one(words, max(lowest, self._firsts[end - 1] + 1))
        high = locate_one(words, self._lasts[end - 1])
        allowed, limit = self._budget.overlap, self._budget.limit - self._cost[end]
        first = bisect_left(
            range(low, high),
            True,
            key=lambda at: (
                self._count(int(words[at]), self._lasts[end - 1]) <= allowed
                and self._count(int(words[at]), self._lasts[end]) <= limit
            ),
        )
        if low + first >= high:
            return None
        start = words[low + first : low + first + 1]
        lengths = self._ruler.measure(start, start)
        return int(start[0]), int(lengths.before[0]), int(lengths.heads[0])


def pack(
    analysis: Analysis,
    ruler: Ruler,
    pieces: Pieces,
    budget: Budget,
    points: Offsets | None = None,
) -> Packed:
    """Pieces joined to chunks; those below the least size join a neighbour where they fit."""
    packer = Packer(analysis, ruler, pieces, budget, pieces.starts if points is None else points)
    found, after = packer.pack()
    starts = np.array(found, np.int64)
    ends = pieces.ends[np.array(after, np.int64) - 1] if after else starts
    packed = Packed(starts, ends, ruler.raw(starts, ends))
    return join_small(ruler, pieces, packed, budget) if budget.least else packed


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
