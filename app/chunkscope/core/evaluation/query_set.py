"""A query set: questions with the passages that answer them, as spans of their sources."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class QueryClass(StrEnum):
    """How a question relates to the words of its answer."""

    KEYWORD = "keyword"
    PARAPHRASE = "paraphrase"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a source that answers a question: it holds under every strategy.

    `document` is the document's id, its source, or its file name with or without the ending.
    """

    document: str
    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a person asks, and where the answer stands; a negative one has no answer."""

    id: str
    text: str
    kind: QueryClass = QueryClass.PARAPHRASE
    tags: tuple[str, ...] = ()
    expected: tuple[Passage, ...] = ()

    @classmethod
    def new(
        cls,
        text: str,
        expected: Iterable[Passage] = (),
        kind: QueryClass | None = None,
        tags: Iterable[str] = (),
    ) -> Question:
        """A question whose id comes from its text; without an answer it is a negative one."""
        passages = tuple(expected)
        chosen = kind or (QueryClass.PARAPHRASE if passages else QueryClass.NEGATIVE)
        return cls(question_id(text), text, chosen, tuple(tags), passages)


def question_id(text: str) -> str:
    return "q_" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Questions in order, each id once; `problems` tells of rows that could not be read."""

    questions: tuple[Question, ...] = ()
    problems: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def get(self, identity: str) -> Question | None:
        return next((each for each in self.questions if each.id == identity), None)

    def with_question(self, question: Question) -> QuerySet:
        """With a question added, or replaced where its id is known."""
        if self.get(question.id) is None:
            return replace(self, questions=(*self.questions, question))
        changed = (question if each.id == question.id else each for each in self.questions)
        return replace(self, questions=tuple(changed))

    def without(self, identity: str) -> QuerySet:
        return replace(
            self, questions=tuple(each for each in self.questions if each.id != identity)
        )

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags in use, sorted."""
        return tuple(sorted({tag for question in self.questions for tag in question.tags}))

    @property
    def hash(self) -> str:
        """SHA-256 of the questions' records: the same questions, the same hash."""
        digest = hashlib.sha256()
        for question in self.questions:
            line = json.dumps(record_of(question), ensure_ascii=True, sort_keys=True)
            digest.update(line.encode("ascii") + b"\n")
        return digest.hexdigest()


def with_distinct_ids(questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions, later ones of an id that is taken under a numbered one."""
    taken: set[str] = set()
    found = []
    for question in questions:
        identity, number = question.id, 2
        while identity in taken:
            identity, number = f"{question.id}-{number}", number + 1
        taken.add(identity)
        found.append(replace(question, id=identity))
    return tuple(found)


def record_of(question: Question) -> dict[str, Any]:
    """A question as JSON."""
    return {
        "id": question.id,
        "question": question.text,
        "class": question.kind.value,
        "tags": list(question.tags),
        "expected": [
            {"document": each.document, "start": each.start, "end": each.end, "text": each.text}
            for each in question.expected
        ],
    }
