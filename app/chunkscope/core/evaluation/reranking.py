"""Reranking in a sweep: the best candidates of each question, stitched, in a new order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from chunkscope.core.evaluation.chunk_set import ChunkSet
from chunkscope.core.evaluation.corpus import Corpus
from chunkscope.core.evaluation.measures import NONE
from chunkscope.core.evaluation.retriever import Rankings
from chunkscope.core.evaluation.vectors import VectorCache, Vectors
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search.options import Rerank, SearchOptions
from chunkscope.core.search.rerank import Asked, Snippet, rerankers


def reranked(
    rankings: Rankings,
    questions: Sequence[str],
    corpus: Corpus,
    chunks: ChunkSet,
    options: SearchOptions,
    cache: VectorCache,
    load_cross_encoder: Callable[[str], Any],
    job: Job = NO_JOB,
) -> Rankings:
    """The first `rerank_depth` of each question in the reranker's order, the rest after them."""
    if options.rerank == Rerank.NONE or not len(chunks):
        return rankings
    score = rerankers[options.rerank]
    snippets = _Snippets(corpus, chunks, options.neighbours)
    fused = rankings.fused.copy()
    for number, text in enumerate(questions):
        job.check()
        top = [at for at in fused[number, : options.rerank_depth].tolist() if at != NONE]
        asked = Asked(
            text,
            partial(_vector, cache, text, job),
            lambda: cache,
            options.cross_encoder,
            load_cross_encoder,
        )
        scores = score(asked, [snippets.get(at) for at in top], job)
        order = np.argsort(-np.array(scores), kind="stable")
        fused[number, : len(top)] = np.array(top, np.int64)[order]
    return replace(rankings, fused=fused)


def _vector(cache: VectorCache, text: str, job: Job) -> Vectors:
    (found,) = cache.embed_queries([text], job)
    return np.asarray(found)


class _Snippets:
    """Chunks with their neighbours as texts, made once."""

    def __init__(self, corpus: Corpus, chunks: ChunkSet, neighbours: int) -> None:
        self._corpus = corpus
        self._chunks = chunks
        self._wide = chunks.widened(neighbours)
        self._first, self._last = (each.tolist() for each in chunks.around(neighbours))
        self._known: dict[int, Snippet] = {}

    def get(self, chunk: int) -> Snippet:
        if chunk not in self._known:
            self._known[chunk] = self._make(chunk)
        return self._known[chunk]

    def _make(self, chunk: int) -> Snippet:
        number = int(self._chunks.document[chunk])
        base = int(self._corpus.bases[number])
        start, end = int(self._wide.starts[chunk]) - base, int(self._wide.ends[chunk]) - base
        parts = range(self._first[chunk], self._last[chunk] + 1)
        return Snippet(
            self._corpus.documents[number].text[start:end],
            tuple(self._chunks.texts[at] for at in parts),
            int(sum(self._chunks.model_tokens[at] for at in parts)),
        )
