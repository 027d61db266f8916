"""Sentences and paragraphs, packed: designs A, C and E."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chunkscope.core.chunking.analysis import Analysis
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
from chunkscope.core.chunking.strategies.packing import pack_cuts
from chunkscope.core.params import param
from chunkscope.core.text.units import Ruler, Unit


@strategies.register("sentence")
@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceStrategy(Strategy):
    """Whole sentences, packed; one above the maximum is cut between words."""

    max_size: int = size(512)
    overlap: int = overlap(128)
    min_size: int = least()

    boundaries: ClassVar[tuple[str, ...]] = (
        Boundary.PARAGRAPH,
        Boundary.SENTENCE,
        Boundary.TOKEN,
    )

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        return pack_cuts(self, analysis, ruler, analysis.sentences, [analysis.words])


@strategies.register("paragraph")
@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphStrategy(Strategy):
    """Whole paragraphs, packed within their section; large ones fall back to sentences."""

    unit: Unit = counted_in(Unit.CHARACTERS)
    max_size: int = size(1200)
    overlap: int = overlap()
    min_size: int = least(100)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        return pack_cuts(
            self,
            analysis,
            ruler,
            analysis.paragraphs,
            [analysis.sentences, analysis.words],
            sections=analysis.sections,
        )


@strategies.register("workspace")
@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceStrategy(Strategy):
    """Sentences packed into a budget, the tail repeated; a longer sentence stands alone."""

    unit: Unit = counted_in(Unit.ESTIMATE)
    max_size: int = size(800)
    overlap_fraction: float = param(
        0.15, low=0.0, high=0.9, help="share of the budget repeated from the chunk before"
    )
    min_size: int = least()

    boundaries: ClassVar[tuple[str, ...]] = (Boundary.PARAGRAPH, Boundary.SENTENCE)
    oversize_stands_alone: ClassVar[bool] = True

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        return pack_cuts(self, analysis, ruler, analysis.sentences, [], is_hard=False)
