"""The default embedder: all-MiniLM-L6-v2, in the program's own resources, without torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chunkscope import paths
from chunkscope.core.embedding import serving
from chunkscope.core.embedding.base import TokenVectors, Vectors
from chunkscope.core.embedding.batches import Rows, run_batches
from chunkscope.core.embedding.host import ModelHost, default_threads, model_limits
from chunkscope.core.errors import WrongUsage
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox import Item, Limits
from chunkscope.core.sandbox.shared import as_bytes
from chunkscope.core.text.canonical import replace_broken
from chunkscope.core.text.tokenizers.hugging_face import PieceTokenizer

NAME = "minilm"
SHA256 = "f9c4dcef86b8b8b8144e512eba562d70fda4ccc44ef70961c557180c2c037bf8"
MAX_TOKENS = 256
DIMENSIONS = 384
PRECISIONS = ("bf16", "f32")
# Padded tokens of one batch: a fraction of a second, and as fast as larger ones.
_BUDGET = 2_048
_MOST = 64


class MiniLM:
    """384 dimensions, mean of at most 256 word pieces."""

    def __init__(
        self,
        *,
        precision: str | None = None,
        threads: int | None = None,
        folder: Path | None = None,
        limits: Limits | None = None,
        plugins: Sequence[str] = (),
    ) -> None:
        if precision not in (None, *PRECISIONS):
            raise WrongUsage(
                f"the precision must be one of {', '.join(PRECISIONS)}, not {precision!r}"
            )
        self.name = NAME
        self.embedding_calls = 0
        self._precision = precision
        self._threads = threads or default_threads()
        self._folder = folder or paths.resources() / "models" / "all-MiniLM-L6-v2"
        self._host = ModelHost(
            "the embedding model minilm", limits or model_limits(self._threads), plugins
        )

    @property
    def version(self) -> str:
        return f"{NAME}-{SHA256[:16]}-openvino-{self.precision}-mean{MAX_TOKENS}-no-prefix"

    @cached_property
    def precision(self) -> str:
        """As given, or the fastest of this processor; the worker knows."""
        return self._precision or str(self._host.call(serving.TELL_PRECISION, {}).head["precision"])

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)

        def embed(rows: Rows, found: Item) -> None:
            vectors[rows] = _floats(found)

        self._run(serving.EMBED, [ids for ids, _ in self._read(texts, False)], job, embed)
        return vectors

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        return self.embed_passages(texts, job)

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> list[TokenVectors]:
        read = self._read(texts, True)
        found: dict[int, TokenVectors] = {}

        def embed(rows: Rows, item: Item) -> None:
            flat, first = _floats(item), 0
            for row in rows.tolist():
                spans = read[row][1]
                found[row] = TokenVectors(flat[first : first + len(spans)], spans)
                first += len(spans)

        self._run(serving.EMBED_TOKENS, [ids for ids, _ in read], job, embed)
        return [found[row] for row in range(len(texts))]

    def close(self) -> None:
        self._host.close()

    @cached_property
    def _tokenizer(self) -> PieceTokenizer:
        return PieceTokenizer(self._folder / "tokenizer.json", NAME)

    def _read(
        self, texts: Sequence[str], with_spans: bool
    ) -> list[tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """What the model reads of each text, framed, and where its pieces stand."""
        first, last = self._tokenizer.frame
        most = MAX_TOKENS - len(first) - len(last)
        whole = [replace_broken(text)[0] for text in texts]
        return [
            (np.array([*first, *ids[:most], *last], np.int32), spans[:most])
            for ids, spans in self._tokenizer.encode_each(whole, with_spans)
        ]

    def _run(
        self,
        task: str,
        ids: Sequence[NDArray[np.int32]],
        job: Job,
        take: Callable[[Rows, Item], None],
    ) -> None:
        if not ids:
            return
        lengths = [len(one) for one in ids]

        def embed(rows: Rows) -> None:
            chosen = rows.tolist()
            args = {**self._model, "lengths": [lengths[row] for row in chosen]}
            flat = np.concatenate([ids[row] for row in chosen]).tobytes()
            take(rows, self._host.call(task, args, {"ids": flat}, job))
            self.embedding_calls += len(chosen)

        run_batches(lengths, _BUDGET, _MOST, job, embed)

    @property
    def _model(self) -> dict[str, Any]:
        return {
            "path": str(self._folder / "model.onnx"),
            "sha256": SHA256,
            "precision": self.precision,
            "threads": self._threads,
        }


def _floats(item: Item) -> Vectors:
    return np.frombuffer(as_bytes(item.blobs[0]), np.float32).reshape(-1, DIMENSIONS)
