"""Marks the full stops of English abbreviations as pysbd does, trying only those that occur."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_INITIAL = re.compile(r"\.(?<=\s[A-Z]\.)")
_BRACED = re.compile(r"\{([a-z.]+)\} ")
_LETTER_BETWEEN = re.compile(r"\.[a-zA-Z]\.")
_MARKED_INITIAL = re.compile(r"∯(?<=[SKUAIVv]∯)(?=\s[A-Z])")


class Abbreviations:
    """pysbd's AbbreviationReplacer for a text without odd letters."""

    def __init__(self, lang: Any) -> None:
        self._replacer = lang.AbbreviationReplacer("", lang)
        self._words = [word.strip() for word in lang.Abbreviation.ABBREVIATIONS]
        # A word that is listed twice is tried at its first place; the second finds nothing to do.
        self._place = {word: at for at, word in reversed(list(enumerate(self._words)))}
        self._dotted = [at for at, word in enumerate(self._words) if "." in word]
        self._possessive = re.compile(lang.PossessiveAbbreviationRule.pattern)
        self._company = re.compile(lang.KommanditgesellschaftRule.pattern)
        self._initials = [
            re.compile(rule.pattern) for rule in lang.SingleLetterAbbreviationRules.All
        ]
        self._letters = re.compile(lang.MULTI_PERIOD_ABBREVIATION_REGEX, re.IGNORECASE)
        self._am_pm = [re.compile(rule.pattern) for rule in lang.AmPmRules.All]
        starters = lang.AbbreviationReplacer.SENTENCE_STARTERS
        followed = "|".join(rf"(?=\s{word}\s)" for word in starters)
        self._before_starter = re.compile(
            rf"(U∯S|U\.S|U∯K|E∯U|E\.U|U∯S∯A|U\.S\.A|I|i.v|I.V)∯({followed})"
        )

    def mark(self, text: str, has_inner_stop: bool) -> str:
        """The text with ∯ for each full stop that belongs to an abbreviation."""
        if ".'s" in text:
            text = self._possessive.sub("∯", text)
        if "Co." in text:
            text = self._company.sub("∯", text)
        if _INITIAL.search(f" {text}"):
            for pattern in self._initials:
                text = pattern.sub("∯", text)
        if "\r" in text:
            lines = text.splitlines(keepends=True)
            text = "".join(self._mark_words(line, has_inner_stop) for line in lines)
        else:
            text = self._mark_words(text, has_inner_stop)
        if has_inner_stop and _LETTER_BETWEEN.search(text):
            text = self._letters.sub(lambda found: found.group().replace(".", "∯"), text)
        return self._unmark(text) if "∯" in text else text

    def _unmark(self, text: str) -> str:
        """The full stop of "p.m." or "U.S." before a word that starts sentences ends one."""
        if "M∯" in text or "m∯" in text:
            for pattern in self._am_pm:
                text = pattern.sub(".", text)
        if _MARKED_INITIAL.search(text):
            text = self._before_starter.sub(r"\1.", text)
        return text

    def _mark_words(self, line: str, has_inner_stop: bool) -> str:
        if "{" in line and any(word in self._place for word in _BRACED.findall(line)):
            # pysbd means to look at what follows an abbreviation, but looks for "{mr} ".
            return str(self._replacer.search_for_abbreviations_in_string(line))
        spellings = self._before_stops(line)
        if has_inner_stop:
            lowered = line.lower()
            for place in self._dotted:
                if self._words[place] in lowered:
                    spellings[place] = dict.fromkeys(_finder(self._words[place]).findall(line))
        for place in sorted(spellings):
            for spelling in spellings[place]:
                line = self._replacer.scan_for_replacements(line, spelling, 0, [])
        return line

    def _before_stops(self, line: str) -> dict[int, dict[str, None]]:
        """The abbreviations before full stops, by their places in the list, as they are spelled."""
        spellings: dict[int, dict[str, None]] = {}
        for before in line.split(".")[:-1]:
            word = before[before.rfind(" ") + 1 :]
            if not word.isalpha():  # other white space may stand in it
                word = (word.split() or [""])[-1]
            place = self._place.get(word.lower())
            if place is not None:
                spellings.setdefault(place, {})[word] = None
        return spellings


@cache
def _finder(word: str) -> re.Pattern[str]:
    # Its full stops are not escaped in pysbd either.
    return re.compile(rf"(?:^|\s|\r|\n){word}", re.IGNORECASE)
