"""Two chunkings of one document compared by their cuts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.text.codepoints import Offsets, locate_one


@dataclass(frozen=True, slots=True)
class Difference:
    """Cuts that both have, that moved, and that only one has. Moved cuts come as pairs."""

    same: tuple[int, ...]
    moved: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]


def compare(before: Chunking, after: Chunking) -> Difference:
    """The cuts of `after` against those of `before`.

    Between two cuts that both have, the cuts of one are paired with those of the other in order, as
    far as they go: those have moved.
    """
    old, new = cuts_of(before), cuts_of(after)
    same = np.intersect1d(old, new)
    moved: list[tuple[int, int]] = []
    removed: list[int] = []
    added: list[int] = []
    for first, last in zip([-1, *same.tolist()], [*same.tolist(), _END], strict=True):
        lost, found = _between(old, first, last), _between(new, first, last)
        pairs = min(len(lost), len(found))
        moved += zip(lost[:pairs], found[:pairs], strict=True)
        removed += lost[pairs:]
        added += found[pairs:]
    return Difference(tuple(same.tolist()), tuple(moved), tuple(removed), tuple(added))


_END = 1 << 60


def cuts_of(chunking: Chunking) -> Offsets:
    """Where fresh parts begin, without white space, but for the first."""
    return np.unique(chunking.analysis.layout.trim_starts(chunking.fresh_starts[1:]))


def _between(cuts: Offsets, first: int, last: int) -> list[int]:
    low = locate_one(cuts, first, "right")
    found: list[int] = cuts[low : locate_one(cuts, last)].tolist()
    return found
