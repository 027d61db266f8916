"""Protects punctuation inside quotes and brackets as pysbd does, then cuts at what is left."""

from __future__ import annotations

import re
from typing import Any

_OPEN_QUOTE = re.compile(r"'(?<=\s')")
_QUOTE_BEFORE_BLANK = re.compile(r"'\s")
_TWO_MARKS = re.compile(r"[!?]{2}")
_PROTECTED = (
    (".", "∯"), ("!", "&ᓴ&"), ("?", "&ᓷ&"),
    ("。", "&ᓰ&"), ("．", "&ᓱ&"),
    ("！", "&ᓳ&"), ("？", "&ᓸ&"),
)  # fmt: skip
# Without line ends both match the same; the second does not stop to look at every character.
LAZY, EAGER = r"\S.*?[。．.！!?？ȸȹ☉☈☇☄]", r"\S[^。．.！!?？ȸȹ☉☈☇☄]*+[。．.！!?？ȸȹ☉☈☇☄]"


class Enclosed:
    """The second half of pysbd's work on a line that holds punctuation."""

    def __init__(self, lang: Any) -> None:
        from pysbd.between_punctuation import BetweenPunctuation  # type: ignore[import-untyped]
        from pysbd.exclamation_words import ExclamationWords  # type: ignore[import-untyped]
        from pysbd.lists_item_replacer import ListItemReplacer  # type: ignore[import-untyped]

        between = BetweenPunctuation
        self._endings = tuple(lang.Punctuations)
        self._names = re.compile(ExclamationWords.EXCLAMATION_REGEX)
        self._apostrophe = re.compile(between.WORD_WITH_LEADING_APOSTROPHE)
        self._single = re.compile(between.BETWEEN_SINGLE_QUOTES_REGEX)
        self._pairs = [
            (opening, closing, re.compile(pattern))
            for opening, closing, pattern in (
                ("‘", "’", between.BETWEEN_SINGLE_QUOTE_SLANTED_REGEX),
                ('"', '"', between.BETWEEN_DOUBLE_QUOTES_REGEX_2),
                ("[", "]", between.BETWEEN_SQUARE_BRACKETS_REGEX_2),
                ("(", ")", between.BETWEEN_PARENS_REGEX_2),
                ("«", "»", between.BETWEEN_QUOTE_ARROW_REGEX_2),
                ("--", "--", between.BETWEEN_EM_DASHES_REGEX_2),
                ("“", "”", between.BETWEEN_QUOTE_SLANTED_REGEX_2),
            )
        ]
        self._double = re.compile(lang.DoublePunctuationRules.DoublePunctuation)
        self._doubles = [
            (re.compile(rule.pattern), rule.replacement) for rule in lang.DoublePunctuationRules.All
        ]
        self._question = re.compile(lang.QuestionMarkInQuotationRule.pattern)
        self._exclamations = [re.compile(rule.pattern) for rule in lang.ExclamationPointRules.All]
        self._numerals = re.compile(ListItemReplacer.ROMAN_NUMERALS_IN_PARENTHESES)
        self._boundary = re.compile(lang.SENTENCE_BOUNDARY_REGEX.replace(LAZY, EAGER))

    def split(self, line: str) -> list[str]:
        """The parts of a line; marks stand for the punctuation that did not end one."""
        if not line.endswith(self._endings):
            line += "ȸ"
        if "!" in line:
            line = self._names.sub(_protect, line)
        line = self._protect_enclosed(line)
        line = self._mark_questions_and_exclamations(line)
        if "(" in line:
            line = self._numerals.sub(r"&✂&\1&⌬&", line)
        if line.endswith("&ᓴ&"):
            line = line[:-3] + "!"
        return [found.group() for found in self._boundary.finditer(line)]

    def _protect_enclosed(self, line: str) -> str:
        if (
            "'" in line
            and _OPEN_QUOTE.search(line)
            and not (self._apostrophe.search(line) and not _QUOTE_BEFORE_BLANK.search(line))
        ):
            line = self._single.sub(_protect_single, line)
        for opening, closing, pattern in self._pairs:
            if opening in line and closing in line:
                line = pattern.sub(_protect, line)
        return line

    def _mark_questions_and_exclamations(self, line: str) -> str:
        has_exclamation = "!" in line
        if not has_exclamation and "?" not in line:
            return line
        if _TWO_MARKS.search(line) and not self._double.match(line):
            for pattern, replacement in self._doubles:
                line = pattern.sub(replacement, line)
        line = self._question.sub("&ᓷ&", line)
        if has_exclamation:
            for pattern in self._exclamations:
                line = pattern.sub("&ᓴ&", line)
        return line


def _protect(found: re.Match[str]) -> str:
    return _protect_single(found).replace("'", "&⎋&")


def _protect_single(found: re.Match[str]) -> str:
    inside = found.group()
    for mark, stand_in in _PROTECTED:
        if mark in inside:
            inside = inside.replace(mark, stand_in)
    return inside
