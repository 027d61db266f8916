"""The figures of one configuration: for each question, and over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import numpy as np

from chunkscope.core.evaluation import measures
from chunkscope.core.evaluation.bootstrap import Interval, intervals
from chunkscope.core.evaluation.chunk_set import ChunkSet
from chunkscope.core.evaluation.configuration import (
    Configuration,
    options_of,
    profile_of,
    profile_table,
    search_table,
)
from chunkscope.core.evaluation.corpus import Corpus, Gold
from chunkscope.core.evaluation.failures import classify
from chunkscope.core.evaluation.measures import Relevance
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.query_set import QueryClass
from chunkscope.core.evaluation.retriever import Rankings
from chunkscope.core.evaluation.spans import Floats

_IN_METRICS = measures.NAMES[:7]


# The failure of a negative question.
ANSWERED = "answered though negative"


class Cost(StrEnum):
    """What a configuration costs."""

    TOKENS = "tokens_per_question"
    INDEX = "index_bytes"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """One question under one configuration; `failure` is empty where all of the answer came."""

    id: str
    kind: str
    values: dict[str, float]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration's line in the leaderboard."""

    configuration: Configuration
    chunks: int
    mean_size: float
    questions: tuple[QuestionScore, ...]
    whole_share: float
    chunks_per_answer: float
    index_bytes: int
    rejected_negatives: float | None
    seconds: float
    intervals: dict[str, Interval] = field(default_factory=dict)
    dropped_after: int | None = None  # questions, where the race was lost

    @property
    def name(self) -> str:
        return self.configuration.name

    def scores(self, measure: str) -> Floats:
        """The figures of a measure, for the questions that have an answer."""
        return np.array(
            [each.values[measure] for each in self.questions if each.values], np.float64
        )

    def mean(self, measure: str) -> float:
        found = self.scores(measure)
        return float(found.mean()) if len(found) else 0.0

    @property
    def cost(self) -> tuple[float, ...]:
        """Tokens, then size, then time."""
        return (round(self.mean("tokens")), self.index_bytes, self.seconds)

    def class_precision(self) -> dict[str, float]:
        """precision@k of each class; a negative question is right when nothing is found."""
        found = {}
        for kind in (QueryClass.KEYWORD, QueryClass.PARAPHRASE):
            values = [
                each.values["precision_at_k"]
                for each in self.questions
                if each.kind == kind and each.values
            ]
            if values:
                found[kind.value] = float(np.mean(values))
        if self.rejected_negatives is not None:
            found[QueryClass.NEGATIVE.value] = self.rejected_negatives
        return found


def score(
    configuration: Configuration,
    corpus: Corpus,
    gold: Gold,
    chunks: ChunkSet,
    rankings: Rankings,
    settings: Settings,
    index_bytes: int,
    seconds: float,
) -> Row:
    """All figures of a ranking."""
    values = _values(configuration, corpus, gold, chunks, rankings, settings)
    budget = _budget_of(settings)
    wide = chunks.widened(configuration.options.neighbours)
    failures = classify(gold, chunks, wide, rankings, corpus.tokens(), settings.k, budget)
    kept = measures.kept(gold.trimmed, chunks.cuts)
    negative = gold.is_negative
    rejected = measures.rejected(rankings.fused)
    questions = [
        QuestionScore(
            question.id,
            question.kind.value,
            {} if negative[at] else {name: float(column[at]) for name, column in values.items()},
            ("" if rejected[at] else ANSWERED) if negative[at] else failures[at],
        )
        for at, question in enumerate(gold.questions)
    ]
    row = Row(
        configuration,
        len(chunks),
        float(chunks.sizes.mean()) if len(chunks) else 0.0,
        tuple(questions),
        kept.whole_share,
        kept.mean_chunks,
        index_bytes,
        float(rejected[negative].mean()) if negative.any() else None,
        seconds,
    )
    return replace(row, intervals=_intervals(row, settings))


def _budget_of(settings: Settings) -> int:
    """The budget that failures are told by: the headline's, else the largest."""
    head = settings.headline.removeprefix("R@")
    return int(head) if head.isdigit() else max(settings.budgets, default=0)


