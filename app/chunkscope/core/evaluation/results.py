"""Results by class, tag, document and type; the best of each type as a recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunkscope.core.evaluation.bootstrap import Verdict, judge
from chunkscope.core.evaluation.corpus import Corpus, Gold
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.query_set import Question
from chunkscope.core.evaluation.scores import QuestionScore, Row
from chunkscope.core.evaluation.spans import Floats
from chunkscope.core.profile import Profile

KINDS = ("class", "tag", "document", "type")


def groups_of(gold: Gold, corpus: Corpus, by: str) -> dict[str, set[str]]:
    """The ids of questions in each group; a question may be in several."""
    found: dict[str, set[str]] = {}
    homes = corpus.document_at(gold.labels.starts)
    documents: dict[int, set[int]] = {}
    for question, home in zip(gold.labels.group.tolist(), homes.tolist(), strict=True):
        documents.setdefault(question, set()).add(home)
    for number, question in enumerate(gold.questions):
        for name in _names(question, documents.get(number, set()), corpus, by):
            found.setdefault(name, set()).add(question.id)
    return dict(sorted(found.items()))


def _names(question: Question, homes: set[int], corpus: Corpus, by: str) -> set[str]:
    if by == "class":
        return {question.kind.value}
    if by == "tag":
        return set(question.tags)
    if by == "document":
        return {corpus.documents[home].title for home in homes}
    if by == "type":
        return {corpus.documents[home].media_type for home in homes}
    raise ValueError(by)


@dataclass(frozen=True, slots=True)
class GroupResult:
    """One row's mean in one group of questions."""

    group: str
    questions: int
    row: Row
    mean: float


def breakdown(
    rows: Sequence[Row], groups: Mapping[str, set[str]], measure: str
) -> list[GroupResult]:
    """Every row's mean in every group."""
    found = []
    for group, members in groups.items():
        for row in rows:
            values = _scores(row, members, measure)
            if len(values):
                found.append(GroupResult(group, len(values), row, float(values.mean())))
    return found


def _scores(row: Row, members: set[str], measure: str) -> Floats:
    chosen = [each.values[measure] for each in row.questions if each.id in members and each.values]
    return np.array(chosen, np.float64)


@dataclass(frozen=True, slots=True)
class RecipeLine:
    """The profile for one type of documents, and how sure that is."""

    group: str
    questions: int
    row: Row
    mean: float
    is_certain: bool

    @property
    def profile(self) -> Profile:
        return self.row.configuration.profile


def recipe(
    rows: Sequence[Row], groups: Mapping[str, set[str]], settings: Settings
) -> list[RecipeLine]:
    """The winner of each group, or the cheapest of those that cannot be told apart."""
    found = []
    for group, members in groups.items():
        scores = np.array([_scores(row, members, settings.headline) for row in rows])
        if not scores.size:
            continue
        verdict: Verdict = judge(
            scores, [row.cost[:2] for row in rows], settings.seed, settings.resamples
        )
        at = verdict.cheapest
        mean = float(scores[at].mean())
        certain = verdict.winner is not None
        found.append(RecipeLine(group, scores.shape[1], rows[at], mean, certain))
    return found


def failures_of(row: Row) -> dict[str, int]:
    """How many questions failed in which way; the empty name counts those that did not."""
    return dict(Counter(each.failure for each in row.questions).most_common())


def flow(one: Row, other: Row) -> dict[tuple[str, str], int]:
    """How questions move between classes of failure from one configuration to another."""
    after: dict[str, QuestionScore] = {each.id: each for each in other.questions}
    moves = Counter(
        (each.failure, after[each.id].failure) for each in one.questions if each.id in after
    )
    return dict(moves.most_common())


def pareto(rows: Sequence[Row], measure: str) -> list[Row]:
    """The rows that no other beats in both the measure and tokens per question, cheapest first."""
    found: list[Row] = []
    for row in sorted(rows, key=lambda row: (row.mean("tokens"), -row.mean(measure))):
        if not found or row.mean(measure) > found[-1].mean(measure):
            found.append(row)
    return found
