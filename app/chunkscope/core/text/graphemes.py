"""Grapheme clusters: what a reader takes for one character is never cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import Mask, Offsets, code_blocks, locate, locate_one

if TYPE_CHECKING:
    import regex

# Characters are plain unless they are one of these. A mark joins what stands before it, be it not a
# control; what joins in other ways (flags, joiners, jamo) is left to the regular expression.
_MARK, _JOINER, _CONTROL = 1, 2, 4
_CLASSES = {
    _MARK: r"[\p{GCB=Extend}\p{GCB=SpacingMark}]",
    _JOINER: r"[\p{GCB=ZWJ}\p{GCB=Prepend}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=Regional_Indicator}]",
    _CONTROL: r"[\p{GCB=Control}\p{GCB=CR}\p{GCB=LF}]",
}
# The third and fourth plane are ideographs; beyond lie tags, which nobody misses in a table.
_TABLE_END = 0x20000
_TAGS = 0xE0000
# Ideographs, syllables and private characters need not be asked one by one.
_PLAIN = ((0x3400, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xF8FF))


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of more than one code point; all other positions may be cut."""

    starts: Offsets
    ends: Offsets

    def floor(self, positions: Offsets) -> Offsets:
        """Each position, moved down to the start of the cluster that it lies inside."""
        return self._moved(positions, self.starts)

    def ceil(self, positions: Offsets) -> Offsets:
        """Each position, moved up to the end of the cluster that it lies inside."""
        return self._moved(positions, self.ends)

    def _moved(self, positions: Offsets, edges: Offsets) -> Offsets:
        if not len(self.starts):
            return positions
        found = np.maximum(locate(self.starts, positions) - 1, 0)
        inside = (positions < self.ends[found]) & (positions > self.starts[found])
        return np.where(inside, edges[found], positions) if inside.any() else positions

    def floor_one(self, position: int) -> int:
        found = locate_one(self.starts, position) - 1
        inside = found >= 0 and position < self.ends[found]
        return int(self.starts[found]) if inside else position

    def ceil_one(self, position: int) -> int:
        found = locate_one(self.starts, position) - 1
        inside = found >= 0 and position < self.ends[found]
        return int(self.ends[found]) if inside else position

    def cut(self, places: Offsets) -> Offsets:
        """The numbers of those of the sorted places that lie inside a cluster."""
        lows = locate(places, self.starts, "right")
        counts = np.maximum(locate(places, self.ends) - lows, 0)
        some = counts > 0
        lows, counts = lows[some], counts[some]
        inner = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        numbers: Offsets = np.repeat(lows, counts) + inner
        return numbers


NO_CLUSTERS = Clusters(np.zeros(0, np.int64), np.zeros(0, np.int64))


def find_clusters(text: str) -> Clusters:
    """All clusters of more than one code point."""
    if text.isascii():
        return NO_CLUSTERS
    places, kinds, kinds_before = _find_joining(text)
    if not len(places):
        return NO_CLUSTERS
    is_mark = ~_touch_joiners(places, kinds)
    marks = _after_marks(places[is_mark], kinds_before[is_mark])
    joined = _by_pattern(text, places[~is_mark])
    starts = np.concatenate((marks.starts, joined.starts))
    order = np.argsort(starts, kind="stable")
    return Clusters(starts[order], np.concatenate((marks.ends, joined.ends))[order])


def _find_joining(text: str) -> tuple[Offsets, NDArray[np.uint8], NDArray[np.uint8]]:
    """Where characters stand that are not plain, what they are, and what stands before them."""
    found: list[tuple[Offsets, NDArray[np.uint8], NDArray[np.uint8]]] = []
    table, last = _table(), _CONTROL  # nothing to join stands before the text
    for first, codes in code_blocks(text):
        kinds = table.take(codes, mode="clip")
        if codes.max() >= _TAGS:
            kinds[codes >= _TAGS] = _JOINER
        at = np.flatnonzero(kinds & (_MARK | _JOINER))
        before = np.where(at > 0, kinds[at - 1], last).astype(np.uint8)
        found.append((at + first, kinds[at], before))
        last = int(kinds[-1])
    places, kinds, before = (np.concatenate(column) for column in zip(*found, strict=True))
    return places, kinds, before


def _touch_joiners(places: Offsets, kinds: NDArray[np.uint8]) -> Mask:
    """Which places belong to a group, one plain character apart at most, with a joiner in it."""
    begins = np.concatenate(([0], np.flatnonzero(np.diff(places) > 2) + 1))
    has_joiner = np.logical_or.reduceat(kinds == _JOINER, begins)
    return np.repeat(has_joiner, np.diff(np.append(begins, len(places))))


def _after_marks(places: Offsets, kinds_before: NDArray[np.uint8]) -> Clusters:
    """What runs of marks join: the character before them, or else themselves."""
    opens = np.concatenate(([True], np.diff(places) > 1))[: len(places)]
    starts = places[opens] - (kinds_before[opens] != _CONTROL)
    ends = places[np.append(opens[1:], True)[: len(places)]] + 1
    several = ends - starts > 1
    return Clusters(starts[several], ends[several])


def _by_pattern(text: str, places: Offsets) -> Clusters:
    starts: list[int] = []
    ends: list[int] = []
    cluster = _pattern()
    for first, last in _regions(places, len(text)):
        at = first
        for found in cluster.findall(text, first, last):
            if len(found) > 1:
                starts.append(at)
                ends.append(at + len(found))
            at += len(found)
    return Clusters(np.array(starts, np.int64), np.array(ends, np.int64))


def _regions(places: Offsets, length: int) -> Iterator[tuple[int, int]]:
    """Spans around the characters that may join, with one plain neighbour on each side."""
    if not len(places):
        return iter(())
    # Regions that would share their plain neighbour are one.
    breaks = np.flatnonzero(np.diff(places) > 2)
    firsts = np.concatenate((places[:1], places[breaks + 1]))
    lasts = np.concatenate((places[breaks], places[-1:]))
    return zip(
        np.maximum(firsts - 1, 0).tolist(), np.minimum(lasts + 2, length).tolist(), strict=True
    )


@cache
def _table() -> NDArray[np.uint8]:
    """The class of each code point of the first two planes, asked of the pattern's own library."""
    import regex

    table = np.zeros(_TABLE_END + 1, np.uint8)
    plain = np.zeros(_TABLE_END, np.bool_)
    for low, high in _PLAIN:
        plain[low : high + 1] = True
    plain[0xD800:0xE000] = True
    asked = np.flatnonzero(~plain)
    characters = "".join(map(chr, asked.tolist()))
    for kind, pattern in _CLASSES.items():
        for match in regex.finditer(f"{pattern}+", characters):
            table[asked[match.start() : match.end()]] = kind
    return table


@cache
def _pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"\X")
