"""What kind of place a position is: a section, a sentence, the inside of a word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.strategies.base import Boundary
from chunkscope.core.text.codepoints import Mask, Offsets, locate

_PLACES: dict[str, Callable[[Analysis], Offsets]] = {
    Boundary.PAGE: lambda analysis: analysis.starts_of(BlockKind.PAGE),
    Boundary.SECTION: lambda analysis: analysis.sections,
    Boundary.TURN: lambda analysis: analysis.starts_of(BlockKind.TURN),
    Boundary.SYMBOL: lambda analysis: analysis.starts_of(BlockKind.CODE),
    Boundary.PARAGRAPH: lambda analysis: analysis.paragraphs,
    Boundary.SENTENCE: lambda analysis: analysis.sentences,
    Boundary.TOKEN: lambda analysis: analysis.words,
}


def boundaries_at(analysis: Analysis, positions: Offsets, kinds: Sequence[str]) -> list[str]:
    """The first of the kinds that each position is; then a word, and else inside one."""
    found = np.full(len(positions), len(kinds) + 1)
    every = [*kinds, Boundary.TOKEN]
    # There are far more words than sentences: they are searched for what is left only.
    left = np.arange(len(positions))
    for number, kind in enumerate(every):
        if kind in _PLACES and len(left):
            is_at = are_at(analysis, positions[left], kind)
            found[left[is_at]] = number
            left = left[~is_at]
    names = [*every, Boundary.CHARACTER]
    return [names[number] for number in found.tolist()]


def are_at(analysis: Analysis, positions: Offsets, kind: str) -> Mask:
    """Where positions are places of a kind; a document begins with whatever it is cut into."""
    places = _PLACES[kind](analysis)
    at = np.minimum(locate(places, positions), max(len(places) - 1, 0))
    found: Mask = places[at] == positions if len(places) else np.zeros(len(positions), np.bool_)
    return found | (positions <= _first(analysis))


def _first(analysis: Analysis) -> int:
    return int(analysis.words[0]) if len(analysis.words) else 0
