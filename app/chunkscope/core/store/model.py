"""What the store hands out: rows as values, offsets in code points of the canonical text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chunkscope.core.model import Span, State


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document without its text and blocks."""

    key: int
    id: str
    parent_id: str
    source: str
    title: str
    media_type: str
    characters: int
    state: State
    warnings: tuple[str, ...]
    missing: tuple[str, ...]
    content_hash: str
    added: str
    updated: str


@dataclass(frozen=True, slots=True)
class StoredProfile:
    """A profile under which documents are indexed; `id` is of what decides chunks and vectors."""

    key: int
    id: str
    name: str
    toml: str
    embedding_version: str
    dimensions: int
    generation: int
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as indexed, with what is needed of its document to show it."""

    key: int
    profile: int
    document: int
    id: str
    document_id: str
    index: int
    start: int
    end: int
    overlap: int
    size: int
    unit: str
    model_tokens: int
    boundary: str
    heading_chain: tuple[str, ...]
    page: int | None
    last_page: int | None
    lines: tuple[int, int]
    symbol: str
    table_header: str
    prefix: str
    oversize: bool
    truncated_by_model: bool
    content_hash: str
    embedding: int
    title: str
    source: str
    media_type: str

    @property
    def fresh(self) -> Span:
        """The part that does not repeat the chunk before."""
        return Span(self.start + self.overlap, self.end)


class ChunkRef(NamedTuple):
    """A chunk as far as a ranking must know it."""

    key: int
    id: str
    document: int
    document_id: str
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk stands in its document."""

    key: int
    index: int
    start: int
    end: int
    heading_chain: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Indexed:
    """The commit record of one document under one profile."""

    document: int
    source_hash: bytes
    chunks: int
    is_whole: bool
    indexed: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A piece of work that is still to be done, and why it was not."""

    profile: str
    source: str
    document_id: str
    action: str
    attempts: int
    next_try: str
    last_error: str
    queued: str
