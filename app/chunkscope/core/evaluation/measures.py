"""What is measured, on character spans alone; each formula stands where it is computed.

L is the union of a question's labelled spans, C the chunks of a configuration, R the chunks found
for the question in rank order, |X| the number of characters in X. All functions give one figure
for each question; means are taken by the caller. Questions are numbered from 0; those without
labels (negative ones) get 0 and are left out by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.evaluation.spans import Floats, Spans, share, shared
from chunkscope.core.text.codepoints import Mask, Offsets

# What every question gets a figure of, beside R@B.
NAMES = (
    "recall", "precision", "iou", "precision_omega", "precision_omega_touching",
    "mrr", "ndcg", "hit", "precision_at_k", "tokens",
)  # fmt: skip
NONE = -1
Ranking = NDArray[np.int64]  # questions × ranks: numbers of chunks, NONE after the last


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The chunks of all documents on one line; starts and ends both in ascending order."""

    starts: Offsets
    ends: Offsets

    def __len__(self) -> int:
        return len(self.starts)


# ---- Without a retriever -------------------------------------------------------------------------


def touched(labels: Spans, cuts: Cuts, touching: bool = False) -> tuple[Offsets, Offsets]:
    """Pairs (label, chunk) that share a character, or with `touching` at least an edge."""
    first = np.searchsorted(cuts.ends, labels.starts, side="left" if touching else "right")
    after = np.searchsorted(cuts.starts, labels.ends, side="right" if touching else "left")
    counts = np.maximum(after - first, 0)
    label = np.repeat(np.arange(len(labels)), counts)
    begin = np.cumsum(counts) - counts
    chunk = np.arange(len(label)) - np.repeat(begin, counts) + np.repeat(first, counts)
    return label, chunk


def precision_omega(labels: Spans, cuts: Cuts, questions: int, touching: bool = False) -> Floats:
    """The precision that perfect retrieval would have: |L ∩ T| / |T ∪ L|.

    T is the union of all chunks that share a character with L. With `touching`, chunks that only
    touch a label are in T too, as in the public evaluation's own code; published figures are so.
    """
    label, chunk = touched(labels, cuts, touching)
    best = Spans(labels.group[label], cuts.starts[chunk], cuts.ends[chunk])
    return share(shared(labels, best, questions), labels.joined(best).covered(questions))


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What became of each labelled passage: in one chunk, in several, or in none."""

    whole: Mask
    left_out: Mask
    chunks: Offsets  # the fewest that hold what is held of it

    @property
    def split(self) -> Mask:
        return ~self.whole & ~self.left_out

    @property
    def whole_share(self) -> float:
        return float(self.whole.mean()) if len(self.whole) else 0.0

    @property
    def mean_chunks(self) -> float:
        """Chunks per answer, over the passages that are in any."""
        held = self.chunks[~self.left_out]
        return float(held.mean()) if len(held) else 0.0


def kept(labels: Spans, cuts: Cuts) -> Kept:
    """Whether answers are kept whole: one chunk holds all of it, several, or none."""
    count = np.zeros(len(labels), np.int64)
    position = labels.starts.copy()
    if not len(cuts):
        return Kept(count > 0, count == 0, count)
    live = position < labels.ends
    while live.any():
        # The last chunk that begins here or before reaches farthest; after a gap, the next one.
        at = np.searchsorted(cuts.starts, position, side="right") - 1
        at = np.where((at < 0) | (cuts.ends[at] <= position), at + 1, at)
        inside = np.minimum(at, len(cuts) - 1)
        live &= (at < len(cuts)) & (cuts.starts[inside] < labels.ends)
        count += live
        position = np.where(live, cuts.ends[inside], position)
        live &= position < labels.ends
    whole = (count == 1) & (position >= labels.ends)
    at = np.searchsorted(cuts.starts, labels.starts, side="right") - 1
    whole &= (at >= 0) & (cuts.ends[np.maximum(at, 0)] >= labels.ends)
    return Kept(whole, count == 0, count)


# ---- With a ranking ------------------------------------------------------------------------------


def found_spans(ranking: Ranking, cuts: Cuts, k: int) -> Spans:
    """The first k chunks of each question."""
    top = ranking[:, :k]
    question, rank = np.nonzero(top != NONE)
    chunk = top[question, rank]
    return Spans(question, cuts.starts[chunk], cuts.ends[chunk])


def recall(labels: Spans, found: Spans, questions: int) -> Floats:
    """|L ∩ R| / |L|."""
    return share(shared(labels, found, questions), labels.covered(questions))


def precision(labels: Spans, found: Spans, questions: int) -> Floats:
    """|L ∩ R| / Σ|r| over r in R: text that is repeated counts each time."""
    return share(shared(labels, found, questions), found.total(questions))


def iou(labels: Spans, found: Spans, questions: int) -> Floats:
    """|L ∩ R| / (Σ|r| + |L \\ R|)."""
    both = shared(labels, found, questions)
    return share(both, found.total(questions) + labels.covered(questions) - both)


@dataclass(frozen=True, slots=True, eq=False)
class TokenLine:
    """Where tokens start, all documents on one line; the end of each document closes its tokens."""

    starts: Offsets

    def cost(self, starts: Offsets, ends: Offsets) -> Offsets:
        """The tokens that a span holds or cuts into."""
        after = np.searchsorted(self.starts, ends, side="left")
        cost: Offsets = np.maximum(after - self._at(starts), 0)
        return cost

    def cut(self, starts: Offsets, tokens: Offsets) -> Offsets:
        """Where so many tokens end."""
        at = np.minimum(self._at(starts) + tokens, len(self.starts) - 1)
        place: Offsets = self.starts[at]
        return place

    def _at(self, positions: Offsets) -> Offsets:
        at: Offsets = np.searchsorted(self.starts, positions, side="right") - 1
        return at


def within_budget(ranking: Ranking, cuts: Cuts, tokens: TokenLine, budget: int) -> Spans:
    """The chunks in rank order until the budget is spent, the last one cut to fit."""
    chunk = np.maximum(ranking, 0)
    starts, ends = cuts.starts[chunk], cuts.ends[chunk]
    costs = np.where(ranking == NONE, 0, tokens.cost(starts, ends))
    left = budget - (np.cumsum(costs, axis=1) - costs)
    taken = np.clip(left, 0, costs)
    ends = np.where(taken < costs, np.minimum(tokens.cut(starts, taken), ends), ends)
    question, rank = np.nonzero(taken > 0)
    starts, ends = starts[question, rank], ends[question, rank]
    return Spans(question, starts, np.maximum(ends, starts))


def budget_recall(
    labels: Spans, ranking: Ranking, cuts: Cuts, tokens: TokenLine, budget: int
) -> Floats:
    """R@B = |L ∩ R_B| / |L|, where R_B is what of R fits into B tokens, best first."""
    return recall(labels, within_budget(ranking, cuts, tokens, budget), len(ranking))


def tokens_spent(ranking: Ranking, cuts: Cuts, tokens: TokenLine, k: int) -> Offsets:
    """Tokens of the first k chunks, repeats counted each time."""
    top = ranking[:, :k]
    if not len(cuts.starts):
        return np.zeros(len(ranking), np.int64)
    chunk = np.maximum(top, 0)
    costs = tokens.cost(cuts.starts[chunk], cuts.ends[chunk])
    spent: Offsets = np.where(top == NONE, 0, costs).sum(axis=1)
    return spent


@dataclass(frozen=True, slots=True, eq=False)
class Relevance:
    """The share of each question's labels that each chunk holds: g(q, c) = |L ∩ c| / |L|."""

    keys: Offsets  # question × chunks + chunk, sorted
    gains: Floats
    chunks: int
    ideal: Floats  # questions × ranks: the gains of a perfect ranking, zeros after the last

    @classmethod
    def of(cls, labels: Spans, cuts: Cuts, questions: int) -> Relevance:
        labels = labels.united()
        label, chunk = touched(labels, cuts)
        held = np.minimum(labels.ends[label], cuts.ends[chunk])
        held = held - np.maximum(labels.starts[label], cuts.starts[chunk])
        keys, at = np.unique(labels.group[label] * len(cuts) + chunk, return_inverse=True)
        question = keys // max(len(cuts), 1)
        sums = np.bincount(at, held, len(keys))
        gains = share(sums, labels.covered(questions)[question])
        return cls(keys, gains, len(cuts), _ideal(question, gains, questions))

    def of_ranking(self, ranking: Ranking) -> Floats:
        """The gain at each rank."""
        if not len(self.keys):
            return np.zeros(ranking.shape)
        keys = np.arange(len(ranking))[:, None] * self.chunks + ranking
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found: Floats = np.where((self.keys[at] == keys) & (ranking != NONE), self.gains[at], 0.0)
        return found


