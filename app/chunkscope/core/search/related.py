"""Neighbours by meaning: chunks like a chunk, documents like a document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.errors import WrongUsage
from chunkscope.core.search.dense import DenseIndex
from chunkscope.core.store import chunks, documents, selection, vectors
from chunkscope.core.store.model import StoredChunk, StoredDocument, StoredProfile

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class Related:
    """A chunk that is near in meaning."""

    chunk: StoredChunk
    cosine: float


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    """A document that is near in meaning."""

    document: StoredDocument
    cosine: float


def related_chunks(
    connection: apsw.Connection,
    profile: StoredProfile,
    index: DenseIndex,
    chunk_id: str,
    count: int = 3,
) -> tuple[Related, ...]:
    """The nearest chunks; not the chunk itself, nor others that have the same text."""
    key = selection.key_of(connection, profile.key, chunk_id)
    if key is None:
        raise WrongUsage(f"no chunk is called {chunk_id!r} under profile {profile.name!r}")
    (own,) = chunks.rows(connection, [key])
    found: list[Related] = []
    wanted = count + 8
    while True:
        keys, cosines = index.search(vectors.of_chunk(connection, key), wanted)
        scores = dict(zip(keys.tolist(), cosines.tolist(), strict=True))
        rows = chunks.rows(connection, keys.tolist())
        others = [row for row in rows if row.content_hash != own.content_hash]
        found = [Related(row, scores[row.key]) for row in others[:count]]
        if len(found) == count or len(keys) < wanted:
            return tuple(found)
        wanted *= 4


def related_documents(
    connection: apsw.Connection,
    profile: StoredProfile,
    document: str,
    count: int = 10,
    threshold: float = 0.7,
) -> tuple[RelatedDocument, ...]:
    """The nearest documents above a threshold."""
    own = documents.find(connection, document)
    keys, rows = vectors.pooled(connection, profile.key)
    at = np.flatnonzero(keys == own.key)
    if not len(at):
        return ()
    cosines = rows @ rows[at[0]]
    order = [
        place
        for place in np.argsort(-cosines, kind="stable").tolist()
        if keys[place] != own.key and cosines[place] >= threshold
    ]
    known = {each.key: each for each in documents.rows(connection)}
    return tuple(
        RelatedDocument(known[int(keys[place])], float(cosines[place]))
        for place in order[:count]
        if int(keys[place]) in known
    )
