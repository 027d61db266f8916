"""Measures against hand-computed cases, and against sets of characters."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.evaluation import measures
from chunkscope.core.evaluation.measures import NONE, Cuts, Relevance, TokenLine
from chunkscope.core.evaluation.spans import Spans

LINE = 40
Pairs = list[tuple[int, int]]


def cuts_of(*spans: tuple[int, int]) -> Cuts:
    table = np.array(spans, np.int64).reshape(-1, 2)
    return Cuts(table[:, 0], table[:, 1])


def characters(spans: Pairs) -> set[int]:
    return {at for start, end in spans for at in range(start, end)}


@st.composite
def chunkings(draw: st.DrawFn) -> Pairs:
    """Chunks as strategies make them: starts and ends ascend, gaps and overlaps between."""
    spans: Pairs = []
    start, end = 0, 0
    while len(spans) < 8:
        start = draw(st.integers(start + bool(spans), max(end + 3, start + 1)))
        end = draw(st.integers(max(end, start) + 1, max(end, start) + 9))
        if end > LINE:
            break
        spans.append((start, end))
    return spans


@st.composite
def labelled(draw: st.DrawFn) -> list[Pairs]:
    """Labels of three questions; they may overlap."""
    span = st.tuples(st.integers(0, LINE - 1), st.integers(1, 9))
    one = st.lists(span.map(lambda pair: (pair[0], min(sum(pair), LINE))), min_size=1, max_size=3)
    return [draw(one) for _ in range(3)]


@st.composite
def rankings(draw: st.DrawFn) -> tuple[Pairs, list[list[int]]]:
    chunks = draw(chunkings())
    if not chunks:
        return chunks, [[], [], []]
    order = st.permutations(range(len(chunks)))
    return chunks, [draw(order)[: draw(st.integers(0, len(chunks)))] for _ in range(3)]


def spans_of(labels: list[Pairs]) -> Spans:
    return Spans.of(*((number, *span) for number, each in enumerate(labels) for span in each))


def ranking_of(ranks: list[list[int]]) -> measures.Ranking:
    width = max(map(len, ranks))
    return np.array([[*each, *[NONE] * (width - len(each))] for each in ranks], np.int64).reshape(
        len(ranks), width
    )


def test_a_case_by_hand() -> None:
    labels = spans_of([[(10, 20)]])
    found = spans_of([[(0, 15), (12, 30)]])
    assert measures.recall(labels, found, 1)[0] == 1.0
    assert measures.precision(labels, found, 1)[0] == pytest.approx(10 / 33)
    assert measures.iou(labels, found, 1)[0] == pytest.approx(10 / 33)
    half = spans_of([[(0, 15)]])
    assert measures.recall(labels, half, 1)[0] == 0.5
    assert measures.iou(labels, half, 1)[0] == pytest.approx(5 / 20)


def test_precision_omega_by_hand() -> None:
    cuts = cuts_of((0, 10), (10, 25), (25, 40))
    labels = spans_of([[(10, 20)]])
    assert measures.precision_omega(labels, cuts, 1)[0] == pytest.approx(10 / 15)
    # The neighbour that only touches counts in the public form.
    assert measures.precision_omega(labels, cuts, 1, touching=True)[0] == pytest.approx(10 / 25)


@given(labelled(), chunkings(), st.booleans())
def test_precision_omega_is_that_of_sets(
    labels: list[Pairs], chunks: Pairs, touching: bool
) -> None:
    found = measures.precision_omega(spans_of(labels), cuts_of(*chunks), 3, touching)
    edge = 0 if touching else 1
    for each, value in zip(labels, found, strict=True):
        best = [
            (start, end)
            for start, end in chunks
            if any(min(end, last) - max(start, first) >= edge for first, last in each)
        ]
        wanted, held = characters(each), characters(best)
        assert value == pytest.approx(len(wanted & held) / len(wanted | held))


@given(labelled(), rankings(), st.integers(1, 8))
def test_retrieval_measures_are_those_of_sets(
    labels: list[Pairs], ranked: tuple[Pairs, list[list[int]]], k: int
) -> None:
    chunks, ranks = ranked
    cuts, spans = cuts_of(*chunks), spans_of(labels)
    found = measures.found_spans(ranking_of(ranks), cuts, k)
    recall = measures.recall(spans, found, 3)
    precision = measures.precision(spans, found, 3)
    iou = measures.iou(spans, found, 3)
    for number in range(3):
        top = [chunks[at] for at in ranks[number][:k]]
        wanted, held = characters(labels[number]), characters(top)
        total = sum(end - start for start, end in top)
        both = len(wanted & held)
        assert recall[number] == pytest.approx(both / len(wanted))
        assert precision[number] == pytest.approx(both / total if total else 0)
        assert iou[number] == pytest.approx(both / (total + len(wanted - held)))


@given(labelled(), rankings(), st.integers(1, 30), st.sets(st.integers(1, LINE - 1)))
def test_budget_recall_is_that_of_a_plain_loop(
    labels: list[Pairs],
    ranked: tuple[Pairs, list[list[int]]],
    budget: int,
    edges: set[int],
) -> None:
    chunks, ranks = ranked
    starts = sorted({0, LINE, *edges})
    tokens = TokenLine(np.array(starts, np.int64))
    found = measures.budget_recall(
        spans_of(labels), ranking_of(ranks), cuts_of(*chunks), tokens, budget
    )
    for number in range(3):
        left, held = budget, set()
        for at in ranks[number]:
            start, end = chunks[at]
            for first, last in pairwise(starts):
                if last <= start or first >= end or left == 0:
                    continue
                left -= 1
                held |= set(range(max(first, start), min(last, end)))
        wanted = characters(labels[number])
        assert found[number] == pytest.approx(len(wanted & held) / len(wanted))


def test_budget_cuts_the_last_chunk_to_fit() -> None:
    tokens = TokenLine(np.arange(0, 41, 4))  # tokens of four characters
    cuts = cuts_of((0, 20), (20, 40))
    ranking = ranking_of([[1, 0]])
    found = measures.within_budget(ranking, cuts, tokens, 7)
    assert found.starts.tolist() == [20, 0]
    assert found.ends.tolist() == [40, 8]
    assert measures.tokens_spent(ranking, cuts, tokens, 1).tolist() == [5]


@given(labelled(), chunkings())
def test_answers_are_whole_split_or_left_out(labels: list[Pairs], chunks: Pairs) -> None:
    flat = [span for each in labels for span in each]
    found = measures.kept(spans_of(labels), cuts_of(*chunks))
    for number, (first, last) in enumerate(flat):
        whole = any(start <= first and last <= end for start, end in chunks)
        near = [span for span in chunks if min(span[1], last) > max(span[0], first)]
        assert bool(found.whole[number]) == whole
        assert bool(found.left_out[number]) == (not near)
        assert bool(found.split[number]) == (bool(near) and not whole)
        held = characters(near) & set(range(first, last))
        assert found.chunks[number] == fewest(near, held)


def fewest(chunks: Pairs, wanted: set[int]) -> int:
    for size in range(len(chunks) + 1):
        if any(wanted <= characters(list(some)) for some in combinations(chunks, size)):
            return size
    raise AssertionError


@given(labelled(), rankings(), st.integers(1, 8))
def test_rank_measures_are_those_of_a_plain_loop(
    labels: list[Pairs], ranked: tuple[Pairs, list[list[int]]], k: int
) -> None:
    chunks, ranks = ranked
    relevance = Relevance.of(spans_of(labels), cuts_of(*chunks), 3)
    gains = relevance.of_ranking(ranking_of(ranks))
    for number in range(3):
        wanted = characters(labels[number])
        share = [len(wanted & characters([chunk])) / len(wanted) for chunk in chunks]
        mine = [share[at] for at in ranks[number]]
        good = [rank for rank, gain in enumerate(mine, start=1) if gain > 0]
        assert measures.hit(gains, k)[number] == any(rank <= k for rank in good)
        assert measures.reciprocal_rank(gains)[number] == pytest.approx(1 / good[0] if good else 0)
        assert measures.precision_at(gains, k)[number] == pytest.approx(
            sum(rank <= k for rank in good) / k
        )
        ideal = dcg(sorted(share, reverse=True)[:k])
        assert measures.ndcg(gains, relevance.ideal, k)[number] == pytest.approx(
            dcg(mine[:k]) / ideal if ideal else 0
        )


def dcg(gains: list[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def test_ndcg_by_hand() -> None:
    cuts = cuts_of((0, 10), (10, 20), (20, 30))
    relevance = Relevance.of(spans_of([[(5, 15)], [(0, 5)]]), cuts, 2)
    gains = relevance.of_ranking(ranking_of([[2, 0, 1], [1, 2]]))
    assert gains.tolist() == [[0.0, 0.5, 0.5], [0.0, 0.0, 0.0]]
    assert measures.ndcg(gains, relevance.ideal, 2)[0] == pytest.approx(
        (0.5 / math.log2(3)) / (0.5 + 0.5 / math.log2(3))
    )
    assert measures.reciprocal_rank(gains).tolist() == [0.5, 0.0]


def test_negatives_are_rejected_when_nothing_is_found() -> None:
    assert measures.rejected(ranking_of([[], [3], [0, 1]])).tolist() == [True, False, False]
