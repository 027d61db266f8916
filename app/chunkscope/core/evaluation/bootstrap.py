"""Which configuration is best, as far as these questions can tell: a paired bootstrap over them.

Every resample draws as many questions as there are, with replacement, the same ones for every
configuration; the mean over a resample is what another set of such questions might have given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from chunkscope.core.evaluation.spans import Floats
from chunkscope.core.text.codepoints import Mask

RESAMPLES = 4000
_ESTIMATES = 2000
CERTAIN = 0.90
_MOST_QUESTIONS = 100_000
_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and where it lies in 95 % of resamples."""

    mean: float
    low: float
    high: float


def resample_means(scores: Floats, seed: int, resamples: int = RESAMPLES) -> Floats:
    """The means of resamples: resamples × configurations, from configurations × questions."""
    questions = int(scores.shape[1])
    if not questions:
        return np.zeros((resamples, len(scores)))
    parts = [counts @ scores.T / questions for counts in _draws(questions, seed, resamples)]
    return np.concatenate(parts)


def _draws(questions: int, seed: int, resamples: int) -> Iterator[Floats]:
    """How often each question is drawn in each resample, some resamples at a time."""
    if questions * resamples <= _BLOCK:
        yield _all_draws(questions, seed, resamples)
        return
    random = np.random.default_rng(seed)
    at_once = max(1, _BLOCK // questions)
    for first in range(0, resamples, at_once):
        yield _draw(random, questions, min(at_once, resamples - first))


@lru_cache(maxsize=4)  # every configuration and measure meets the same resamples
def _all_draws(questions: int, seed: int, resamples: int) -> Floats:
    return _draw(np.random.default_rng(seed), questions, resamples)


def _draw(random: np.random.Generator, questions: int, resamples: int) -> Floats:
    counts = random.multinomial(questions, np.full(questions, 1 / questions), resamples)
    return counts.astype(np.float64)


def interval(scores: Floats, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """The 95 % interval of one configuration's mean."""
    return intervals(scores[None, :], seed, resamples)[0]


def intervals(scores: Floats, seed: int = 0, resamples: int = RESAMPLES) -> tuple[Interval, ...]:
    """The 95 % intervals of the means of rows."""
    if not scores.shape[1]:
        return (Interval(0.0, 0.0, 0.0),) * len(scores)
    means = resample_means(scores, seed, resamples)
    lows, highs = np.percentile(means, [2.5, 97.5], axis=0)
    return tuple(
        Interval(float(mean), float(low), float(high))
        for mean, low, high in zip(scores.mean(axis=1), lows, highs, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said: a winner, or those that cannot be told apart and the cheapest of them.

    `more_questions` estimates how many further ones would name a winner; None where it cannot be
    told because the scores are equal, 0 where there is a winner.
    """

    intervals: tuple[Interval, ...]
    best_share: tuple[float, ...]
    leader: int
    winner: int | None
    tied: tuple[int, ...]
    cheapest: int
    more_questions: int | None


def judge(
    scores: Floats,
    costs: Sequence[tuple[float, ...]],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Verdict:
    """Judge configurations (rows) by their scores on the same questions (columns).

    A winner is best in at least 90 % of resamples (ties shared). Otherwise the tied set holds the
    leader and all whose 95 % interval of the difference to it includes 0.
    """
    means = resample_means(scores, seed, resamples)
    shares = _shares(means)
    plain = scores.mean(axis=1) if scores.shape[1] else np.zeros(len(scores))
    order = sorted(range(len(scores)), key=lambda at: (-plain[at], costs[at], at))
    leader = order[0]
    winner = leader if shares[leader] >= CERTAIN or len(scores) == 1 else None
    behind = np.percentile(means[:, leader][:, None] - means, 2.5, axis=0)
    tied = (leader,) if winner is not None else tuple(at for at in order if behind[at] <= 1e-12)
    return Verdict(
        intervals(scores, seed, resamples),
        tuple(shares.tolist()),
        leader,
        winner,
        tied,
        min(tied, key=lambda at: (costs[at], -plain[at], at)),
        0 if winner is not None else more_questions(scores, leader, seed),
    )


def more_questions(scores: Floats, leader: int, seed: int = 0) -> int | None:
    """How many further questions, like those that are there, would make the leader the winner.

    Resamples of more questions than there are are drawn until the leader is best in 90 % of them;
    None where that takes more than anybody would write.
    """
    questions = int(scores.shape[1])
    rivals = np.delete(scores, leader, axis=0)
    if not questions or (rivals.mean(axis=1) >= scores[leader].mean() - 1e-12).any():
        return None
    low = high = questions
    while _best_share(scores, leader, high, seed) < CERTAIN:
        low, high = high, high * 2
        if high > _MOST_QUESTIONS:
            return None
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        if _best_share(scores, leader, middle, seed) < CERTAIN:
            low = middle
        else:
            high = middle
    return max(high - questions, 1)


def _best_share(scores: Floats, leader: int, size: int, seed: int) -> float:
    """How often a configuration is best in resamples of this many questions; ties are shared."""
    questions = int(scores.shape[1])
    random = np.random.default_rng(seed)
    resamples = max(50, min(_ESTIMATES, _BLOCK // questions))
    counts = random.multinomial(size, np.full(questions, 1 / questions), resamples)
    return float(_shares(counts @ scores.T / size)[leader])


def _shares(means: Floats) -> Floats:
    """How often each configuration is best; those that are equal share a victory."""
    is_best = means >= means.max(axis=1, keepdims=True) - 1e-12
    found: Floats = (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)
    return found


def hopeful(
    scores: Floats, seed: int = 0, certainty: float = 0.99, resamples: int = RESAMPLES
) -> Mask:
    """Racing: which configurations may still turn out best.

    One is dropped when it is behind the leader in more than `certainty` of resamples, shared out
    over all rivals so that many comparisons do not drop a good one by chance.
    """
    if len(scores) < 2 or not scores.shape[1]:
        return np.ones(len(scores), np.bool_)
    means = resample_means(scores, seed, resamples)
    leader = int(scores.mean(axis=1).argmax())
    chance = (means >= means[:, leader][:, None]).mean(axis=0)
    keep: Mask = chance > (1 - certainty) / (len(scores) - 1)
    keep[leader] = True
    return keep


@dataclass(frozen=True, slots=True)
class Drop:
    """How much one configuration lies below another on the same questions, with its interval."""

    difference: Interval

    @property
    def is_significant(self) -> bool:
        """The whole interval is below 0."""
        return self.difference.high < 0


def compare(before: Floats, after: Floats, seed: int = 0, resamples: int = RESAMPLES) -> Drop:
    """The change from one configuration to another, paired over questions."""
    return Drop(interval(after - before, seed, resamples))
