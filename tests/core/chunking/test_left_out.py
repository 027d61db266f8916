"""What is left out on purpose is in no chunk, however small its neighbours are."""

from __future__ import annotations

import pytest

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.chunking.models import reading_model
from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.params import declared
from support.chunk_invariants import check_chunking
from support.documents import markdown_document

SMALL_NEIGHBOURS = (
    "👩\u200d🔬\n- item\n\n👩\u200d🔬",
    "One.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nTwo.\n\n- item\n- item\n\nThree.",
    "- item\n\nOne.\n\n- item",
)


@pytest.mark.parametrize("unit", ["tokens", "words", "characters"])
@pytest.mark.parametrize("name", list(strategies))
def test_small_chunks_do_not_join_over_what_is_left_out(name: str, unit: str) -> None:
    wished = {
        "max_size": 60,
        "min_size": 30,
        "target_size": 40,
        "overlap": 5,
        "single_piece_max": 0,
    }
    values = {key: value for key, value in wished.items() if key in declared(strategies[name])}
    for text in SMALL_NEIGHBOURS:
        document = markdown_document(text)
        strategy = strategies[name](unit=unit, skip=("table", "list_item"), **values)
        found = chunk_analysed(Analysis(document), name, strategy, reading_model("minilm"))
        assert found.left_out
        assert not any("item" in chunk.text for chunk in found)
        check_chunking(found)
