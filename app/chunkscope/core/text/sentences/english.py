"""pysbd's English rules, each skipped where the characters that it needs are absent.

The rules, patterns and lists are pysbd's own and run in its order, so the sentences are the same;
most of its time goes into rules that cannot apply to a given paragraph.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from chunkscope.core.text.sentences.abbreviations import Abbreviations
from chunkscope.core.text.sentences.enclosed import Enclosed
from chunkscope.core.text.sentences.languages import language_module
from chunkscope.core.text.sentences.pysbd_rules import REFERENCE, RUN_OF_MARKS, bare

# Letters outside ASCII that re.IGNORECASE takes for i, k or s: the gates below do not know them.
_ODD_LETTERS = "İıſ\u212a"
# Each gate begins with a literal or is one, which the engine looks for at memory speed.
_LETTER_STOP = re.compile(r"\.(?<=\s[a-z]\.)")
_LETTER_PAREN = re.compile(r"\)(?<=[a-z]\))")
_NUMBER_STOP = re.compile(r"\.(?=[\s)])(?:(?<=[\s⁃-]\d\.)|(?<=[\s⁃-]\d\d\.))")
_NUMBER_PAREN = re.compile(r"\)(?<=\d\))(?=\s)")
_NUMBER = re.compile(r"\.(?:(?=\d)|(?<=\d\.))")
_INNER_STOP = re.compile(r"\.(?=[a-zA-Z0-9_])")
_MARKED_REFERENCE = re.compile(r"∯(?=[\d\[])")
_FILE_NAME = re.compile(r"\.(?<=\s\.)(?=[a-z])")
_QUOTED_PAREN = re.compile(r"\((?<=[\"”]\s\()")
_SPACED_STOPS = re.compile(r"\.\s\.")
_THREE_MARKS = re.compile(r"[!?]{3}")
_FULL_WIDTH = re.compile("[。．！？]")
# Marks for Arabic commas and colons, and for line ends, which a flat paragraph does not have.
_UNUSED = "♬♭ȹ"
_RUN_TABLE = str.maketrans({"!": "&ᓴ&", "?": "&ᓷ&"})


class EnglishRules:
    """The gated rules, compiled once."""

    def __init__(self) -> None:
        from pysbd.lists_item_replacer import ListItemReplacer  # type: ignore[import-untyped]

        lang = language_module("en")
        self._lists: Any = ListItemReplacer
        self._abbreviations = Abbreviations(lang)
        self._enclosed = Enclosed(lang)
        self._numbers = _compiled(lang.Numbers.All)
        self._inner = _compiled([lang.Abbreviation.WithMultiplePeriodsAndEmailRule])
        self._geo = _compiled([lang.GeoLocationRule])
        self._files = _compiled([lang.FileFormatRule])
        self._ellipsis = _compiled(lang.EllipsisRules.All)
        self._run_of_marks = re.compile(RUN_OF_MARKS)
        self._reference = re.compile(REFERENCE)
        self._quoted_parens = re.compile(lang.PARENS_BETWEEN_DOUBLE_QUOTES_REGEX)
        # These patterns are plain strings: the tests make sure of it.
        restoring = [*lang.SubSymbolsRules.All, *lang.ReinsertEllipsisRules.All]
        pairs = [
            (rule.pattern, rule.replacement) for rule in restoring if rule.pattern not in _UNUSED
        ]
        self._restored = [pair for pair in pairs if "&" not in pair[0]]
        self._restored_enclosed = [pair for pair in pairs if "&" in pair[0]]
        self._quote_end = re.compile(lang.QUOTATION_AT_END_OF_SENTENCE_REGEX)
        self._quote_split = re.compile(lang.SPLIT_SPACE_QUOTATION_AT_END_OF_SENTENCE_REGEX)

    def split(self, text: str) -> list[str]:
        """The sentences that pysbd finds in a flat paragraph without its marks."""
        if not text.isascii() and any(letter in text for letter in _ODD_LETTERS):
            return bare(text, "en")
        text = self._break_lists(text)
        has_inner_stop = False
        if "." in text:
            has_inner_stop = _INNER_STOP.search(text) is not None
            text = self._abbreviations.mark(text, has_inner_stop)
            if _NUMBER.search(text):
                text = _apply(self._numbers, text)
        if ("!" in text or "?" in text) and _THREE_MARKS.search(text):
            text = self._run_of_marks.sub(lambda run: run.group().translate(_RUN_TABLE), text)
        text = self._mark_stops(text, has_inner_stop)
        sentences: list[str] = []
        for line in text.split("\r"):
            if line:
                self._split_line(line, sentences)
        return sentences

    def _break_lists(self, text: str) -> str:
        """Line ends before list items; an item alone, without a second one, is none for pysbd."""
        gates: tuple[re.Pattern[str], ...] = ()
        if "." in text:
            gates += (_LETTER_STOP, _NUMBER_STOP)
        if ")" in text:
            gates += (_LETTER_PAREN, _NUMBER_PAREN)
        if gates:
            padded = f" {text}"
            if any(_occurs_twice(gate, padded) for gate in gates):
                return str(self._lists(text).add_line_break())
        return text

    def _mark_stops(self, text: str, has_inner_stop: bool) -> str:
        """Full stops before references, in addresses, places and file names."""
        if ".[" in text or ("∯" in text and _MARKED_REFERENCE.search(text)):
            text = self._reference.sub(r"∯\2\r\7", text)
        if has_inner_stop:
            text = _apply(self._inner, text)
        if "°." in text:
            text = _apply(self._geo, text)
        if _FILE_NAME.search(text):
            text = _apply(self._files, text)
        if "(" in text and _QUOTED_PAREN.search(text):
            text = self._quoted_parens.sub(_break_around, text)
        return text

    def _split_line(self, line: str, sentences: list[str]) -> None:
        if "." in line and ("..." in line or _SPACED_STOPS.search(line)):
            line = _apply(self._ellipsis, line)
        has_mark = "." in line or "!" in line or "?" in line or _FULL_WIDTH.search(line)
        for part in self._enclosed.split(line) if has_mark else [line]:
            self._restore(part, sentences)

    def _restore(self, part: str, sentences: list[str]) -> None:
        """Put the punctuation back, and cut behind quotations once more."""
        if not part.isascii():
            for mark, original in self._restored:
                if mark in part:
                    part = part.replace(mark, original)
            if "&" in part:
                for mark, original in self._restored_enclosed:
                    part = part.replace(mark, original)
        has_quote = '"' in part or "'" in part or "“" in part or "”" in part
        if has_quote and self._quote_end.search(part):
            found = self._quote_split.split(part)
        else:
            found = [stripped] if (stripped := part.strip()) else []
        if "⎋" in part:
            found = [sentence.replace("&⎋&", "'") for sentence in found]
        sentences += found


def _occurs_twice(pattern: re.Pattern[str], text: str) -> bool:
    first = pattern.search(text)
    return first is not None and pattern.search(text, first.end()) is not None


def _compiled(rules: list[Any]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rule.pattern), rule.replacement) for rule in rules]


def _apply(rules: list[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def _break_around(quoted: re.Match[str]) -> str:
    return re.sub(r"(?<=\))\s", "\r", re.sub(r"\s(?=\()", "\r", quoted.group()))


@cache
def rules() -> EnglishRules:
    return EnglishRules()
