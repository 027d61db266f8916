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
    for number in range(len(every) - 1, -1, -1):
        if every[number] in _PLACES:
            found[are_at(analysis, positions, every[number])] = number
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
