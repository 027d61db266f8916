"""Which words carried a similarity: the arithmetic, and the real model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.embedding.base import embedder
from chunkscope.core.search.heat import Passage, passage_heat, word_heat


def test_the_best_match_carries_its_query_token() -> None:
    similarities = np.array([[0.9, 0.1, 0.2], [0.0, 0.3, 0.3]], np.float32)
    spans = np.array([[0, 3], [4, 8], [9, 12]])
    first, second, third = word_heat(similarities, spans)
    assert first.warmth == pytest.approx(1.0)
    assert (first.share, second.share, third.share) == pytest.approx((0.75, 0.25, 0.0))
    assert second.warmth == third.warmth == 0.0


def test_pieces_that_touch_are_one_word() -> None:
    similarities = np.array([[0.2, 0.8, 0.1, 0.1]], np.float32)
    words = word_heat(similarities, np.array([[5, 8], [8, 10], [11, 13], [14, 15]]))
    assert [(word.start, word.end) for word in words] == [(5, 10), (11, 13), (14, 15)]
    assert words[0].warmth == pytest.approx(1.0)


@given(st.integers(1, 5), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_heat_is_within_bounds_and_shares_add_up(queries: int, tokens: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    similarities = random.uniform(0.01, 1, (queries, tokens)).astype(np.float32)
    starts = np.cumsum(random.integers(1, 4, tokens))
    spans = np.column_stack((starts, starts + 1))
    words = word_heat(similarities, spans)
    assert sum(word.share for word in words) == pytest.approx(1.0, abs=1e-5)
    assert all(0 <= word.warmth <= 1 for word in words)
    assert all(one.end < other.start for one, other in pairwise(words))


def test_the_model_finds_the_word_that_is_meant() -> None:
    model = embedder("minilm")
    try:
        texts = [Passage(100, "🦭 The quay was empty. "), Passage(130, "A physician came running.")]
        words = passage_heat(model, "doctor", texts)
        whole = {100: texts[0].text, 130: texts[1].text}
        warmest = max(words, key=lambda word: word.warmth)
        assert whole[130][warmest.start - 130 : warmest.end - 130] == "physician"
        assert words[0].start >= 100
        assert passage_heat(model, "  ", texts) == passage_heat(model, "doctor", []) == ()
    finally:
        model.close()
