"""What a chunk may hold: the sizes of a strategy as raw lengths."""

from __future__ import annotations

from dataclasses import dataclass

from chunkscope.core.text.units import Ruler


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
