"""A chunk and its neighbours as one text, by span arithmetic: overlap is never repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from chunkscope.core.model import Span
from chunkscope.core.search.model import Part, Stitched

BOUNDARY = "\n[CHUNK BOUNDARY]\n"
# Something was left out of the index here (blocks that the profile skips).
GAP = "\n[…]\n"
HIT, NEIGHBOUR = "hit", "neighbour"


class Placed(Protocol):
    """A chunk, as far as stitching must know it."""

    @property
    def key(self) -> int: ...
    @property
    def index(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def heading_chain(self) -> tuple[str, ...]: ...


def stitch(
    text: str, hit: Placed, around: Sequence[Placed], *, with_markers: bool = False
) -> Stitched:
    """`hit` with the chunks around it that follow each other; `text` is the document's.

    Where two chunks touch, or only white space lies between them, the text runs on. Where the
    index left something out between them, the gap is shown and nothing sneaks in.
    """
    parts = _parts(hit, _consecutive(hit, around))
    runs = merged_runs(text, [Span(part.start, part.end) for part in parts])
    if with_markers:
        shown = BOUNDARY.join(text[part.start : part.end] for part in parts)
    else:
        shown = GAP.join(text[run.start : run.end] for run in runs)
    cuts = tuple(part.start for part in parts[1:])
    return Stitched(parts[0].start, parts[-1].end, shown, tuple(parts), tuple(runs), cuts)


def part_text(stitched: Stitched, part: Part, with_markers: bool = False) -> str:
    """What a part brought; the stitched text has signs between some of them."""
    at = 0
    if with_markers:
        for other in stitched.parts:
            if other == part:
                return stitched.text[at : at + part.end - part.start]
            at += other.end - other.start + len(BOUNDARY)
    for run in stitched.runs:
        if run.start <= part.start and part.end <= run.end:
            first = at + part.start - run.start
            return stitched.text[first : first + part.end - part.start]
        at += run.end - run.start + len(GAP)
    return ""


def same_section(hit: Placed, around: Iterable[Placed]) -> list[Placed]:
    """Those under the same heading, with nothing of another section between them and the hit."""
    chosen = {each.index: each for each in around if each.heading_chain == hit.heading_chain}
    chosen[hit.index] = hit
    return _reachable(hit, chosen)


def _consecutive(hit: Placed, around: Iterable[Placed]) -> list[Placed]:
    chosen = {each.index: each for each in around}
    chosen[hit.index] = hit
    return _reachable(hit, chosen)


def _reachable(hit: Placed, chosen: dict[int, Placed]) -> list[Placed]:
    first = last = hit.index
    while first - 1 in chosen:
        first -= 1
    while last + 1 in chosen:
        last += 1
    return [chosen[index] for index in range(first, last + 1)]


def _parts(hit: Placed, chunks: list[Placed]) -> list[Part]:
    """The hit whole; of each neighbour what no other part holds."""
    found: list[Part] = []
    at = 0
    for chunk in chunks:
        start, end = max(chunk.start, at), chunk.end
        if chunk.key == hit.key:
            # What overlaps belongs to the hit, and chunks before it are cut there.
            found = [_cut(part, hit.start) for part in found if part.start < hit.start]
            start, end = hit.start, hit.end
        if end > start:
            role = HIT if chunk.key == hit.key else NEIGHBOUR
            found.append(Part(start, end, chunk.key, role))
            at = max(at, end)
    return found or [Part(hit.start, hit.end, hit.key, HIT)]


def _cut(part: Part, limit: int) -> Part:
    return part._replace(end=min(part.end, limit))


def merged_runs(text: str, spans: Iterable[Span]) -> list[Span]:
    """Spans in order, joined where they touch or only white space lies between them."""
    found: list[Span] = []
    for span in spans:
        if found and is_blank(text, found[-1].end, span.start):
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether nothing visible stands between two places."""
    return start >= end or text[start:end].isspace()


def subtract(span: Span, taken: Sequence[Span]) -> list[Span]:
    """What of a span lies outside the taken ones, which are sorted and apart."""
    found: list[Span] = []
    at = span.start
    for other in taken:
        if other.end <= at or other.start >= span.end:
            continue
        if other.start > at:
            found.append(Span(at, other.start))
        at = max(at, other.end)
    if at < span.end:
        found.append(Span(at, span.end))
    return found


def united(spans: Iterable[Span]) -> list[Span]:
    """The union, sorted and apart."""
    found: list[Span] = []
    for span in sorted(span for span in spans if span.end > span.start):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found
