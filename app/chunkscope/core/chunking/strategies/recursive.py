"""The field's common baseline: cut at the coarsest separator present, merge, and go down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.regions import kept_regions
from chunkscope.core.chunking.separators import split_recursively
from chunkscope.core.chunking.strategies.base import (
    Boundary,
    Cut,
    Strategy,
    least,
    overlap,
    size,
    strategies,
)
from chunkscope.core.params import param
from chunkscope.core.text.units import Ruler

SEPARATORS = {
    "sentence-ends": ("\n\n", "\n", ".", "?", "!", " "),
    "plain": ("\n\n", "\n", " "),
}


@strategies.register("recursive")
@dataclass(frozen=True, slots=True, kw_only=True)
class RecursiveStrategy(Strategy):
    """Blank lines, lines, sentence ends, blanks, graphemes: the cuts of the usual splitter."""

    max_size: int = size(512)
    overlap: int = overlap()
    min_size: int = least()
    separators: str = param(
        "sentence-ends",
        choices=tuple(SEPARATORS),
        help="with full stops, question and exclamation marks, or blank lines, lines, blanks only",
    )

    boundaries: ClassVar[tuple[str, ...]] = (
        Boundary.PARAGRAPH,
        Boundary.SENTENCE,
        Boundary.TOKEN,
    )

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        budget = self.budget(ruler)
        regions, left_out = kept_regions(analysis, self.skip)
        packed = split_recursively(analysis, ruler, regions, budget, SEPARATORS[self.separators])
        return Cut(packed, left_out)
