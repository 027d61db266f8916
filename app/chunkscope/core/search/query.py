"""What a person typed, as terms that FTS5 takes: every word quoted, phrases as phrases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chunkscope.core.search.stop_words import STOP_WORDS
from chunkscope.core.search.words import words
from chunkscope.core.text.bigrams import has_bigrams, runs, without_bigrams

# FTS5 takes 20 s for 5,000 terms.
MOST_TERMS = 64
_LONGEST_PHRASE = 32
_LONGEST_COMPOUND = 8
_LONGEST_QUERY = 200_000
_QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»')


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a phrase to look for, as typed and as it is matched."""

    text: str
    stems: tuple[str, ...]
    expression: str
    is_required: bool = False  # a phrase in quotes
    is_gram: bool = False  # letters of a script without spaces
    is_prefix: bool = False

    @property
    def is_phrase(self) -> bool:
        return len(self.stems) > 1


@dataclass(frozen=True, slots=True)
class MatchQuery:
    """Two FTS5 expressions, for words and for pairs of letters; empty where there is nothing."""

    words: str
    grams: str
    terms: tuple[Term, ...]
    dropped: tuple[str, ...] = ()  # stop words
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.terms

    def terms_of(self, is_gram: bool) -> tuple[Term, ...]:
        """Those in the words or in the grams, required ones first, as the expression has them."""
        chosen = [term for term in self.terms if term.is_gram == is_gram]
        return tuple(sorted(chosen, key=lambda term: not term.is_required))


def match_query(text: str) -> MatchQuery:
    """The query in a form that can neither break FTS5 nor mean anything but its words.

    Any of the words may match. A phrase in double quotes must; where other words stand beside it,
    it counts twice. Stop words are dropped while other words remain.
    """
    notes: list[str] = []
    if len(text) > _LONGEST_QUERY:
        notes.append(f"Only the first {_LONGEST_QUERY:,} characters of the query were searched.")
        text = text[:_LONGEST_QUERY]
    required, loose = _split(text)
    found = _unique(required, loose)
    kept, dropped = _without_stop_words(found)
    kept = _at_most(kept, notes)
    return MatchQuery(
        _expression([term for term in kept if not term.is_gram]),
        _expression([term for term in kept if term.is_gram]),
        tuple(kept),
        tuple(term.text for term in dropped),
        tuple(notes),
    )


def _split(text: str) -> tuple[list[Term], list[Term]]:
    """The terms of the phrases in quotes, and those of the rest."""
    text = text.replace("\0", " ").encode("utf-8", "replace").decode()
    required: list[Term] = []
    rest: list[str] = []
    at = 0
    for found in _QUOTED.finditer(text):
        rest.append(text[at : found.start()])
        at = found.end()
        required += _phrase(next(part for part in found.groups() if part is not None))
    rest.append(text[at:])
    loose = [term for piece in " ".join(rest).split() for term in _loose(piece)]
    return required, loose


def _phrase(text: str) -> Iterator[Term]:
    """A phrase: its words as they stand, and each run of letters without spaces."""
    plain = without_bigrams(text)
    found = words(plain)[:_LONGEST_PHRASE]
    if found:
        yield _term([plain[word.start : word.end] for word in found], [w.stem for w in found], True)
    for run in runs(text):
        text_of_run = text[run.start : run.offsets[-1]]
        yield _gram(text_of_run, run.pairs[:_LONGEST_PHRASE], len(run.letters) == 1, True)


def _loose(piece: str) -> Iterator[Term]:
    """What stood between blanks: a word, or a compound (`co-operate`, `don't`) and its parts."""
    plain = without_bigrams(piece)
    found = words(plain)
    if len(found) == 2 and found[1].stem == "s":  # Biden's
        found = found[:1]
    texts = [plain[word.start : word.end] for word in found]
    if 1 < len(found) <= _LONGEST_COMPOUND:
        yield _term(texts, [word.stem for word in found], False)
    for text, word in zip(texts, found, strict=True):
        # A letter of a compound (the t of don't) says nothing alone.
        if len(found) == 1 or len(text) > 1:
            yield _term([text], [word.stem], False)
    if has_bigrams(piece):
        for run in runs(piece):
            for number, pair in enumerate(run.pairs):
                ends = run.offsets[min(number + 2, len(run.letters))]
                is_single = len(run.letters) == 1
                yield _gram(piece[run.offsets[number] : ends], (pair,), is_single, False)


def _term(texts: Sequence[str], stems: Sequence[str], is_required: bool) -> Term:
    return Term(" ".join(texts), tuple(stems), _quoted(texts), is_required)


def _gram(text: str, pairs: Sequence[str], is_prefix: bool, is_required: bool) -> Term:
    expression = _quoted(pairs) + (" *" if is_prefix else "")
    return Term(text, tuple(pairs), expression, is_required, is_gram=True, is_prefix=is_prefix)


def _quoted(texts: Iterable[str]) -> str:
    joined = " ".join(texts).replace('"', '""')
    return f'"{joined}"'


def _unique(required: list[Term], loose: list[Term]) -> list[Term]:
    """Each once, by what it matches."""
    found: dict[tuple[bool, tuple[str, ...]], Term] = {}
    for term in (*required, *loose):
        found.setdefault((term.is_gram, term.stems), term)
    return list(found.values())


def _without_stop_words(terms: list[Term]) -> tuple[list[Term], list[Term]]:
    dropped = [term for term in terms if not term.is_required and _is_stop_word(term)]
    if len(dropped) == len(terms):
        return terms, []
    gone = set(dropped)
    return [term for term in terms if term not in gone], dropped


def _is_stop_word(term: Term) -> bool:
    return not term.is_gram and all(part in STOP_WORDS for part in term.text.casefold().split())


def _at_most(terms: list[Term], notes: list[str]) -> list[Term]:
    """The longest, which tend to be the rarest, in the order in which they were typed."""
    if len(terms) <= MOST_TERMS:
        return terms
    notes.append(
        f"Only {MOST_TERMS} of the query's {len(terms):,} different words were searched: "
        "phrases, then the longest."
    )
    best = sorted(terms, key=lambda term: (not term.is_required, -len(term.text)))
    chosen = set(best[:MOST_TERMS])
    return [term for term in terms if term in chosen]


def _expression(terms: list[Term]) -> str:
    required = [term.expression for term in terms if term.is_required]
    loose = [term.expression for term in terms if not term.is_required]
    if not required or not loose:
        return " AND ".join(required) or " OR ".join(loose)
    must = " AND ".join(required)
    return f"{must} AND ({' OR '.join([*required, *loose])})"
