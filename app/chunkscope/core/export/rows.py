"""Chunks as records and as flat rows, the same in every table."""

from __future__ import annotations

import json

from chunkscope.core.chunking.chunks import Chunk
from chunkscope.core.chunking.records import chunk_record
from chunkscope.core.model import Document

# The columns of a table of chunks, in order. A list holds text.
COLUMNS: dict[str, type] = {
    "title": str,
    "source": str,
    "chunk_id": str,
    "document_id": str,
    "index": int,
    "start": int,
    "end": int,
    "overlap": int,
    "text": str,
    "unit": str,
    "size": int,
    "model_tokens": int,
    "boundary": str,
    "heading_chain": list,
    "page": int,
    "last_page": int,
    "first_line": int,
    "last_line": int,
    "symbol": str,
    "table_header": str,
    "embedded_prefix": str,
    "oversize": bool,
    "truncated_by_model": bool,
    "content_hash": str,
    "strategy": str,
    "parameters": str,
}


def full_record(chunk: Chunk, document: Document) -> dict[str, object]:
    """All that is known of a chunk, and the document that it comes from."""
    return {"title": document.title, "source": document.source, **chunk_record(chunk)}


def flat_row(chunk: Chunk, document: Document) -> dict[str, object]:
    """The same with one value a column: lines in two, parameters as JSON."""
    record = full_record(chunk, document)
    first, last = chunk.lines
    record |= {"first_line": first, "last_line": last}
    record["parameters"] = json.dumps(record["parameters"], ensure_ascii=False)
    return {name: record[name] for name in COLUMNS}
