"""All documents on one line, so that every measure is one sweep over arrays."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.measures import Cuts, TokenLine
from chunkscope.core.evaluation.query_set import Passage, QueryClass, QuerySet, Question
from chunkscope.core.evaluation.spans import Spans
from chunkscope.core.model import Document
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers import tokenizer

# Between documents, so that the end of one does not touch the beginning of the next.
_GAP = 2
BUDGET_TOKENIZER = "cl100k_base"


class UnknownDocument(ChunkscopeError):
    """A label names a document that is not there, or that could be several."""


class Corpus:
    """Documents in order, each with its place on the line."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = tuple(documents)
        lengths = np.array([len(each.text) + _GAP for each in documents], np.int64)
        self.bases: Offsets = np.concatenate(([0], np.cumsum(lengths)))[:-1]
        self._names: dict[str, set[int]] = {}
        for number, document in enumerate(self.documents):
            for name in names_of(document):
                self._names.setdefault(name, set()).add(number)
        self._token_lines: dict[str, TokenLine] = {}

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def hashes(self) -> tuple[str, ...]:
        return tuple(document.content_hash for document in self.documents)

    @property
    def hash(self) -> str:
        return hashlib.sha256("\n".join(self.hashes).encode("ascii")).hexdigest()

    def find(self, name: str) -> int:
        """The number of the document that a label names."""
        found = self._names.get(name, set())
        if not found:
            raise UnknownDocument(f"no document is called {name!r}; load it or mend the label")
        if len(found) > 1:
            titles = ", ".join(sorted(self.documents[each].source for each in found)[:3])
            raise UnknownDocument(f"{name!r} could be several documents ({titles}); use the id")
        return next(iter(found))

    def document_at(self, positions: Offsets) -> Offsets:
        """The numbers of the documents that places on the line lie in."""
        return np.searchsorted(self.bases, positions, side="right") - 1

    def cuts(self, chunkings: Sequence[Chunking]) -> Cuts:
        """The chunks of all documents, one chunking for each, on the line."""
        pairs = list(zip(self.bases, chunkings, strict=True))
        if not pairs:
            return Cuts(np.zeros(0, np.int64), np.zeros(0, np.int64))
        return Cuts(
            np.concatenate([base + each.starts for base, each in pairs]),
            np.concatenate([base + each.ends for base, each in pairs]),
        )

    def published_cuts(self, cuts: Cuts) -> Cuts:
        """The chunks as the public evaluation's code sees them: without a full stop at the end.

        It searches for each chunk's text without its last full stop; with `touching`, published
        figures are met to the last digit.
        """
        numbers = self.document_at(cuts.starts)
        last = (cuts.ends - 1 - self.bases[numbers]).tolist()
        stops = [
            self.documents[number].text[at] == "."
            for number, at in zip(numbers.tolist(), last, strict=True)
        ]
        return Cuts(cuts.starts, cuts.ends - np.array(stops, np.int64))

    def tokens(self, name: str = BUDGET_TOKENIZER) -> TokenLine:
        """The tokens of all documents, found once; budgets are counted in them."""
        if name not in self._token_lines:
            counter = tokenizer(name)
            parts = [
                base + counter.tabulate(Layout(document.text)).starts
                for base, document in zip(self.bases, self.documents, strict=True)
            ]
            starts = np.concatenate([*parts, np.zeros(0, np.int64)])
            self._token_lines[name] = TokenLine(starts.astype(np.int64))
        return self._token_lines[name]


def names_of(document: Document) -> set[str]:
    """What a label may call a document."""
    base = os.path.basename(document.source)
    return {document.id, document.source, base, os.path.splitext(base)[0]} - {""}


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The questions that can be judged, and their labels on the line.

    `labels` groups passages by question; `trimmed` are the same without white space around them,
    which chunks leave out. `problems` tells what was left out, and why.
    """

    questions: tuple[Question, ...]
    labels: Spans
    trimmed: Spans
    problems: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def is_negative(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.array([each.kind is QueryClass.NEGATIVE for each in self.questions], np.bool_)

    def take(self, numbers: Offsets) -> Gold:
        """Some of the questions, numbered anew."""
        place = np.full(len(self), -1, np.int64)
        place[numbers] = np.arange(len(numbers))
        chosen = place[self.labels.group] >= 0
        labels, trimmed = self.labels.take(chosen), self.trimmed.take(chosen)
        group = place[labels.group]
        return Gold(
            tuple(self.questions[number] for number in numbers.tolist()),
            Spans(group, labels.starts, labels.ends),
            Spans(group, trimmed.starts, trimmed.ends),
            self.problems,
        )

    def moved(self, shift: Offsets) -> Gold:
        """With each passage at another place of the line."""

        def move(spans: Spans) -> Spans:
            return Spans(spans.group, spans.starts + shift, spans.ends + shift)

        return replace(self, labels=move(self.labels), trimmed=move(self.trimmed))


def gold_of(queries: QuerySet, corpus: Corpus) -> Gold:
    """The labels of a query set in these documents.

    A passage whose document is missing, or whose text is no longer there, is told and left out; a
    question that loses a passage is left out whole, for its figures would mean something else.
    """
    questions: list[Question] = []
    rows: list[tuple[int, int, int]] = []
    inner: list[tuple[int, int, int]] = []
    problems: list[str] = []
    for question in queries:
        try:
            spans = [place_passage(passage, corpus) for passage in question.expected]
        except ChunkscopeError as problem:
            problems.append(f"{question.text!r} is left out: {problem}")
            continue
        rows += [(len(questions), start, end) for start, end, _, _ in spans]
        inner += [(len(questions), start, end) for _, _, start, end in spans]
        questions.append(question)
    return Gold(tuple(questions), Spans.of(*rows), Spans.of(*inner), tuple(problems))


def place_passage(passage: Passage, corpus: Corpus) -> tuple[int, int, int, int]:
    """A passage on the line, as labelled and without white space around it."""
    number = corpus.find(passage.document)
    document, base = corpus.documents[number], int(corpus.bases[number])
    found = document.text[passage.start : passage.end]
    where = f"{passage.document} {passage.start:,}–{passage.end:,}"
    if len(found) < passage.end - passage.start:
        raise ChunkscopeError(f"{where} is outside the document; check the query set")
    if passage.text and found != passage.text:
        raise ChunkscopeError(f"{where} no longer holds the quoted text; repair the query set")
    start = passage.start + len(found) - len(found.lstrip())
    end = max(passage.end - len(found) + len(found.rstrip()), start)
    return base + passage.start, base + passage.end, base + start, base + end
