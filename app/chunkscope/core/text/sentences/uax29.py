"""The fast segmenter: Unicode's sentence boundaries (UAX #29), less those after abbreviations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from chunkscope.core.text.sentences.languages import language_module

if TYPE_CHECKING:
    import regex

# The rules SB3 to SB11 as one pattern; line ends do not occur in a flat paragraph. Differing from
# UAX #29, a bracket that opens is not taken for one that closes: "…です。「はい" is cut before it.
_SKIPPED = r"[\p{SB=Extend}\p{SB=Format}]*+"
_CLOSERS = rf"(?:[\p{{SB=Close}}--\p{{Ps}}]{_SKIPPED})*+"
_BLANKS = rf"(?:\p{{SB=Sp}}{_SKIPPED})*+"
_UP_TO_LETTER = r"[^\p{SB=OLetter}\p{SB=Upper}\p{SB=Lower}\p{SB=STerm}\p{SB=ATerm}]*+"
_BOUNDARY = (
    rf"(?V1)(?:\p{{SB=ATerm}}{_SKIPPED}(?![\p{{SB=Numeric}}\p{{SB=Upper}}])"
    rf"{_CLOSERS}{_BLANKS}(?!{_UP_TO_LETTER}\p{{SB=Lower}})"
    rf"|\p{{SB=STerm}}{_SKIPPED}{_CLOSERS}{_BLANKS})"
    r"(?![\p{SB=SContinue}\p{SB=STerm}\p{SB=ATerm}])"
)
_STOPS = ".․﹒．"
# No sentence terminator lies beyond the second plane.
_PLANES = 0x20000
_LONGEST_WORD = 24
_OPENERS = "([{\"'“‘«„¿¡"
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
# The number or letter of a list item, with nothing else before it in its sentence.
_MARKER = re.compile(r"[-•⁃*]?\s?(?:\d{1,3}|[^\W\d_])")
_LONGEST_MARKER = 5
# Here pysbd never cuts after an abbreviation; elsewhere a capital letter behind one decides.
_ALWAYS_JOINING = frozenset({"ar", "bg", "de", "fa", "ru", "sk"})
_WITH_ORDINALS = frozenset({"da", "de", "sk"})


@dataclass(frozen=True, slots=True)
class _Abbreviations:
    """What stands before a full stop that does not end a sentence."""

    known: frozenset[str]
    joining: frozenset[str]
    starters: frozenset[str]


def cut(paragraph: str, language: str) -> list[int]:
    """Where the sentences of a flat paragraph start."""
    starts = [0]
    words = _abbreviations(language)
    boundary = _boundary()
    for found in _terminator().finditer(paragraph):
        mark = found.start()
        # What most sentences end with needs no further thought.
        if paragraph[mark + 1 : mark + 2] == " " and "A" <= paragraph[mark + 2 : mark + 3] <= "Z":
            after = mark + 2
        else:
            match = boundary.match(paragraph, mark)
            if match is None or match.end() == len(paragraph):
                continue
            after = match.end()
        if paragraph[mark] in _STOPS:
            is_inside = _is_after_abbreviation(paragraph, starts[-1], mark, after, words, language)
        else:
            is_inside = _goes_on(paragraph, mark, after)
        if not is_inside:
            starts.append(after)
    return starts


def _goes_on(paragraph: str, mark: int, after: int) -> bool:
    """Is it an exclamation or a quoted question inside a sentence: "Stop!" he said."""
    if not paragraph[after].islower():
        return False
    return paragraph[mark] == "!" or not paragraph[mark + 1 : mark + 2].isspace()


def _is_after_abbreviation(
    paragraph: str, first: int, stop: int, after: int, words: _Abbreviations, language: str
) -> bool:
    if stop - first <= _LONGEST_MARKER and _MARKER.fullmatch(paragraph, first, stop):
        return True
    begin = first if stop - first < _LONGEST_WORD else stop - _LONGEST_WORD
    word = paragraph[begin:stop].rpartition(" ")[2]
    if not word.isalnum():
        word = word.lstrip(_OPENERS)
        if not word:
            return False
    if word.isdecimal():
        return len(word) <= 2 and language in _WITH_ORDINALS
    if len(word) == 1 and word.isupper():
        return word != "I"
    lowered = word.lower()
    if lowered in words.joining:
        return True
    if lowered in words.known and (paragraph[after].isdecimal() or paragraph[after] == "("):
        return True
    if "." in word and _INITIALS.fullmatch(word):
        return _word_at(paragraph, after) not in words.starters
    return False


def _word_at(paragraph: str, at: int) -> str:
    return paragraph[at : at + _LONGEST_WORD].partition(" ")[0]


@cache
def _boundary() -> regex.Pattern[str]:
    import regex

    return regex.compile(_BOUNDARY)


@cache
def _terminator() -> re.Pattern[str]:
    """All of them, spelled out: found by their properties they take several times as long."""
    import regex

    everything = "".join(map(chr, range(_PLANES)))
    found = regex.findall(r"[\p{SB=STerm}\p{SB=ATerm}]", everything)
    # A table holds the first plane; each single character beyond it would be compared in turn.
    first_plane = re.escape("".join(mark for mark in found if mark <= "\uffff"))
    beyond = [mark for mark in found if mark > "\uffff"]
    return re.compile(f"[{first_plane}{min(beyond)}-{max(beyond)}]")


@cache
def _abbreviations(language: str) -> _Abbreviations:
    """pysbd's lists, which it has for its languages; for others the English ones do no harm."""
    module = language_module(language) or language_module("en")
    lists = module.Abbreviation
    known = frozenset(word.strip().lower() for word in lists.ABBREVIATIONS)
    joining = known if language in _ALWAYS_JOINING else frozenset(lists.PREPOSITIVE_ABBREVIATIONS)
    starters = frozenset(module.AbbreviationReplacer.SENTENCE_STARTERS)
    return _Abbreviations(known, joining, starters)
