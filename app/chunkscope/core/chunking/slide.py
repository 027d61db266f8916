"""Windows that slide over tokens, words or characters: arithmetic, checked and mended."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.budget import Budget
from chunkscope.core.chunking.packed import Packed
from chunkscope.core.chunking.regions import Spans
from chunkscope.core.text.codepoints import Mask, Offsets, locate_one, plain
from chunkscope.core.text.graphemes import NO_CLUSTERS, Clusters
from chunkscope.core.text.units import Ruler, TokenRuler, WordRuler

_FIRST_BATCH = 64
# Where fewer windows than this are regular, arithmetic does not help.
_FEW = 16
_NONE = np.zeros(0, np.int64)


def slide(analysis: Analysis, ruler: Ruler, regions: Spans, budget: Budget) -> Packed:
    """Windows over every region; those without a visible character are dropped."""
    found = [(_NONE, _NONE, _NONE)]
    found += [
        _Slider(analysis, ruler, budget, start, end).slide()
        for start, end in zip(regions[0].tolist(), regions[1].tolist(), strict=True)
    ]
    packed = Packed(*(np.concatenate(column) for column in zip(*found, strict=True)))
    packed = _fit_graphemes(ruler, packed, budget.limit)
    some = analysis.layout.trim_starts(packed.starts) < packed.ends
    return Packed(packed.starts[some], packed.ends[some], packed.raw[some])


def _fit_graphemes(ruler: Ruler, packed: Packed, limit: int) -> Packed:
    """Where tokens lie across graphemes their places are too few: cut between graphemes."""
    over = np.flatnonzero(packed.raw > limit)
    if not len(over):
        return packed
    starts, ends = packed.starts.tolist(), packed.ends.tolist()
    for at in reversed(over.tolist()):
        cuts = [starts[at]]
        while cuts[-1] < ends[at]:
            cuts.append(ruler.fit(cuts[-1], ends[at], limit))
        starts[at : at + 1], ends[at : at + 1] = cuts[:-1], cuts[1:]
    first, last = np.array(starts, np.int64), np.array(ends, np.int64)
    return Packed(first, last, ruler.raw(first, last))


class _Grid:
    """The places where a window may begin or end, by number: tokens, words or characters."""

    def __init__(self, analysis: Analysis, ruler: Ruler, start: int, end: int) -> None:
        self.start, self.end = start, end
        self._places: Offsets | None = None
        self.fair: Mask | None = None
        self.forbidden: memoryview | None = None  # by number, where that is known
        if isinstance(ruler, TokenRuler):
            self._places, self.fair = ruler.tokens.starts, ruler.tokens.fair
            self.fences, self.forbidden = _token_fences(analysis, ruler)
        elif isinstance(ruler, WordRuler):
            self._places, self.fences = analysis.words, NO_CLUSTERS
        else:
            self.fences = analysis.layout.clusters
        places = self._places
        self.first = start if places is None else locate_one(places, start)
        self.last = end if places is None else locate_one(places, end)

    def positions(self, numbers: Offsets) -> Offsets:
        if self._places is None:
            return numbers
        places = np.minimum(self._places[np.minimum(numbers, len(self._places) - 1)], self.end)
        places = np.where(numbers <= self.first, self.start, places)
        return np.where(numbers >= self.last, self.end, places)

    def floor(self, numbers: Offsets) -> Offsets:
        """The nearest numbers before at which a cut is allowed."""
        lower = np.maximum(self.fences.floor(numbers), self.first)
        return np.where(numbers >= self.last, self.last, lower)

    def ceil(self, numbers: Offsets) -> Offsets:
        return np.minimum(self.fences.ceil(numbers), self.last)


def _token_fences(analysis: Analysis, ruler: TokenRuler) -> tuple[Clusters, memoryview]:
    """Runs of tokens, by number, that no window may begin with: they begin inside a grapheme.

    Like a grapheme: it may be cut before the token that such a run follows, and after the run. The
    numbers inside are marked one by one, too.
    """
    key = f"token fences of {ruler.name}"
    if key not in analysis.cache:
        table = ruler.tokens
        allowed = table.whole.copy()
        allowed[analysis.layout.clusters.cut(table.starts)] = False
        allowed[:1] = True  # what no tokenizer sees may stand before it: it begins the text
        edges = np.flatnonzero(allowed[1:] != allowed[:-1]).astype(table.starts.dtype)
        starts, ends = edges[::2].copy(), edges[1::2] + edges.dtype.type(1)
        analysis.cache[key] = Clusters(starts, ends), plain((~allowed).view(np.int8))
    found = analysis.cache[key]
    assert isinstance(found, tuple)
    return found


class _Slider:
    """Windows over one region: a run of them is laid out, measured at once, and mended."""

    def __init__(
        self, analysis: Analysis, ruler: Ruler, budget: Budget, start: int, end: int
    ) -> None:
        self._ruler = ruler
        self._grid = _Grid(analysis, ruler, start, end)
        self._budget = budget
        # Overlap and size in numbers of places; what is counted is what `raw` counts.
        self._size = max(budget.limit, 1)
        self._overlap = min(budget.overlap, self._size - 1)

    def slide(self) -> tuple[Offsets, Offsets, Offsets]:
        """Starts, ends and raw lengths of the windows."""
        found: list[tuple[Offsets, Offsets, Offsets]] = []
        at = floor = self._grid.first
        batch = _FIRST_BATCH
        while at < self._grid.last:
            starts, ends = self._lay_out(at, floor, batch)
            if self._overlap:
                self._raise_starts(starts, ends, floor)
            raw = self._raw(starts, ends)
            kept = self._mend_first(starts, ends, raw, floor)
            if not kept:  # nothing new fits beside the repeated text
                at = floor
                continue
            batch = batch * 4 if kept == len(starts) else _FIRST_BATCH
            found.append((starts[:kept], ends[:kept], raw[:kept]))
            at, floor = self._next(int(starts[kept - 1]), int(ends[kept - 1]))
        return self._gathered(found)

    def _next(self, start: int, end: int) -> tuple[int, int]:
        """The number at which the window after `[start, end)` begins, and what is not new there."""
        if end >= self._grid.last:
            return end, end
        begin = int(self._grid.ceil(np.array([end - self._overlap]))[0])
        return (begin, end) if start < begin < end else (end, end)

    def _lay_out(self, at: int, floor: int, count: int) -> tuple[Offsets, Offsets]:
        """So many windows from `at` on, in numbers; `floor` ends the one before."""
        stride = self._size - self._overlap
        needed = -(-max(self._grid.last - at - self._overlap, 1) // stride)
        starts = at + stride * np.arange(min(count, needed), dtype=np.int64)
        ends = np.minimum(starts + self._size, self._grid.last)
        if not len(self._grid.fences.starts):
            return starts, ends
        is_moved = (self._grid.floor(ends) != ends) | (self._grid.ceil(starts) != starts)
        regular = int(np.argmax(is_moved)) if is_moved.any() else len(starts)
        if regular < min(_FEW, len(starts)):
            return self._lay_out_singly(at, floor, count)
        return starts[:regular], ends[:regular]

    def _lay_out_singly(self, at: int, floor: int, count: int) -> tuple[Offsets, Offsets]:
        """One after the other, where places are forbidden: each depends on the one before."""
        fences = self._grid.fences
        opens, closes, forbidden = plain(fences.starts), plain(fences.ends), self._grid.forbidden
        last, size, overlap = self._grid.last, self._size, self._overlap
        starts: list[int] = []
        ends: list[int] = []
        while at < last and len(starts) < count:
            end = at + size
            if end >= last:
                end = last
            elif forbidden is None or forbidden[end]:
                fence = bisect_left(opens, end) - 1
                if fence >= 0 and end < closes[fence]:
                    end = opens[fence] if opens[fence] > at else min(closes[fence], last)
            if end <= floor:  # nothing new fits beside the repeated text
                at = floor
                continue
            starts.append(at)
            ends.append(end)
            begin = end
            if overlap and end < last:
                begin = end - overlap
                if forbidden is None or forbidden[begin]:
                    fence = bisect_left(opens, begin) - 1
                    if fence >= 0 and begin < closes[fence]:
                        begin = closes[fence]
                if not at < begin < end:
                    begin = end
            at, floor = begin, end
        return np.array(starts, np.int64), np.array(ends, np.int64)

    def _mend_first(self, starts: Offsets, ends: Offsets, raw: Offsets, floor: int) -> int:
        """Shorten the first window that is too long when counted; how many windows stand then."""
        over = np.flatnonzero(raw > self._budget.limit)
        over = over[self._grid.ceil(starts[over] + 1) < ends[over]]
        if not len(over):
            return len(starts)
        at = int(over[0])
        one = slice(at, at + 1)
        while raw[at] > self._budget.limit:
            lower = self._grid.floor(ends[one] - 1)
            if lower[0] <= starts[at]:
                break
            ends[one] = lower
            raw[one] = self._raw(starts[one], ends[one])
        has_news = ends[at] > (ends[at - 1] if at else floor)
        return at + 1 if has_news else at

    def _raise_starts(self, starts: Offsets, ends: Offsets, floor: int) -> None:
        """Repeated text that is counted by itself may be longer than asked for: repeat less."""
        before = np.concatenate(([floor], ends[:-1]))
        repeats = np.flatnonzero(before > starts)
        allowed = self._budget.overlap
        over = repeats[self._raw(starts[repeats], before[repeats]) > allowed]
        for at in over.tolist():
            one = slice(at, at + 1)
            while starts[at] < before[at] and self._raw(starts[one], before[one])[0] > allowed:
                starts[one] = np.minimum(self._grid.ceil(starts[one] + 1), before[one])

    def _raw(self, first: Offsets, after: Offsets) -> Offsets:
        fair = self._grid.fair
        if fair is None:
            return self._ruler.raw(self._grid.positions(first), self._grid.positions(after))
        # Between fair places the length is the number of tokens.
        raw = after - first
        is_inside = (first > self._grid.first) & (after < self._grid.last)
        is_unfair = ~(fair[first] & fair[after])
        rest = np.flatnonzero(is_inside & is_unfair)
        if len(rest):
            assert isinstance(self._ruler, TokenRuler)
            raw[rest] = self._ruler.raw_of_tokens(first[rest], after[rest])
        edges = np.flatnonzero(~is_inside)
        if len(edges):
            positions = self._grid.positions(first[edges]), self._grid.positions(after[edges])
            raw[edges] = self._ruler.raw(*positions)
        return raw

    def _gathered(
        self, found: list[tuple[Offsets, Offsets, Offsets]]
    ) -> tuple[Offsets, Offsets, Offsets]:
        if not found:  # text that a tokenizer does not see is text all the same
            return np.array([self._grid.start]), np.array([self._grid.end]), np.array([0])
        first, after, raw = (np.concatenate(column) for column in zip(*found, strict=True))
        self._fill_last(first, after, raw)
        return self._grid.positions(first), self._grid.positions(after), raw

    def _fill_last(self, starts: Offsets, ends: Offsets, raw: Offsets) -> None:
        """Move the last cut back, so that the last window is not below the least size."""
        lack = self._budget.least - int(raw[-1])
        if len(starts) < 2 or lack <= 0:
            return
        cut = self._grid.floor(ends[-2:-1] - lack)
        begin = self._grid.ceil(np.maximum(starts[-1:] - lack, starts[-2:-1]))
        moved = np.minimum(np.maximum(begin, cut - self._overlap), cut)
        is_fair = moved[0] > starts[-2] and cut[0] > (ends[-3] if len(ends) > 2 else starts[-2])
        is_fair = is_fair and self._raw(moved, ends[-1:])[0] <= self._budget.limit
        if is_fair and self._raw(moved, cut)[0] <= self._budget.overlap:
            ends[-2:-1], starts[-1:] = cut, moved
            raw[-2:] = self._raw(starts[-2:], ends[-2:])
