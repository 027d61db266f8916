"""Texts of similar length together: what is padded is computed for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.job import Job

NOTE = "embedding"
Rows = NDArray[np.int64]


def similar(lengths: Sequence[int], budget: int, most: int) -> Iterator[Rows]:
    """Rows grouped by length, the longest first, each group within the budget when padded."""
    order = np.argsort(-np.asarray(lengths, np.int64), kind="stable")
    first = 0
    while first < len(order):
        longest = max(1, lengths[order[first]])
        count = min(most, max(1, budget // longest))
        yield order[first : first + count]
        first += count


def run_batches(
    lengths: Sequence[int], budget: int, most: int, job: Job, embed: Callable[[Rows], None]
) -> None:
    """Embed group after group, telling how many texts are done."""
    done = 0
    job.step(0, len(lengths), NOTE)
    for rows in similar(lengths, budget, most):
        embed(rows)
        done += len(rows)
        job.step(done, len(lengths), NOTE)
