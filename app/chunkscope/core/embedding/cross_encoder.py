"""A reranking model that reads query and text together, by its folder (the extra `models`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from chunkscope.core.embedding import torch_serving
from chunkscope.core.embedding.base import Vectors
from chunkscope.core.embedding.batches import Rows, run_batches
from chunkscope.core.embedding.facts import ModelFolder, needed_folder
from chunkscope.core.embedding.host import ModelHost, default_threads, model_limits
from chunkscope.core.embedding.sentence_models import check_installed, digest_of, read_lengths
from chunkscope.core.errors import WrongUsage
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox import Limits
from chunkscope.core.sandbox.shared import as_bytes
from chunkscope.core.text.canonical import replace_broken

_BUDGET = 8_000
_MOST = 32


class CrossEncoder:
    """Scores of texts for a query; the model is loaded in a worker at the first use."""

    def __init__(
        self,
        path: str | Path,
        *,
        threads: int | None = None,
        limits: Limits | None = None,
        plugins: Sequence[str] = (),
        host: ModelHost | None = None,
    ) -> None:
        check_installed("a cross-encoder")
        self.path = Path(path).expanduser()
        self._threads = threads or default_threads()
        self._is_owner = host is None
        self._host = host or ModelHost(
            f"the reranking model {path}", limits or model_limits(self._threads), plugins
        )

    @cached_property
    def folder(self) -> ModelFolder:
        if not self.path.is_dir():
            raise WrongUsage(f"{self.path} is no folder; a cross-encoder is given by its folder")
        found = needed_folder(str(self.path))
        found.check()
        return found

    @property
    def version(self) -> str:
        return f"{self.folder.label}-{digest_of(self.folder)[:16]}-torch-f32"

    def scores(self, query: str, texts: Sequence[str], job: Job = NO_JOB) -> Vectors:
        """The higher, the better the text answers the query; in the order given."""
        whole = [replace_broken(text)[0] for text in texts]
        found = np.zeros(len(whole), np.float32)
        args = {
            "folder": str(self.folder.path),
            "threads": self._threads,
            "query": replace_broken(query)[0],
        }

        def embed(rows: Rows) -> None:
            chosen = [whole[row] for row in rows.tolist()]
            item = self._host.call(torch_serving.SCORE, {**args, "texts": chosen}, job=job)
            found[rows] = np.frombuffer(as_bytes(item.blobs[0]), np.float32)

        if whole:
            lengths = read_lengths(whole, self.folder.max_tokens)
            run_batches(lengths, _BUDGET, _MOST, job, embed)
        return found

    def close(self) -> None:
        if self._is_owner:
            self._host.close()
