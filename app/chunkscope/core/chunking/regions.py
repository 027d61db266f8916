"""What is chunked and what is left out on purpose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.text.codepoints import Offsets

Spans = tuple[Offsets, Offsets]


def kept_regions(analysis: Analysis, skip: Sequence[str]) -> tuple[Spans, Spans]:
    """The spans of the text that stay, and those of the block kinds that are left out."""
    none = np.zeros(0, np.int64)
    whole = np.array([0], np.int64), np.array([len(analysis.text)], np.int64)
    if not skip:
        return whole, (none, none)
    floor = analysis.layout.clusters.floor
    found = analysis.spans_of(*(BlockKind(kind) for kind in skip))
    left_out = floor(found[0]), floor(found[1])
    starts = np.concatenate(([0], left_out[1]))
    ends = np.append(left_out[0], len(analysis.text))
    some = analysis.layout.trim_starts(starts) < ends
    return (starts[some], ends[some]), left_out
