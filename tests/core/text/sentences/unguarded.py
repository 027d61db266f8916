"""A plug-in for workers and tests: pysbd without any of our guards, which some inputs hang."""

from __future__ import annotations

from pysbd.languages import LANGUAGE_CODES
from pysbd.processor import Processor

from chunkscope.core.text.sentences import Segmenter, segmenters
from chunkscope.core.text.sentences.alignment import align

NAME = "pysbd, unguarded"


def cut(paragraph: str, language: str) -> list[int]:
    found = align(paragraph, Processor(paragraph, LANGUAGE_CODES[language]).process())
    return found or [0]


if NAME not in segmenters:
    segmenters.register(NAME)(Segmenter(cut, is_slow=True))
