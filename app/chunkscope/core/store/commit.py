"""What is written in one piece: a document with its chunks, vectors, full text and record."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkscope.core.chunking.chunks import Chunk
from chunkscope.core.model import Document
from chunkscope.core.store import chunks, documents, fulltext, outbox, profiles, sources, vectors
from chunkscope.core.store.columns import Vector, digest, from_name, to_json, to_name

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document cut under a profile: all that is to be written but the vectors."""

    document: Document
    origin: str
    chunks: Sequence[Chunk]
    is_whole: bool
    text_hashes: tuple[bytes, ...]

    @classmethod
    def of(
        cls, document: Document, origin: str, chunks: Sequence[Chunk], is_whole: bool
    ) -> Prepared:
        hashes = tuple(digest(chunk.embedded_text.encode("utf-8")) for chunk in chunks)
        return cls(document, origin, chunks, is_whole, hashes)

    def texts(self) -> dict[bytes, str]:
        """The texts to embed, each once, by their hashes."""
        pairs = zip(self.text_hashes, self.chunks, strict=True)
        return {found: chunk.embedded_text for found, chunk in pairs}


class VectorsMissing(Exception):
    """Texts whose vectors were thought to be known have none; caught by the pipeline."""

    def __init__(self, hashes: list[bytes]) -> None:
        super().__init__(f"{len(hashes)} vectors are missing")
        self.hashes = hashes


def put(
    connection: apsw.Connection,
    profile: int,
    version: str,
    prepared: Prepared,
    fresh: Mapping[bytes, Vector],
) -> int:
    """Write a document in place of its former self, inside the caller's transaction; its key.

    `fresh` holds the vectors that are not in the database yet. A document that changed is no
    longer indexed under other profiles: that work is queued for them.
    """
    key, used = _put_document(connection, profile, prepared)
    used += chunks.remove(connection, profile, key)
    keys = vectors.known(connection, version, set(prepared.text_hashes))
    new = {each: fresh[each] for each in prepared.text_hashes if each in fresh and each not in keys}
    keys |= vectors.save(connection, version, new)
    missing = [found for found in prepared.text_hashes if found not in keys]
    if missing:
        raise VectorsMissing(missing)
    embeddings = [keys[found] for found in prepared.text_hashes]
    title = to_name(prepared.document.title)
    chunks.insert(connection, profile, key, title, prepared.chunks, embeddings)
    matrix = vectors.fetch(connection, embeddings, vectors.dimensions(connection, profile))
    source_hash = bytes.fromhex(prepared.document.content_hash)
    chunks.record(connection, profile, key, source_hash, prepared.is_whole, matrix)
    vectors.remove_unused(connection, used)
    profiles.touch(connection, {profile})
    outbox.done(connection, profile, prepared.origin, prepared.document.id)
    return key


def _put_document(
    connection: apsw.Connection, profile: int, prepared: Prepared
) -> tuple[int, list[int]]:
    """The document's key, and the vectors that may be free now."""
    document, origin = prepared.document, prepared.origin
    if documents.is_same(connection, document, origin):
        key = documents.key_of(connection, document.id)
        assert key is not None
        return key, []
    key = documents.save(connection, document, origin)
    fulltext.put_document(connection, key, to_name(document.title), document.text)
    used: list[int] = []
    others = chunks.profiles_of(connection, key) - {profile}
    for other in sorted(others):
        used += chunks.remove(connection, other, key)
        outbox.put(connection, other, origin, document.id)
    profiles.touch(connection, others)
    return key, used


def finish_source(
    connection: apsw.Connection,
    origin: str,
    file_hash: bytes,
    loaded_with: str,
    ids: Collection[str],
) -> int:
    """Note that a file has given all its documents, and remove those it no longer holds."""
    gone = [key for key, identity in documents.of_origin(connection, origin) if identity not in ids]
    count = remove(connection, gone) if gone else 0
    sources.save(connection, origin, file_hash, loaded_with, len(ids))
    return count


def remove(connection: apsw.Connection, keys: Collection[int]) -> int:
    """Remove documents with all that they contain and every trace; how many there were."""
    used: list[int] = []
    touched: set[int] = set()
    every = documents.with_descendants(connection, keys)
    for key in every:
        for profile in sorted(chunks.profiles_of(connection, key)):
            used += chunks.remove(connection, profile, key)
            touched.add(profile)
    fulltext.remove_documents(connection, every)
    _forget(connection, every)
    vectors.remove_unused(connection, used)
    profiles.touch(connection, touched)
    return len(every)


def _forget(connection: apsw.Connection, keys: list[int]) -> None:
    """The rows of documents, what is known of their files, and work queued for them."""
    listed = (to_json(keys),)
    where = "WHERE key IN (SELECT value FROM json_each(?))"
    origins = connection.execute(f"SELECT DISTINCT origin FROM documents {where}", listed)
    for (origin,) in origins.fetchall():
        sources.forget(connection, from_name(str(origin)))
    connection.execute(
        f"DELETE FROM outbox WHERE document_id IN (SELECT id FROM documents {where})", listed
    )
    connection.execute(f"DELETE FROM documents {where}", listed)
