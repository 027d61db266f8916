"""The part of the check that looks into documents, chunks and vectors: hashes over everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkscope.core.job import Job
from chunkscope.core.store import chunks as chunk_rows
from chunkscope.core.store import documents as document_rows
from chunkscope.core.store.columns import digest, from_vectors, row_hash
from chunkscope.core.store.db import keys
from chunkscope.core.store.vectors import pool

if TYPE_CHECKING:
    import apsw

# Vectors are normalised in float32; bfloat16 models miss one by a little more.
_NORM_TOLERANCE = 1e-3
_POOL_TOLERANCE = 1e-5
_SPAN, _PREFIX, _CONTENT, _EMBEDDING = slice(4, 6), 18, 21, 22


@dataclass(frozen=True, slots=True)
class Problem:
    kind: str
    what: str


def documents(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    """Texts, structure and chunks, document by document: one text in memory at a time."""
    every = keys(connection, "SELECT key FROM documents")
    for done, key in enumerate(every):
        job.step(done, len(every), "documents and chunks")
        try:
            yield from _document(connection, key)
        except (UnicodeDecodeError, ValueError, TypeError) as problem:
            yield Problem("document text", f"document {key} cannot be read: {problem}")


def _document(connection: apsw.Connection, key: int) -> Iterator[Problem]:
    found: list[tuple[Any, ...]] = connection.execute(
        f"SELECT {document_rows.HASHED}, row_hash, text, blocks FROM documents WHERE key = ?",
        (key,),
    ).fetchall()
    *values, expected, text, blocks = found[0]
    if row_hash(values) != expected:
        yield Problem("document row", f"the row of document {key} was altered")
    if digest(text.encode("utf-8", "surrogatepass")) != values[7] or len(text) != values[6]:
        yield Problem("document text", f"the text of document {key} was altered")
    if digest(blocks) != values[8]:
        yield Problem("document blocks", f"the structure of document {key} was altered")
    yield from _chunks(connection, key, text)


def _chunks(connection: apsw.Connection, document: int, text: str) -> Iterator[Problem]:
    names = ", ".join(f"c.{name}" for name in chunk_rows.HASHED.split(", "))
    rows = connection.execute(
        f"SELECT {names}, c.row_hash, c.key, e.text_hash, e.version, p.embedding_version "
        "FROM chunks AS c LEFT JOIN embeddings AS e ON e.key = c.embedding "
        "LEFT JOIN profiles AS p ON p.key = c.profile WHERE c.document = ?",
        (document,),
    )
    for row in rows:
        *values, expected, key, text_hash, version, profile_version = row
        if row_hash(values) != expected:
            yield Problem("chunk row", f"the row of chunk {key} was altered")
        yield from _span(values, key, text, text_hash)
        if version != profile_version:
            yield Problem("chunk vector", f"the vector of chunk {key} is of another model")


def _span(values: list[Any], key: object, text: str, text_hash: object) -> Iterator[Problem]:
    start, end = values[_SPAN]
    passage = text[start:end] if 0 <= start < end <= len(text) else ""
    if digest(passage.encode("utf-8", "surrogatepass")) != values[_CONTENT]:
        yield Problem("chunk offsets", f"chunk {key} is not what stands at {start}:{end}")
    embedded = str(values[_PREFIX]) + passage
    if digest(embedded.encode("utf-8", "surrogatepass")) != text_hash:
        yield Problem("chunk vector", f"the vector of chunk {key} is of another text")


def vectors(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    """Each vector is as it was written, and normalised."""
    job.step(0, 1, "vectors")
    known: Any = connection.execute("SELECT embedding_version, dimensions FROM profiles")
    widths = {str(version): int(width) for version, width in known}
    rows = connection.execute("SELECT key, version, vector, vector_hash FROM embeddings")
    for count, (key, version, vector, expected) in enumerate(rows):
        if count % 1_000 == 0:
            job.check()
        if digest(vector) != expected:
            yield Problem("vector", f"vector {key} was altered")
        elif len(vector) != 4 * widths.get(str(version), 0) or not _is_normal(vector):
            yield Problem("vector", f"vector {key} has a wrong length")


def _is_normal(vector: bytes) -> bool:
    length = float(np.linalg.norm(np.frombuffer(vector, "<f4")))
    return abs(length - 1) < _NORM_TOLERANCE


def records(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    """The commit records: counts, hashes of the source, and pooled vectors."""
    rows = connection.execute(
        "SELECT i.profile, i.document, i.chunks, i.source_hash, i.pooled, i.pooled_hash, "
        "d.text_hash, p.dimensions FROM indexed AS i "
        "JOIN documents AS d ON d.key = i.document JOIN profiles AS p ON p.key = i.profile"
    ).fetchall()
    for done, row in enumerate(rows):
        job.step(done, len(rows), "records")
        yield from _record(connection, row)


def _record(connection: apsw.Connection, row: tuple[Any, ...]) -> Iterator[Problem]:
    profile, document, count, source_hash, pooled, pooled_hash, text_hash, width = row
    where = f"document {document} under profile {profile}"
    blobs: list[Any] = [
        blob for (blob,) in connection.execute(
            "SELECT e.vector FROM chunks AS c JOIN embeddings AS e ON e.key = c.embedding "
            "WHERE c.profile = ? AND c.document = ? ORDER BY c.idx",
            (profile, document),
        )
    ]  # fmt: skip
    if len(blobs) != count or source_hash != text_hash:
        yield Problem("record", f"{where} is not what was recorded")
    if pooled is None:
        if blobs:
            yield Problem("pooled vector", f"{where} has none")
        return
    if digest(pooled) != pooled_hash:
        yield Problem("pooled vector", f"of {where} was altered")
    elif any(len(blob) != 4 * width for blob in [pooled, *blobs]) or not blobs:
        yield Problem("pooled vector", f"of {where} has a wrong length")
    elif np.abs(pool(from_vectors(blobs, width)) - np.frombuffer(pooled, "<f4")).max() > (
        _POOL_TOLERANCE
    ):
        yield Problem("pooled vector", f"of {where} is not the mean of its chunks")
