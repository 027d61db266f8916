"""What may be concluded from scores, against hand-computed cases and plain loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.evaluation.bootstrap import (
    compare,
    hopeful,
    interval,
    judge,
    more_questions,
    resample_means,
)

FREE = [(0.0,)] * 10


def test_resamples_are_those_of_every_possible_draw() -> None:
    """With three questions all 27 draws can be listed: shares and quantiles must agree."""
    scores = np.array([[0.0, 0.5, 1.0], [0.4, 0.4, 0.4]])
    means = resample_means(scores, seed=1, resamples=40_000)
    draws = np.array(list(itertools.product(range(3), repeat=3)))
    exact = scores[:, draws].mean(axis=2)
    values, counts = np.unique(exact[0].round(9), return_counts=True)
    for value, count in zip(values, counts, strict=True):
        assert (abs(means[:, 0] - value) < 1e-6).mean() == pytest.approx(count / 27, abs=0.01)
    assert np.allclose(means[:, 1], 0.4)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 12))
@settings(max_examples=30, deadline=None)
def test_resamples_are_paired_and_repeatable(seed: int, rows: int, columns: int) -> None:
    scores = np.random.default_rng(seed).random((rows, columns))
    both = np.concatenate((scores, scores + 0.25))
    means = resample_means(both, seed, 50)
    assert np.allclose(means[:, rows:] - means[:, :rows], 0.25)
    assert np.array_equal(means, resample_means(both, seed, 50))


def test_a_clear_winner_is_named() -> None:
    random = np.random.default_rng(3)
    weak = random.random(200) * 0.5
    found = judge(np.array([weak, weak + 0.1]), FREE[:2], seed=1)
    assert (found.winner, found.tied, found.more_questions) == (1, (1,), 0)
    assert found.best_share == (0.0, 1.0)


def test_noise_names_no_winner_but_the_cheapest() -> None:
    random = np.random.default_rng(4)
    scores = random.random((3, 100))
    scores[2] -= 0.5
    found = judge(scores, [(9.0,), (1.0,), (0.0,)], seed=1)
    assert found.winner is None
    assert sorted(found.tied) == [0, 1]
    assert found.cheapest == 1
    assert found.more_questions is not None
    assert found.more_questions > 0


def test_equal_configurations_share_their_victories() -> None:
    scores = np.tile(np.random.default_rng(5).random(50), (2, 1))
    found = judge(scores, [(2.0,), (1.0,)])
    assert found.best_share == (0.5, 0.5)
    assert (found.winner, found.cheapest, found.more_questions) == (None, 1, None)


def test_one_configuration_wins_alone() -> None:
    found = judge(np.array([[1.0, 0.0]]), FREE[:1])
    assert found.winner == 0


def test_the_number_of_questions_follows_its_formula() -> None:
    """One rival, d = 0.05, s = 0.4: (1.2816 · 0.4 / 0.05)² = 105 questions; 50 are there."""
    pattern = np.random.default_rng(1).normal(size=50)
    differences = 0.05 + 0.4 * (pattern - pattern.mean()) / pattern.std()
    scores = np.array([differences + 1, np.ones(50)])
    more = more_questions(scores, 0)
    assert more == pytest.approx(55, abs=10)


def test_ties_are_no_victories() -> None:
    """Ten questions, one apart: the leader ties in (9/10)¹⁰ = 35 % of resamples, half of them lost.

    It is best in 90 % once it ties in 20 %: (9/10)^n = 0.2 for n = 15.3.
    """
    scores = np.ones((2, 10))
    scores[1, 0] = 0.0
    found = judge(scores, FREE[:2])
    assert found.winner is None
    assert found.more_questions == pytest.approx(5.3, abs=1.5)


@pytest.mark.parametrize("rivals", [1, 6])
def test_the_estimate_is_kept(rivals: int) -> None:
    """With as many questions as were asked for, the leader is best in about 90 % of resamples."""
    random = np.random.default_rng(6)
    scores = random.random((rivals + 1, 40))
    scores += (0.5 - scores.mean(axis=1))[:, None]
    scores[0] += 0.03
    found = judge(scores, FREE[: rivals + 1])
    assert found.winner is None
    assert found.more_questions is not None
    many = np.tile(scores, (1, round((40 + found.more_questions) / 40)))
    assert judge(many, FREE[: rivals + 1]).best_share[0] == pytest.approx(0.9, abs=0.03)


def test_intervals_hold_the_truth_nearly_always() -> None:
    random = np.random.default_rng(7)
    hits = 0
    for seed in range(200):
        found = interval(random.random(60), seed, 400)
        hits += found.low <= 0.5 <= found.high
    assert 0.88 <= hits / 200 <= 0.99


def test_racing_drops_the_hopeless_only() -> None:
    random = np.random.default_rng(8)
    base = random.random(80)
    scores = np.array(
        [base, base - 0.4 + random.random(80) * 0.2, base + random.normal(0, 0.1, 80)]
    )
    assert hopeful(scores).tolist() == [True, False, True]


def test_racing_keeps_the_best() -> None:
    """The truly best of eight, by little, is not dropped by chance in one of 60 races."""
    for seed in range(60):
        scores = np.random.default_rng(seed).random((8, 60))
        scores[5] += 0.05
        assert hopeful(scores, seed, resamples=1000)[5]


def test_only_a_significant_drop_is_one() -> None:
    random = np.random.default_rng(9)
    before = random.random(150)
    assert compare(before, before - 0.05 + random.normal(0, 0.05, 150)).is_significant
    assert not compare(before, before + random.normal(0, 0.3, 150)).is_significant
    assert not compare(before, before).is_significant
    assert not compare(before, before + 0.1).is_significant
