"""Documents that say almost the same, by their pooled vectors: no embedding is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.store import documents, vectors
from chunkscope.core.store.columns import Vector
from chunkscope.core.store.model import StoredDocument

if TYPE_CHECKING:
    import apsw

THRESHOLD = 0.95
# Rows compared at once: 2,000 x 100,000 similarities are 800 MB, so columns are cut as well.
_BLOCK = 2_048


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A pair of documents, the earlier one first."""

    first: StoredDocument
    second: StoredDocument
    similarity: float
    is_same_text: bool


def duplicates(
    connection: apsw.Connection, profile: int, threshold: float = THRESHOLD, job: Job = NO_JOB
) -> list[Duplicate]:
    """Pairs at or above the threshold, the most similar first; exact, in blocks."""
    keys, matrix = vectors.pooled(connection, profile)
    rows = {row.key: row for row in documents.rows(connection)}
    found = []
    for left, right, similarity in _pairs(matrix, threshold, job):
        first, second = rows[int(keys[left])], rows[int(keys[right])]
        is_same = first.content_hash == second.content_hash
        found.append(Duplicate(first, second, similarity, is_same))
    return sorted(found, key=lambda pair: (-pair.similarity, pair.first.key, pair.second.key))


def _pairs(matrix: Vector, threshold: float, job: Job) -> Iterator[tuple[int, int, float]]:
    count = len(matrix)
    for top in range(0, count, _BLOCK):
        job.step(top, count, "comparing documents")
        block = matrix[top : top + _BLOCK]
        for side in range(top, count, _BLOCK):
            # Sums of products of float32 may miss 1 by a little: equal vectors are found at 1.0.
            similar = np.minimum(block @ matrix[side : side + _BLOCK].T + 1e-6, 1.0)
            for i, j in np.argwhere(similar >= threshold).tolist():
                if top + i < side + j:
                    yield top + i, side + j, float(similar[i, j])
