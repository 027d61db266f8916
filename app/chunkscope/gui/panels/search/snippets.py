"""A few lines of a result: the best of the hit, the edges of its neighbours, where they meet."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from chunkscope.core.search.model import Hit
from chunkscope.core.search.stitch import HIT, part_text

_EDGE_SHARE = 0.2  # of the room, for each neighbour
_LEAD = 0.25  # of the room, before the words that matched
_BLANKS = re.compile(r"\s+")
STITCH = "\u2003"  # room for the line that is drawn where two chunks meet
MORE = "…"


class Kind(StrEnum):
    HIT = "hit"
    NEIGHBOUR = "neighbour"
    TERM = "term"


class Stretch(NamedTuple):
    """A part of a snippet, in code points of it."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is shown of a result in a few lines."""

    text: str
    stretches: tuple[Stretch, ...]
    stitches: tuple[int, ...]  # where chunks meet


def snippet_of(hit: Hit, room: int, with_markers: bool = False) -> Snippet:
    """The hit around its matched words, between the edges of the chunks beside it."""
    parts = hit.stitched.parts
    own = next(at for at, part in enumerate(parts) if part.role == HIT)
    edge = int(room * _EDGE_SHARE)
    writer = _Writer()
    if own > 0:
        text = part_text(hit.stitched, parts[own - 1], with_markers).rstrip()
        writer.neighbour(MORE + _tail(text, edge) if len(text) > edge else text)
        writer.stitch()
    spans = sorted({span for term in hit.matched_terms for span in term.spans})
    left = room - edge * ((own > 0) + (own + 1 < len(parts)))
    writer.hit(hit, *_window(hit, spans, left), spans)
    if own + 1 < len(parts):
        text = part_text(hit.stitched, parts[own + 1], with_markers).lstrip()
        writer.stitch()
        writer.neighbour(text[:edge] + (MORE if len(text) > edge else ""))
    return writer.snippet()


def _tail(text: str, room: int) -> str:
    """The end of a text, from the beginning of a word."""
    found = text[-room:]
    return found[found.find(" ") + 1 :] if " " in found else found


def _window(hit: Hit, spans: Sequence[tuple[int, int]], room: int) -> tuple[int, int]:
    """The part of the hit, in its own offsets, that holds the most matched words."""
    length = len(hit.text)
    if length <= room or not spans:
        return 0, min(length, room)
    starts = [start - hit.chunk.start for start, _ in spans]
    lead = int(room * _LEAD)
    counts = [bisect_right(starts, at + room - lead) - number for number, at in enumerate(starts)]
    best = starts[counts.index(max(counts))]
    start = max(min(best - lead, length - room), 0)
    if start:
        space = hit.text.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    return start, min(start + room, length)


class _Writer:
    """Collects text whose blanks are folded, and what each stretch of it is."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._stretches: list[Stretch] = []
        self._stitches: list[int] = []
        self._at = 0

    def snippet(self) -> Snippet:
        return Snippet("".join(self._texts), tuple(self._stretches), tuple(self._stitches))

    def neighbour(self, text: str) -> None:
        start = self._at
        self._write(_BLANKS.sub(" ", text))
        self._stretches.append(Stretch(start, self._at, Kind.NEIGHBOUR))

    def stitch(self) -> None:
        self._stitches.append(self._at)
        self._write(STITCH)

    def hit(self, hit: Hit, start: int, end: int, spans: Sequence[tuple[int, int]]) -> None:
        """`start` and `end` count from the beginning of the hit."""
        first, base = self._at, hit.chunk.start
        self._write(MORE if start else "")
        at = start
        for low, high in _apart(spans, base + start, base + end):
            self._write(_BLANKS.sub(" ", hit.text[at : low - base]))
            begin = self._at
            self._write(_BLANKS.sub(" ", hit.text[low - base : high - base]))
            self._stretches.append(Stretch(begin, self._at, Kind.TERM))
            at = high - base
        self._write(_BLANKS.sub(" ", hit.text[at:end]))
        self._write(MORE if end < len(hit.text) else "")
        self._stretches.insert(0, Stretch(first, self._at, Kind.HIT))

    def _write(self, text: str) -> None:
        self._texts.append(text)
        self._at += len(text)


def _apart(spans: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sorted spans inside a range, what two of them share only once."""
    at = start
    for low, high in spans:
        low, high = max(low, at), min(high, end)
        if low < high:
            yield low, high
            at = high
