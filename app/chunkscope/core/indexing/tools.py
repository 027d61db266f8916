"""What an indexing run works with, and whom it tells what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.analysis import Segment
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.store.store import Store

Vectors = NDArray[np.float32]
Acknowledge = Callable[[str, str], None]
Embedding = Callable[[Sequence[str], float], None]


class PassageEmbedder(Protocol):
    """What indexing needs of an embedder."""

    @property
    def version(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> Vectors: ...


def _nobody(*_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Tools:
    """What an indexing run works with."""

    store: Store
    sandbox: Sandbox
    segment: Segment
    embedder: PassageEmbedder
    options: LoadOptions = field(default_factory=LoadOptions)
    acknowledge: Acknowledge = _nobody
    """Called with document and profile once a commit is on disk, never before."""
    embedding: Embedding = _nobody
    """Called with the documents that are being embedded and how much of that is done."""
