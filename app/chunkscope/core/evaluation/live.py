"""What labels say about a cut while a slider moves: no retriever is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.corpus import Corpus, place_passage
from chunkscope.core.evaluation.measures import Cuts, kept, precision_omega
from chunkscope.core.evaluation.query_set import QuerySet, Question
from chunkscope.core.evaluation.spans import Spans
from chunkscope.core.model import Document, Span


class Fate(StrEnum):
    """What became of a labelled passage."""

    WHOLE = "whole"
    SPLIT = "split"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Laid:
    """A labelled passage over the bands of a preview."""

    question: Question
    span: Span
    fate: Fate
    chunks: int  # the fewest that hold it


@dataclass(frozen=True, slots=True)
class LiveMeasures:
    """The figures of one chunking, and every passage with its fate."""

    precision_omega: float
    passages: tuple[Laid, ...]

    def count(self, fate: Fate) -> int:
        return sum(each.fate is fate for each in self.passages)

    @property
    def whole_share(self) -> float:
        return self.count(Fate.WHOLE) / len(self.passages) if self.passages else 0.0


class DocumentLabels:
    """The passages of a query set that lie in one document, found once."""

    def __init__(self, queries: QuerySet, document: Document) -> None:
        corpus = Corpus([document])
        self.questions: list[Question] = []
        spans: list[tuple[int, int, int]] = []
        inner: list[tuple[int, int, int]] = []
        for question in queries:
            placed = _places(question, corpus)
            if placed:
                spans += [(len(self.questions), *each[:2]) for each in placed]
                inner += [(len(self.questions), *each[2:]) for each in placed]
                self.questions.append(question)
        self._labels, self._trimmed = Spans.of(*spans), Spans.of(*inner)

    def __len__(self) -> int:
        return len(self._labels)

    def measure(self, chunking: Chunking) -> LiveMeasures:
        """A few milliseconds, whatever the document."""
        cuts = Cuts(chunking.starts, chunking.ends)
        found = kept(self._trimmed, cuts)
        omega = precision_omega(self._labels, cuts, len(self.questions))
        fates = np.where(
            found.whole, Fate.WHOLE, np.where(found.left_out, Fate.LEFT_OUT, Fate.SPLIT)
        )
        rows = zip(
            self._labels.group.tolist(), self._labels.starts.tolist(), self._labels.ends.tolist(),
            fates.tolist(), found.chunks.tolist(), strict=True,
        )  # fmt: skip
        passages = tuple(
            Laid(self.questions[group], Span(start, end), Fate(fate), count)
            for group, start, end, fate, count in rows
        )
        return LiveMeasures(float(omega.mean()) if len(omega) else 0.0, passages)


def _places(question: Question, corpus: Corpus) -> list[tuple[int, int, int, int]]:
    """Where its passages are in this document; those of others, or gone, are left out."""
    found = []
    for passage in question.expected:
        try:
            found.append(place_passage(passage, corpus))
        except ChunkscopeError:
            continue
    return found
