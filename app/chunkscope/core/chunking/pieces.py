"""Pieces: what a packer may join; too large ones are replaced by their parts, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.text.codepoints import Mask, Offsets, locate
from chunkscope.core.text.units import Lengths, Ruler


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
        pieces = _replace(pieces, large, *_cut_at(analysis, level, pieces, large), ruler)
    large = np.flatnonzero(pieces.lengths.raw + pieces.cost > limit)
    if to_graphemes and len(large):
        pieces = _replace(pieces, large, *_fit(ruler, pieces, large, limit), ruler)
    return pieces


def _cut_at(
    analysis: Analysis, level: Offsets, pieces: Pieces, large: Offsets
) -> tuple[Offsets, Offsets, Offsets]:
    """The parts of large pieces between the places of a level, and whose parts they are."""
    starts, ends = pieces.starts[large], pieces.ends[large]
    lows = locate(level, starts, "right")
    counts = np.maximum(locate(level, ends) - lows, 0)
    # For each piece its own start, then the places inside it.
    sizes = counts + 1
    parent = np.repeat(np.arange(len(large)), sizes)
    offsets = np.arange(len(parent)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    edges = starts[parent]
    inner = offsets > 0
    edges[inner] = analysis.layout.clusters.floor(level[(lows[parent] + offsets - 1)[inner]])
    is_last = np.append(parent[1:] != parent[:-1], True)
    following = np.where(is_last, ends[parent], np.append(edges[1:], 0))
    first = analysis.layout.trim_starts(edges)
    last = analysis.layout.trim_ends(following)
    some = first < last
    return first[some], last[some], parent[some]


def _fit(
    ruler: Ruler, pieces: Pieces, large: Offsets, limit: int
) -> tuple[Offsets, Offsets, Offsets]:
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
    return np.array(first), np.array(last), np.array(parent)


def _replace(
    pieces: Pieces, large: Offsets, first: Offsets, last: Offsets, parent: Offsets, ruler: Ruler
) -> Pieces:
    """The parts in the place of what they are parts of; what follows them stands apart."""
    parts = Pieces.of(first, last, ruler.measure(first, last))
    heads = np.flatnonzero(np.diff(parent, prepend=-1))
    parts.wall[heads] = np.maximum(pieces.wall[large], Wall.APART)
    parts.cost[:] = pieces.cost[large][parent]
    kept = np.ones(len(pieces), np.bool_)
    kept[large] = False
    wall = pieces.wall.copy()
    following = large[large + 1 < len(pieces)] + 1
    wall[following] = np.maximum(wall[following], Wall.APART)
    rest = replace(pieces, wall=wall).take(kept)
    order = np.argsort(np.concatenate((rest.starts, parts.starts)), kind="stable")
    return Pieces(
        np.concatenate((rest.starts, parts.starts)),
        np.concatenate((rest.ends, parts.ends)),
        Lengths.joined((rest.lengths, parts.lengths)),
        np.concatenate((rest.wall, parts.wall)),
        np.concatenate((rest.cost, parts.cost)),
    ).take(order)
