"""Fusion: the published formula, whatever the order in which rankings come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.search.fusion import fuse

rankings = st.lists(st.integers(0, 30), unique=True, max_size=20)


def test_the_formula() -> None:
    first, second, third = fuse({"lexical": ["a", "b"], "semantic": ["b", "c"]})
    assert (first.key, second.key, third.key) == ("b", "a", "c")
    assert first.score == pytest.approx(1 / 62 + 1 / 61)
    assert first.ranks == {"lexical": 2, "semantic": 1}


def test_weights_and_the_constant_decide() -> None:
    channels = {"lexical": ["a", "b"], "semantic": ["b", "a"]}
    assert fuse(channels, {"lexical": 2.0})[0].key == "a"
    assert fuse(channels, {"semantic": 2.0})[0].key == "b"
    flat = fuse(channels, constant=1000)[0].score
    steep = fuse(channels, constant=1)[0].score
    assert steep > flat


def test_a_channel_without_weight_takes_no_part() -> None:
    assert [each.key for each in fuse({"x": [1, 2], "y": [3]}, {"y": 0.0})] == [1, 2]


def test_a_repeat_counts_once_at_its_best_rank() -> None:
    assert fuse({"x": ["a", "b", "a"]})[0].score == pytest.approx(1 / 61)


@given(rankings, rankings, st.floats(0.1, 5), st.floats(0.1, 5), st.floats(1, 100))
def test_everything_ranked_appears_once_with_its_sum(
    x: list[int], y: list[int], wx: float, wy: float, constant: float
) -> None:
    fused = fuse({"x": x, "y": y}, {"x": wx, "y": wy}, constant)
    assert sorted(each.key for each in fused) == sorted({*x, *y})
    scores = [each.score for each in fused]
    assert scores == sorted(scores, reverse=True)
    for each in fused:
        expected = sum(
            weight / (constant + ranking.index(each.key) + 1)
            for weight, ranking in ((wx, x), (wy, y))
            if each.key in ranking
        )
        assert each.score == pytest.approx(expected)


@given(rankings)
def test_one_channel_keeps_its_order(x: list[int]) -> None:
    assert [each.key for each in fuse({"x": x})] == x
