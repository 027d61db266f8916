"""The coarse embedder for live work: a table of token vectors, and no model to run.

It finds about a third of the neighbours that MiniLM finds: good for a first look and for coarse
sweeps, not for a last word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from chunkscope.core.embedding.base import TokenVectors, Vectors
from chunkscope.core.embedding.batches import NOTE
from chunkscope.core.embedding.facts import NO_LIMIT, instant_folder, instant_tokenizer
from chunkscope.core.embedding.serving import normalised
from chunkscope.core.errors import DamagedResource, MissingDependency
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.text.canonical import replace_broken
from chunkscope.core.text.tokenizers.hugging_face import PieceTokenizer

NAME = "instant"
DIMENSIONS = 256
_BATCH = 64
# A text is summed in parts: the vectors of a million tokens would be a gigabyte.
_PART = 8_192


class Instant:
    """256 dimensions, mean of the vectors of all tokens."""

    def __init__(self) -> None:
        self.name = NAME
        self.embedding_calls = 0

    @cached_property
    def version(self) -> str:
        weights = instant_folder() / "weights" / f"l2_supercat_{DIMENSIONS}.safetensors"
        try:
            digest = hashlib.sha256(weights.read_bytes()).hexdigest()
        except OSError:
            raise _damaged() from None
        return f"{NAME}-{digest[:16]}-f32-mean-no-prefix"

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    @property
    def max_tokens(self) -> int:
        """It reads everything."""
        return NO_LIMIT

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        sums = np.zeros((len(texts), DIMENSIONS), np.float32)
        for first in range(0, len(texts), _BATCH):
            job.step(first, len(texts), NOTE)
            batch = [replace_broken(text)[0] for text in texts[first : first + _BATCH]]
            for row, (ids, _) in enumerate(self._tokenizer.encode_each(batch), start=first):
                for at in range(0, len(ids), _PART):
                    sums[row] += self._table[ids[at : at + _PART]].sum(axis=0)
            self.embedding_calls += len(batch)
        job.step(len(texts), len(texts), NOTE)
        # A mean has the direction of the sum.
        return normalised(sums)

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        return self.embed_passages(texts, job)

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> list[TokenVectors]:
        found: list[TokenVectors] = []
        for first in range(0, len(texts), _BATCH):
            job.step(first, len(texts), NOTE)
            batch = [replace_broken(text)[0] for text in texts[first : first + _BATCH]]
            for ids, spans in self._tokenizer.encode_each(batch, with_spans=True):
                found.append(TokenVectors(normalised(self._table[ids]), spans))
            self.embedding_calls += len(batch)
        return found

    def close(self) -> None:
        for name in ("_table", "_tokenizer"):
            self.__dict__.pop(name, None)

    @cached_property
    def _tokenizer(self) -> PieceTokenizer:
        return PieceTokenizer(instant_tokenizer(), NAME)

    @cached_property
    def _table(self) -> Vectors:
        try:
            from wordllama import WordLlama  # type: ignore[import-untyped]
        except ImportError:
            raise MissingDependency("wordllama", "the embedder instant") from None
        try:
            model = WordLlama.load(
                dim=DIMENSIONS, cache_dir=instant_folder(), disable_download=True
            )
        except (OSError, ValueError):
            raise _damaged() from None
        table: Vectors = model.embedding
        return table


def _damaged() -> DamagedResource:
    return DamagedResource("the vectors of the embedder instant are missing; reinstall wordllama")
