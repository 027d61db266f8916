"""Pieces: what a packer may join; too large ones are replaced by their parts, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.parts import Parts, PartsTable
from chunkscope.core.text.codepoints import Mask, Offsets, locate
from chunkscope.core.text.units import Lengths, Ruler

Number = TypeVar("Number", bound=np.generic)


class Wall(IntEnum):
    """What stands before a piece and keeps it from the one before."""

    NONE = 0
    APART = 1  # it begins a chunk, which may repeat text
    SECTION = 2  # it begins a chunk, which repeats nothing; a small one may still join
    FENCE = 3  # nothing crosses: a page, a message, something left out


@dataclass(frozen=True, slots=True)
class Pieces:
    """Spans in order, measured, with the walls between them.

    `cost` is the raw length of what will be put before a chunk that begins here: its heading
    chain, the header of its table.
    """

    starts: Offsets
    ends: Offsets
    lengths: Lengths
    wall: NDArray[np.uint8]
    cost: Offsets

    @classmethod
    def of(cls, starts: Offsets, ends: Offsets, lengths: Lengths) -> Pieces:
        count = len(starts)
        return cls(starts, ends, lengths, np.zeros(count, np.uint8), np.zeros(count, np.int64))

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, chosen: slice | Offsets | Mask) -> Pieces:
        return Pieces(
            self.starts[chosen],
            self.ends[chosen],
            self.lengths.take(chosen),
            self.wall[chosen],
            self.cost[chosen],
        )

    def raise_walls_after(self, places: Offsets, wall: Wall) -> None:
        """Put a wall before the first piece at or after each of the given places."""
        at = locate(self.starts, places)
        at = at[at < len(self.starts)]
        self.wall[at] = np.maximum(self.wall[at], wall)

    def raise_walls(self, starts: Offsets, wall: Wall) -> None:
        """Put a wall before the pieces that start at one of the given places."""
        if len(starts):
            at = locate(self.starts, starts)
            at = at[at < len(self.starts)]
            at = at[np.isin(self.starts[at], starts)]
            self.wall[at] = np.maximum(self.wall[at], wall)


def refine(
    analysis: Analysis,
    ruler: Ruler,
    pieces: Pieces,
    levels: Sequence[Offsets],
    limit: int,
    *,
    to_graphemes: bool = True,
) -> Pieces:
    """Pieces within the raw limit: too large ones cut at ever finer levels, graphemes last."""
    for level in levels:
        large = np.flatnonzero(pieces.lengths.raw + pieces.cost > limit)
        if not len(large):
            return pieces
        parts = _table(analysis, ruler, level).parts(pieces.starts[large], pieces.ends[large])
        pieces = _replace(pieces, large, parts)
    large = np.flatnonzero(pieces.lengths.raw + pieces.cost > limit)
    if to_graphemes and len(large):
        pieces = _replace(pieces, large, _fit(ruler, pieces, large, limit))
    return pieces


def _table(analysis: Analysis, ruler: Ruler, level: Offsets) -> PartsTable:
    """The parts at a level that were measured for other sizes."""
    # The table holds on to the level, so that no other array gets its id.
    key = f"parts at {id(level)} by {ruler.name}"
    found = analysis.cache.get(key)
    if not isinstance(found, PartsTable):
        found = analysis.cache[key] = PartsTable(analysis.layout, ruler, level)
    return found


def _fit(ruler: Ruler, pieces: Pieces, large: Offsets, limit: int) -> Parts:
    """Words that are too long, cut into spans that fit."""
    first: list[int] = []
    last: list[int] = []
    parent: list[int] = []
    for number, at in enumerate(large.tolist()):
        position, end = int(pieces.starts[at]), int(pieces.ends[at])
        while position < end:
            first.append(position)
            position = ruler.fit(position, end, limit - int(pieces.cost[at]))
            last.append(position)
            parent.append(number)
    starts, ends = np.array(first), np.array(last)
    return Parts(starts, ends, ruler.measure(starts, ends), np.array(parent))


def _replace(pieces: Pieces, large: Offsets, parts: Parts) -> Pieces:
    """The parts in the place of what they are parts of; what follows them stands apart."""
    part_wall = np.zeros(len(parts.starts), np.uint8)
    heads = np.flatnonzero(np.diff(parts.parent, prepend=-1))
    part_wall[heads] = np.maximum(pieces.wall[large], Wall.APART)
    wall = pieces.wall.copy()
    following = large[large + 1 < len(pieces)] + 1
    wall[following] = np.maximum(wall[following], Wall.APART)
    at = _Places.of(len(pieces), large, parts.parent)
    return Pieces(
        at.merge(pieces.starts, parts.starts),
        at.merge(pieces.ends, parts.ends),
        Lengths(*map(at.merge, pieces.lengths.columns, parts.lengths.columns)),
        at.merge(wall, part_wall),
        at.merge(pieces.cost, pieces.cost[large][parts.parent]),
    )


@dataclass(frozen=True, slots=True)
class _Places:
    """Which pieces stay, and where they and the parts of the others come to stand."""

    kept: Offsets
    kept_at: Offsets
    parts_at: Offsets

    @classmethod
    def of(cls, count: int, large: Offsets, parent: Offsets) -> _Places:
        sizes = np.ones(count, np.int64)
        sizes[large] = np.bincount(parent, minlength=len(large))
        firsts = np.cumsum(sizes) - sizes
        is_kept = np.ones(count, np.bool_)
        is_kept[large] = False
        before = np.cumsum(sizes[large]) - sizes[large]
        parts_at = np.arange(len(parent)) + (firsts[large] - before)[parent]
        return cls(np.flatnonzero(is_kept), firsts[is_kept], parts_at)

    def merge(self, own: NDArray[Number], parts: NDArray[Number]) -> NDArray[Number]:
        found = np.empty(len(self.kept) + len(self.parts_at), np.result_type(own, parts))
        found[self.kept_at] = own[self.kept]
        found[self.parts_at] = parts
        return found
