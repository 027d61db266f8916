"""Vectors by the text that they were made of: one embedding for each distinct text."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.job import NO_JOB, Job

Vectors = NDArray[np.float32]
_KEY = 32
_CHECK = 8


class Embeds(Protocol):
    """What is needed of an embedder."""

    @property
    def version(self) -> str: ...

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors: ...

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors: ...


class VectorCache:
    """Vectors of one embedder, in memory and, with a folder, on disk for the next run."""

    def __init__(self, embedder: Embeds, folder: Path | None = None) -> None:
        self.embedder = embedder
        self.version = embedder.version
        self._known: dict[bytes, Vectors] = {}
        self._file = _file_of(folder, self.version) if folder else None
        self.embedded = 0
        self.seconds = 0.0
        if self._file:
            self._known = _read(self._file)

    def passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        """One row for each text."""
        return self._get(texts, b"passage", job)

    def questions(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        return self._get(texts, b"query", job)

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
