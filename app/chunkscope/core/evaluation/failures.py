"""Why an answer did not come whole: one class of failure for each question."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from chunkscope.core.evaluation.chunk_set import ChunkSet
from chunkscope.core.evaluation.corpus import Gold
from chunkscope.core.evaluation.measures import (
    Cuts,
    Ranking,
    TokenLine,
    budget_recall,
    touched,
    within_budget,
)
from chunkscope.core.evaluation.retriever import Rankings
from chunkscope.core.evaluation.spans import Floats, Spans
from chunkscope.core.text.codepoints import Mask, Offsets

_WHOLE = 1 - 1e-9


class Failure(StrEnum):
    """What kept an answer, or a part of it, out of the context."""

    CUT_BY_BUDGET = "cut by the budget"
    SPLIT = "split"
    TRUNCATED = "truncated by the model"
    LOST_IN_FUSION = "lost in fusion"
    NOT_RETRIEVED = "not retrieved"


def classify(
    gold: Gold,
    chunks: ChunkSet,
    wide: Cuts,
    rankings: Rankings,
    tokens: TokenLine,
    k: int,
    budget: int,
) -> list[str]:
    """For each question the first cause that applies to a passage that is not in the context.

    The context is what of the ranking fits into the budget. A passage is cut by the budget when a
    chunk that holds it is among the first k and yet outside; split when a part of it is inside;
    truncated when it lies where the model no longer reads the chunk that holds it; lost in fusion
    when a channel alone had it among its first k; else it was not retrieved.
    """
    count = len(gold)
    held = within_budget(rankings.fused, wide, tokens, budget)
    complete = budget_recall(gold.labels, rankings.fused, wide, tokens, budget) >= _WHOLE
    found = [""] * count
    open_labels = np.flatnonzero(~complete[gold.trimmed.group])
    if not len(open_labels):
        return found
    labels = gold.trimmed.take(open_labels)
    share = _held(labels, held)
    label, chunk = _missing_parts(labels, chunks.cuts, held)
    checks = {
        Failure.CUT_BY_BUDGET: _any(label, _among(rankings.fused, labels, label, chunk, k), labels),
        Failure.SPLIT: share > 0,
        Failure.TRUNCATED: _truncated(chunks, rankings, labels, label, chunk),
        Failure.LOST_IN_FUSION: _any(label, _lost(rankings, labels, label, chunk, k), labels),
        Failure.NOT_RETRIEVED: np.ones(len(labels), np.bool_),
    }
    missing = share < _WHOLE
    for cause, applies in reversed(checks.items()):
        for question in labels.group[missing & applies].tolist():
            found[question] = cause.value
    return found


def _missing_parts(labels: Spans, cuts: Cuts, held: Spans) -> tuple[Offsets, Offsets]:
    """Pairs (passage, chunk) whose common part is not all in the context."""
    label, chunk = touched(labels, cuts)
    parts = Spans(
        labels.group[label],
        np.maximum(labels.starts[label], cuts.starts[chunk]),
        np.minimum(labels.ends[label], cuts.ends[chunk]),
    )
    missing = _held(parts, held) < _WHOLE
    return label[missing], chunk[missing]


def _held(labels: Spans, held: Spans) -> Floats:
    """The share of each passage that is in its question's context."""
    shares = np.zeros(len(labels))
    context = held.united()
    for at in range(len(labels)):
        mine = context.group == labels.group[at]
        start, end = labels.starts[at], labels.ends[at]
        inside = np.minimum(context.ends[mine], end) - np.maximum(context.starts[mine], start)
        shares[at] = np.maximum(inside, 0).sum() / max(int(end - start), 1)
    return shares


def _among(ranking: Ranking, labels: Spans, label: Offsets, chunk: Offsets, k: int) -> Mask:
    """Whether a pair's chunk is among the first k of the passage's question."""
    top = ranking[labels.group[label], :k]
    found: Mask = np.asarray((top == chunk[:, None]).any(axis=1))
    return found


def _any(label: Offsets, pairs: Mask, labels: Spans) -> Mask:
    """Whether any pair of a passage holds."""
    return np.bincount(label[pairs], minlength=len(labels)) > 0


def _lost(rankings: Rankings, labels: Spans, label: Offsets, chunk: Offsets, k: int) -> Mask:
    if rankings.lexical is None or rankings.semantic is None:
        return np.zeros(len(label), np.bool_)
    one = _among(rankings.lexical, labels, label, chunk, k)
    return one | _among(rankings.semantic, labels, label, chunk, k)


def _truncated(
    chunks: ChunkSet, rankings: Rankings, labels: Spans, label: Offsets, chunk: Offsets
) -> Mask:
    """Whether in every chunk that holds some of a passage the model stops before its end."""
    if rankings.semantic is None:
        return np.zeros(len(labels), np.bool_)
    reads_all = chunks.read_ends[chunk] >= np.minimum(labels.ends[label], chunks.cuts.ends[chunk])
    is_read = _any(label, reads_all, labels)
    return ~is_read & _any(label, np.ones(len(label), np.bool_), labels)
