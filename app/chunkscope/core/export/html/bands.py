"""The text of a document as bands: all of its characters, in order, and not one more."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from chunkscope.core.chunking.chunks import Chunk, Chunking
from chunkscope.core.chunking.strategies import Boundary
from chunkscope.core.export.base import watched
from chunkscope.core.export.html.markup import element, opened, shown
from chunkscope.core.job import Job

TINTS = 3
_INSIDE = (Boundary.TOKEN, Boundary.CHARACTER)


def anchor(document: int, chunk: int) -> str:
    """The address of a chunk within the page."""
    return f"d{document}c{chunk}"


def bands(chunking: Chunking, number: int, job: Job) -> Iterator[str]:
    """Numbers and sizes are attributes, which the style shows: copied text is only text."""
    done = 0
    for chunk in watched(chunking, job):
        yield from _between(chunking, done, chunk.fresh.start)
        yield _band(chunking, chunk, number)
        done = chunk.end
    yield from _between(chunking, done, len(chunking.document.text))


def _band(chunking: Chunking, chunk: Chunk, number: int) -> str:
    start = opened(
        "div",
        class_=_classes(chunk),
        id=anchor(number, chunk.index),
        data_n=str(chunk.index),
        data_s=_margin(chunk),
        title=_details(chunking, chunk),
    )
    return start + "".join(_pieces(chunking, chunk)) + "</div>"


def _classes(chunk: Chunk) -> str:
    names = ["b", f"t{chunk.index % TINTS}"]
    names += ["inside"] if chunk.boundary in _INSIDE else []
    names += ["over"] if chunk.oversize or chunk.truncated_by_model else []
    return " ".join(names)


def _margin(chunk: Chunk) -> str:
    signs = ["over the maximum"] if chunk.oversize else []
    signs += ["cut by the model"] if chunk.truncated_by_model else []
    return "\n".join([f"{chunk.size:,} {chunk.unit}", chunk.boundary, *signs])


def _pieces(chunking: Chunking, chunk: Chunk) -> Iterator[str]:
    """The fresh part of a chunk; what later chunks repeat is marked."""
    text = chunking.document.text
    after = chunk.index + 1
    last = int(np.searchsorted(chunking.starts, chunk.end, side="left"))
    places = np.unique(np.maximum(chunking.starts[after:last], chunk.fresh.start)).tolist()
    edges = [*places, chunk.end]
    yield shown(text[chunk.fresh.start : edges[0]])
    for start, end in pairwise(edges):
        latest = int(np.searchsorted(chunking.starts, start, side="right")) - 1
        by = f"chunk {after}" if latest == after else f"chunks {after}–{latest}"
        yield element("span", text[start:end], class_="r", title=f"repeated in {by}")


def _between(chunking: Chunking, start: int, end: int) -> Iterator[str]:
    """What lies between two chunks: blanks, and what is left out."""
    left_out = chunking.left_out
    at = bisect_left(left_out, start, key=lambda entry: entry[0].end)
    for span, reason in left_out[at:]:
        if span.start >= end:
            break
        first, last = max(span.start, start), min(span.end, end)
        if first < last:
            yield from _gap(chunking.document.text[start:first])
            yield element("div", chunking.document.text[first:last], class_="o", title=reason)
            start = last
    yield from _gap(chunking.document.text[start:end])


def _gap(text: str) -> Iterator[str]:
    if text.strip():
        yield element("div", text, class_="o", title="in no chunk")
    elif text:
        yield element("div", text, class_="g")


def _details(chunking: Chunking, chunk: Chunk) -> str:
    """What the pointer shows."""
    lines = [
        f"Chunk {chunk.index} · {chunk.size:,} {chunk.unit} · "
        f"{chunking.model.share(chunk.model_tokens)} in {chunking.model.name}",
        f"characters {chunk.start:,}–{chunk.end:,}, {_range('line', *chunk.lines)}",
        f"begins at: {chunk.boundary}",
    ]
    if chunk.page and chunk.last_page:
        lines[1] += f", {_range('page', chunk.page, chunk.last_page)}"
    if chunk.overlap:
        lines[1] += f"; the first {chunk.overlap:,} repeat what stands before"
    if chunk.heading_chain:
        lines.append(" > ".join(chunk.heading_chain))
    if chunk.symbol:
        lines.append(f"symbol: {chunk.symbol}")
    if chunk.prefix:
        lines.append(f"embedded behind: {' '.join(chunk.prefix.split())}")
    return "\n".join([*lines, chunk.id])


def _range(noun: str, first: int, last: int) -> str:
    return f"{noun} {first:,}" if first == last else f"{noun}s {first:,}–{last:,}"
