"""What a search gives back: hits with their whole story, and everything that was no hit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from chunkscope.core.model import Span
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.store.model import StoredChunk


class Scores(NamedTuple):
    """A candidate's scores; None where the channel did not see it. BM25 counts upwards."""

    bm25: float | None = None
    cosine: float | None = None
    rrf: float | None = None
    rerank: float | None = None


class Ranks(NamedTuple):
    """A candidate's ranks, from 1; None where it had none."""

    lexical: int | None = None
    semantic: int | None = None
    fused: int | None = None
    reranked: int | None = None


class MatchedTerm(NamedTuple):
    """A term of the query in a chunk: where it stands, and its share of the chunk's BM25."""

    term: str
    spans: tuple[Span, ...]  # in the canonical text
    share: float
    in_title: bool = False
    in_headings: bool = False


class Part(NamedTuple):
    """A stretch of the document that one chunk brought."""

    start: int
    end: int
    chunk: int
    role: str  # hit or neighbour


@dataclass(frozen=True, slots=True)
class Stitched:
    """A chunk with its neighbours as one text; no character stands in it twice."""

    start: int
    end: int
    text: str
    parts: tuple[Part, ...]
    runs: tuple[Span, ...]  # the text is these spans, with a visible gap between two
    cut_points: tuple[int, ...]  # where chunks meet, in the canonical text


@dataclass(frozen=True, slots=True)
class Hit:
    """One result."""

    rank: int
    chunk: StoredChunk
    text: str
    stitched: Stitched
    scores: Scores
    ranks: Ranks
    matched_terms: tuple[MatchedTerm, ...] = ()
    repeats: tuple[str, ...] = ()  # ids of chunks with the same text, shown once


@dataclass(frozen=True, slots=True)
class Candidate:
    """One chunk on its way through the stages; `rule` says why it is not shown."""

    key: int
    chunk_id: str
    document_id: str
    scores: Scores
    ranks: Ranks
    rank: int | None = None  # as shown
    stage: str = ""  # that dropped it
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a stage took, gave and needed."""

    name: str
    given: int
    kept: int
    milliseconds: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Waterfall:
    """The whole way from the query to the results."""

    stages: tuple[Stage, ...] = ()
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentHits:
    """A document, ranked by its best chunk, with those of its chunks that were found."""

    rank: int
    document_id: str
    title: str
    source: str
    hits: tuple[Hit, ...]

    @property
    def best(self) -> Hit:
        return self.hits[0]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and what must be said about them."""

    query: str
    profile: str
    options: SearchOptions
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    waterfall: Waterfall = field(default_factory=Waterfall)
    route: str = ""  # lexical or semantic, where the query was routed
    milliseconds: float = 0.0

    @property
    def by_document(self) -> tuple[DocumentHits, ...]:
        """The documents by their best chunk."""
        groups: dict[str, list[Hit]] = {}
        for hit in self.hits:
            groups.setdefault(hit.chunk.document_id, []).append(hit)
        return tuple(
            DocumentHits(rank, key, hits[0].chunk.title, hits[0].chunk.source, tuple(hits))
            for rank, (key, hits) in enumerate(groups.items(), start=1)
        )
