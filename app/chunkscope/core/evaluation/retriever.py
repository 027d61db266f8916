"""In-memory retrieval for a sweep: the same words, weights and fusion as a workspace's search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.evaluation.chunk_set import ChunkSet
from chunkscope.core.evaluation.measures import NONE, Ranking
from chunkscope.core.evaluation.spans import Floats
from chunkscope.core.evaluation.vectors import Vectors
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search import lexical as words
from chunkscope.core.search.fusion import fuse
from chunkscope.core.search.lexical import Lexical, MatchQuery, Weights, match_query
from chunkscope.core.search.options import Mode, SearchOptions
from chunkscope.core.search.routing import Floors, choose_route, rejection
from chunkscope.core.store import fulltext

if TYPE_CHECKING:
    import apsw

_TABLE = 1


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """What was found for each question, and what each channel had found before fusion."""

    fused: Ranking
    lexical: Ranking | None = None
    semantic: Ranking | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A channel's chunks for each question, best first, with their scores.

    `strength` is the best score of each question as a share of the best possible one.
    """

    ranking: Ranking
    scores: Vectors
    strength: Floats


class LexicalIndex:
    """FTS5 over a chunk set, in memory."""

    def __init__(self, chunks: ChunkSet) -> None:
        import apsw

        self._connection: apsw.Connection = apsw.Connection(":memory:")
        fulltext.create(self._connection, _TABLE)
        titles = [chunks.titles[number] for number in chunks.document.tolist()]
        rows = zip(titles, chunks.chains, chunks.texts, strict=True)
        entries = ((key, *row) for key, row in enumerate(rows, start=1))
        with self._connection:
            fulltext.add_chunks(self._connection, _TABLE, entries)

    @property
    def size(self) -> int:
        """Bytes."""
        return int(self._connection.pragma("page_count") * self._connection.pragma("page_size"))

    def search(
        self, questions: Sequence[str], depth: int, options: SearchOptions, job: Job = NO_JOB
    ) -> Scored:
        """The best `depth` chunks of each question by BM25."""
        weights = Weights(options.title_weight, options.headings_weight, options.content_weight)
        ranking = np.full((len(questions), depth), NONE, np.int64)
        scores = np.zeros((len(questions), depth), np.float32)
        strength = np.zeros(len(questions))
        for number, text in enumerate(questions):
            query = _query(text)
            # No time limit: figures must not depend on how busy the machine is.
            found = words.search(
                self._connection, _TABLE, query, limit=depth, weights=weights,
                time_limit=math.inf, job=job,
            )  # fmt: skip
            ranking[number, : len(found.keys)] = np.array(found.keys, np.int64) - 1
            scores[number, : len(found.keys)] = found.scores
            if options.lexical_floor:
                strength[number] = self._strength(query, found.best)
        return Scored(ranking, scores, strength)

    def _strength(self, query: MatchQuery, best: float) -> float:
        known = [
            words.statistics(self._connection, _TABLE, query, is_gram, math.inf)
            for is_gram in (False, True)
        ]
        possible = words.best_possible(query, *known)
        return best / possible if possible else 0.0


@lru_cache(maxsize=10_000)  # every configuration asks the same questions
def _query(text: str) -> MatchQuery:
    return match_query(text)


def search_dense(chunks: Vectors, questions: Vectors, depth: int) -> Scored:
    """The best chunks of each question by the cosine of normalised vectors, exactly."""
    depth = min(depth, len(chunks))
    if not depth:
        empty = np.zeros((len(questions), 0))
        return Scored(empty.astype(np.int64), empty.astype(np.float32), np.zeros(len(questions)))
    similarity = questions @ chunks.T
    top = (
        np.argpartition(-similarity, depth - 1, axis=1)[:, :depth]
        if depth < len(chunks)
        else (np.tile(np.arange(len(chunks)), (len(questions), 1)))
    )
    values = np.take_along_axis(similarity, top, axis=1)
    order = np.lexsort((top, -values), axis=1)
    top, values = np.take_along_axis(top, order, 1), np.take_along_axis(values, order, 1)
    return Scored(top.astype(np.int64), values, values[:, 0].astype(np.float64))


def rank(
    options: SearchOptions,
    lexical: Scored | None,
    semantic: Scored | None,
    depth: int,
    embedder: str,
) -> Rankings:
    """One ranking from the channels that the mode asks for; empty where nothing fits."""
    floors = Floors.of(options, embedder)
    found = _rank(options, floors, lexical, semantic, depth)
    if not floors.similarity and not floors.lexical:
        return found
    fused = found.fused.copy()
    for number in range(len(fused)):
        strength = float(lexical.strength[number]) if lexical else None
        cosine = float(semantic.strength[number]) if semantic else None
        if rejection(floors, strength, cosine):
            fused[number] = NONE
    return Rankings(fused, found.lexical, found.semantic)


def _rank(
    options: SearchOptions,
    floors: Floors,
    lexical: Scored | None,
    semantic: Scored | None,
    depth: int,
) -> Rankings:
    if options.mode == Mode.LEXICAL:
        assert lexical is not None
        return Rankings(lexical.ranking, lexical.ranking)
    if options.mode == Mode.SEMANTIC:
        assert semantic is not None
        return Rankings(semantic.ranking, None, semantic.ranking)
    assert lexical is not None
    assert semantic is not None
    if options.mode == Mode.ROUTED:
        return _route(options.route_threshold, floors.lexical, lexical, semantic)
    return Rankings(_fuse(options, lexical, semantic, depth), lexical.ranking, semantic.ranking)


def _route(threshold: float, floor: float, lexical: Scored, semantic: Scored) -> Rankings:
    """Words first; where none match well enough, meaning answers."""
    routes = []
    rows = zip(lexical.ranking, lexical.scores, lexical.strength.tolist(), strict=True)
    for keys, scores, strength in rows:
        some = keys != NONE
        found = Lexical(tuple(keys[some].tolist()), tuple(scores[some].tolist()))
        route = choose_route(found, threshold, strength, floor)
        routes.append(route.channel == Mode.LEXICAL)
    by_words = np.array(routes, np.bool_)[:, None]
    width = max(lexical.ranking.shape[1], semantic.ranking.shape[1])
    one, other = _padded(lexical.ranking, width), _padded(semantic.ranking, width)
    return Rankings(np.where(by_words, one, other), lexical.ranking, semantic.ranking)


def _padded(ranking: Ranking, width: int) -> Ranking:
    return np.pad(ranking, ((0, 0), (0, width - ranking.shape[1])), constant_values=NONE)


def _fuse(options: SearchOptions, lexical: Scored, semantic: Scored, depth: int) -> Ranking:
    weights = {"lexical": options.lexical_weight, "semantic": options.semantic_weight}
    fused = np.full((len(lexical.ranking), depth), NONE, np.int64)
    for number, rows in enumerate(zip(lexical.ranking, semantic.ranking, strict=True)):
        # Each channel hands over so many, as in a workspace.
        by_words, by_meaning = ([at for at in row.tolist() if at != NONE] for row in rows)
        channels = {
            "lexical": by_words[: options.candidates],
            "semantic": by_meaning[: options.candidates],
        }
        keys = [each.key for each in fuse(channels, weights, options.rrf_constant)][:depth]
        fused[number, : len(keys)] = keys
    return fused
