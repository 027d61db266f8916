"""Which words of a passage carried its similarity to a query: late interaction, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from chunkscope.core.job import NO_JOB, Job

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkscope.core.store.columns import Vector


class Passage(NamedTuple):
    """A text, and where it begins in its document."""

    start: int
    text: str


class WordHeat(NamedTuple):
    """A word in the document, and what it did."""

    start: int
    end: int
    warmth: float  # 0 for the usual word of the passage, 1 for the most similar one
    share: float  # of the similarity: the query's tokens that find their best match here


class SpannedRows(Protocol):
    """The vectors of a text's tokens with their places in it."""

    @property
    def vectors(self) -> Vector: ...
    @property
    def spans(self) -> NDArray[np.int64]: ...


class TokenEmbedder(Protocol):
    """What is needed of an embedder."""

    def token_vectors(
        self, texts: Sequence[str], job: Job = NO_JOB, *, is_query: bool = False
    ) -> Sequence[SpannedRows]: ...


@dataclass(frozen=True, slots=True)
class _Tokens:
    vectors: Vector
    spans: NDArray[np.int64]  # in the document


def passage_heat(
    embedder: TokenEmbedder, query: str, passages: Sequence[Passage], job: Job = NO_JOB
) -> tuple[WordHeat, ...]:
    """The words of the passages that the model reads, in order, with their part in MaxSim."""
    shown = [each for each in passages if each.text.strip()]
    if not query.strip() or not shown:
        return ()
    (asked,) = embedder.token_vectors([query], job, is_query=True)
    rows = embedder.token_vectors([each.text for each in shown], job)
    found = _Tokens(
        np.concatenate([row.vectors for row in rows]),
        np.concatenate(
            [row.spans.reshape(-1, 2) + each.start for row, each in zip(rows, shown, strict=True)]
        ),
    )
    if not len(asked.vectors) or not len(found.vectors):
        return ()
    return word_heat(asked.vectors @ found.vectors.T, found.spans)


def word_heat(similarities: Vector, spans: NDArray[np.int64]) -> tuple[WordHeat, ...]:
    """Heat of words, from the similarity of each token of a query to each token of a passage.

    Word pieces that touch are one word, as warm as its warmest piece.
    """
    best = similarities.max(axis=0)
    usual, most = float(np.median(best)), float(best.max())
    warmth = np.clip((best - usual) / max(most - usual, 1e-6), 0.0, 1.0)
    carried = np.zeros(len(best))
    strengths = np.clip(similarities.max(axis=1), 0.0, None)
    np.add.at(carried, similarities.argmax(axis=1), strengths)
    carried /= max(float(strengths.sum()), 1e-6)
    order = np.lexsort((spans[:, 1], spans[:, 0]))
    words: list[WordHeat] = []
    for at in order.tolist():
        start, end = (int(value) for value in spans[at])
        if start >= end:
            continue
        if words and start <= words[-1].end:
            last = words[-1]
            words[-1] = WordHeat(
                last.start, max(last.end, end), max(last.warmth, float(warmth[at])),
                last.share + float(carried[at]),
            )  # fmt: skip
        else:
            words.append(WordHeat(start, end, float(warmth[at]), float(carried[at])))
    return tuple(words)
