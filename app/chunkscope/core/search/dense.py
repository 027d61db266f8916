"""The semantic channel: FAISS over a profile's vectors, by the chunks' keys.

Exact search over float16 vectors: half the memory of float32 and twice its speed with the same
neighbours, under 10 ms up to 200,000 chunks. Above, a graph (HNSW) over the same vectors. Files
are not memory-mapped: that made a search slower, and FAISS aborts the program when vectors are
added to such an index.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.job import NO_JOB, Job

if TYPE_CHECKING:
    from chunkscope.core.store.columns import Vector

Keys = NDArray[np.int64]
EXACT_UP_TO = 200_000
_LINKS, _BUILD_EFFORT, _SEARCH_EFFORT = 32, 80, 128
_SLICE = 10_000
# A graph cannot forget; when so much of it is dead, it is made anew.
_DEAD_SHARE = 0.1
# With a filter that lets fewer through, a graph loses its way: they are compared one by one.
_FEW = 20_000


class Kind(StrEnum):
    """How vectors are searched."""

    EXACT = "exact"
    GRAPH = "graph"


class DenseIndex:
    """Vectors by key; many threads may search while one adds."""

    def __init__(self, dimensions: int, kind: Kind = Kind.EXACT, inner: Any = None) -> None:
        self.dimensions = dimensions
        self.kind = kind
        self._lock = threading.Lock()
        self._index = _make(dimensions, kind) if inner is None else inner
        self._live: set[int] = set(_ids(self._index).tolist())
        self._dead: set[int] = set()

    @classmethod
    def build(
        cls, keys: Keys, vectors: Vector, *, exact_up_to: int = EXACT_UP_TO, job: Job = NO_JOB
    ) -> DenseIndex:
        """An index of all vectors; a graph above the size up to which exact search is fast."""
        kind = Kind.EXACT if len(keys) <= exact_up_to else Kind.GRAPH
        found = cls(vectors.shape[1] if vectors.ndim == 2 else 0, kind)
        for first in range(0, len(keys), _SLICE):
            job.step(first, len(keys), "vectors")
            found.add(keys[first : first + _SLICE], vectors[first : first + _SLICE])
        return found

    def __len__(self) -> int:
        return len(self._live)

    @property
    def keys(self) -> Keys:
        """All keys, in order."""
        with self._lock:
            return np.array(sorted(self._live), np.int64)

    @property
    def is_worn(self) -> bool:
        """Whether so much was removed from a graph that it should be made anew."""
        return len(self._dead) > _DEAD_SHARE * max(len(self._live), 1)

    def add(self, keys: Keys, vectors: Vector) -> None:
        if len(keys):
            with self._lock:
                _use_threads(os.cpu_count() or 1)
                self._index.add_with_ids(np.ascontiguousarray(vectors, np.float32), keys)
                self._live.update(keys.tolist())

    def remove(self, keys: Sequence[int] | Keys) -> None:
        gone = self._live & {int(key) for key in keys}
        if gone:
            with self._lock:
                self._live -= gone
                if self.kind == Kind.GRAPH:
                    self._dead |= gone
                else:
                    self._index.remove_ids(np.array(sorted(gone), np.int64))

    def search(
        self, query: Vector, k: int, allowed: Keys | None = None
    ) -> tuple[Keys, NDArray[np.float32]]:
        """The keys of the `k` most similar chunks and their cosines, best first."""
        if allowed is not None and self.kind == Kind.GRAPH and len(allowed) <= _FEW:
            return self._compare(query, k, allowed)
        with self._lock:
            wanted = min(k + len(self._dead), self._index.ntotal)
            if not wanted:
                return np.zeros(0, np.int64), np.zeros(0, np.float32)
            parameters = self._parameters(wanted, allowed)
            _use_threads(1)
            row = np.ascontiguousarray(query, np.float32).reshape(1, -1)
            scores, keys = self._index.search(row, wanted, params=parameters)
        found = keys[0] >= 0
        if self._dead:
            found &= ~np.isin(keys[0], list(self._dead))
        return _ordered(keys[0][found], scores[0][found], k)

    def _parameters(self, wanted: int, allowed: Keys | None) -> Any:
        faiss = _faiss()
        chosen: dict[str, Any] = {}
        if allowed is not None:
            chosen["sel"] = faiss.IDSelectorBatch(allowed)
        if self.kind == Kind.GRAPH:
            effort = max(_SEARCH_EFFORT, 2 * wanted)
            return faiss.SearchParametersHNSW(efSearch=effort, **chosen)
        return faiss.SearchParameters(**chosen) if chosen else None

    def _compare(self, query: Vector, k: int, allowed: Keys) -> tuple[Keys, NDArray[np.float32]]:
        keys = np.array([key for key in allowed.tolist() if key in self._live], np.int64)
        return _ordered(keys, self.vectors(keys) @ query.reshape(-1), k)

    def cosines(self, query: Vector, keys: Sequence[int]) -> dict[int, float]:
        """How similar some chunks are; those that are not here are left out."""
        known = np.array([key for key in keys if key in self._live], np.int64)
        scores = self.vectors(known) @ query.reshape(-1)
        return dict(zip(known.tolist(), scores.tolist(), strict=True))

    def vectors(self, keys: Keys) -> Vector:
        """The vectors of known keys, as they are searched."""
        with self._lock:
            if not len(keys):
                return np.zeros((0, self.dimensions), np.float32)
            return np.stack([self._index.reconstruct(int(key)) for key in keys])

    def serialised(self) -> bytes:
        """The bytes of a file."""
        with self._lock:
            return bytes(_faiss().serialize_index(self._index).data)

    @classmethod
    def from_bytes(cls, data: bytes, dimensions: int, kind: Kind) -> DenseIndex:
        inner = _faiss().deserialize_index(np.frombuffer(data, np.uint8))
        return cls(dimensions, kind, inner)


def prepare() -> None:
    """Load the library, which the first index would wait for."""
    _faiss()


def _faiss() -> Any:
    """Untyped: its stubs do not know all of it."""
    logging.getLogger("faiss").setLevel(logging.WARNING)
    import faiss

    return faiss


def _use_threads(count: int) -> None:
    """For this thread: a single query gains nothing from others and waits for them."""
    _faiss().omp_set_num_threads(count)


def _make(dimensions: int, kind: Kind) -> Any:
    faiss = _faiss()
    half, product = faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
    if kind == Kind.GRAPH:
        inner = faiss.IndexHNSWSQ(max(dimensions, 1), half, _LINKS, product)
        inner.hnsw.efConstruction = _BUILD_EFFORT
    else:
        inner = faiss.IndexScalarQuantizer(max(dimensions, 1), half, product)
    inner.train(np.zeros((1, max(dimensions, 1)), np.float32))
    return faiss.IndexIDMap2(inner)


def _ids(index: Any) -> Keys:
    found: Keys = _faiss().vector_to_array(index.id_map)
    return found


def _ordered(keys: Keys, scores: NDArray[np.float32], k: int) -> tuple[Keys, NDArray[np.float32]]:
    """Best first; of equal ones the older first, so that the order is always the same."""
    order = np.lexsort((keys, -scores))[:k]
    return keys[order], scores[order]
