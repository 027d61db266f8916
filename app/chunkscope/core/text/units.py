"""Rulers: how long a span is when it is counted by itself, in the unit of a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Protocol

import numpy as np

from chunkscope.core.text.codepoints import Mask, Offsets, locate, locate_one, offset_type
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers.base import SafePlaces, Tokenizer, TokenPlaces, TokenTable

CHARACTERS_PER_TOKEN = 4
# Around a cut, so many characters are encoded to learn how its tokens change; where no safe
# position is that near, the finished chunk is counted instead.
_REACH = 400


class Unit(StrEnum):
    """What a budget counts."""

    TOKENS = "tokens"
    WORDS = "words"
    CHARACTERS = "characters"
    ESTIMATE = "estimate"


@dataclass(frozen=True, slots=True)
class Lengths:
    """Spans, measured so that the length of what is joined from them can be searched for.

    The raw length from the start of one span to the end of another is `after - before`, if the
    start's `head` does not lie beyond the end's `tail`; else it must be counted. `raw` is the exact
    length of each span alone.
    """

    before: Offsets
    after: Offsets
    heads: Offsets
    tails: Offsets
    raw: Offsets

    @property
    def columns(self) -> tuple[Offsets, Offsets, Offsets, Offsets, Offsets]:
        return self.before, self.after, self.heads, self.tails, self.raw

    def take(self, chosen: slice | Offsets | Mask) -> Lengths:
        return Lengths(*(column[chosen] for column in self.columns))

    def until(self, firsts: Offsets, others: Lengths, lasts: Offsets) -> tuple[Offsets, Mask]:
        """Raw lengths from the starts of these spans to the ends of others, and where to count."""
        raw = others.after[lasts].astype(np.int64) - self.before[firsts]
        return raw, self.heads[firsts] > others.tails[lasts]

    @classmethod
    def joined(cls, parts: Sequence[Lengths]) -> Lengths:
        return cls(*map(np.concatenate, zip(*(part.columns for part in parts), strict=True)))


class Ruler(Protocol):
    """Measures spans of one text."""

    unit: Unit

    @property
    def name(self) -> str:
        """Tells rulers of one text apart: caches are kept under it."""
        ...

    def limit(self, size: int) -> int:
        """The raw length that a size in units allows."""
        ...

    def sizes(self, raw: Offsets) -> Offsets:
        """Raw lengths in units, with all that a model adds."""
        ...

    def measure(self, starts: Offsets, ends: Offsets) -> Lengths: ...

    def raw(self, starts: Offsets, ends: Offsets) -> Offsets:
        """The exact raw lengths of spans counted by themselves."""
        ...

    def fit(self, start: int, stop: int, limit: int) -> int:
        """The last place to cut, up to `stop`, so that `[start, place)` is within the raw limit.

        One grapheme at least; it alone may be above the limit.
        """
        ...

    def reach(self, ends: Offsets, raw: Offsets) -> Offsets:
        """About where the last `raw` before each end begin: what the tables say, uncounted."""
        ...


class CharacterRuler:
    """Counts code points."""

    unit = Unit.CHARACTERS

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def name(self) -> str:
        return self.unit.value

    def limit(self, size: int) -> int:
        return size

    def sizes(self, raw: Offsets) -> Offsets:
        return raw

    def measure(self, starts: Offsets, ends: Offsets) -> Lengths:
        return Lengths(starts, ends, starts, ends, ends - starts)

    def raw(self, starts: Offsets, ends: Offsets) -> Offsets:
        return self.measure(starts, ends).raw

    def fit(self, start: int, stop: int, limit: int) -> int:
        return _at_grapheme(self._layout, start, min(stop, start + max(limit, 0)))

    def reach(self, ends: Offsets, raw: Offsets) -> Offsets:
        found: Offsets = np.maximum(ends - raw, 0)
        return found


class EstimateRuler(CharacterRuler):
    """Estimates tokens as a quarter of the characters, rounded up."""

    unit = Unit.ESTIMATE

    def limit(self, size: int) -> int:
        return size * CHARACTERS_PER_TOKEN

    def sizes(self, raw: Offsets) -> Offsets:
        return -(-raw // CHARACTERS_PER_TOKEN)


class WordRuler(CharacterRuler):
    """Counts runs of characters without white space."""

    unit = Unit.WORDS

    def measure(self, starts: Offsets, ends: Offsets) -> Lengths:
        before = self._before(starts)
        after = locate(self._layout.split_words[0], ends)
        return Lengths(before, after, starts, ends, after - before)

    def _before(self, positions: Offsets) -> Offsets:
        # A position inside a word leaves the rest of it, which counts.
        return locate(self._layout.split_words[1], positions, "right")

    def fit(self, start: int, stop: int, limit: int) -> int:
        last = int(self._before(np.array([start]))[0]) + max(limit, 1) - 1
        ends = self._layout.split_words[1]
        end = min(stop, int(ends[last])) if last < len(ends) else stop
        return _at_grapheme(self._layout, start, end)

    def reach(self, ends: Offsets, raw: Offsets) -> Offsets:
        return _back(self._layout.split_words[0], ends, raw)


class TokenRuler:
    """Counts tokens exactly: a table of the document's tokens, a little encoding at cuts."""

    unit = Unit.TOKENS

    def __init__(self, tokenizer: Tokenizer, layout: Layout) -> None:
        self._tokenizer = tokenizer
        self._layout = layout
        self._known: dict[str, int] = {}
        self._narrow = offset_type(len(layout.text))
        self._far = int(np.iinfo(self._narrow).max)
        self.name = tokenizer.name

    @cached_property
    def tokens(self) -> TokenTable:
        return self._tokenizer.tabulate(self._layout)

    @cached_property
    def _safe(self) -> SafePlaces | None:
        return self._tokenizer.tabulate_safe(self._layout, lambda: self.tokens)

    @property
    def specials(self) -> int:
        return self._tokenizer.specials

    def limit(self, size: int) -> int:
        return size - self.specials

    def sizes(self, raw: Offsets) -> Offsets:
        return raw + self.specials

    def raw(self, starts: Offsets, ends: Offsets) -> Offsets:
        return self.measure(starts, ends).raw

    def measure(self, starts: Offsets, ends: Offsets) -> Lengths:
        if self._safe is None:
            before, after = self._estimate(starts), self._estimate(ends)
            heads, tails = np.full(len(starts), self._far), ends
        else:
            before, heads = self._measure_starts(starts, *self._safe.after(starts))
            after, tails = self._measure_ends(ends, *self._safe.before(ends))
        raw = self._exact(starts, ends, after - before, heads > tails)
        return Lengths(*(each.astype(self._narrow) for each in (before, after, heads, tails, raw)))

    def raw_of_tokens(self, first: Offsets, after: Offsets) -> Offsets:
        """The raw lengths between the starts of whole tokens, which are given by their numbers."""
        starts, ends = self.tokens.starts[first], self.tokens.starts[after]
        if not isinstance(self._safe, TokenPlaces):
            return self.raw(starts, ends)
        low, heads = self._measure_starts(starts, *self._safe.after_tokens(first))
        high, tails = self._measure_ends(ends, *self._safe.before_tokens(after))
        return self._exact(starts, ends, high - low, heads > tails)

    def _exact(self, starts: Offsets, ends: Offsets, raw: Offsets, is_unsure: Mask) -> Offsets:
        """Raw lengths, with those counted that the table cannot tell."""
        unsure = np.flatnonzero(is_unsure)
        if len(unsure):
            text = self._layout.text
            spans = zip(starts[unsure].tolist(), ends[unsure].tolist(), strict=True)
            raw[unsure] = self._count([text[start:end] for start, end in spans])
        return raw

    def _measure_starts(
        self, starts: Offsets, heads: Offsets, counts: Offsets
    ) -> tuple[Offsets, Offsets]:
        before = counts - self._count_between(starts, heads)
        return self._without_far(starts, before, heads, heads - starts, self._far)

    def _measure_ends(
        self, ends: Offsets, tails: Offsets, counts: Offsets
    ) -> tuple[Offsets, Offsets]:
        after = counts + self._count_between(tails, ends)
        return self._without_far(ends, after, tails, ends - tails, -self._far)

    def _without_far(
        self, positions: Offsets, counts: Offsets, safe: Offsets, distance: Offsets, far: int
    ) -> tuple[Offsets, Offsets]:
        """Where the next safe place is far away, an estimate that is marked as one."""
        is_far = distance > _REACH
        if not is_far.any():
            return counts, safe
        return np.where(is_far, self._estimate(positions), counts), np.where(is_far, far, safe)

    def fit(self, start: int, stop: int, limit: int) -> int:
        end = self._guess(start, stop, limit)
        while True:
            end = _at_grapheme(self._layout, start, end)
            over = self._count_span(start, end) - limit
            shorter = self._guess(start, end, limit - over) if over > 0 else end
            if over <= 0 or _at_grapheme(self._layout, start, shorter) >= end:
                return end if over <= 0 else self._shrink(start, end, limit)
            end = shorter

    def reach(self, ends: Offsets, raw: Offsets) -> Offsets:
        if self._safe is None:
            return _back(self.tokens.starts, ends, raw)
        _, counts = self._safe.before(ends)
        return np.where(raw > 0, self._safe.beyond(counts - raw), ends)

    def _shrink(self, start: int, end: int, limit: int) -> int:
        """Grapheme by grapheme, where the table does not help."""
        while self._count_span(start, end) > limit:
            shorter = _at_grapheme(self._layout, start, end - max(1, (end - start) // 8))
            if shorter >= end:
                return end
            end = shorter
        return end

    def _guess(self, start: int, stop: int, limit: int) -> int:
        """Where the table says that `limit` tokens end."""
        table = self.tokens
        at = locate_one(table.starts, start) + max(limit, 1)
        return min(stop, int(table.starts[min(at, len(table.starts) - 1)]))

    def _estimate(self, positions: Offsets) -> Offsets:
        return locate(self.tokens.starts, positions)

    def _count_span(self, start: int, end: int) -> int:
        return self._tokenizer.count_each([self._layout.text[start:end]])[0]

    def _count_between(self, starts: Offsets, ends: Offsets) -> Offsets:
        """Tokens of short spans by themselves; long ones are left at zero."""
        counts = np.zeros(len(starts), np.int64)
        some = np.flatnonzero((ends > starts) & (ends - starts <= _REACH))
        if len(some):
            text = self._layout.text
            spans = zip(starts[some].tolist(), ends[some].tolist(), strict=True)
            counts[some] = self._look_up([text[start:end] for start, end in spans])
        return counts

    def _look_up(self, texts: list[str]) -> list[int]:
        known = self._known
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, self._count(new), strict=True))
        return [known[text] for text in texts]

    def _count(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.count_each(texts) if texts else []


def _back(starts: Offsets, ends: Offsets, raw: Offsets) -> Offsets:
    """Where so many of the things begin that start before each end; all places where none do."""
    at = locate(starts, ends)
    return np.where(raw > 0, starts[np.clip(at - raw, 0, len(starts) - 1)], ends)


def _at_grapheme(layout: Layout, start: int, end: int) -> int:
    """`end`, moved down to a grapheme's edge, but over one grapheme at least."""
    clusters = layout.clusters
    lower = clusters.floor_one(end)
    return lower if lower > start else clusters.ceil_one(start + 1)
