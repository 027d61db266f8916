"""Pieces of documents as one text, each character of it with the place that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunkscope.core.search.stitch import is_blank
from chunkscope.core.search.templates import Origin, Template
from chunkscope.core.store.model import StoredChunk

ATTRIBUTION, SEPARATOR = "attribution", "separator"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a document that goes into the context."""

    chunk: StoredChunk
    start: int
    end: int
    role: str
    rank: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """A range of the context and where it comes from; attributions come from nowhere."""

    start: int
    end: int
    role: str  # hit, neighbour, attribution or separator
    rank: int = 0
    document_id: str = ""
    chunk_id: str = ""
    document_start: int = 0
    document_end: int = 0


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text, and ranges that tile it."""

    text: str
    parts: tuple[Provenance, ...]


def render(pieces: Iterable[Piece], texts: Mapping[int, str], template: Template) -> Rendered:
    """The pieces by source and position, with attributions and separators."""
    writer = _Writer()
    for number, block in enumerate(blocks(pieces, texts), start=1):
        origin = _origin(number, block)
        if number > 1:
            writer.write(template.separator, SEPARATOR)
        writer.write(template.head(origin), ATTRIBUTION)
        _write_block(writer, block, texts[block[0].chunk.document], template.escapes)
        writer.write(template.tail(origin), ATTRIBUTION)
    return Rendered("".join(writer.texts), tuple(writer.parts))


def blocks(pieces: Iterable[Piece], texts: Mapping[int, str]) -> list[list[Piece]]:
    """Pieces that follow each other under one heading; each block gets one attribution."""
    found: list[list[Piece]] = []
    for piece in sorted(pieces, key=_place):
        last = found[-1][-1] if found else None
        if (
            last is not None
            and last.chunk.document == piece.chunk.document
            and last.chunk.heading_chain == piece.chunk.heading_chain
            and is_blank(texts[piece.chunk.document], last.end, piece.start)
        ):
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def _place(piece: Piece) -> tuple[str, str, int, int]:
    return piece.chunk.source, piece.chunk.document_id, piece.start, piece.end


def _origin(number: int, block: Sequence[Piece]) -> Origin:
    first = block[0].chunk
    numbers = [
        page
        for piece in block
        for page in (piece.chunk.page, piece.chunk.last_page)
        if page is not None
    ]
    pages = ""
    if numbers:
        low, high = min(numbers), max(numbers)
        pages = str(low) if low == high else f"{low}–{high}"
    section = " > ".join(first.heading_chain)
    return Origin(number, first.title, first.source, first.document_id, section, pages)


def _write_block(
    writer: _Writer, block: Sequence[Piece], text: str, escapes: Mapping[str, str]
) -> None:
    """The block's text without blank edges; blanks between pieces belong to the one before."""
    whole = text[block[0].start : block[-1].end]
    start = block[0].start + len(whole) - len(whole.lstrip())
    stop = block[-1].end - (len(whole) - len(whole.rstrip()))
    for number, piece in enumerate(block):
        last = number + 1 == len(block)
        low = max(piece.start, start)
        high = min(stop, piece.end if last else block[number + 1].start)
        for begin, end in _unescaped(text, low, high, escapes):
            shown = escapes.get(text[begin:end], text[begin:end])
            writer.write(shown, piece.role, piece, begin, end)


def _unescaped(
    text: str, start: int, end: int, escapes: Mapping[str, str]
) -> Iterator[tuple[int, int]]:
    """Stretches that stay as they are, and single characters that do not."""
    at = start
    for place in range(start, end) if escapes else ():
        if text[place] in escapes:
            yield at, place
            yield place, place + 1
            at = place + 1
    yield at, end


class _Writer:
    """Collects text with its provenance."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.parts: list[Provenance] = []
        self._at = 0

    def write(
        self, text: str, role: str, piece: Piece | None = None, start: int = 0, end: int = 0
    ) -> None:
        if not text:
            return
        self.texts.append(text)
        stop = self._at + len(text)
        if piece is None:
            self.parts.append(Provenance(self._at, stop, role))
        else:
            chunk = piece.chunk
            self.parts.append(
                Provenance(
                    self._at, stop, role, piece.rank, chunk.document_id, chunk.id, start, end
                )
            )
        self._at = stop
