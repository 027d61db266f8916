"""What an embedder is, and where one is found by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.registry import Registry

Vectors = NDArray[np.float32]
SENTENCE_TRANSFORMERS = "sentence-transformers"


class EmbeddingFailed(ChunkscopeError):
    """A model could not do its work; nothing of the request was kept."""


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """A normalised vector for each token of a text, and the code points that it stands for."""

    vectors: Vectors
    spans: NDArray[np.int64]


class Embedder(Protocol):
    """Makes vectors of texts; cheap to create, its model is loaded at the first use."""

    name: str
    embedding_calls: int
    """How many texts were embedded by this object."""

    @property
    def version(self) -> str:
        """Model, weights, precision, pooling and prefixes: only equal versions are comparable."""
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """How much of a text the model reads, special tokens included; the rest is ignored."""
        ...

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        """One normalised row for each text, in the order given."""
        ...

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        """As `embed_passages`, with what the model wants to see before a question."""
        ...

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> list[TokenVectors]:
        """For late interaction; special tokens and prefixes are left out."""
        ...

    def close(self) -> None:
        """Give the model's memory back; a later call loads it again."""
        ...


embedders: Registry[Callable[..., Embedder]] = Registry("embedder")


def embedder(name: str, **options: Any) -> Embedder:
    """An embedder by the name that a profile gives it."""
    kind, colon, model = name.partition(":")
    if kind != SENTENCE_TRANSFORMERS:
        return embedders[name](**options)
    if not colon or not model.strip():
        raise WrongUsage(
            f"{name!r} names no model; write {SENTENCE_TRANSFORMERS}:FOLDER "
            f"or {SENTENCE_TRANSFORMERS}:NAME"
        )
    return embedders[kind](model.strip(), **options)


@embedders.register("minilm")
def _minilm(**options: Any) -> Embedder:
    from chunkscope.core.embedding.minilm import MiniLM

    return MiniLM(**options)


@embedders.register("instant")
def _instant(**options: Any) -> Embedder:
    from chunkscope.core.embedding.instant import Instant

    return Instant(**options)


@embedders.register(SENTENCE_TRANSFORMERS)
def _sentence_transformers(model: str, **options: Any) -> Embedder:
    from chunkscope.core.embedding.sentence_models import SentenceModel

    return SentenceModel(model, **options)
