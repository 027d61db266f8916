"""Reciprocal rank fusion: several rankings become one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fused(Generic[K]):
    """A thing that was ranked, its fused score, and its rank (from 1) in each channel."""

    key: K
    score: float
    ranks: dict[str, int]


def fuse(
    channels: Mapping[str, Sequence[K]],
    weights: Mapping[str, float] | None = None,
    constant: float = 60.0,
) -> list[Fused[K]]:
    """The best first: each channel adds `weight / (constant + rank)`.

    Of equal scores the one with the better single rank comes first, then the one met first, so
    that the order never depends on hashing. A channel of weight 0 takes no part.
    """
    scores: dict[K, float] = {}
    ranks: dict[K, dict[str, int]] = {}
    for name, keys in channels.items():
        weight = 1.0 if weights is None else weights.get(name, 1.0)
        if weight == 0:
            continue
        for rank, key in enumerate(keys, start=1):
            if name in ranks.setdefault(key, {}):
                continue
            ranks[key][name] = rank
            scores[key] = scores.get(key, 0.0) + weight / (constant + rank)
    fused = [Fused(key, scores[key], ranks[key]) for key in ranks]
    return sorted(fused, key=lambda each: (-each.score, min(each.ranks.values())))
