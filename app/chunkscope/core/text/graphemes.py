"""Grapheme clusters: what a reader takes for one character is never cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.text.codepoints import Mask, Offsets, code_points

if TYPE_CHECKING:
    import regex

# Characters that never join each other: Latin, Greek, Cyrillic, Hebrew and Arabic letters, common
# punctuation, kana, ideographs, Hangul syllables, full-width forms. Clusters are looked for only
# near all others, which makes most texts free.
_INERT = (
    (0x0000, 0x02FF), (0x0370, 0x0482), (0x048A, 0x0590), (0x05D0, 0x05EA), (0x0620, 0x064A),
    (0x0660, 0x066F), (0x0671, 0x06D5), (0x2010, 0x2027), (0x2030, 0x205E), (0x20A0, 0x20BF),
    (0x3000, 0x3029), (0x3041, 0x3096), (0x30A0, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3), (0xFF01, 0xFF9D),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clusters:
    """The clusters of more than one code point; all other positions may be cut."""

    starts: Offsets
    ends: Offsets

    def floor(self, positions: Offsets) -> Offsets:
        """Each position, moved down to the start of the cluster that it lies inside."""
        if not len(self.starts):
            return positions
        found = np.searchsorted(self.starts, positions, side="left") - 1
        inside = (found >= 0) & (positions < self.ends[np.maximum(found, 0)])
        return np.where(inside, self.starts[np.maximum(found, 0)], positions)

    def ceil(self, positions: Offsets) -> Offsets:
        """Each position, moved up to the end of the cluster that it lies inside."""
        if not len(self.starts):
            return positions
        found = np.searchsorted(self.starts, positions, side="left") - 1
        inside = (found >= 0) & (positions < self.ends[np.maximum(found, 0)])
        return np.where(inside, self.ends[np.maximum(found, 0)], positions)

    def floor_one(self, position: int) -> int:
        return int(self.floor(np.array([position]))[0])

    def ceil_one(self, position: int) -> int:
        return int(self.ceil(np.array([position]))[0])


def find_clusters(text: str) -> Clusters:
    """All clusters of more than one code point."""
    starts: list[int] = []
    ends: list[int] = []
    if not text.isascii():
        cluster = _pattern()
        for first, last in _regions(text):
            at = first
            for found in cluster.findall(text, first, last):
                if len(found) > 1:
                    starts.append(at)
                    ends.append(at + len(found))
                at += len(found)
    return Clusters(np.array(starts, np.int64), np.array(ends, np.int64))


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """Spans around the characters that may join, with one inert neighbour on each side."""
    codes = code_points(text)
    joining = np.flatnonzero(~np.take(_inert_table(), np.minimum(codes, 0xFFFF)))
    if not len(joining):
        return iter(())
    # Regions that would share their inert neighbour are one.
    breaks = np.flatnonzero(np.diff(joining) > 2)
    firsts = np.concatenate((joining[:1], joining[breaks + 1]))
    lasts = np.concatenate((joining[breaks], joining[-1:]))
    return zip(
        np.maximum(firsts - 1, 0).tolist(), np.minimum(lasts + 2, len(text)).tolist(), strict=True
    )


@cache
def _inert_table() -> Mask:
    table = np.zeros(0x10000, np.bool_)
    for low, high in _INERT:
        table[low : high + 1] = True
    return table


@cache
def _pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"\X")
