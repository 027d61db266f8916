"""A small embedder that needs no model: hashed words, the same everywhere and fast."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.models import ReadingModel, reading_models
from chunkscope.core.embedding.base import TokenVectors
from chunkscope.core.job import NO_JOB, Job

NAME = "hashing"
DIMENSIONS = 64

if NAME not in reading_models:
    reading_models.register(NAME)(lambda: ReadingModel("hashed words", "minilm", 256))


class HashingEmbedder:
    """Counts what it was asked to embed."""

    name = NAME
    version = "hashing-1"
    dimensions = DIMENSIONS
    max_tokens = 256

    def __init__(self) -> None:
        self.embedding_calls = 0

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> NDArray[np.float32]:
        job.check()
        self.embedding_calls += len(texts)
        return np.array([_vector(text) for text in texts], np.float32).reshape(-1, DIMENSIONS)

    def close(self) -> None:
        pass

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> NDArray[np.float32]:
        return self.embed_passages(texts, job)

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> list[TokenVectors]:
        """Each word by itself."""
        return [self._words(text) for text in texts]

    def _words(self, text: str) -> TokenVectors:
        found = [match.span() for match in re.finditer(r"\S+", text)]
        vectors = [_vector(text[start:end]) for start, end in found]
        spans = np.array(found, np.int64).reshape(-1, 2)
        return TokenVectors(np.array(vectors, np.float32).reshape(-1, DIMENSIONS), spans)


def _vector(text: str) -> NDArray[np.float32]:
    found = np.zeros(DIMENSIONS, np.float64)
    for word in text.lower().split():
        number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
        found[number % DIMENSIONS] += 1 if number >> 63 else -1
    if not found.any():
        found[0] = 1.0
    return (found / np.linalg.norm(found)).astype(np.float32)


def provide(name: str) -> HashingEmbedder:
    """The workspace's way to an embedder, for tests that count nothing."""
    return HashingEmbedder()
