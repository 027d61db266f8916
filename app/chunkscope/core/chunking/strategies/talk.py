"""Strategies for what people wrote to each other: e-mail and chat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.strategies.base import (
    Boundary,
    Cut,
    Strategy,
    least,
    overlap,
    size,
    strategies,
)
from chunkscope.core.chunking.strategies.packing import pack_cuts
from chunkscope.core.params import param
from chunkscope.core.text.codepoints import locate
from chunkscope.core.text.units import Ruler


@strategies.register("email")
@dataclass(frozen=True, slots=True, kw_only=True)
class EmailStrategy(Strategy):
    """Messages and their reply blocks; quotes apart from what is new, or left out."""

    max_size: int = size(512)
    min_size: int = least()
    overlap: int = overlap()
    quotes: str = param(
        "apart",
        choices=("apart", "left-out", "together"),
        help="quoted text in chunks of its own, in none, or with the text around it",
    )

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        fences = analysis.starts_of(BlockKind.MESSAGE)
        strategy: EmailStrategy = self
        if self.quotes == "apart":
            starts, ends = analysis.spans_of(BlockKind.QUOTE)
            following = analysis.layout.trim_starts(ends)
            fences = np.unique(np.concatenate((fences, starts, following)))
        elif self.quotes == "left-out":
            kinds = {*self.skip, BlockKind.QUOTE.value}
            strategy = replace(self, skip=tuple(sorted(kinds)))
        return pack_cuts(
            strategy,
            analysis,
            ruler,
            analysis.paragraphs,
            [analysis.sentences, analysis.words],
            fences=fences,
        )


@strategies.register("chat")
@dataclass(frozen=True, slots=True, kw_only=True)
class ChatStrategy(Strategy):
    """Whole turns, packed; only a turn above the maximum is cut inside."""

    max_size: int = size(512)
    min_size: int = least()
    overlap: int = overlap()

    boundaries: ClassVar[tuple[str, ...]] = (Boundary.TURN, Boundary.PARAGRAPH, Boundary.SENTENCE)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        turns = analysis.starts_of(BlockKind.TURN)
        inside = analysis.paragraphs
        if len(turns):
            # Lines before, between and after turns (who joined, who left) are cuts too.
            spans = analysis.spans_of(BlockKind.TURN)
            at = locate(spans[0], inside) - 1
            free = (at < 0) | (inside >= spans[1][np.maximum(at, 0)])
            inside = np.union1d(turns, inside[free])
        return pack_cuts(
            self,
            analysis,
            ruler,
            inside,
            [analysis.paragraphs, analysis.sentences, analysis.words],
        )
