"""Where words and paragraphs begin and end: found once, searched ever after."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from chunkscope.core.text.codepoints import Codes, Mask, Offsets, blanks, code_points
from chunkscope.core.text.graphemes import Clusters, find_clusters

_NEWLINE = 0x0A


class Layout:
    """The offsets of a text that depend on nothing but its characters."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Kept here by tokenizers, which share them.
        self.safe_positions: Offsets | None = None

    @cached_property
    def clusters(self) -> Clusters:
        return find_clusters(self.text)

    @property
    def codes(self) -> Codes:
        """Made anew at each call: it is as large as the text and rarely needed."""
        return code_points(self.text)

    @cached_property
    def newlines(self) -> Offsets:
        return np.flatnonzero(self.codes == _NEWLINE)

    @cached_property
    def split_words(self) -> tuple[Offsets, Offsets]:
        """Starts and ends of the words that `str.split` gives."""
        return _edges(~blanks(self.codes))

    @cached_property
    def _word_edges(self) -> tuple[Offsets, Offsets]:
        codes = self.codes
        is_blank = blanks(codes)
        marked = self.clusters.starts[is_blank[self.clusters.starts]]
        if not len(marked):
            return self.split_words
        # A blank that carries a combining mark is visible, and may not be cut from it.
        is_blank[marked] = False
        return _edges(~is_blank)

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
        lines = np.searchsorted(self.newlines, starts[1:]) - np.searchsorted(
            self.newlines, ends[:-1]
        )
        breaks = np.flatnonzero(lines >= 2)
        return (
            np.concatenate((starts[:1], starts[1:][breaks])),
            np.concatenate((ends[:-1][breaks], ends[-1:])),
        )

    def trim_starts(self, positions: Offsets) -> Offsets:
        """Each position, moved up over white space (to the end of the text if there is no more)."""
        count = len(self.word_ends)
        at = np.searchsorted(self.word_ends, positions, side="right")
        if not count:
            return np.full(len(positions), len(self.text))
        moved = np.maximum(positions, self.word_starts[np.minimum(at, count - 1)])
        return np.where(at < count, moved, len(self.text))

    def trim_ends(self, positions: Offsets) -> Offsets:
        """Each position, moved down over white space (to the beginning if there is no more)."""
        at = np.searchsorted(self.word_starts, positions, side="left")
        if not len(self.word_ends):
            return np.zeros(len(positions), np.int64)
        moved = np.minimum(positions, self.word_ends[np.maximum(at - 1, 0)])
        return np.where(at > 0, moved, 0)


def _edges(mask: Mask) -> tuple[Offsets, Offsets]:
    """Where runs of True begin and end."""
    edges = np.flatnonzero(np.diff(mask)) + 1
    if len(mask) and mask[0]:
        edges = np.concatenate(([0], edges))
    if len(edges) % 2:
        edges = np.append(edges, len(mask))
    return np.ascontiguousarray(edges[::2]), np.ascontiguousarray(edges[1::2])
