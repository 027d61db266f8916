"""The text of a document with visible cut marks: for reading, for golden files, for export."""

from __future__ import annotations

from collections.abc import Iterator

from chunkscope.core.chunking.chunks import Chunking

OPEN, CLOSE = "⟦", "⟧"


def marked_text(chunking: Chunking) -> str:
    """The text, with a mark where each chunk's fresh part begins, and where its repeated part does.

    `⟦3 · 212 tokens · paragraph⟧` opens the fresh part of chunk 3, `⟦↷3⟧` what it repeats, `⟦∅⟧`
    what is in no chunk, and `⟦end⟧` closes the last.
    """
    text = chunking.document.text
    pieces: list[str] = []
    done = 0
    for position, _, mark in sorted(_marks(chunking)):
        pieces += [text[done:position], mark]
        done = position
    pieces.append(text[done:])
    return "".join(pieces)


def _marks(chunking: Chunking) -> Iterator[tuple[int, int, str]]:
    unit = chunking.strategy.unit
    fresh = chunking.fresh_starts.tolist()
    for index, (start, boundary, size) in enumerate(
        zip(fresh, chunking.boundaries, chunking.sizes.tolist(), strict=True)
    ):
        signs = _signs(chunking, index)
        yield start, 2, f"{OPEN}{index} · {size} {unit} · {boundary}{signs}{CLOSE}"
        if chunking.overlaps[index]:
            yield int(chunking.starts[index]), 1, f"{OPEN}↷{index}{CLOSE}"
    for span, _ in chunking.left_out:
        yield span.start, 3, f"{OPEN}∅{CLOSE}"
    if len(chunking):
        yield int(chunking.ends[-1]), 0, f"{OPEN}end{CLOSE}"


def _signs(chunking: Chunking, index: int) -> str:
    signs = [" · over the maximum"] if chunking.oversize[index] else []
    if chunking.truncated[index]:
        signs.append(" · cut by the model")
    return "".join(signs)
