"""Checks labels against their documents, and proposes where a passage went that has changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from chunkscope.core.evaluation.corpus import Corpus, UnknownDocument
from chunkscope.core.evaluation.query_set import Passage, QuerySet, Question
from chunkscope.core.job import NO_JOB, Job

SHORTEST = 12
# Below this a proposal would be a guess.
LEAST_SIMILARITY = 0.6
# Alignment costs length × window: of long quotes only both ends are aligned.
_ALIGNED = 200
_ANCHORS = 8
_HITS = 200
_CANDIDATES = 4
_WORD_START = re.compile(r"(?<!\S)(?=\S)")
_WORD_END = re.compile(r"(?<=\S)(?!\S)")


class Trouble(StrEnum):
    """What is wrong with a label."""

    UNKNOWN_DOCUMENT = "unknown document"
    OUTSIDE = "outside the document"
    CHANGED = "text no longer found"
    AMBIGUOUS = "ambiguous"
    TOO_SHORT = "too short"


@dataclass(frozen=True, slots=True)
class Finding:
    """One trouble with one passage; `proposal` is where its text stands now, as far as known."""

    question: str
    passage: int
    trouble: Trouble
    sentence: str
    proposal: Passage | None = None
    similarity: float = 0.0

    @property
    def blocks(self) -> bool:
        """Whether the question cannot be judged until this is mended."""
        return self.trouble not in (Trouble.AMBIGUOUS, Trouble.TOO_SHORT)


def validate(queries: QuerySet, corpus: Corpus, job: Job = NO_JOB) -> list[Finding]:
    """All troubles, in the order of the questions."""
    found: list[Finding] = []
    for done, question in enumerate(queries):
        job.step(done, len(queries), "checking labels")
        for number, passage in enumerate(question.expected):
            found += _check(question, number, passage, corpus)
    return found


def _check(question: Question, number: int, passage: Passage, corpus: Corpus) -> Iterable[Finding]:
    def finding(trouble: Trouble, rest: str, at: tuple[int, int, float] | None = None) -> Finding:
        sentence = f"{question.text!r}, passage {number + 1}: {rest}"
        if at is None:
            return Finding(question.id, number, trouble, sentence)
        start, end, similarity = at
        moved = replace(passage, start=start, end=end, text=text[start:end])
        return Finding(question.id, number, trouble, sentence, moved, similarity)

    try:
        text = corpus.documents[corpus.find(passage.document)].text
    except UnknownDocument as problem:
        yield finding(Trouble.UNKNOWN_DOCUMENT, str(problem))
        return
    is_outside = passage.end > len(text)
    here = text[passage.start : passage.end]
    if is_outside or (passage.text and here != passage.text):
        trouble = Trouble.OUTSIDE if is_outside else Trouble.CHANGED
        place = nearest(passage, text)
        rest = f"{trouble}; it now stands at {place[0]:,} ({place[2]:.0%} alike)" if place else ""
        yield finding(trouble, rest or f"{trouble}, nor anything like it; label it anew", place)
        return
    if len(here.strip()) < SHORTEST:
        rest = f"{here.strip()!r} is too short to be found again; label at least {SHORTEST} letters"
        yield finding(Trouble.TOO_SHORT, rest)
    first = text.find(here)
    if first < passage.start or text.find(here, passage.start + 1) >= 0:
        yield finding(Trouble.AMBIGUOUS, "the same words stand elsewhere too; label a longer span")


def nearest(passage: Passage, text: str) -> tuple[int, int, float] | None:
    """Where a quote stands now, and how alike that is; bounded in time on any document."""
    quote = passage.text
    if not quote.strip():
        return None
    exact = _nearest_exact(quote, text, passage.start)
    if exact is not None:
        return exact, exact + len(quote), 1.0
    from rapidfuzz.distance import Indel

    best: tuple[int, int, float] | None = None
    for start in _candidates(quote, text, passage.start):
        span = _align(quote, text, start)
        if span is None:
            continue
        alike = Indel.normalized_similarity(quote, text[span[0] : span[1]])
        if alike >= LEAST_SIMILARITY and (best is None or alike > best[2]):
            best = (*span, alike)
    return best


def _nearest_exact(quote: str, text: str, start: int) -> int | None:
    after = text.find(quote, start)
    before = text.rfind(quote, 0, start + len(quote))
    found = [at for at in (before, after) if at >= 0]
    return min(found, key=lambda at: abs(at - start)) if found else None


def _candidates(quote: str, text: str, start: int) -> list[int]:
    """Places where rare words of the quote stand at their distances from its beginning."""
    anchors: dict[str, int] = {}
    at = 0
    for word in quote.split():
        at = quote.index(word, at)
        anchors.setdefault(word, at)
        at += len(word)
    votes: Counter[int] = Counter()
    step = max(len(quote) // 4, 8)
    for word in sorted(anchors, key=len, reverse=True)[:_ANCHORS]:
        for hit in _find_some(text, word):
            votes[(hit - anchors[word]) // step] += 1
    places = sorted(votes, key=lambda place: (-votes[place], abs(place * step - start)))
    return [max(place * step, 0) for place in places[:_CANDIDATES]]


def _find_some(text: str, word: str) -> list[int]:
    found: list[int] = []
    at = text.find(word)
    while at >= 0 and len(found) < _HITS:
        found.append(at)
        at = text.find(word, at + 1)
    return found


def _align(quote: str, text: str, start: int) -> tuple[int, int] | None:
    """The span near `start` whose ends fit the quote's ends best."""
    slack = min(len(quote), _ALIGNED) + max(len(quote) // 4, 8)
    head = _place(quote[:_ALIGNED], text, start - slack, start + slack + _ALIGNED)
    if head is None or len(quote) <= _ALIGNED:
        return head
    end = head[0] + len(quote)
    tail = _place(quote[-_ALIGNED:], text, end - slack - _ALIGNED, end + slack)
    return (head[0], tail[1]) if tail and tail[1] > head[0] else (head[0], min(end, len(text)))


def _place(part: str, text: str, low: int, high: int) -> tuple[int, int] | None:
    from rapidfuzz.fuzz import partial_ratio_alignment

    low = max(low, 0)
    window = text[low : max(high, 0)]
    if len(window) < len(part):  # the shorter one would be slid over the longer
        return _snap(part, text, low, low + len(window)) if window else None
    found = partial_ratio_alignment(part, window)
    return _snap(part, text, low + found.dest_start, low + found.dest_end) if found else None


def _snap(part: str, text: str, start: int, end: int) -> tuple[int, int]:
    """A window of the part's own length, with its ends moved to the words that fit best."""
    from rapidfuzz.distance import Indel

    def likeness(span: tuple[int, int]) -> float:
        return Indel.normalized_similarity(part, text[span[0] : span[1]])

    slack = len(part) // 4 + 8
    for _ in range(2):
        starts = _edges(text, start - slack, start + slack, _WORD_START)
        start = max([start, *starts], key=lambda at: likeness((at, end)))
        ends = _edges(text, end - slack, end + slack, _WORD_END)
        end = max([end, *(at for at in ends if at > start)], key=lambda at: likeness((start, at)))
    return start, end


def _edges(text: str, low: int, high: int, pattern: re.Pattern[str]) -> list[int]:
    low = max(low, 0)
    return [low + found.start() for found in pattern.finditer(text[low : max(high, 0)])]


def repair(
    queries: QuerySet, findings: Iterable[Finding], least: float = LEAST_SIMILARITY
) -> QuerySet:
    """The query set with the proposals that are alike enough."""
    for finding in findings:
        question = queries.get(finding.question)
        if question is None or finding.proposal is None or finding.similarity < least:
            continue
        expected = list(question.expected)
        expected[finding.passage] = finding.proposal
        queries = queries.with_question(replace(question, expected=tuple(expected)))
    return queries
