"""Windows of a fixed size that slide over the text: design D, and characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.packed import Packed
from chunkscope.core.chunking.regions import kept_regions
from chunkscope.core.chunking.slide import slide
from chunkscope.core.chunking.strategies.base import (
    Boundary,
    Cut,
    Strategy,
    counted_in,
    least,
    overlap,
    size,
    strategies,
)
from chunkscope.core.params import param
from chunkscope.core.text.units import Ruler, Unit


@strategies.register("token-window")
@dataclass(frozen=True, slots=True, kw_only=True)
class TokenWindowStrategy(Strategy):
    """Windows of equal token counts; a document that is small enough stays in one piece."""

    max_size: int = size(900)
    overlap: int = overlap(100)
    min_size: int = least()
    single_piece_max: int = param(
        1200, low=0, high=1_000_000, help="documents up to this size are one chunk"
    )

    boundaries: ClassVar[tuple[str, ...]] = (Boundary.SENTENCE, Boundary.TOKEN)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        regions, left_out = kept_regions(analysis, self.skip)
        whole = self._whole(analysis, ruler) if not len(left_out[0]) else None
        if whole is not None:
            return Cut(whole)
        return Cut(slide(analysis, ruler, regions, self.budget(ruler)), left_out)

    def _whole(self, analysis: Analysis, ruler: Ruler) -> Packed | None:
        start, end = np.array([0]), np.array([len(analysis.text)])
        if not len(analysis.words):
            return Packed(start[:0], end[:0], end[:0])
        if not self.single_piece_max:
            return None
        raw = ruler.raw(start, end)
        is_small = int(ruler.sizes(raw)[0]) <= self.single_piece_max
        return Packed(start, end, raw) if is_small else None


@strategies.register("character")
@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterStrategy(Strategy):
    """Pieces of a fixed number of characters, wherever that falls."""

    unit: Unit = counted_in(Unit.CHARACTERS)
    max_size: int = size(1200)
    overlap: int = overlap()
    min_size: int = least(100)

    boundaries: ClassVar[tuple[str, ...]] = (Boundary.CHARACTER,)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        regions, left_out = kept_regions(analysis, self.skip)
        return Cut(slide(analysis, ruler, regions, self.budget(ruler)), left_out)
