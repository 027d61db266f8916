"""A small embedder that needs no model: hashed words, the same everywhere and fast."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.models import ReadingModel, reading_models
from chunkscope.core.job import NO_JOB, Job

NAME = "hashing"
DIMENSIONS = 64

if NAME not in reading_models:
    reading_models.register(NAME)(ReadingModel("hashed words", "minilm", 256))


class HashingEmbedder:
    """Counts what it was asked to embed."""

    version = "hashing-1"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.texts = 0

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> NDArray[np.float32]:
        job.check()
        self.texts += len(texts)
        return np.array([_vector(text) for text in texts], np.float32).reshape(-1, DIMENSIONS)

    def embed_query(self, text: str, job: Job = NO_JOB) -> NDArray[np.float32]:
        return np.asarray(_vector(text), np.float32)


def _vector(text: str) -> NDArray[np.float32]:
    found = np.zeros(DIMENSIONS, np.float64)
    for word in text.lower().split():
        number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
        found[number % DIMENSIONS] += 1 if number >> 63 else -1
    if not found.any():
        found[0] = 1.0
    return (found / np.linalg.norm(found)).astype(np.float32)
