"""Question drafts without a language model: headings, definitions and telling sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.evaluation.query_set import Passage, QueryClass, Question

_WORD = re.compile(r"[^\W\d_][\w'’-]{3,}|\d[\d.,]*\d")
_DEFINITION = re.compile(
    r"^(?:The |An? )?(?P<what>[A-Z][\w'’-]*(?: [\w'’-]+){0,4}?) (?P<verb>is|are|was|were|means) "
)
_PRONOUNS = {"it", "he", "she", "they", "this", "that", "these", "those", "there", "we", "you",
             "i", "what", "who", "here", "one", "which"}  # fmt: skip
_SHORTEST, _LONGEST = 40, 400
_PASSAGE = 1200
_TERMS = 3
_MOST_SENTENCES = 20_000


@dataclass(frozen=True, slots=True)
class Draft:
    """A question that a person may accept or edit, and what it was made from."""

    question: Question
    origin: str  # heading, definition, sentence
    weight: float


def draft_questions(analysis: Analysis, most: int = 20) -> list[Draft]:
    """The most telling drafts of a document, one for each passage, in reading order."""
    found: dict[tuple[int, int], Draft] = {}
    for draft in (*_from_headings(analysis), *_from_sentences(analysis)):
        passage = draft.question.expected[0]
        known = found.setdefault((passage.start, passage.end), draft)
        if draft.weight > known.weight:
            found[passage.start, passage.end] = draft
    texts = {draft.question.text: draft for draft in found.values()}  # each question once
    best = sorted(texts.values(), key=lambda draft: -draft.weight)[:most]
    return sorted(best, key=lambda draft: draft.question.expected[0].start)


def _draft(
    analysis: Analysis, text: str, span: tuple[int, int], origin: str, weight: float
) -> Draft:
    quote = analysis.text[span[0] : span[1]]
    passage = Passage(analysis.document.id, *span, quote)
    kind = QueryClass.KEYWORD  # it is made of the answer's own words
    return Draft(Question.new(text, [passage], kind, ("draft",)), origin, weight)


def _from_headings(analysis: Analysis) -> Iterator[Draft]:
    """What stands under a heading: the first paragraph after it."""
    blocks = analysis.document.blocks
    headings = blocks.of_kind(BlockKind.HEADING)
    paragraphs = blocks.of_kind(BlockKind.PARAGRAPH)
    at = 0
    for number, heading in enumerate(headings):
        end = headings[number + 1].start if number + 1 < len(headings) else len(analysis.text)
        while at < len(paragraphs) and paragraphs[at].start < heading.end:
            at += 1
        if at == len(paragraphs) or paragraphs[at].end > end or not heading.name.strip():
            continue
        name = " ".join(heading.name.split()).rstrip(".:")
        text = name if name.endswith("?") else f"What does the section “{name}” say?"
        yield _draft(analysis, text, _shortened(analysis, paragraphs[at].start, paragraphs[at].end),
                     "heading", 6.0 if name.endswith("?") else 4.0)  # fmt: skip


def _shortened(analysis: Analysis, start: int, end: int) -> tuple[int, int]:
    """A paragraph's whole sentences up to the most that a passage should hold."""
    if end - start <= _PASSAGE:
        return start, end
    starts, ends = analysis.pieces(analysis.sentences, start, end)
    last = max(int((ends <= start + _PASSAGE).sum()) - 1, 0)
    return int(starts[0]), min(int(ends[last]), start + _PASSAGE)


def _from_sentences(analysis: Analysis) -> Iterator[Draft]:
    """Sentences whose words are rare in the document: their terms, or what they define."""
    starts, ends = analysis.all_pieces(analysis.sentences)
    spans = list(zip(starts.tolist(), ends.tolist(), strict=True))[:_MOST_SENTENCES]
    words = [_terms(analysis.text[start:end]) for start, end in spans]
    spread = Counter(word for each in words for word in set(each))
    for span, each in zip(spans, words, strict=True):
        if not _SHORTEST <= span[1] - span[0] <= _LONGEST or len(set(each)) < _TERMS:
            continue
        rarity = {word: math.log(len(spans) / spread[word]) for word in set(each)}
        top = sorted(rarity, key=lambda word: (-rarity[word], each.index(word)))[:_TERMS]
        # A word used once is often a slip; used thrice it is what the document is about.
        weight = sum(rarity[word] * min(spread[word], 3) for word in top) / (3 * _TERMS)
        sentence = " ".join(analysis.text[span[0] : span[1]].split())
        defined = _definition(sentence)
        if defined:
            yield _draft(analysis, defined, span, "definition", weight + 2.0)
        else:
            ordered = sorted(top, key=each.index)
            text = f"What is said about {', '.join(ordered[:-1])} and {ordered[-1]}?"
            bonus = 0.5 if any(character.isdigit() for character in sentence) else 0.0
            yield _draft(analysis, text, span, "sentence", weight + bonus)


def _terms(sentence: str) -> list[str]:
    return [match.group() for match in _WORD.finditer(sentence)]


def _definition(sentence: str) -> str:
    match = _DEFINITION.match(sentence)
    if not match or match["what"].split()[0].lower() in _PRONOUNS:
        return ""
    verb = "is" if match["verb"] == "means" else match["verb"]
    head = sentence[: match.start("what")].strip().lower()
    what = f"{head} {match['what']}".strip()
    first, _, rest = what.partition(" ")
    what = f"{first.lower()} {rest}" if first in ("The", "A", "An") and rest else what
    return f"What {verb} {what}?"
