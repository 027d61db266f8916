"""Vectors by the text that they were made of: one embedding for each distinct text."""

from __future__ import annotations

import hashlib
import os
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search.rerank import TokenRows

Vectors = NDArray[np.float32]
_KEY = 32
_CHECK = 8
_MOST_TOKEN_ROWS = 500


class Embeds(Protocol):
    """What is needed of an embedder."""

    name: str

    @property
    def version(self) -> str: ...

    @property
    def max_tokens(self) -> int: ...

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors: ...

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors: ...

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> Sequence[TokenRows]: ...


class VectorCache:
    """Vectors of one embedder, in memory and, with a folder, on disk for the next run.

    It can stand in for its embedder: rerankers ask it for what was embedded before.
    """

    def __init__(self, embedder: Embeds, folder: Path | None = None) -> None:
        self.embedder = embedder
        self.name = embedder.name
        self.version = embedder.version
        self.max_tokens = embedder.max_tokens
        self._token_rows: OrderedDict[tuple[str, bool], TokenRows] = OrderedDict()
        self._known: dict[bytes, Vectors] = {}
        self._file = _file_of(folder, self.version) if folder else None
        self.embedded = 0
        self.seconds = 0.0
        if self._file:
            self._known = _read(self._file)

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        """One row for each text."""
        return self._get(texts, b"passage", job)

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        return self._get(texts, b"query", job)

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> Sequence[TokenRows]:
        """For late interaction; they are large, so only the last used are kept."""
        known = {text: self._token_rows.get((text, is_query)) for text in texts}
        new = [text for text, found in known.items() if found is None]
        fresh = self.embedder.token_vectors(new, job, is_query=is_query) if new else []
        known |= dict(zip(new, fresh, strict=True))
        for text, found in known.items():
            if found is not None:
                self._token_rows[text, is_query] = found
                self._token_rows.move_to_end((text, is_query))
        while len(self._token_rows) > _MOST_TOKEN_ROWS:
            self._token_rows.popitem(last=False)
        return [found for text in texts if (found := known[text]) is not None]

    def _get(self, texts: Sequence[str], kind: bytes, job: Job) -> Vectors:
        keys = [hashlib.sha256(kind + b"\0" + text.encode()).digest() for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._embed(new, kind, job)
        if not keys:
            return np.zeros((0, 1), np.float32)
        return np.stack([self._known[key] for key in keys])

    def _embed(self, new: dict[bytes, str], kind: bytes, job: Job) -> None:
        begun = time.perf_counter()
        embed = self.embedder.embed_queries if kind == b"query" else self.embedder.embed_passages
        found = np.ascontiguousarray(embed(list(new.values()), job), np.float32)
        self.seconds += time.perf_counter() - begun
        self.embedded += len(new)
        self._known.update(zip(new, found, strict=True))
        if self._file:
            _append(self._file, list(new), found)


def _file_of(folder: Path, version: str) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ChunkscopeError(f"{folder} cannot be made: {problem.strerror}") from None
    return folder / f"{hashlib.sha256(version.encode()).hexdigest()[:16]}.vectors"


def _check(key: bytes, vector: Vectors) -> bytes:
    return hashlib.sha256(key + vector.tobytes()).digest()[:_CHECK]


def _append(path: Path, keys: Sequence[bytes], vectors: Vectors) -> None:
    """Add records; the first line of the file tells the number of dimensions."""
    try:
        with _locked(path), path.open("ab") as file:
            if file.tell() == 0:
                file.write(f"{vectors.shape[1]:08d}\n".encode())
            for key, vector in zip(keys, vectors, strict=True):
                file.write(key + _check(key, vector) + vector.tobytes())
            file.flush()
            os.fsync(file.fileno())
    except OSError as problem:
        raise ChunkscopeError(f"{path} cannot be written: {problem.strerror}") from None


def _read(path: Path) -> dict[bytes, Vectors]:
    """The records that are whole; a torn or damaged tail is cut off, its texts embedded again."""
    if not path.exists():
        return {}
    try:
        with _locked(path):
            data = path.read_bytes()
            known, end = _records(data)
            if end != len(data):
                os.truncate(path, end)
    except OSError as problem:
        raise ChunkscopeError(f"{path} cannot be read: {problem.strerror}") from None
    return known


def _locked(path: Path) -> AbstractContextManager[object]:
    """Two runs may share the file."""
    from filelock import FileLock

    return FileLock(f"{path}.lock", timeout=60)


def _records(data: bytes) -> tuple[dict[bytes, Vectors], int]:
    """What can be read, and where it ends."""
    known: dict[bytes, Vectors] = {}
    head = 9
    dimensions = int(data[:8]) if data[:8].isdigit() else 0
    size = _KEY + _CHECK + 4 * dimensions
    at = head
    while dimensions and at + size <= len(data):
        key = data[at : at + _KEY]
        vector = np.frombuffer(data, np.float32, dimensions, at + _KEY + _CHECK)
        if _check(key, vector) != data[at + _KEY : at + _KEY + _CHECK]:
            break
        known[key] = vector
        at += size
    return known, at if known else 0
