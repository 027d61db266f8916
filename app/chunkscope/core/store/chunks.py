"""Chunks as rows, and the commit record of a document under a profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkscope.core.chunking.chunks import Chunk
from chunkscope.core.store import fulltext, vectors
from chunkscope.core.store.columns import (
    Vector,
    digest,
    from_name,
    row_hash,
    texts,
    to_json,
    to_vector,
)
from chunkscope.core.store.db import now
from chunkscope.core.store.model import ChunkPlace, ChunkRef, Indexed, StoredChunk

if TYPE_CHECKING:
    import apsw

# Everything that `row_hash` covers: all but the key, which is nobody's content.
HASHED = (
    'profile, document, idx, id, start, "end", overlap, size, unit, model_tokens, boundary, '
    "heading_chain, page, last_page, first_line, last_line, symbol, table_header, prefix, "
    "oversize, truncated, content_hash, embedding"
)
_SELECT = (
    'SELECT c.key, c.profile, c.document, c.id, d.id, c.idx, c.start, c."end", c.overlap, c.size, '
    "c.unit, c.model_tokens, c.boundary, c.heading_chain, c.page, c.last_page, c.first_line, "
    "c.last_line, c.symbol, c.table_header, c.prefix, c.oversize, c.truncated, c.content_hash, "
    "c.embedding, d.title, d.source, d.media_type "
    "FROM chunks AS c JOIN documents AS d ON d.key = c.document "
)


def rows(connection: apsw.Connection, keys: Sequence[int]) -> list[StoredChunk]:
    """Chunks by their keys, in this order; those that are gone are left out."""
    found = {
        row[0]: _chunk(row)
        for row in connection.execute(
            _SELECT + "WHERE c.key IN (SELECT value FROM json_each(?))",
            (to_json(list(map(int, keys))),),
        )
    }
    return [found[key] for key in keys if key in found]


def of_document(connection: apsw.Connection, profile: int, document: int) -> list[StoredChunk]:
    """The chunks of a document under a profile, in order."""
    where = "WHERE c.profile = ? AND c.document = ? ORDER BY c.idx"
    return [_chunk(row) for row in connection.execute(_SELECT + where, (profile, document))]


def refs(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, ChunkRef]:
    """What a ranking must know of chunks, by their keys; those that are gone are left out."""
    found = connection.execute(
        "SELECT c.key, c.id, c.document, d.id, c.content_hash "
        "FROM chunks AS c JOIN documents AS d ON d.key = c.document "
        "WHERE c.key IN (SELECT value FROM json_each(?))",
        (to_json(list(map(int, keys))),),
    )
    return {row[0]: ChunkRef(*row) for row in found}


def places_around(
    connection: apsw.Connection, keys: Sequence[int], reach: int
) -> dict[int, list[ChunkPlace]]:
    """Chunks with so many before and after them, in order, by their keys."""
    found = connection.execute(
        'SELECT h.key, c.key, c.idx, c.start, c."end", c.heading_chain '
        # Not for SQLite to turn around: the few first, then the neighbours of each.
        "FROM chunks AS h CROSS JOIN chunks AS c ON c.profile = h.profile "
        "AND c.document = h.document AND c.idx BETWEEN h.idx - ?2 AND h.idx + ?2 "
        "WHERE h.key IN (SELECT value FROM json_each(?1)) ORDER BY h.key, c.idx",
        (to_json(list(map(int, keys))), reach),
    )
    places: dict[int, list[ChunkPlace]] = {}
    for hit, key, index, start, end, chain in found:
        places.setdefault(hit, []).append(ChunkPlace(key, index, start, end, texts(chain)))
    return places


def holding(
    connection: apsw.Connection, profile: int, document: int, start: int, end: int
) -> list[StoredChunk]:
    """The chunks that share a character with a span, in order."""
    where = 'WHERE c.profile = ? AND c.document = ? AND c.start < ? AND c."end" > ? ORDER BY c.idx'
    found = connection.execute(_SELECT + where, (profile, document, end, start))
    return [_chunk(row) for row in found]


def _chunk(row: tuple[Any, ...]) -> StoredChunk:
    return StoredChunk(
        key=row[0],
        profile=row[1],
        document=row[2],
        id=row[3],
        document_id=row[4],
        index=row[5],
        start=row[6],
        end=row[7],
        overlap=row[8],
        size=row[9],
        unit=row[10],
        model_tokens=row[11],
        boundary=row[12],
        heading_chain=texts(row[13]),
        page=row[14],
        last_page=row[15],
        lines=(row[16], row[17]),
        symbol=row[18],
        table_header=row[19],
        prefix=row[20],
        oversize=bool(row[21]),
        truncated_by_model=bool(row[22]),
        content_hash=row[23].hex(),
        embedding=row[24],
        title=from_name(row[25]),
        source=from_name(row[26]),
        media_type=row[27],
    )


def _values(chunk: Chunk, profile: int, document: int, embedding: int) -> tuple[Any, ...]:
    """The columns of HASHED."""
    return (
        profile,
        document,
        chunk.index,
        chunk.id,
        chunk.start,
        chunk.end,
        chunk.overlap,
        chunk.size,
        chunk.unit,
        chunk.model_tokens,
        chunk.boundary,
        to_json(chunk.heading_chain),
        chunk.page,
        chunk.last_page,
        *chunk.lines,
        chunk.symbol,
        chunk.table_header,
        chunk.prefix,
        int(chunk.oversize),
        int(chunk.truncated_by_model),
        bytes.fromhex(chunk.content_hash),
        embedding,
    )


def insert(
    connection: apsw.Connection,
    profile: int,
    document: int,
    title: str,
    chunks: Sequence[Chunk],
    embeddings: Sequence[int],
) -> None:
    """Enter the chunks of a document with their full text."""
    marks = ", ".join("?" * (HASHED.count(",") + 2))
    statement = f"INSERT INTO chunks({HASHED}, row_hash) VALUES({marks}) RETURNING key"
    entries = []
    for chunk, embedding in zip(chunks, embeddings, strict=True):
        values = _values(chunk, profile, document, embedding)
        key = connection.execute(statement, (*values, row_hash(values))).get
        entries.append((int(key), title, chunk.heading_chain, chunk.text))
    fulltext.add_chunks(connection, profile, entries)


def remove(connection: apsw.Connection, profile: int, document: int) -> list[int]:
    """Remove a document's chunks under a profile; the vectors that may be free now."""
    where = "profile = ? AND document = ?"
    used = vectors.used_by(connection, where, profile, document)
    keys = connection.execute(f"SELECT key FROM chunks WHERE {where}", (profile, document))
    fulltext.remove_chunks(connection, profile, [int(key) for (key,) in keys])
    connection.execute(f"DELETE FROM chunks WHERE {where}", (profile, document))
    connection.execute(f"DELETE FROM indexed WHERE {where}", (profile, document))
    return used


def record(
    connection: apsw.Connection,
    profile: int,
    document: int,
    source_hash: bytes,
    is_whole: bool,
    chunk_vectors: Vector,
) -> None:
    """The commit record: with it the document counts as indexed."""
    blob = to_vector(vectors.pool(chunk_vectors)) if len(chunk_vectors) else None
    connection.execute(
        "INSERT INTO indexed VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        (
            profile, document, source_hash, len(chunk_vectors), int(is_whole),
            blob, digest(blob) if blob is not None else None, now(),
        ),
    )  # fmt: skip


def indexed(connection: apsw.Connection, profile: int, document: int) -> Indexed | None:
    """The commit record of a document, where there is one."""
    row = connection.execute(
        "SELECT document, source_hash, chunks, is_whole, indexed FROM indexed "
        "WHERE profile = ? AND document = ?",
        (profile, document),
    ).fetchone()
    return Indexed(row[0], row[1], row[2], bool(row[3]), row[4]) if row else None


def profiles_of(connection: apsw.Connection, document: int) -> set[int]:
    """The profiles under which a document is indexed."""
    found = connection.execute("SELECT profile FROM indexed WHERE document = ?", (document,))
    return {int(key) for (key,) in found}
