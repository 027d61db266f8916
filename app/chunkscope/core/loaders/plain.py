"""Plain text: the file as it is, paragraphs between blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

import numpy as np

from chunkscope.core.blocks import BlockKind, Blocks
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.sandbox.watch import Watch

_BREAK = re.compile(r"\n(?:[^\S\n]*\n)+")


@register("text", "plain text", ".txt", ".text", ".log", ".rst", ".org", ".tex")
def load_plain(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    watch.progress(1, 2, "paragraphs")
    yield Draft(text, paragraphs(text), "text/plain", warnings=warnings)


def paragraphs(text: str) -> Blocks:
    """One block for each run of text between blank lines, white space around it left out."""
    breaks = (match.span() for match in _BREAK.finditer(text))
    edges = np.fromiter(chain((0,), chain.from_iterable(breaks), (len(text),)), np.int64)
    starts, ends = edges[::2].copy(), edges[1::2].copy()
    if len(text):
        # Breaks end after a newline, so only the outermost pieces can touch blank lines.
        ends[-1] = max(len(text.rstrip()), starts[-1])
        starts[0] = min(len(text) - len(text.lstrip()), ends[0])
    filled = ends > starts
    return Blocks.of_spans(BlockKind.PARAGRAPH, starts[filled], ends[filled])
