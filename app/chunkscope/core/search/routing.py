"""Which channel answers, and whether anything fits at all.

The floors were calibrated by tools/calibrate_floors.py on the sample documents and on a public set
of 276 questions with known answers, against 22 questions about things that neither speaks of.
With all-MiniLM-L6-v2 99 % of the questions that have an answer find a passage of cosine 0.32 or
more, and 86 % of the others do not. The static vectors of `instant` tell less: at 0.25 the public
questions pass (99 %), of the others 45 % do, too. Of the best possible BM25 96 % of the public
questions reach 0.15. A model that nobody calibrated has no floor until one is given.
"""

from __future__ import annotations

from dataclasses import dataclass

from chunkscope.core.search.lexical import Lexical
from chunkscope.core.search.options import CALIBRATED, SearchOptions

SIMILARITY_FLOORS = {"minilm": 0.32, "instant": 0.25}  # by the embedder's name
# The best BM25 as a share of the best possible: one common word of five reaches about 0.1, all of
# them about 0.5.
LEXICAL_FLOOR = 0.15
# Against a model that finds nothing similar, words must match that much better to count alone.
_AGAINST_MEANING = 2.5


@dataclass(frozen=True, slots=True)
class Floors:
    """What the best candidate must reach in one of the channels."""

    similarity: float
    lexical: float

    @classmethod
    def of(cls, options: SearchOptions, embedder: str) -> Floors:
        similarity, lexical = options.similarity_floor, options.lexical_floor
        if similarity == CALIBRATED:
            similarity = SIMILARITY_FLOORS.get(embedder, 0.0)
        return cls(similarity, LEXICAL_FLOOR if lexical == CALIBRATED else lexical)


@dataclass(frozen=True, slots=True)
class Route:
    """Which way a routed query went, and why."""

    channel: str
    why: str


def choose_route(found: Lexical, threshold: float, strength: float, floor: float) -> Route:
    """Words answer, unless nothing matches, or so weakly that it may be chance.

    BM25 grows with the number of chunks and of words, so beside the threshold of the design the
    share of the best possible score decides.
    """
    if not found.keys:
        return Route("semantic", "Routed to meaning: no passage has the words.")
    if found.best < threshold:
        return Route(
            "semantic",
            f"Routed to meaning: the best BM25, {found.best:.2f}, is under {threshold:g}.",
        )
    if strength < floor:
        return Route(
            "semantic",
            f"Routed to meaning: the words match only {strength:.0%} of what they could.",
        )
    return Route("lexical", f"Routed to words: the best BM25 is {found.best:.2f}.")


def rejection(floors: Floors, strength: float | None, cosine: float | None) -> str:
    """Why nothing fits; empty where something does.

    `strength` is the best BM25 as a share of the best possible, None where words did not take
    part; `cosine` the best similarity, None where meaning did not.
    """
    least = floors.lexical * (_AGAINST_MEANING if cosine is not None and floors.similarity else 1)
    words_fit = strength is not None and strength > 0 and strength >= least
    meaning_fits = cosine is not None and cosine >= floors.similarity
    if words_fit or meaning_fits:
        return ""
    told = []
    if strength is not None:
        told.append(
            f"its words match {strength:.0%} of what they could ({least:.0%} is the least)"
            if strength
            else "no passage has its words"
        )
    if cosine is not None:
        told.append(
            f"the most similar passage reaches {cosine:.2f} ({floors.similarity:.2f} is the least)"
        )
    if not told:
        return ""
    return f"Nothing here fits this query: {', and '.join(told)}."
