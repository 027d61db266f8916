"""Rerankers: the stitched snippets of the best candidates are compared with the query anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.registry import Registry
from chunkscope.core.search.options import Rerank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkscope.core.store.columns import Vector


class TokenRows(Protocol):
    """The vectors of a text's tokens."""

    @property
    def vectors(self) -> Vector: ...

    @property
    def spans(self) -> NDArray[np.int64]: ...


class QueryEmbedder(Protocol):
    """What search needs of an embedder."""

    name: str

    @property
    def version(self) -> str: ...

    @property
    def max_tokens(self) -> int: ...

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vector: ...

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vector: ...

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> Sequence[TokenRows]: ...


@dataclass(frozen=True, slots=True)
class Snippet:
    """A stitched text to be scored, and the parts that it is made of."""

    text: str
    parts: tuple[str, ...]
    tokens: int  # of the model, as far as they were counted


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, as far as rerankers must know it."""

    text: str
    vector: Callable[[], Vector]
    model: Callable[[], QueryEmbedder]
    cross_encoder: str = ""
    load_cross_encoder: Callable[[str], Any] | None = None


Reranker = Callable[[Asked, Sequence[Snippet], Job], list[float]]
rerankers: Registry[Reranker] = Registry("reranker")


def readable(snippet: Snippet, limit: int) -> tuple[str, ...]:
    """The snippet whole, or in its parts where a model would cut it off silently."""
    return (snippet.text,) if snippet.tokens <= limit else snippet.parts


@rerankers.register(Rerank.BI_ENCODER)
def by_bi_encoder(asked: Asked, snippets: Sequence[Snippet], job: Job) -> list[float]:
    """Cosine of query and snippet; of the parts' mean, where a snippet is too long to be read."""
    embedder, query = asked.model(), asked.vector()
    texts = [readable(snippet, embedder.max_tokens) for snippet in snippets]
    flat = list(dict.fromkeys(text for group in texts for text in group))
    rows = dict(zip(flat, embedder.embed_passages(flat, job), strict=True))
    return [_pooled_cosine(query, group, rows) for group in texts]


def _pooled_cosine(query: Vector, group: Sequence[str], rows: dict[str, Vector]) -> float:
    weights = np.array([len(text) for text in group], np.float64)
    pooled = np.average(np.stack([rows[text] for text in group]), axis=0, weights=weights)
    length = float(np.linalg.norm(pooled))
    return float(pooled @ query.reshape(-1)) / length if length else 0.0


@rerankers.register(Rerank.LATE_INTERACTION)
def by_late_interaction(asked: Asked, snippets: Sequence[Snippet], job: Job) -> list[float]:
    """MaxSim: for each token of the query its most similar token of the snippet, on average."""
    embedder = asked.model()
    (query,) = embedder.token_vectors([asked.text], job, is_query=True)
    texts = [readable(snippet, embedder.max_tokens) for snippet in snippets]
    flat = list(dict.fromkeys(text for group in texts for text in group))
    rows = dict(zip(flat, embedder.token_vectors(flat, job), strict=True))
    return [
        max_sim(query.vectors, np.concatenate([rows[text].vectors for text in group]))
        for group in texts
    ]


def max_sim(query: Vector, passage: Vector) -> float:
    """The mean over the query's tokens of the best similarity to a token of the passage."""
    if not len(query) or not len(passage):
        return 0.0
    return float((query @ passage.T).max(axis=1).mean())


@rerankers.register(Rerank.CROSS_ENCODER)
def by_cross_encoder(asked: Asked, snippets: Sequence[Snippet], job: Job) -> list[float]:
    """A model that reads query and snippet together; a long snippet counts as its best part."""
    if asked.load_cross_encoder is None:
        raise ValueError("there is no way to load a cross-encoder")
    model = asked.load_cross_encoder(asked.cross_encoder)
    limit = int(model.folder.max_tokens) - len(asked.text) // 3
    texts = [readable(snippet, limit) for snippet in snippets]
    flat = list(dict.fromkeys(text for group in texts for text in group))
    scores = dict(zip(flat, model.scores(asked.text, flat, job).tolist(), strict=True))
    return [float(max(scores[text] for text in group)) for group in texts]
