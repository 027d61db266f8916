"""Vectors as rows: one for each embedded text and embedding version, whoever uses it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import WrongUsage
from chunkscope.core.store.columns import Vector, digest, from_vectors, to_json, to_vector
from chunkscope.core.store.faults import DamagedWorkspace

if TYPE_CHECKING:
    import apsw

Keys = NDArray[np.int64]
_SLICE = 10_000
_AT_ONCE = 500


def matrix(connection: apsw.Connection, profile: int) -> tuple[Keys, Vector]:
    """The vectors of all chunks of a profile, and their keys in ascending order."""
    width = dimensions(connection, profile)
    found = connection.execute(
        "SELECT chunks.key, embeddings.vector FROM chunks "
        "JOIN embeddings ON embeddings.key = chunks.embedding WHERE chunks.profile = ?",
        (profile,),
    )
    return _gather(found, width)


def of_chunks(connection: apsw.Connection, keys: Sequence[int]) -> Vector:
    """The vectors of some chunks, in the order of the keys, all of one profile."""
    found: dict[int, bytes] = _pairs(
        connection.execute(
            "SELECT chunks.key, embeddings.vector FROM chunks "
            "JOIN embeddings ON embeddings.key = chunks.embedding "
            "WHERE chunks.key IN (SELECT value FROM json_each(?))",
            (to_json(list(map(int, keys))),),
        )
    )
    missing = [key for key in keys if key not in found]
    if missing:
        raise WrongUsage(f"there is no chunk {missing[0]} any more")
    width = len(next(iter(found.values()))) // 4 if found else 0
    return _checked([found[int(key)] for key in keys], width)


def of_chunk(connection: apsw.Connection, key: int) -> Vector:
    return np.asarray(of_chunks(connection, [key])[0], np.float32)


def pooled(connection: apsw.Connection, profile: int) -> tuple[Keys, Vector]:
    """The pooled vector of each document that has one, and the documents' keys."""
    found = connection.execute(
        "SELECT document, pooled FROM indexed WHERE profile = ? AND pooled IS NOT NULL", (profile,)
    )
    return _gather(found, dimensions(connection, profile))


def pool(vectors: Vector) -> Vector:
    """The normalised mean; summed in double precision so that slices cannot change it."""
    mean = vectors.mean(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length if length else mean, np.float32)


def dimensions(connection: apsw.Connection, profile: int) -> int:
    found = connection.execute("SELECT dimensions FROM profiles WHERE key = ?", (profile,)).get
    if found is None:
        raise WrongUsage(f"there is no profile {profile} any more")
    return int(found)


def _gather(found: Iterable[tuple[int, bytes]], dimensions: int) -> tuple[Keys, Vector]:
    """Keys and vectors sorted by key; joined in slices, so that no second copy of all is held."""
    keys: list[int] = []
    parts: list[Vector] = []
    blobs: list[bytes] = []
    for key, blob in found:
        keys.append(key)
        blobs.append(blob)
        if len(blobs) == _SLICE:
            parts.append(_checked(blobs, dimensions))
            blobs = []
    parts.append(_checked(blobs, dimensions))
    ordered = np.array(keys, np.int64)
    order = np.argsort(ordered, kind="stable")
    every = np.concatenate(parts) if len(parts) > 1 else parts[0]
    if len(order) and (np.diff(order) < 0).any():
        return ordered[order], every[order]
    return ordered, every


def _pairs(found: Iterable[tuple[Any, ...]]) -> dict[int, bytes]:
    return {int(key): blob for key, blob in found}


def _checked(blobs: Sequence[bytes], dimensions: int) -> Vector:
    try:
        return from_vectors(blobs, dimensions)
    except ValueError as problem:
        raise DamagedWorkspace(
            f"{problem}: the database is damaged; `chunkscope check` tells more"
        ) from None


def known(connection: apsw.Connection, version: str, hashes: Collection[bytes]) -> dict[bytes, int]:
    """Which of these texts have a vector already: its key by the hash of the text."""
    found: dict[bytes, int] = {}
    wanted = list(hashes)
    for first in range(0, len(wanted), _AT_ONCE):
        part = wanted[first : first + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        found.update(
            connection.execute(
                "SELECT text_hash, key FROM embeddings "
                f"WHERE version = ? AND text_hash IN ({marks})",
                (version, *part),
            )
        )
    return found


def fetch(connection: apsw.Connection, keys: Sequence[int], dimensions: int) -> Vector:
    """Vectors by their own keys, in this order."""
    found: dict[int, bytes] = _pairs(
        connection.execute(
            "SELECT key, vector FROM embeddings WHERE key IN (SELECT value FROM json_each(?))",
            (to_json(sorted(set(keys))),),
        )
    )
    return _checked([found[key] for key in keys], dimensions)


def save(
    connection: apsw.Connection, version: str, vectors: Mapping[bytes, Vector]
) -> dict[bytes, int]:
    """Enter vectors by the hash of their text; known ones stay. Keys by hash."""
    found: dict[bytes, int] = {}
    for text_hash, vector in vectors.items():
        blob = to_vector(vector)
        key = connection.execute(
            "INSERT INTO embeddings(version, text_hash, vector, vector_hash) VALUES(?, ?, ?, ?) "
            "ON CONFLICT(version, text_hash) DO UPDATE SET version = version RETURNING key",
            (version, text_hash, blob, digest(blob)),
        ).get
        found[text_hash] = int(key)
    return found


def used_by(connection: apsw.Connection, condition: str, *values: int) -> list[int]:
    """Vectors that some chunks use: those that may be free once the chunks are gone."""
    found = connection.execute(f"SELECT DISTINCT embedding FROM chunks WHERE {condition}", values)
    return [int(key) for (key,) in found]


def remove_unused(connection: apsw.Connection, keys: list[int]) -> None:
    """Remove those of these vectors that no chunk uses any more."""
    connection.execute(
        "DELETE FROM embeddings WHERE key IN (SELECT value FROM json_each(?)) "
        "AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.embedding = embeddings.key)",
        (to_json(keys),),
    )