def _values(
    configuration: Configuration,
    corpus: Corpus,
    gold: Gold,
    chunks: ChunkSet,
    rankings: Rankings,
    settings: Settings,
) -> dict[str, Floats]:
    count, labels, k = len(gold), gold.labels, settings.k
    wide = chunks.widened(configuration.options.neighbours)
    found = measures.found_spans(rankings.fused, wide, k)
    relevance = Relevance.of(labels, chunks.cuts, count)
    gains = relevance.of_ranking(rankings.fused)
    public = corpus.published_cuts(chunks.cuts)
    tokens = corpus.tokens()
    spent = measures.tokens_spent(rankings.fused, wide, tokens, k)
    values = {
        "recall": measures.recall(labels, found, count),
        "precision": measures.precision(labels, found, count),
        "iou": measures.iou(labels, found, count),
        "precision_omega": measures.precision_omega(labels, chunks.cuts, count),
        "precision_omega_touching": measures.precision_omega(labels, public, count, touching=True),
        "mrr": measures.reciprocal_rank(gains),
        "ndcg": measures.ndcg(gains, relevance.ideal, k),
        "hit": measures.hit(gains, k),
        "precision_at_k": measures.precision_at(gains, k),
        "tokens": spent.astype(np.float64),
    }
    for budget in settings.budgets:
        values[f"R@{budget}"] = measures.budget_recall(labels, rankings.fused, wide, tokens, budget)
    return values


def _intervals(row: Row, settings: Settings) -> dict[str, Interval]:
    names = ("recall", "ndcg", "mrr", *(f"R@{budget}" for budget in settings.budgets))
    chosen = tuple(dict.fromkeys((*names, settings.headline)))
    table = np.array([row.scores(name) for name in chosen])
    return dict(zip(chosen, intervals(table, settings.seed, settings.resamples), strict=True))


# ---- As JSON -------------------------------------------------------------------------------------


def row_record(row: Row, budgets: Sequence[int], with_questions: bool = True) -> dict[str, Any]:
    """A row under the names that the command line gives it."""
    metrics: dict[str, Any] = {name: row.mean(name) for name in _IN_METRICS}
    metrics["budget_recall"] = {str(budget): row.mean(f"R@{budget}") for budget in budgets}
    record: dict[str, Any] = {
        "name": row.name,
        "profile": profile_table(row.configuration.profile),
        "mode": str(row.configuration.options.mode),
        "search": search_table(row.configuration.options),
        "key": row.configuration.key,
        "chunks": row.chunks,
        "mean_size": row.mean_size,
        "metrics": metrics,
        "intervals": {
            name: {"mean": each.mean, "low": each.low, "high": each.high}
            for name, each in row.intervals.items()
        },
        "precision_at_k": row.class_precision(),
        "hit": row.mean("hit"),
        "answers_whole": row.whole_share,
        "chunks_per_answer": row.chunks_per_answer,
        Cost.TOKENS.value: row.mean("tokens"),
        "rejected_negatives": row.rejected_negatives,
        Cost.INDEX.value: row.index_bytes,
        Cost.SECONDS.value: row.seconds,
        "dropped_after": row.dropped_after,
    }
    if with_questions:
        record["questions"] = [
            {"id": each.id, "class": each.kind, "failure": each.failure, **each.values}
            for each in row.questions
        ]
    return record


def row_of(record: dict[str, Any]) -> Row:
    """The row that a record tells of."""
    configuration = Configuration(profile_of(record["profile"]), options_of(record["search"]))
    return Row(
        configuration,
        record["chunks"],
        record["mean_size"],
        tuple(_question_of(each) for each in record["questions"]),
        record["answers_whole"],
        record["chunks_per_answer"],
        record[Cost.INDEX.value],
        record["rejected_negatives"],
        record[Cost.SECONDS.value],
        {name: Interval(**each) for name, each in record["intervals"].items()},
        record["dropped_after"],
    )


def _question_of(record: dict[str, Any]) -> QuestionScore:
    values = {n: v for n, v in record.items() if n not in ("id", "class", "failure")}
    return QuestionScore(record["id"], record["class"], values, record["failure"])
