"""The way from cuts to chunks that most strategies go: pieces, refined, packed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.context import add_chain_costs, add_header_costs
from chunkscope.core.chunking.pack import pack
from chunkscope.core.chunking.pieces import Pieces, Wall, refine
from chunkscope.core.chunking.regions import Spans, kept_regions
from chunkscope.core.chunking.strategies.base import Cut, Strategy
from chunkscope.core.text.codepoints import Offsets, locate, merged
from chunkscope.core.text.units import Ruler, Unit

_NONE = np.zeros(0, np.int64)


def pack_cuts(
    strategy: Strategy,
    analysis: Analysis,
    ruler: Ruler,
    cuts: Offsets,
    levels: Sequence[Offsets],
    *,
    sections: Offsets = _NONE,
    fences: Offsets = _NONE,
    apart: Offsets = _NONE,
    members: Offsets = _NONE,
    is_hard: bool = True,
    has_tables: bool = False,
) -> Cut:
    """Pieces between `cuts`, too large ones refined by `levels`, packed into the budget.

    Chunks begin at `fences`, which nothing crosses, at `sections`, which overlap does not cross,
    and at `apart`, and at `members` where a piece had to be cut there. When they are too small they
    join a neighbour, but not over a fence.
    """
    budget = strategy.budget(ruler)
    _, left_out = kept_regions(analysis, strategy.skip)
    fences = _fences(fences, left_out)
    every = [some for some in (sections, fences, apart) if len(some)]
    if every:
        cuts = merged(cuts, *every)
    starts, ends = analysis.all_pieces(cuts)
    pieces = Pieces.of(starts, ends, analysis.measure(ruler, starts, ends))
    pieces = _without(pieces, left_out)
    for places, wall in ((apart, Wall.APART), (sections, Wall.SECTION), (fences, Wall.FENCE)):
        places = analysis.layout.clusters.floor(places)
        pieces.raise_walls(analysis.layout.trim_starts(places), wall)
    if strategy.prepend_headings and strategy.unit == Unit.TOKENS:
        pieces = add_chain_costs(analysis, pieces, strategy.tokenizer, budget.limit)
    if has_tables:
        pieces = refine(analysis, ruler, pieces, [analysis.rows], budget.limit, to_graphemes=False)
        pieces = add_header_costs(analysis, ruler, pieces, budget.limit)
    if is_hard:
        pieces = refine(analysis, ruler, pieces, levels, budget.limit)
    pieces.raise_walls(members, Wall.APART)
    _join_headings(pieces, sections)
    points = analysis.sentences if budget.repeats and cuts is not analysis.sentences else None
    packed = pack(analysis, ruler, pieces, budget, points)
    return Cut(packed, left_out, shows_table_header=has_tables)


def _fences(fences: Offsets, left_out: Spans) -> Offsets:
    if not len(left_out[0]):
        return fences
    return merged(fences, np.concatenate(left_out))


def _without(pieces: Pieces, left_out: Spans) -> Pieces:
    starts, ends = left_out
    if not len(starts):
        return pieces
    at = locate(starts, pieces.starts, "right") - 1
    inside = (at >= 0) & (pieces.starts < ends[np.maximum(at, 0)])
    return pieces.take(~inside)


def _join_headings(pieces: Pieces, sections: Offsets) -> None:
    """A heading goes with what follows it, were it another heading or part of a long paragraph."""
    headings = np.flatnonzero(np.isin(pieces.starts, sections))
    following = headings[headings + 1 < len(pieces)] + 1
    following = following[pieces.wall[following] < Wall.FENCE]
    pieces.wall[following] = Wall.NONE
