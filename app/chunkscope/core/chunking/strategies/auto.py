"""The default: a strategy chosen by the document's type, with one set of sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.strategies.base import (
    Boundary,
    Cut,
    Strategy,
    headings,
    least,
    overlap,
    size,
    strategies,
)
from chunkscope.core.chunking.strategies.code import CodeStrategy
from chunkscope.core.chunking.strategies.prose import SentenceStrategy
from chunkscope.core.chunking.strategies.structure import MarkdownStrategy
from chunkscope.core.chunking.strategies.talk import ChatStrategy, EmailStrategy
from chunkscope.core.params import declared
from chunkscope.core.text.units import Ruler


@strategies.register("auto")
@dataclass(frozen=True, slots=True, kw_only=True)
class AutoStrategy(Strategy):
    """Messages, turns, symbols, sections or sentences: whatever the document is made of."""

    max_size: int = size(512)
    min_size: int = least(64)
    overlap: int = overlap()
    prepend_headings: bool = headings(True)

    boundaries: ClassVar[tuple[str, ...]] = (
        Boundary.SECTION,
        Boundary.TURN,
        Boundary.SYMBOL,
        Boundary.PARAGRAPH,
        Boundary.SENTENCE,
    )

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        return self.chosen(analysis).cut(analysis, ruler)

    def chosen(self, analysis: Analysis) -> Strategy:
        """The strategy for this document, with these sizes."""
        kind = _kind(analysis)
        shared = (*declared(Strategy), "max_size", "min_size", "overlap")
        values = {name: getattr(self, name) for name in shared}
        return kind(**values)


def _kind(analysis: Analysis) -> type[Strategy]:
    blocks = analysis.document.blocks
    if blocks.are(BlockKind.MESSAGE).any():
        return EmailStrategy
    if blocks.are(BlockKind.TURN).any():
        return ChatStrategy
    if analysis.is_code:
        return CodeStrategy
    if blocks.are(BlockKind.HEADING, BlockKind.TABLE, BlockKind.CODE, BlockKind.LIST_ITEM).any():
        return MarkdownStrategy
    return SentenceStrategy
