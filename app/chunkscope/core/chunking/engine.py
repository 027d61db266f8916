"""One call from an analysed document and a strategy to its chunks."""

from __future__ import annotations

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.models import ReadingModel
from chunkscope.core.chunking.strategies import Strategy


def chunk_analysed(
    analysis: Analysis, name: str, strategy: Strategy, model: ReadingModel, id_form: str = "hash"
) -> Chunking:
    """The chunks of a document: a pure function of its arguments."""
    strategy.check()
    cut = strategy.cut(analysis, strategy.ruler(analysis))
    return Chunking(analysis, name, strategy, cut, model, id_form)
