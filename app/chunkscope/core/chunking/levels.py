"""A level of a recursive split: its cuts, the sums of its pieces, what is measured at the cuts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from chunkscope.core.chunking.packed import Packed
from chunkscope.core.text.codepoints import Offsets, plain
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.units import Lengths, Ruler

UNKNOWN = -1  # a raw length that is still to be counted

# Of a level with more cuts no list is made, and nothing is measured at them: it would be larger
# than the text.
_MOST = 300_000


@dataclass(frozen=True, slots=True)
class _Edges:
    """Where the text of the pieces begins and ends, white space left out, measured."""

    starts: Offsets
    ends: Offsets
    lengths: Lengths

    @classmethod
    def of(cls, layout: Layout, ruler: Ruler, cuts: Offsets) -> _Edges:
        starts, ends = layout.trim_starts(cuts[:-1]), layout.trim_ends(cuts[1:])
        return cls(starts, ends, ruler.measure(starts, ends))

    def spans(self, firsts: Offsets, lasts: Offsets) -> Packed:
        raw, is_unknown = self.lengths.until(firsts, self.lengths, lasts)
        raw[is_unknown] = UNKNOWN
        return Packed(self.starts[firsts], self.ends[lasts], raw)


class Level:
    """Cuts, and how much lies before each: the sum of the pieces counted one by one."""

    def __init__(self, layout: Layout, ruler: Ruler, cuts: Offsets) -> None:
        self._layout = layout
        self._ruler = ruler
        self.cuts = cuts
        self.lengths = ruler.raw(cuts[:-1], cuts[1:])
        self._edges: _Edges | None = None
        self._is_known = False

    @cached_property
    def before(self) -> Sequence[int]:
        """For bisection one by one."""
        found = np.concatenate(([0], np.cumsum(self.lengths)))
        return found.tolist() if len(found) <= _MOST else plain(found)

    def spans(self, firsts: Offsets, after: Offsets) -> Packed:
        """Chunks given by their first piece and the piece after their last, white space left out.

        From the second time on most of their lengths come from what is measured at all cuts.
        """
        if self._edges is None and self._is_known and len(self.cuts) <= _MOST:
            self._edges = _Edges.of(self._layout, self._ruler, self.cuts)
        self._is_known = True
        if self._edges is not None:
            return self._edges.spans(firsts, after - 1)
        starts = self._layout.trim_starts(self.cuts[firsts])
        ends = self._layout.trim_ends(self.cuts[after])
        return Packed(starts, ends, np.full(len(starts), UNKNOWN))
