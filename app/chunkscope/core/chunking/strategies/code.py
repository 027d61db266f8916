"""Source code by its syntax tree."""

from __future__ import annotations

from dataclasses import dataclass
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
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.text.units import Ruler


@strategies.register("code")
@dataclass(frozen=True, slots=True, kw_only=True)
class CodeStrategy(Strategy):
    """Functions and classes; small neighbours together, large ones by their members, then lines."""

    max_size: int = size(512)
    min_size: int = least(64)
    overlap: int = overlap()

    boundaries: ClassVar[tuple[str, ...]] = (Boundary.SYMBOL, Boundary.PARAGRAPH, Boundary.SENTENCE)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        symbols = symbol_levels(analysis)
        top = symbols[0] if symbols else analysis.paragraphs
        finer = [*symbols[1:], analysis.layout.paragraphs[0], analysis.lines, analysis.words]
        members = np.unique(np.concatenate(symbols)) if symbols else top
        return pack_cuts(self, analysis, ruler, top, finer, apart=top, members=members)


def symbol_levels(analysis: Analysis) -> list[Offsets]:
    """Where the outermost pieces of code start, their members, the members' members and so on."""
    found = analysis.cache.get("symbol levels")
    if not isinstance(found, list):
        found = analysis.cache["symbol levels"] = _find_levels(analysis)
    return found


def _find_levels(analysis: Analysis) -> list[Offsets]:
    blocks = analysis.document.blocks
    code = blocks.where(BlockKind.CODE)
    if not len(code):
        return []
    depths = np.maximum(blocks.level[code], 1)
    starts = blocks.start[code]
    return [np.unique(starts[depths == depth]) for depth in np.unique(depths).tolist()]
