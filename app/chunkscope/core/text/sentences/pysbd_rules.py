"""The segmenter "pysbd": its rules for 23 languages, kept from hanging and from losing text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from chunkscope.core.text.sentences import uax29
from chunkscope.core.text.sentences.alignment import align
from chunkscope.core.text.sentences.languages import language_module

# Several rules take time that grows with the square of a paragraph's length.
LONGEST = 5_000
# Each item of a list costs pysbd a pass over the paragraph.
_MOST_LIST_ITEMS = 100
_LIST_ITEM = re.compile(r"[.)](?:(?<=[\s(][a-z][.)])|(?<=[ivx]\))|(?<=\d[.)])(?=[\s)]))")
# pysbd writes these into the text and turns them into punctuation at the end. A stand-in of the
# same length, which no rule knows, keeps those that were there before.
_MARKS = "∯∮ȸȹ☉☈☇☄♨☝☏ƪ♟♝♬♭ᓰᓱᓳᓴᓷᓸ✂⌬⎋"
_MARK = re.compile(f"[{_MARKS}]")
_STAND_IN = "□"
# The same references as pysbd's own pattern, with its groups, but read in one way only: that one
# tries every way to divide "[111 111 111" and does not come back from 43 characters.
REFERENCE = (
    r"(?<=[^\d\s])(\.|∯)"
    r"((\[((?>\d+,?\s?-?\s?)(?<!\d))*+\d{1,3}\])++|((\d{1,3}\s?)?\d{1,3}))"
    r"(\s)(?=[A-Z])"
)
# Likewise; pysbd's (!|\?){3,} takes seconds for a long run before a letter.
RUN_OF_MARKS = r"(?<=\S)[!?]{3,}+(?=\s|\Z)"


def cut(paragraph: str, language: str) -> list[int]:
    """Where the sentences of a flat paragraph start."""
    if len(paragraph) <= LONGEST:
        return _cut_piece(paragraph, language)
    starts: list[int] = []
    for first, last in _pieces(paragraph, language):
        inner = [0] if last - first > LONGEST else _cut_piece(paragraph[first:last], language)
        starts.extend(first + start for start in inner)
    return starts


def _pieces(paragraph: str, language: str) -> Iterator[tuple[int, int]]:
    """Neighbouring sentences of the other segmenter, joined while they stay short enough."""
    first = last = 0
    for start in [*uax29.cut(paragraph, language)[1:], len(paragraph)]:
        if start - first > LONGEST and last > first:
            yield first, last
            first = last
        last = start
    yield first, last


def _cut_piece(piece: str, language: str) -> list[int]:
    if _has_many_items(piece):
        return uax29.cut(piece, language)
    text = piece if piece.isascii() else _MARK.sub(_STAND_IN, piece)
    try:
        sentences = split(text, language)
    except (re.error, ArithmeticError, LookupError, RecursionError, ValueError):
        # It builds patterns from the text: "и.о" also finds "и(о", which is none.
        return uax29.cut(piece, language)
    starts = align(text, sentences)
    return uax29.cut(piece, language) if starts is None else starts


def _has_many_items(piece: str) -> bool:
    marks = piece.count(".") + piece.count(")")
    return marks > _MOST_LIST_ITEMS and len(_LIST_ITEM.findall(piece)) > _MOST_LIST_ITEMS


def split(paragraph: str, language: str) -> list[str]:
    """pysbd's sentences of a flat paragraph that holds none of its marks."""
    if language == "en":
        from chunkscope.core.text.sentences.english import rules

        return rules().split(paragraph)
    return bare(paragraph, language)


def bare(paragraph: str, language: str) -> list[str]:
    """What pysbd itself makes of a paragraph, but for two patterns that are slow."""
    module = _safe_module(language)
    processor = getattr(module, "Processor", None) or _processor()
    return list(processor(paragraph, module).process())


@cache
def _safe_module(language: str) -> Any:
    module = language_module(language)
    safe = {"NUMBERED_REFERENCE_REGEX": REFERENCE, "CONTINUOUS_PUNCTUATION_REGEX": RUN_OF_MARKS}
    return type(module.__name__, (module,), safe)


@cache
def _processor() -> Any:
    from pysbd.processor import Processor  # type: ignore[import-untyped]

    return Processor
