"""Any sentence-transformers model, by its folder or its hub name (the extra `models`)."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from chunkscope.core.embedding import torch_serving
from chunkscope.core.embedding.base import SENTENCE_TRANSFORMERS, TokenVectors, Vectors
from chunkscope.core.embedding.batches import Rows, run_batches
from chunkscope.core.embedding.facts import ModelFolder, model_folder, needed_folder
from chunkscope.core.embedding.host import ModelHost, default_threads, model_limits
from chunkscope.core.errors import MissingDependency
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox import Item, Limits
from chunkscope.core.sandbox.shared import as_bytes
from chunkscope.core.text.canonical import replace_broken

# Characters, as tokens are not known here; what a model does not read costs nothing.
_BUDGET = 8_000
_MOST = 32
_CHARACTERS_PER_TOKEN = 5
_DOWNLOAD_SECONDS = 3_600.0

Take = Callable[[Rows, Item], None]


class SentenceModel:
    """Runs in a worker with torch; nothing is downloaded unless `allow_download` says so."""

    def __init__(
        self,
        model: str,
        *,
        allow_download: bool = False,
        threads: int | None = None,
        limits: Limits | None = None,
        plugins: Sequence[str] = (),
        host: ModelHost | None = None,
    ) -> None:
        check_installed(f"the embedder {SENTENCE_TRANSFORMERS}:{model}")
        self.name = f"{SENTENCE_TRANSFORMERS}:{model}"
        self.embedding_calls = 0
        self._model = model
        self._allow_download = allow_download
        self._plugins = plugins
        self._threads = threads or default_threads()
        # A host that was given may serve several models, and is its owner's to close.
        self._is_owner = host is None
        self._host = host or ModelHost(
            f"the embedding model {model}", limits or model_limits(self._threads), plugins
        )

    @cached_property
    def folder(self) -> ModelFolder:
        """The model on this computer, checked."""
        if self._allow_download and model_folder(self._model) is None:
            self._download()
        found = needed_folder(self._model)
        found.check()
        return found

    @cached_property
    def version(self) -> str:
        prefixes = self.folder.prefixes
        rules = hashlib.sha256(repr((prefixes.query, prefixes.passage)).encode()).hexdigest()
        label = self.folder.label.replace("/", "--")
        # The digest covers the pooling too: it stands in the folder's own files.
        return f"{label}-{digest_of(self.folder)[:16]}-torch-f32-prefix-{rules[:8]}"

    @cached_property
    def dimensions(self) -> int:
        return int(self._host.call(torch_serving.DESCRIBE, self._args).head["dimensions"])

    @property
    def max_tokens(self) -> int:
        return self.folder.max_tokens

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        return self._embed(texts, self.folder.prefixes.passage, job)

    def embed_queries(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        return self._embed(texts, self.folder.prefixes.query, job)

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> list[TokenVectors]:
        prefixes = self.folder.prefixes
        found: dict[int, TokenVectors] = {}

        def take(rows: Rows, item: Item) -> None:
            found.update(zip(rows.tolist(), _token_vectors(item), strict=True))

        prefix = prefixes.query if is_query else prefixes.passage
        self._run(torch_serving.EMBED_TOKENS, texts, prefix, job, take)
        return [found[row] for row in range(len(texts))]

    def close(self) -> None:
        if self._is_owner:
            self._host.close()

    def _embed(self, texts: Sequence[str], prefix: str, job: Job) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        parts: list[tuple[Rows, Vectors]] = []

        def take(rows: Rows, item: Item) -> None:
            flat = np.frombuffer(as_bytes(item.blobs[0]), np.float32)
            parts.append((rows, flat.reshape(len(rows), -1)))

        self._run(torch_serving.EMBED, texts, prefix, job, take)
        vectors = np.zeros((len(texts), parts[0][1].shape[1]), np.float32)
        for rows, found in parts:
            vectors[rows] = found
        return vectors

    def _run(self, task: str, texts: Sequence[str], prefix: str, job: Job, take: Take) -> None:
        whole = [replace_broken(text)[0] for text in texts]

        def embed(rows: Rows) -> None:
            chosen = [whole[row] for row in rows.tolist()]
            args = {**self._args, "texts": chosen, "prefix": prefix}
            take(rows, self._host.call(task, args, job=job))
            self.embedding_calls += len(chosen)

        if whole:
            run_batches(read_lengths(whole, self.max_tokens), _BUDGET, _MOST, job, embed)

    @property
    def _args(self) -> dict[str, object]:
        return {"folder": str(self.folder.path), "threads": self._threads}

    def _download(self) -> None:
        limits = model_limits(self._threads, _DOWNLOAD_SECONDS)
        host = ModelHost(f"the download of {self._model}", limits, self._plugins)
        try:
            host.call(torch_serving.DOWNLOAD, {"model": self._model})
        finally:
            host.close()


def check_installed(purpose: str) -> None:
    """Complain before a worker is started; the package itself is never imported here."""
    if importlib.util.find_spec("sentence_transformers") is None:
        raise MissingDependency("sentence-transformers", purpose)


def read_lengths(texts: Sequence[str], max_tokens: int) -> list[int]:
    """About how much of each text a model reads, in characters."""
    most = max_tokens * _CHARACTERS_PER_TOKEN
    return [min(len(text), most) for text in texts]


def digest_of(folder: ModelFolder) -> str:
    """Weights, configuration and tokenizer; read again only when a file has changed."""
    stamps = tuple((path, path.stat().st_size, path.stat().st_mtime_ns) for path in folder.files())
    return _digest(folder.path, stamps)


@cache
def _digest(root: Path, stamps: tuple[tuple[Path, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for path, size, _ in stamps:
        digest.update(f"{path.relative_to(root).as_posix()}\0{size}\0".encode())
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def _token_vectors(item: Item) -> list[TokenVectors]:
    edges = np.cumsum(item.head["lengths"])[:-1]
    vectors = np.frombuffer(as_bytes(item.blobs[0]), np.float32)
    spans = np.frombuffer(as_bytes(item.blobs[1]), np.int64)
    parts = np.split(vectors.reshape(-1, item.head["dimensions"]), edges)
    places = np.split(spans.reshape(-1, 2), edges)
    return [TokenVectors(*pair) for pair in zip(parts, places, strict=True)]
