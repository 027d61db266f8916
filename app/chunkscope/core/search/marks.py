"""Which terms matched a passage, where exactly, and what each added to its BM25."""

from __future__ import annotations

from collections.abc import Sequence

from chunkscope.core.model import Span
from chunkscope.core.search.lexical import Statistics, Weights, term_share
from chunkscope.core.search.model import MatchedTerm
from chunkscope.core.search.query import MatchQuery, Term
from chunkscope.core.search.words import Places, Word, find_words
from chunkscope.core.store.model import StoredChunk
from chunkscope.core.text.bigrams import runs, without_bigrams


class Marker:
    """Finds the terms of one query in passages.

    `known` are the statistics of words and, where the query has some, of pairs of letters.
    """

    def __init__(self, query: MatchQuery, weights: Weights, known: Sequence[Statistics]) -> None:
        self._known = known
        self._has_grams = bool(query.grams)
        self._terms = [(term, _times(query, term)) for term in query.terms]
        self._stems = {stem for term in query.terms if not term.is_gram for stem in term.stems}
        # Pairs of letters of all columns stand in one.
        self._factors = (
            (weights.content, weights.title, weights.headings),
            (weights.content, weights.content, weights.content),
        )
        # Neighbours share title and headings.
        self._labels: dict[str, tuple[int, Places]] = {}

    def mark(self, chunk: StoredChunk, text: str) -> tuple[MatchedTerm, ...]:
        """The terms in a chunk (`text` is its own), the weightiest first; shares add up to 1."""
        columns = (text, chunk.title, " > ".join(chunk.heading_chain))
        places = (self._find_words(text), self._label(columns[1]), self._label(columns[2]))
        lengths = (
            sum(length for length, _ in places),
            sum(map(_gram_length, columns)) if self._has_grams else 0,
        )
        found: list[tuple[MatchedTerm, float]] = []
        for term, times in self._terms:
            if term.is_gram:
                spans = [gram_spans(term, column) for column in columns]
            else:
                spans = [_find(term.stems, held) for _, held in places]
            if not any(spans):
                continue
            factors = self._factors[term.is_gram]
            weight = sum(factor * len(held) for factor, held in zip(factors, spans, strict=True))
            length = lengths[term.is_gram]
            share = term_share(self._known[term.is_gram], weight, length, term, times)
            inside = tuple(Span(chunk.start + start, chunk.start + end) for start, end in spans[0])
            matched = MatchedTerm(term.text, inside, 0.0, bool(spans[1]), bool(spans[2]))
            found.append((matched, share))
        whole = sum(share for _, share in found) or 1.0
        marked = [matched._replace(share=share / whole) for matched, share in found]
        return tuple(sorted(marked, key=lambda matched: -matched.share))

    def _label(self, text: str) -> tuple[int, Places]:
        if text not in self._labels:
            self._labels[text] = self._find_words(text)
        return self._labels[text]

    def _find_words(self, text: str) -> tuple[int, Places]:
        return find_words(without_bigrams(text), self._stems)


def _times(query: MatchQuery, term: Term) -> int:
    """A phrase that must match stands twice in the expression where other words do, too."""
    has_loose = any(not each.is_required for each in query.terms_of(term.is_gram))
    return 2 if term.is_required and has_loose else 1


def _find(stems: tuple[str, ...], held: Places) -> list[Span]:
    """Every place where the stems follow each other, as FTS5 counts them."""
    spans = []
    for number, word in held.get(stems[0], {}).items():
        last: Word | None = word
        for step in range(1, len(stems)):
            last = held.get(stems[step], {}).get(number + step)
            if last is None:
                break
        if last is not None:
            spans.append(Span(word.start, last.end))
    return spans


def gram_spans(term: Term, text: str) -> list[Span]:
    """Where the letters of a term stand in a text of a script without spaces."""
    spans: list[Span] = []
    if text.isascii():
        return spans
    for run in runs(text):
        held = run.letters if term.is_prefix else run.pairs
        wanted = term.stems
        for at in range(len(held) - len(wanted) + 1):
            if held[at : at + len(wanted)] == wanted:
                letters = 1 if term.is_prefix else min(len(wanted) + 1, len(run.letters))
                spans.append(Span(run.offsets[at], run.offsets[at + letters]))
    return spans


def _gram_length(text: str) -> int:
    return sum(len(run.words) for run in runs(text))
