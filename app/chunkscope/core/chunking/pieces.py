"""Pieces: what a packer may join; too large ones are replaced by their parts, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.text.codepoints import Mask, Offsets
from chunkscope.core.text.units import Ruler


class Wall(IntEnum):
    """What stands before a piece and keeps it from the one before."""

    NONE = 0
    APART = 1  # it begins a chunk, which may repeat text
    SECTION = 2  # it begins a chunk, which repeats nothing; a small one may still join
    FENCE = 3  # nothing crosses: a page, a message, something left out


@dataclass(frozen=True, slots=True)
class Pieces:
    """Spans in order, with the walls between them.

    `cost` is the raw length of what will be put before a chunk that begins here: its heading
    chain, the header of its table.
    """

    starts: Offsets
    ends: Offsets
    wall: NDArray[np.uint8]
    cost: Offsets

    @classmethod
    def of(cls, starts: Offsets, ends: Offsets) -> Pieces:
        count = len(starts)
        return cls(starts, ends, np.zeros(count, np.uint8), np.zeros(count, np.int64))

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, chosen: slice | Offsets | Mask) -> Pieces:
        return Pieces(
            self.starts[chosen],
            self.ends[chosen],
            self.wall[chosen],
            self.cost[chosen],
        )

    def raise_walls(self, starts: Offsets, wall: Wall) -> None:
        """Put a wall before the pieces that start at one of the given places."""
        if len(starts):
            self.wall[np.isin(self.starts, starts) & (self.wall < wall)] = wall


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
        large = _too_large(ruler, pieces, limit)
        if not len(large):
            return pieces
        parts = [_cut_at(analysis, level, pieces, at) for at in large.tolist()]
        pieces = _replace(pieces, large, parts)
    if to_graphemes:
        large = _too_large(ruler, pieces, limit)
        pieces = _replace(pieces, large, [_fit(ruler, pieces, at, limit) for at in large.tolist()])
    return pieces


def _too_large(ruler: Ruler, pieces: Pieces, limit: int) -> Offsets:
    return np.flatnonzero(ruler.raw(pieces.starts, pieces.ends) + pieces.cost > limit)


def _cut_at(analysis: Analysis, level: Offsets, pieces: Pieces, at: int) -> Pieces:
    starts, ends = analysis.pieces(level, int(pieces.starts[at]), int(pieces.ends[at]))
    return _parts(pieces, at, starts, ends)


def _fit(ruler: Ruler, pieces: Pieces, at: int, limit: int) -> Pieces:
    """A word that is too long, cut into spans that fit."""
    position, end = int(pieces.starts[at]), int(pieces.ends[at])
    cuts = [position]
    while position < end:
        position = ruler.fit(position, end, limit - int(pieces.cost[at]))
        cuts.append(position)
    return _parts(pieces, at, np.array(cuts[:-1]), np.array(cuts[1:]))


def _parts(pieces: Pieces, at: int, starts: Offsets, ends: Offsets) -> Pieces:
    parts = Pieces.of(starts, ends)
    parts.wall[:1] = max(int(pieces.wall[at]), Wall.APART)
    parts.cost[:] = pieces.cost[at]
    return parts


def _replace(pieces: Pieces, large: Offsets, parts: list[Pieces]) -> Pieces:
    """The parts in the place of what they are parts of; what follows them stands apart."""
    if not parts:
        return pieces
    pieces = replace(pieces, wall=pieces.wall.copy())
    following = large[large + 1 < len(pieces)] + 1
    pieces.wall[following] = np.maximum(pieces.wall[following], Wall.APART)
    joined: list[Pieces] = []
    done = 0
    for at, part in zip(large.tolist(), parts, strict=True):
        joined += [pieces.take(slice(done, at)), part]
        done = at + 1
    joined.append(pieces.take(slice(done, None)))
    return Pieces(
        np.concatenate([each.starts for each in joined]),
        np.concatenate([each.ends for each in joined]),
        np.concatenate([each.wall for each in joined]),
        np.concatenate([each.cost for each in joined]),
    )
