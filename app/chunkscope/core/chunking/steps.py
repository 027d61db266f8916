"""For every piece the chunk whose first new text it would be: packing is following these steps."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from chunkscope.core.chunking.budget import Budget
from chunkscope.core.chunking.pieces import Pieces, Wall
from chunkscope.core.text.codepoints import Mask, Offsets, locate, plain
from chunkscope.core.text.units import Lengths, Ruler


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where chunks would start, the raw length before them, and from where on that is exact."""

    at: Offsets
    before: Offsets
    heads: Offsets

    def take(self, chosen: Offsets) -> _Starts:
        return _Starts(self.at[chosen], self.before[chosen], self.heads[chosen])

    def put(self, where: Offsets, others: _Starts) -> None:
        self.at[where], self.before[where] = others.at, others.before
        self.heads[where] = others.heads


class Steps:
    """Where the chunk of each piece starts, and the number of the piece after it.

    Both hang on nothing but the piece (except where a chunk is no longer than what is to be
    repeated of it), so numpy finds them for all pieces at once. Where the tables cannot tell, they
    guess, and what is visited on a guess is counted: a few rounds, until none is left.
    """

    def __init__(
        self,
        ruler: Ruler,
        pieces: Pieces,
        budget: Budget,
        words: Offsets,
        points: tuple[Offsets, Lengths] | None,
    ) -> None:
        """`points` are where repeated text may begin, if not at pieces; else it does at words."""
        self._ruler, self._budget = ruler, budget
        self._words = words
        self._firsts, self._lasts = pieces.starts, pieces.ends
        self._lengths, self._cost = pieces.lengths, pieces.cost
        # Counts of tokens may fall where a text grows: sorted the careful way, they never mislead.
        self._before = _lowered(pieces.lengths.before)
        self._after = np.maximum.accumulate(pieces.lengths.after)
        self._set_walls(pieces)
        self._points, self._point_before, self._point_heads = (
            (points[0], _lowered(points[1].before), points[1].heads)
            if points
            else (self._firsts, self._before, pieces.lengths.heads)
        )
        self._points_are_pieces = points is None
        self._set_steps()

    def _set_walls(self, pieces: Pieces) -> None:
        numbers = np.arange(len(pieces))
        walls = _lowered(np.where(pieces.wall > 0, numbers, len(pieces)))
        self._stops = np.append(walls[1:], len(pieces))
        fences = np.where(pieces.wall >= Wall.SECTION, numbers, 0)
        self._fences = np.maximum.accumulate(fences)

    def _set_steps(self) -> None:
        numbers = np.arange(len(self._firsts))
        starts, is_guess = self._begin(numbers), np.zeros(len(numbers), np.bool_)
        if self._budget.repeats and len(numbers) > 1:
            carried, is_guess[1:] = self._carry(numbers[1:], self._firsts[self._fences[1:]])
            starts.put(numbers[1:], carried)
        after, is_open = self._grow(numbers, starts)
        self._start, self._next, self._is_guess = starts.at, after, is_guess | is_open

    def follow(self) -> tuple[list[int], Offsets]:
        """The offset at which each chunk starts, and the number of the piece after it."""
        starts: list[int] = []
        visited: list[int] = [0]
        while True:
            self._chase(starts, visited)
            at = np.array(visited[:-1], np.int64)
            guessed = np.flatnonzero(self._is_guess[at])
            if not len(guessed):
                return starts, np.array(visited[1:], np.int64)
            self._settle(at[guessed])
            first = int(guessed[0])
            del starts[first:], visited[first + 1 :]

    def _chase(self, starts: list[int], visited: list[int]) -> None:
        start_of, next_of, count = plain(self._start), plain(self._next), len(self._firsts)
        previous = starts[-1] if starts else -1
        number = visited[-1]
        while number < count:
            start = start_of[number]
            # Every chunk starts after the one before it, or the same would be repeated for ever.
            if start <= previous:
                start, number = self._later(number, previous)
            else:
                number = next_of[number]
            starts.append(start)
            visited.append(number)
            previous = start

    def _later(self, number: int, previous: int) -> tuple[int, int]:
        """The step from a piece whose chunk would not start after the one before."""
        at = bisect_right(plain(self._points), previous)
        if at < len(self._points) and self._points[at] < self._lasts[number - 1]:
            # It is shorter than what fits, so it fits.
            numbers, ats = np.array([number]), np.array([at])
            starts, is_unsure = self._from_points(numbers, ats)
            after, is_open = self._grow(numbers, starts)
            if not (is_unsure | is_open)[0]:
                return int(starts.at[0]), int(after[0])
        starts, after = self._count_steps(np.array([number]), np.array([previous + 1]))
        return int(starts.at[0]), int(after[0])

    def _settle(self, numbers: Offsets) -> None:
        starts, after = self._count_steps(numbers, self._firsts[self._fences[numbers]])
        self._start[numbers], self._next[numbers] = starts.at, after
        self._is_guess[numbers] = False

    def _count_steps(self, numbers: Offsets, lowest: Offsets) -> tuple[_Starts, Offsets]:
        """Steps with nothing guessed; `lowest` are the places before which none may start."""
        starts = self._begin(numbers)
        if self._budget.repeats:
            later = np.flatnonzero(numbers > 0)
            starts.put(later, self._count_carry(numbers[later], lowest[later]))
        after, is_open = self._grow(numbers, starts)
        open_ = np.flatnonzero(is_open)
        allowed = self._budget.target - self._cost[numbers]
        while len(open_):
            over = self._raw(starts.take(open_), after[open_] - 1) > allowed[open_]
            open_ = open_[over]
            after[open_] -= 1
            open_ = open_[after[open_] > numbers[open_] + 1]
        return starts, after

    def _begin(self, numbers: Offsets) -> _Starts:
        heads = self._lengths.heads
        return _Starts(self._firsts[numbers], self._before[numbers], heads[numbers])

    def _grow(self, numbers: Offsets, starts: _Starts) -> tuple[Offsets, Mask]:
        """The pieces after the last that fit (one always does), and where counting must tell."""
        allowed = self._budget.target - self._cost[numbers]
        fitting = locate(self._after, starts.before + allowed, "right")
        after = np.maximum(np.minimum(fitting, self._stops[numbers]), numbers + 1)
        is_open = (after > numbers + 1) & (starts.heads > self._lengths.tails[after - 1])
        return after, is_open

    def _carry(self, numbers: Offsets, lowest: Offsets) -> tuple[_Starts, Mask]:
        """Where repeated text begins, and where that is a guess: in the words of a long piece."""
        at, high, least = self._find_points(numbers, lowest)
        some = np.flatnonzero(at < high)
        starts, is_guess = self._begin(numbers), np.zeros(len(numbers), np.bool_)
        carried, is_guess[some] = self._from_points(numbers[some], at[some])
        starts.put(some, carried)
        if not self._budget.overlap_sentences:
            rest = np.flatnonzero((at >= high) & (lowest < self._lasts[numbers - 1]))
            starts.at[rest] = self._lasts[numbers[rest] - 1]
            starts.before[rest] = least[rest]
            is_guess[rest] = True
        return starts, is_guess

    def _find_points(self, numbers: Offsets, lowest: Offsets) -> tuple[Offsets, Offsets, Offsets]:
        """The points at which repeated text may begin, first and after the last, by the tables.

        And the least raw length that may stand before it, so that one new piece fits.
        """
        budget = self._budget
        least = self._after[numbers] - (budget.limit - self._cost[numbers])
        high = numbers if self._points_are_pieces else locate(self._points, self._last(numbers))
        at = locate(self._points, lowest)
        if budget.overlap_sentences:
            at = np.maximum(at, high - budget.overlap_sentences)
        else:
            least = np.maximum(least, self._after[numbers - 1] - budget.overlap)
        return np.maximum(at, locate(self._point_before, least)), high, least

    def _last(self, numbers: Offsets) -> Offsets:
        """Where the text before a piece ends."""
        return self._lasts[numbers - 1]

    def _from_points(self, numbers: Offsets, at: Offsets) -> tuple[_Starts, Mask]:
        starts = _Starts(self._points[at], self._point_before[at], self._point_heads[at])
        tails = self._lengths.tails
        is_unsure = starts.heads > tails[numbers]
        if not self._budget.overlap_sentences:
            is_unsure |= starts.heads > tails[numbers - 1]
        return starts, is_unsure

    def _count_carry(self, numbers: Offsets, lowest: Offsets) -> _Starts:
        """Where repeated text begins, with nothing guessed: at a point, at a word, or nowhere."""
        starts = self._begin(numbers)
        at, high, _ = self._find_points(numbers, lowest)
        left = self._put_fitting(starts, np.arange(len(numbers)), numbers, self._points, at, high)
        left = left[lowest[left] < self._lasts[numbers[left] - 1]]
        if len(left) and not self._budget.overlap_sentences:
            at, high = self._find_words(numbers[left], lowest[left])
            self._put_fitting(starts, left, numbers[left], self._words, at, high)
        return starts

    def _find_words(self, numbers: Offsets, lowest: Offsets) -> tuple[Offsets, Offsets]:
        """The words at which repeated text may begin, first and after the last."""
        ends = self._last(numbers)
        places = self._ruler.reach(ends, np.full(len(ends), self._budget.overlap))
        limit = self._budget.limit - self._cost[numbers]
        places = np.maximum(places, self._ruler.reach(self._lasts[numbers], limit))
        places = np.maximum(places, self._firsts[numbers - 1] + 1)
        return locate(self._words, np.maximum(places, lowest)), locate(self._words, ends)

    def _put_fitting(
        self,
        starts: _Starts,
        into: Offsets,
        numbers: Offsets,
        places: Offsets,
        at: Offsets,
        high: Offsets,
    ) -> Offsets:
        """Put the first of some places from which what is repeated and a new piece fit, counted.

        Those that have none are handed back.
        """
        some = np.flatnonzero(at < high)
        missing = np.ones(len(numbers), np.bool_)
        while len(some):
            found = places[at[some]]
            lengths = self._ruler.measure(found, found)
            tried = _Starts(found, lengths.before, lengths.heads)
            fits = self._fit(tried, numbers[some])
            starts.put(into[some[fits]], tried.take(np.flatnonzero(fits)))
            missing[some[fits]] = False
            some = some[~fits]
            at[some] += 1
            some = some[at[some] < high[some]]
        return into[missing]

    def _fit(self, starts: _Starts, numbers: Offsets) -> Mask:
        fits = self._raw(starts, numbers) <= self._budget.limit - self._cost[numbers]
        if self._budget.overlap_sentences:
            return fits
        return fits & (self._raw(starts, numbers - 1) <= self._budget.overlap)

    def _raw(self, starts: _Starts, numbers: Offsets) -> Offsets:
        """The exact raw lengths up to the ends of pieces."""
        raw = self._lengths.after[numbers] - starts.before
        unsure = np.flatnonzero(starts.heads > self._lengths.tails[numbers])
        if len(unsure):
            raw[unsure] = self._ruler.raw(starts.at[unsure], self._lasts[numbers[unsure]])
        return raw


def _lowered(starts: Offsets) -> Offsets:
    return np.minimum.accumulate(starts[::-1])[::-1]
