"""Chunks as JSON."""

from __future__ import annotations

from chunkscope.core.chunking.chunks import Chunk


def chunk_record(chunk: Chunk) -> dict[str, object]:
    """All that is known of a chunk, under the names that are the same everywhere."""
    return {
        "chunk_id": chunk.id,
        "document_id": chunk.document_id,
        "index": chunk.index,
        "start": chunk.start,
        "end": chunk.end,
        "overlap": chunk.overlap,
        "text": chunk.text,
        "unit": chunk.unit,
        "size": chunk.size,
        "model_tokens": chunk.model_tokens,
        "boundary": chunk.boundary,
        "heading_chain": list(chunk.heading_chain),
        "page": chunk.page,
        "last_page": chunk.last_page,
        "lines": list(chunk.lines),
        "symbol": chunk.symbol or None,
        "table_header": chunk.table_header or None,
        "embedded_prefix": chunk.prefix,
        "oversize": chunk.oversize,
        "truncated_by_model": chunk.truncated_by_model,
        "content_hash": chunk.content_hash,
        "strategy": chunk.strategy,
        "parameters": {name: _plain(value) for name, value in chunk.parameters},
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