def _ideal(question: Offsets, gains: Floats, questions: int) -> Floats:
    order = np.lexsort((-gains, question))
    counts = np.bincount(question, minlength=questions)
    rank = np.arange(len(gains)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.zeros((questions, int(counts.max(initial=0))))
    table[question[order], rank] = gains[order]
    return table


def hit(gains: Floats, k: int) -> Floats:
    """1 where one of the first k chunks shares a character with L, else 0."""
    return np.asarray((gains[:, :k] > 0).any(axis=1), np.float64)


def reciprocal_rank(gains: Floats) -> Floats:
    """1 / rank of the first chunk that shares a character with L, 0 without one (its mean: MRR)."""
    is_good = gains > 0
    if not gains.shape[1]:
        return np.zeros(len(gains))
    return np.where(is_good.any(axis=1), 1.0 / (is_good.argmax(axis=1) + 1), 0.0)


def precision_at(gains: Floats, k: int) -> Floats:
    """The number of chunks among the first k that share a character with L, divided by k."""
    return np.asarray((gains[:, :k] > 0).sum(axis=1) / k)


def ndcg(gains: Floats, ideal: Floats, k: int) -> Floats:
    """nDCG@k = DCG@k / IDCG@k, DCG@k = Σ g_r / log2(r + 1) for ranks r = 1 … k.

    g_r = |L ∩ c_r| / |L|; IDCG is the same sum over all chunks' gains, the greatest first.
    """
    return share(_discounted(gains[:, :k]), _discounted(ideal[:, :k]))


def _discounted(gains: Floats) -> Floats:
    found: Floats = gains @ (1.0 / np.log2(np.arange(gains.shape[1]) + 2.0))
    return found


def rejected(ranking: Ranking) -> Mask:
    """Questions for which nothing was found: right for negative ones, which have no answer."""
    empty: Mask = (ranking == NONE).all(axis=1)
    return empty
