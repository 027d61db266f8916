"""The parts of spans that were too large once: measured when first asked for, then looked up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chunkscope.core.text.codepoints import Offsets, locate
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.units import Lengths, Ruler

# More parts than these are not kept: they would be larger than the text.
_MOST = 1_000_000
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts in order, measured; `parent` is the number of the span that each is a part of."""

    starts: Offsets
    ends: Offsets
    lengths: Lengths
    parent: Offsets


class PartsTable:
    """Spans of one text cut at the places of one level: work for what is new only."""

    def __init__(self, layout: Layout, ruler: Ruler, level: Offsets) -> None:
        self._layout = layout
        self._ruler = ruler
        self._level = level
        self._forget()

    def _forget(self) -> None:
        self._kept = Parts(_NONE, _NONE, Lengths(_NONE, _NONE, _NONE, _NONE, _NONE), _NONE)
        # For each span, sorted: what it is found by, its first part, and how many it has.
        self._keys = self._firsts = self._counts = _NONE

    def parts(self, starts: Offsets, ends: Offsets) -> Parts:
        """The parts of all the given spans, in order."""
        keys = starts.astype(np.int64) * (len(self._layout.text) + 1) + ends
        at = self._find(keys)
        new = np.flatnonzero(at < 0)
        if len(new):
            found = self._measure(starts[new], ends[new])
            if len(new) == len(keys) and len(found.starts) > _MOST:
                return found
            if len(found.starts) + len(self._kept.starts) > _MOST:
                self._forget()
                return self.parts(starts, ends)
            self._keep(keys[new], found)
            at = self._find(keys)
        return self._take(at)

    def _find(self, keys: Offsets) -> Offsets:
        """The numbers of spans in the table, -1 for new ones."""
        if not len(self._keys):
            return np.full(len(keys), -1)
        at = np.minimum(locate(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, at, -1)

    def _take(self, spans: Offsets) -> Parts:
        counts = self._counts[spans]
        parent = np.repeat(np.arange(len(spans)), counts)
        chosen = np.arange(len(parent)) + np.repeat(
            self._firsts[spans] - np.cumsum(counts) + counts, counts
        )
        kept = self._kept
        return Parts(kept.starts[chosen], kept.ends[chosen], kept.lengths.take(chosen), parent)

    def _keep(self, keys: Offsets, found: Parts) -> None:
        counts = np.bincount(found.parent, minlength=len(keys))
        firsts = np.cumsum(counts) - counts + len(self._kept.starts)
        keys = np.concatenate((self._keys, keys))
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._firsts = np.concatenate((self._firsts, firsts))[order]
        self._counts = np.concatenate((self._counts, counts))[order]
        kept = self._kept
        if not len(kept.starts):
            self._kept = found
            return
        self._kept = Parts(
            np.concatenate((kept.starts, found.starts)),
            np.concatenate((kept.ends, found.ends)),
            Lengths.joined((kept.lengths, found.lengths)),
            _NONE,
        )

    def _measure(self, starts: Offsets, ends: Offsets) -> Parts:
        """The parts between the places of the level, without white space around them."""
        level = self._level
        lows = locate(level, starts, "right")
        counts = np.maximum(locate(level, ends) - lows, 0)
        # For each span its own start, then the places inside it.
        sizes = counts + 1
        parent = np.repeat(np.arange(len(starts)), sizes)
        offsets = np.arange(len(parent)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        edges = starts[parent]
        inner = offsets > 0
        edges[inner] = self._layout.clusters.floor(level[(lows[parent] + offsets - 1)[inner]])
        is_last = np.append(parent[1:] != parent[:-1], True)
        following = np.where(is_last, ends[parent], np.append(edges[1:], 0))
        first, last = self._layout.trim_starts(edges), self._layout.trim_ends(following)
        some = first < last
        first, last = first[some], last[some]
        return Parts(first, last, self._ruler.measure(first, last), parent[some])
