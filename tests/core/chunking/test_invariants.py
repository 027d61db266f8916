"""SPEC 2, for every registered strategy, every unit and nasty text."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.chunking.models import reading_model
from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.params import declared
from support.chunk_invariants import check_chunking
from support.documents import markdown_document, plain_document
from support.nasty import nasty_texts

EXAMPLES = int(os.environ.get("CHUNKSCOPE_EXAMPLES", "500"))
MODEL = reading_model("minilm")

units = st.sampled_from([
    {"unit": "tokens", "tokenizer": "cl100k_base"},
    {"unit": "tokens", "tokenizer": "o200k_base"},
    {"unit": "tokens", "tokenizer": "minilm"},
    {"unit": "words"},
    {"unit": "characters"},
    {"unit": "estimate"},
])  # fmt: skip


@st.composite
def values(draw: st.DrawFn, name: str) -> dict[str, object]:
    """Parameters that a person could set."""
    known = declared(strategies[name])
    found = dict(draw(units))
    largest = draw(st.integers(3, 60))
    found["max_size"] = largest
    limits = {"min_size": largest, "overlap": largest - 1, "target_size": largest}
    for field, most in limits.items():
        if field in known:
            low = 1 if field == "target_size" else 0
            found[field] = draw(st.integers(low, most))
    if "target_size" in known and found["min_size"] > found["target_size"]:  # type: ignore[operator]
        found["min_size"] = found["target_size"]
    if "overlap_sentences" in known:
        found["overlap_sentences"] = draw(st.integers(0, 3))
    if "overlap_fraction" in known:
        found["overlap_fraction"] = draw(st.floats(0, 0.9))
    if "single_piece_max" in known:
        found["single_piece_max"] = draw(st.integers(0, 100))
    if "tables" in known:
        found["tables"] = draw(st.sampled_from(["whole", "rows"]))
    if "quotes" in known:
        found["quotes"] = draw(st.sampled_from(["apart", "left-out", "together"]))
    found["prepend_headings"] = draw(st.booleans())
    found["segmenter"] = draw(st.sampled_from(["pysbd", "unicode"]))
    found["skip"] = draw(st.sampled_from([(), ("heading",), ("table", "list_item")]))
    return found


@pytest.mark.parametrize("name", list(strategies))
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), text=nasty_texts, is_markdown=st.booleans())
def test_invariants(name: str, data: st.DataObject, text: str, is_markdown: bool) -> None:
    document = markdown_document(text) if is_markdown else plain_document(text)
    chosen = data.draw(values(name))
    strategy = strategies[name](**chosen)
    first = chunk_analysed(Analysis(document, segmenter=strategy.segmenter), name, strategy, MODEL)
    check_chunking(first)
    again = chunk_analysed(Analysis(document, segmenter=strategy.segmenter), name, strategy, MODEL)
    assert list(again) == list(first)
