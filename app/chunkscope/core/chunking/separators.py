"""Recursive splitting at separators, level by level, with the sums of every level kept.

The usual splitter cuts a text at the coarsest separator in it (which stays at the beginning of the
piece that follows), merges neighbours whose lengths add up to at most the budget, and treats a
piece that is not shorter than the budget the same way with the finer separators. Here each level is
cut and counted once for the whole document; a new budget only searches in the sums.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.budget import Budget
from chunkscope.core.chunking.levels import UNKNOWN, Level
from chunkscope.core.chunking.pack import pack
from chunkscope.core.chunking.packed import Packed, join_small
from chunkscope.core.chunking.pieces import Pieces, Wall, refine
from chunkscope.core.chunking.regions import Spans
from chunkscope.core.chunking.slide import slide
from chunkscope.core.text.codepoints import Offsets, characters_at, locate, merged
from chunkscope.core.text.units import Ruler

# A level that is needed in few places only is not cut and counted for the whole document: in this
# many, or in one for so many characters.
_FEW = 200
_FEW_IN = 50_000
_NONE = np.zeros(0, np.int64)


def split_recursively(
    analysis: Analysis,
    ruler: Ruler,
    regions: Spans,
    budget: Budget,
    separators: Sequence[str],
) -> Packed:
    """The chunks of all regions, without white space around them."""
    if not len(analysis.words):
        return Packed(analysis.words, analysis.words, analysis.words)
    splitter = _Splitter(analysis, ruler, budget, separators)
    packed = splitter.mend(splitter.split(regions))
    if not budget.least:
        return packed
    pieces = Pieces.of(packed.starts, packed.ends, ruler.measure(packed.starts, packed.ends))
    pieces.raise_walls_after(regions[0], Wall.FENCE)
    return join_small(ruler, pieces, packed, budget)


class _Splitter:
    """One run over the levels, coarse to fine."""

    def __init__(
        self, analysis: Analysis, ruler: Ruler, budget: Budget, separators: Sequence[str]
    ) -> None:
        self._analysis = analysis
        self._layout = analysis.layout
        self._ruler = ruler
        self._budget = budget
        self._separators = separators

    def split(self, regions: Spans) -> Packed:
        """The chunks of all levels, in order; sums may be below what they are as a whole."""
        found = [Packed(_NONE, _NONE, _NONE)]
        parents = regions
        for depth in range(len(self._separators)):
            if not len(parents[0]):
                break
            level = self._level(depth, parents)
            runs, parents = self._runs(level, parents)
            found.append(level.spans(*self._merge(level, runs)))
        if len(parents[0]):
            found.append(self._slide(parents))
        return self._counted(_in_order(found))

    def _slide(self, regions: Spans) -> Packed:
        packed, layout = slide(self._analysis, self._ruler, regions, self._budget), self._layout
        starts, ends = layout.trim_starts(packed.starts), layout.trim_ends(packed.ends)
        return Packed(starts, ends, np.full(len(starts), UNKNOWN))

    def _counted(self, packed: Packed) -> Packed:
        unknown = np.flatnonzero(packed.raw == UNKNOWN)
        packed.raw[unknown] = self._ruler.raw(packed.starts[unknown], packed.ends[unknown])
        return packed

    def _level(self, depth: int, parents: Spans) -> Level:
        cuts = self._cuts(depth)
        if depth and len(parents[0]) < max(_FEW, len(self._analysis.text) // _FEW_IN):
            inner = zip(locate(cuts, parents[0]), locate(cuts, parents[1]), strict=True)
            return self._level_of(*(cuts[low:high] for low, high in inner), *parents)
        key = f"sums of {self._separators[: depth + 1]} by {self._ruler.name}"
        if key not in self._analysis.cache:
            levels = [self._cuts(above) for above in range(depth + 1)]
            whole = np.array([0, len(self._analysis.text)])
            self._analysis.cache[key] = self._level_of(*levels, whole)
        found = self._analysis.cache[key]
        assert isinstance(found, Level)
        edges = np.concatenate(parents)
        at = np.minimum(locate(found.cuts, edges), len(found.cuts) - 1)
        if (found.cuts[at] == edges).all():
            return found
        return self._level_of(found.cuts, edges)  # something is left out

    def _level_of(self, *cuts: Offsets) -> Level:
        return Level(self._layout, self._ruler, merged(*cuts))

    def _cuts(self, depth: int) -> Offsets:
        separator = self._separators[depth]
        key = f"places of {separator!r}"
        if key not in self._analysis.cache:
            places = _places(self._analysis, separator)
            # Some letters join the blank or the full stop that follows them.
            inside = self._layout.clusters.cut(places)
            self._analysis.cache[key] = np.delete(places, inside) if len(inside) else places
        found = self._analysis.cache[key]
        assert isinstance(found, np.ndarray)
        return found

    def _runs(self, level: Level, parents: Spans) -> tuple[Spans, Spans]:
        """Runs of pieces (by number) that are short enough, and the spans that are not."""
        lows = locate(level.cuts, parents[0])
        highs = locate(level.cuts, parents[1])
        inside = np.zeros(len(level.cuts), np.int8)
        inside[lows] += 1
        inside[highs] -= 1
        is_in = np.cumsum(inside, dtype=np.int8)[:-1] > 0
        is_large = is_in & (level.lengths >= self._budget.limit)
        is_good = is_in & ~is_large
        opens = is_good.copy()
        opens[1:] &= ~is_good[:-1]
        opens[lows[lows < len(opens)]] |= is_good[lows[lows < len(opens)]]
        closes = is_good.copy()
        closes[:-1] &= ~is_good[1:]
        closes[highs - 1] |= is_good[highs - 1]
        large = np.flatnonzero(is_large)
        runs = np.flatnonzero(opens), np.flatnonzero(closes) + 1
        return runs, (level.cuts[large], level.cuts[large + 1])

    def _merge(self, level: Level, runs: Spans) -> Spans:
        """For each chunk the number of its first piece, and of the piece after its last."""
        limit, overlap = self._budget.limit, self._budget.overlap
        before = level.before
        firsts: list[int] = []
        after: list[int] = []
        for at, high in zip(runs[0].tolist(), runs[1].tolist(), strict=True):
            while True:
                end = bisect_right(before, before[at] + limit, at + 1, high + 1) - 1
                if end <= at:
                    end = at + 1
                firsts.append(at)
                after.append(end)
                if end >= high:
                    break
                if overlap:
                    lowest = max(before[end] - overlap, before[end + 1] - limit)
                    at = bisect_left(before, lowest, at + 1, end)
                else:
                    at = end
        return np.array(firsts, np.int64), np.array(after, np.int64)

    def mend(self, packed: Packed) -> Packed:
        """Sums may be below the whole: what is over the limit when counted is packed exactly."""
        over = np.flatnonzero(packed.raw > self._budget.limit)
        if not len(over):
            return packed
        starts, ends = packed.starts.tolist(), packed.ends.tolist()
        for at in reversed(over.tolist()):
            found = self._pack_exactly(packed.starts[at : at + 1], packed.ends[at : at + 1])
            starts[at : at + 1] = found.starts.tolist()
            ends[at : at + 1] = found.ends.tolist()
        first, last = np.array(starts, np.int64), np.array(ends, np.int64)
        return Packed(first, last, self._ruler.raw(first, last))

    def _pack_exactly(self, start: Offsets, end: Offsets) -> Packed:
        analysis, budget = self._analysis, Budget(self._budget.limit, self._budget.limit)
        levels = [self._cuts(depth) for depth in range(len(self._separators))]
        one = Pieces.of(start, end, self._ruler.measure(start, end))
        pieces = refine(analysis, self._ruler, one, levels, budget.limit)
        return pack(analysis, self._ruler, pieces, budget)


def _in_order(found: list[Packed]) -> Packed:
    """All chunks by their places, without those whose only new part is white space."""
    starts, ends, raw = (
        np.concatenate([getattr(each, name) for each in found])
        for name in ("starts", "ends", "raw")
    )
    order = np.lexsort((ends, starts))
    starts, ends, raw = starts[order], ends[order], raw[order]
    fresh = np.append(True, ends[1:] > np.maximum.accumulate(ends)[:-1]) & (starts < ends)
    return Packed(starts[fresh], ends[fresh], raw[fresh])


def _places(analysis: Analysis, separator: str) -> Offsets:
    """Where a separator begins, found from the left without overlaps."""
    if separator == "\n\n":
        return _pairs(analysis.layout.newlines)
    return characters_at(analysis.text, separator)


def _pairs(newlines: Offsets) -> Offsets:
    """The line ends that begin a pair: every other one of a run, if another follows."""
    if len(newlines) < 2:
        return newlines[:0]
    begins = np.concatenate(([True], np.diff(newlines) > 1))
    numbers = np.arange(len(newlines))
    in_run = numbers - np.maximum.accumulate(np.where(begins, numbers, 0))
    has_next = np.append(~begins[1:], False)
    pairs: Offsets = newlines[(in_run % 2 == 0) & has_next]
    return pairs
