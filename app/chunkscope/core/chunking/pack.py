"""The one packer: joins neighbouring pieces up to a budget and carries the overlap over."""

from __future__ import annotations

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.budget import Budget
from chunkscope.core.chunking.packed import Packed, join_small
from chunkscope.core.chunking.pieces import Pieces
from chunkscope.core.chunking.steps import Steps
from chunkscope.core.text.codepoints import Offsets, locate
from chunkscope.core.text.units import Lengths, Ruler


def pack(
    analysis: Analysis,
    ruler: Ruler,
    pieces: Pieces,
    budget: Budget,
    points: Offsets | None = None,
) -> Packed:
    """Pieces joined to chunks; those below the least size join a neighbour where they fit.

    `points` are the places where repeated text may begin: sentences inside larger pieces.
    """
    measured = None
    if points is not None and budget.repeats:
        measured = points, analysis.measure(ruler, points, points)
    steps = Steps(ruler, pieces, budget, analysis.words, measured)
    found, after = steps.follow()
    starts = np.array(found, np.int64)
    ends = pieces.ends[after - 1]
    marks = measured or (pieces.starts, pieces.lengths)
    packed = Packed(starts, ends, _raw(ruler, pieces, marks, starts, after - 1))
    return join_small(ruler, pieces, packed, budget) if budget.least else packed


def _raw(
    ruler: Ruler, pieces: Pieces, marks: tuple[Offsets, Lengths], starts: Offsets, last: Offsets
) -> Offsets:
    """The exact raw lengths of chunks: by the measured places where they start, else counted."""
    places, lengths = marks
    at = np.minimum(locate(places, starts), len(places) - 1)
    raw, is_unknown = lengths.until(at, pieces.lengths, last)
    unknown = np.flatnonzero(is_unknown | (places[at] != starts))
    if len(unknown):
        raw[unknown] = ruler.raw(starts[unknown], pieces.ends[last[unknown]])
    return raw
