"""In-memory retrieval for a sweep: the same words, weights and fusion as a workspace's search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.evaluation.chunk_set import ChunkSet
from chunkscope.core.evaluation.measures import NONE, Ranking
from chunkscope.core.evaluation.vectors import Vectors
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search.fusion import fuse
from chunkscope.core.search.lexical import match_query
from chunkscope.core.search.options import Mode, SearchOptions
from chunkscope.core.store import fulltext

if TYPE_CHECKING:
    import apsw

_TABLE = 1
_EVERY = 16


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """What was found for each question, and what each channel had found before fusion."""

    fused: Ranking
    lexical: Ranking | None = None
    semantic: Ranking | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A channel's chunks for each question, best first, with their scores."""

    ranking: Ranking
    scores: Vectors


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
        """The best `depth` chunks of each question by BM25, which counts upwards here."""
        ranking = np.full((len(questions), depth), NONE, np.int64)
        scores = np.zeros((len(questions), depth), np.float32)
        for number, question in enumerate(questions):
            if number % _EVERY == 0:
                job.check()
            for rank, (chunk, score) in enumerate(self._search(question, depth, options)):
                ranking[number, rank], scores[number, rank] = chunk, score
        return Scored(ranking, scores)

    def _search(self, question: str, depth: int, options: SearchOptions) -> list[tuple[int, float]]:
        query = match_query(question)
        weights = options.title_weight, options.headings_weight, options.content_weight
        found: dict[int, float] = {}
        for table, expression, factors in (
            (fulltext.words_table(_TABLE), query.words, weights),
            (fulltext.grams_table(_TABLE), query.grams, (options.content_weight,)),
        ):
            if not expression:
                continue
            marks = ", ".join("?" * len(factors))
            rows = self._connection.execute(
                f"SELECT rowid, -bm25({table}, {marks}) AS score FROM {table} "
                f"WHERE {table} MATCH ? ORDER BY score DESC, rowid LIMIT ?",
                (*factors, expression, depth),
            )
            for key, score in rows:
                found[int(key) - 1] = found.get(int(key) - 1, 0.0) + float(score)
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:depth]


def search_dense(chunks: Vectors, questions: Vectors, depth: int, floor: float = 0.0) -> Scored:
    """The best chunks of each question by the cosine of normalised vectors, exactly."""
    depth = min(depth, len(chunks))
    if not depth:
        empty = np.zeros((len(questions), 0))
        return Scored(empty.astype(np.int64), empty.astype(np.float32))
    similarity = questions @ chunks.T
    top = (
        np.argpartition(-similarity, depth - 1, axis=1)[:, :depth]
        if depth < len(chunks)
        else (np.tile(np.arange(len(chunks)), (len(questions), 1)))
    )
    values = np.take_along_axis(similarity, top, axis=1)
    order = np.lexsort((top, -values), axis=1)
    top, values = np.take_along_axis(top, order, 1), np.take_along_axis(values, order, 1)
    if floor > 0:
        top = np.where(values >= floor, top, NONE)
    return Scored(top.astype(np.int64), values)


def rank(
    options: SearchOptions, lexical: Scored | None, semantic: Scored | None, depth: int
) -> Rankings:
    """One ranking from the channels that the mode asks for."""
    if options.mode == Mode.LEXICAL:
        assert lexical is not None
        return Rankings(lexical.ranking, lexical.ranking)
    if options.mode == Mode.SEMANTIC:
        assert semantic is not None
        return Rankings(semantic.ranking, None, semantic.ranking)
    assert lexical is not None
    assert semantic is not None
    if options.mode == Mode.ROUTED:
        return _route(options, lexical, semantic)
    return Rankings(_fuse(options, lexical, semantic, depth), lexical.ranking, semantic.ranking)


def _route(options: SearchOptions, lexical: Scored, semantic: Scored) -> Rankings:
    """Words first; where none match well enough, meaning answers."""
    best = lexical.scores[:, 0] if lexical.scores.shape[1] else np.zeros(len(lexical.scores))
    by_words = (best >= options.route_threshold)[:, None]
    width = max(lexical.ranking.shape[1], semantic.ranking.shape[1])
    one, other = _padded(lexical.ranking, width), _padded(semantic.ranking, width)
    return Rankings(np.where(by_words, one, other), lexical.ranking, semantic.ranking)


def _padded(ranking: Ranking, width: int) -> Ranking:
    return np.pad(ranking, ((0, 0), (0, width - ranking.shape[1])), constant_values=NONE)


def _fuse(options: SearchOptions, lexical: Scored, semantic: Scored, depth: int) -> Ranking:
    weights = {"lexical": options.lexical_weight, "semantic": options.semantic_weight}
    fused = np.full((len(lexical.ranking), depth), NONE, np.int64)
    for number, rows in enumerate(zip(lexical.ranking, semantic.ranking, strict=True)):
        # Each channel hands over so many, as in a workspace; what is deeper follows by meaning.
        words, meaning = ([at for at in row.tolist() if at != NONE] for row in rows)
        channels = {
            "lexical": words[: options.candidates],
            "semantic": meaning[: options.candidates],
        }
        keys = [each.key for each in fuse(channels, weights, options.rrf_constant)][:depth]
        fused[number, : len(keys)] = keys
    return fused
