"""Windows that slide over tokens, words or characters: arithmetic, checked and mended."""

from __future__ import annotations

import numpy as np

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.pack import Budget, Packed
from chunkscope.core.chunking.regions import Spans
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.text.units import Ruler, TokenRuler, WordRuler

_FIRST_BATCH = 64
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
        self._clusters = analysis.layout.clusters
        self.start, self.end = start, end
        self._places: Offsets | None = None
        self._ok: Offsets | None = None
        if isinstance(ruler, TokenRuler):
            self._places, self._ok = ruler.tokens.starts, _token_cuts(analysis, ruler)
        elif isinstance(ruler, WordRuler):
            self._places = analysis.words
        places = self._places
        self.first = start if places is None else int(np.searchsorted(places, start))
        self.last = end if places is None else int(np.searchsorted(places, end))

    def positions(self, numbers: Offsets) -> Offsets:
        if self._places is None:
            return numbers
        places = np.minimum(self._places[np.minimum(numbers, len(self._places) - 1)], self.end)
        places = np.where(numbers <= self.first, self.start, places)
        return np.where(numbers >= self.last, self.end, places)

    def floor(self, numbers: Offsets) -> Offsets:
        """The nearest numbers before at which a cut is allowed."""
        if self._places is None:
            return self._clusters.floor(numbers)
        if self._ok is None:
            return numbers
        at = np.searchsorted(self._ok, numbers, side="right") - 1
        lower = np.maximum(self._ok[np.maximum(at, 0)], self.first)
        return np.where(numbers >= self.last, self.last, lower)

    def ceil(self, numbers: Offsets) -> Offsets:
        if self._places is None:
            return self._clusters.ceil(numbers)
        if self._ok is None:
            return numbers
        at = np.minimum(np.searchsorted(self._ok, numbers), len(self._ok) - 1)
        return np.minimum(self._ok[at], self.last)


def _token_cuts(analysis: Analysis, ruler: TokenRuler) -> Offsets | None:
    """The numbers of the tokens that begin with a grapheme, the end's last; None: all do."""
    key = f"token cuts of {ruler.name}"
    if key not in analysis.cache:
        table = ruler.tokens
        clusters = analysis.layout.clusters
        allowed = table.whole & (clusters.floor(table.starts) == table.starts)
        analysis.cache[key] = None if allowed.all() else np.flatnonzero(allowed)
    found = analysis.cache[key]
    return found if isinstance(found, np.ndarray) else None


class _Slider:
    """Windows over one region. Batches are computed at once; a gap begins a new batch."""

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
        at, last = self._grid.first, self._grid.last
        batch = _FIRST_BATCH
        floor = at
        while at < last:
            first, after, raw = self._batch(at, floor, batch)
            if at < floor and after[0] <= floor:  # nothing new fits beside the repeated text
                at = floor
                continue
            kept = self._before_gap(first, after)
            batch = _FIRST_BATCH if kept < len(first) else batch * 4
            found.append((first[:kept], after[:kept], raw[:kept]))
            floor = int(after[kept - 1])
            at = self._next(int(first[kept - 1]), floor)
        return self._gathered(found)

    def _next(self, start: int, end: int) -> int:
        """The number at which the window after `[start, end)` begins."""
        if end >= self._grid.last:
            return end
        begin = int(self._grid.ceil(np.array([end - self._overlap]))[0])
        return begin if start < begin < end else end

    def _batch(self, at: int, floor: int, count: int) -> tuple[Offsets, Offsets, Offsets]:
        """Windows from `at` on, in numbers, each within the limits; `floor` ends the one before."""
        stride = self._size - self._overlap
        needed = -(-max(self._grid.last - at - self._overlap, 1) // stride)
        base = at + stride * np.arange(min(count, needed), dtype=np.int64)
        ends = self._grid.floor(np.minimum(base + self._size, self._grid.last))
        starts = self._grid.ceil(base)
        starts[0] = at
        stuck = np.flatnonzero(ends <= starts)  # one grapheme is more than a window
        ends[stuck] = self._grid.ceil(starts[stuck] + 1)
        raw = self._raw(starts, ends)
        self._shrink_ends(starts, ends, raw)
        if self._overlap and self._raise_starts(starts, ends, floor):
            raw = self._raw(starts, ends)
            self._shrink_ends(starts, ends, raw)
        return starts, ends, raw

    def _shrink_ends(self, starts: Offsets, ends: Offsets, raw: Offsets) -> None:
        for at in np.flatnonzero(raw > self._budget.limit).tolist():
            one = slice(at, at + 1)
            while raw[at] > self._budget.limit:
                lower = self._grid.floor(ends[one] - 1)
                if lower[0] <= starts[at]:
                    break
                ends[one] = lower
                raw[one] = self._raw(starts[one], ends[one])

    def _raise_starts(self, starts: Offsets, ends: Offsets, floor: int) -> bool:
        """Repeated text that is counted by itself may be longer than asked for: repeat less."""
        before = np.concatenate(([floor], ends[:-1]))
        repeats = np.flatnonzero(before > starts)
        allowed = self._budget.overlap
        over = repeats[self._raw(starts[repeats], before[repeats]) > allowed]
        for at in over.tolist():
            one = slice(at, at + 1)
            while starts[at] < before[at] and self._raw(starts[one], before[one])[0] > allowed:
                starts[one] = np.minimum(self._grid.ceil(starts[one] + 1), before[one])
        return bool(len(over))

    def _raw(self, first: Offsets, after: Offsets) -> Offsets:
        return self._ruler.raw(self._grid.positions(first), self._grid.positions(after))

    def _before_gap(self, starts: Offsets, ends: Offsets) -> int:
        """How many windows there are before one leaves a gap or brings nothing, or the end."""
        is_bad = (starts[1:] > ends[:-1]) | (starts[1:] <= starts[:-1]) | (ends[1:] <= ends[:-1])
        gaps = np.flatnonzero(is_bad)
        done = np.flatnonzero(ends >= self._grid.last)
        kept = int(gaps[0]) + 1 if len(gaps) else len(starts)
        return min(kept, int(done[0]) + 1) if len(done) else kept

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
