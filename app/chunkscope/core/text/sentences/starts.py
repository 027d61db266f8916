"""The main call: the sentence starts of all paragraphs of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.text.graphemes import Clusters, find_clusters
from chunkscope.core.text.sentences.base import segmenters
from chunkscope.core.text.sentences.memory import Memory, key_of

NOTE = "finding sentences"
memory = Memory()
# Whatever else ends a line for Python or Unicode; all are one code point, as is the blank.
_LINE_ENDS = re.compile("[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_STEP_CHARACTERS = 50_000


def sentence_starts(
    text: str,
    paragraphs: NDArray[np.int64],
    segmenter: str = "pysbd",
    language: str = "en",
    job: Job = NO_JOB,
    clusters: Clusters | None = None,
) -> NDArray[np.int64]:
    """Where sentences start, sorted; `paragraphs` are sorted spans that begin and end non-blank.

    Each paragraph's start is one. A sentence runs to the next start or to its paragraph's end.
    """
    check_language(segmenter, language)
    found: list[Sequence[int]] = []
    spans = paragraphs.tolist()
    next_step = 0
    for done, (start, end) in enumerate(spans):
        if end > next_step:
            next_step = end + _STEP_CHARACTERS
            job.step(done, len(spans), NOTE)
        found.append(paragraph_starts(flatten(text[start:end]), segmenter, language))
    return gather(text, paragraphs, found, clusters)


def check_language(segmenter: str, language: str) -> None:
    known = segmenters[segmenter].languages
    if known and language not in known:
        raise ChunkscopeError(
            f"{segmenter} knows no language {language!r}; known: {', '.join(known)}; "
            "the segmenter 'unicode' takes any"
        )


def paragraph_starts(paragraph: str, segmenter: str, language: str) -> Sequence[int]:
    """The starts inside one flat paragraph, from memory if they were found before."""
    part = segmenters[segmenter]
    if not part.is_slow:
        return tidy(paragraph, part.cut(paragraph, language))
    key = key_of(paragraph, segmenter, language)
    known = memory.recall(key)
    if known is None:
        known = tidy(paragraph, part.cut(paragraph, language))
        memory.remember(key, known)
    return known


def flatten(paragraph: str) -> str:
    """Line ends inside a paragraph are layout: blanks, so that offsets stay."""
    paragraph = paragraph.replace("\n", " ")
    if not paragraph.isprintable():
        paragraph = _LINE_ENDS.sub(" ", paragraph)
    return paragraph


def tidy(paragraph: str, starts: Iterable[int]) -> list[int]:
    """What every caller may rely on, whatever a segmenter gave: from 0, ascending, non-blank."""
    result = [0]
    size = len(paragraph)
    for start in starts:
        while paragraph[start : start + 1].isspace():
            start += 1
        if result[-1] < start < size:
            result.append(start)
    return result


def gather(
    text: str,
    paragraphs: NDArray[np.int64],
    found: Sequence[Sequence[int]],
    clusters: Clusters | None = None,
) -> NDArray[np.int64]:
    """Offsets inside paragraphs as offsets of the text, without those inside a grapheme cluster."""
    if not found:
        return np.empty(0, np.int64)
    firsts = paragraphs[:, 0]
    inner = np.fromiter(chain.from_iterable(found), np.int64)
    counts = np.fromiter(map(len, found), np.int64, len(found))
    starts = inner + np.repeat(firsts, counts)
    result: NDArray[np.int64] = starts[_are_whole(text, starts, clusters) | (inner == 0)]
    return result


def _are_whole(
    text: str, starts: NDArray[np.int64], clusters: Clusters | None
) -> NDArray[np.bool_]:
    clusters = find_clusters(text) if clusters is None else clusters
    return np.equal(clusters.floor(starts), starts)
