"""Finding all places of a piece of text."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.job import NO_JOB, Job

_MOST = 1_000_000
_EVERY = 10_000


def find_all(text: str, wanted: str, job: Job = NO_JOB) -> NDArray[np.int64]:
    """The spans of all hits, without overlaps; upper and lower case are alike unless mixed."""
    flags = re.IGNORECASE if wanted == wanted.lower() else re.NOFLAG
    spans: list[tuple[int, int]] = []
    for match in re.finditer(re.escape(wanted), text, flags):
        if len(spans) % _EVERY == 0:
            job.check()
        spans.append(match.span())
        if len(spans) >= _MOST:
            break
    return np.array(spans, np.int64).reshape(-1, 2)
