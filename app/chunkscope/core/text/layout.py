"""Where words and paragraphs begin and end: found once, searched ever after."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from chunkscope.core.text.codepoints import (
    Offsets,
    blanks,
    characters_at,
    code_blocks,
    locate,
    merged,
    offset_type,
)
from chunkscope.core.text.graphemes import Clusters, find_clusters


class Layout:
    """The offsets of a text that depend on nothing but its characters."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def clusters(self) -> Clusters:
        return find_clusters(self.text)

    @cached_property
    def newlines(self) -> Offsets:
        return characters_at(self.text, "\n")

    @cached_property
    def split_words(self) -> tuple[Offsets, Offsets]:
        """Starts and ends of the words that `str.split` gives."""
        found: list[Offsets] = []
        was_blank = True
        for first, codes in code_blocks(self.text):
            is_blank = np.concatenate(([was_blank], blanks(codes)))
            edges = np.flatnonzero(is_blank[1:] != is_blank[:-1]) + first
            found.append(edges.astype(offset_type(len(self.text))))
            was_blank = bool(is_blank[-1])
        if not was_blank:
            found.append(np.array([len(self.text)], found[0].dtype))
        edges = np.concatenate(found) if found else np.zeros(0, np.int64)
        return np.ascontiguousarray(edges[::2]), np.ascontiguousarray(edges[1::2])

    @cached_property
    def _word_edges(self) -> tuple[Offsets, Offsets]:
        """A blank that carries a mark, or that a letter before it joins, may not be cut off."""
        starts, ends = self.split_words
        places = self.clusters.starts
        if len(starts):
            after = np.minimum(locate(ends, places, "right"), len(ends) - 1)
            is_outside = (places < starts[after]) | (places >= ends[after])
            joined = ends[after[~is_outside & (self.clusters.ends > ends[after])]]
            places = np.concatenate((places[is_outside], joined))
        if not len(places):
            return starts, ends
        seen = np.zeros(len(self.text) + 2, np.int8)
        seen[starts] = 1
        seen[ends] = -1
        seen[places] += 1
        seen[places + 1] -= 1
        edges = np.flatnonzero(seen).astype(starts.dtype)
        return np.ascontiguousarray(edges[::2]), np.ascontiguousarray(edges[1::2])

    @property
    def word_starts(self) -> Offsets:
        """Where runs without white space begin."""
        return self._word_edges[0]

    @property
    def word_ends(self) -> Offsets:
        """Where runs without white space end."""
        return self._word_edges[1]

    @cached_property
    def paragraphs(self) -> tuple[Offsets, Offsets]:
        """Starts and ends of what blank lines separate, without white space around it."""
        starts, ends = self.word_starts, self.word_ends
        if not len(starts):
            return starts, ends
        breaks = self._breaks(starts)
        return (
            np.concatenate((starts[:1], starts[1:][breaks])),
            np.concatenate((ends[:-1][breaks], ends[-1:])),
        )

    def _breaks(self, starts: Offsets) -> Offsets:
        """The numbers of the words that a blank line follows: two line ends, blanks between."""
        newlines = self.newlines
        after = locate(starts, newlines)  # the word that follows each line end
        numbers = merged(after[1:][after[1:] == after[:-1]]) - 1
        return numbers[(numbers >= 0) & (numbers < len(starts) - 1)]

    def trim_starts(self, positions: Offsets) -> Offsets:
        """Each position, moved up over white space (to the end of the text if there is no more)."""
        count = len(self.word_ends)
        at = locate(self.word_ends, positions, "right")
        if not count:
            return np.full(len(positions), len(self.text))
        moved = np.maximum(positions, self.word_starts[np.minimum(at, count - 1)])
        return np.where(at < count, moved, len(self.text))

    def trim_ends(self, positions: Offsets) -> Offsets:
        """Each position, moved down over white space (to the beginning if there is no more)."""
        at = locate(self.word_starts, positions)
        if not len(self.word_ends):
            return np.zeros(len(positions), np.int64)
        moved = np.minimum(positions, self.word_ends[np.maximum(at - 1, 0)])
        return np.where(at > 0, moved, 0)
