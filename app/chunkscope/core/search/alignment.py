"""Two answers to one query, aligned by what they show of the sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chunkscope.core.search.model import Hit

# Two hits are the same passage where this much of the shorter one lies in the other.
SAME = 0.5


class Found(StrEnum):
    """Who found a passage."""

    BOTH = "both"
    LEFT = "only left"
    RIGHT = "only right"
    IN_LEFT = "within left"  # the other side shows it inside a result that has its own partner
    IN_RIGHT = "within right"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hit stands."""

    rank: int
    document_id: str
    start: int
    end: int

    @classmethod
    def of(cls, hit: Hit) -> Place:
        return cls(hit.rank, hit.chunk.document_id, hit.chunk.start, hit.chunk.end)


@dataclass(frozen=True, slots=True)
class Aligned:
    """One line: ranks at the left and at the right, and how they belong together."""

    found: Found
    left: int | None  # rank
    right: int | None
    within: int | None = None  # the rank on the other side that holds it

    @property
    def change(self) -> int | None:
        """Ranks won from left to right; none where only one side has it."""
        return self.left - self.right if self.left and self.right else None


def align(left: Sequence[Place], right: Sequence[Place]) -> tuple[Aligned, ...]:
    """Partners by the largest common share, best ranks first; each hit stands in one line."""
    pairs = sorted(
        (
            (-share, one.rank + other.rank, one.rank, other.rank)
            for one in left
            for other in right
            if (share := common_share(one, other)) >= SAME
        ),
    )
    partner: dict[int, int] = {}
    taken: dict[int, int] = {}
    for _, _, one, other in pairs:
        if one not in partner and other not in taken:
            partner[one], taken[other] = other, one
    lines = [Aligned(Found.BOTH, one, other) for one, other in partner.items()]
    lines += [
        _alone(one, right, Found.LEFT, Found.IN_RIGHT) for one in left if one.rank not in partner
    ]
    lines += [
        _alone(one, left, Found.RIGHT, Found.IN_LEFT) for one in right if one.rank not in taken
    ]
    return tuple(sorted(lines, key=_order))


def common_share(one: Place, other: Place) -> float:
    """How much of the shorter one lies in the other."""
    if one.document_id != other.document_id:
        return 0.0
    common = min(one.end, other.end) - max(one.start, other.start)
    shorter = min(one.end - one.start, other.end - other.start)
    return max(common, 0) / shorter if shorter > 0 else 0.0


def _alone(one: Place, others: Sequence[Place], alone: Found, inside: Found) -> Aligned:
    holding = next((each.rank for each in others if common_share(one, each) >= SAME), None)
    found = alone if holding is None else inside
    if alone is Found.LEFT:
        return Aligned(found, one.rank, None, holding)
    return Aligned(found, None, one.rank, holding)


def _order(line: Aligned) -> tuple[int, int, int]:
    ranks = [rank for rank in (line.left, line.right) if rank]
    return min(ranks), line.left or 1 << 30, line.right or 1 << 30
