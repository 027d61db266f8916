"""The bench that configurations are tried on: what they share is made once."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.analyses import Analyses
from chunkscope.core.evaluation.chunk_set import ChunkSet, chunk_set, cut_all
from chunkscope.core.evaluation.configuration import Configuration, profile_table
from chunkscope.core.evaluation.corpus import Corpus, Gold
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.reranking import reranked
from chunkscope.core.evaluation.retriever import (
    LexicalIndex,
    Rankings,
    Scored,
    rank,
    search_dense,
)
from chunkscope.core.evaluation.scores import Row, score
from chunkscope.core.evaluation.vectors import Embeds, VectorCache
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.profile import Profile
from chunkscope.core.search.options import Mode, Rerank, SearchOptions
from chunkscope.core.text.codepoints import Offsets

if TYPE_CHECKING:
    from chunkscope.core.embedding.cross_encoder import CrossEncoder

_BYTES = 4
# Chunks beyond the budget by this factor: the last may be small ones.
_SLACK = 1.5


class Caches:
    """Vectors by embedder, shared by all benches of a sweep."""

    def __init__(self, embedder: Callable[[str], Embeds], folder: Path | None = None) -> None:
        self._embedder = embedder
        self._folder = folder
        self._caches: dict[str, VectorCache] = {}
        self._cross_encoders: dict[str, CrossEncoder] = {}

    def get(self, name: str) -> VectorCache:
        if name not in self._caches:
            self._caches[name] = VectorCache(self._embedder(name), self._folder)
        return self._caches[name]

    def cross_encoder(self, path: str) -> CrossEncoder:
        """Loaded once."""
        from chunkscope.core.embedding.cross_encoder import CrossEncoder

        if path not in self._cross_encoders:
            self._cross_encoders[path] = CrossEncoder(path)
        return self._cross_encoders[path]

    @property
    def seconds(self) -> float:
        """Spent on embedding."""
        return sum(each.seconds for each in self._caches.values())

    @property
    def versions(self) -> dict[str, str]:
        return {name: cache.version for name, cache in self._caches.items()}


class Bench:
    """Documents and questions, and what is known of the profile that was tried last."""

    def __init__(
        self, corpus: Corpus, gold: Gold, caches: Caches, analyses: Analyses | None = None
    ) -> None:
        self.corpus = corpus
        self.gold = gold
        self.caches = caches
        self.analyses = analyses or Analyses()
        self._texts = [question.text for question in gold.questions]
        self._made: _Made | None = None

    def subset(self, documents: Offsets) -> Bench:
        """The bench with some of the documents, and the questions that they answer."""
        corpus = Corpus([self.corpus.documents[number] for number in documents.tolist()])
        inside = np.isin(self.corpus.document_at(self.gold.labels.starts), documents)
        lost = np.bincount(self.gold.labels.group[~inside], minlength=len(self.gold)) > 0
        chosen = np.flatnonzero(~lost & ~self.gold.is_negative)
        gold = self.gold.take(chosen)
        number = self.corpus.document_at(gold.labels.starts)
        place = np.searchsorted(documents, number)  # both in order
        shift = corpus.bases[place] - self.corpus.bases[number]
        return Bench(corpus, gold.moved(shift), self.caches, self.analyses)

    def evaluate(self, configuration: Configuration, settings: Settings, job: Job = NO_JOB) -> Row:
        """The figures of one configuration."""
        begun = time.perf_counter()
        made = self._make(configuration.profile, job)
        rankings = self._rank(made, configuration.options, settings, job)
        taken = time.perf_counter() - begun
        size = made.size(configuration.options.mode)
        return score(
            configuration, self.corpus, self.gold, made.chunks, rankings, settings, size, taken
        )

    def _make(self, profile: Profile, job: Job) -> _Made:
        """The chunks of a profile; neighbours in a sweep share them."""
        table = {**profile_table(profile), "name": "", "id_form": ""}
        key = json.dumps(table, sort_keys=True)
        if self._made is None or self._made.key != key:
            chunkings = cut_all(self.corpus, profile, self.analyses, job)
            self._made = _Made(key, chunk_set(self.corpus, chunkings), profile)
        return self._made

    def _rank(self, made: _Made, options: SearchOptions, settings: Settings, job: Job) -> Rankings:
        depth = self._depth(made.chunks, options, settings)
        lexical = semantic = None
        if options.mode != Mode.SEMANTIC:
            lexical = made.search_words(self._texts, depth, options, job)
        name = made.profile.embedder
        if options.mode != Mode.LEXICAL:
            semantic = made.search_meaning(self._texts, depth, self.caches.get(name), job)
        found = rank(options, lexical, semantic, depth, name)
        if options.rerank == Rerank.NONE:
            return found
        cache = self.caches.get(name)
        load = self.caches.cross_encoder
        return reranked(found, self._texts, self.corpus, made.chunks, options, cache, load, job)

    def _depth(self, chunks: ChunkSet, options: SearchOptions, settings: Settings) -> int:
        """Deep enough to spend the largest budget."""
        costs = self.corpus.tokens().cost(chunks.cuts.starts, chunks.cuts.ends)
        typical = max(float(np.median(costs)), 1.0) if len(costs) else 1.0
        wanted = math.ceil(_SLACK * max(settings.budgets, default=0) / typical)
        return max(1, min(len(chunks), max(options.candidates, settings.k, wanted)))


class _Made:
    """A profile's chunks with their indexes, each made when first asked for."""

    def __init__(self, key: str, chunks: ChunkSet, profile: Profile) -> None:
        self.key = key
        self.chunks = chunks
        self.profile = profile
        self._words: LexicalIndex | None = None
        self._dimensions = 0
        self._searches: dict[tuple[object, ...], Scored] = {}

    def search_words(
        self, questions: list[str], depth: int, options: SearchOptions, job: Job
    ) -> Scored:
        if self._words is None:
            self._words = LexicalIndex(self.chunks)
        weights = options.title_weight, options.headings_weight, options.content_weight
        key = ("words", depth, bool(options.lexical_floor), *weights)
        if key not in self._searches:
            self._searches[key] = self._words.search(questions, depth, options, job)
        return self._searches[key]

    def search_meaning(
        self,
        questions: list[str],
        depth: int,
        cache: VectorCache,
        job: Job,
    ) -> Scored:
        key = ("meaning", depth)
        if key not in self._searches:
            vectors = cache.embed_passages(self.chunks.embedded, job)
            asked = cache.embed_queries(questions, job)
            self._dimensions = vectors.shape[1]
            self._searches[key] = search_dense(vectors, asked, depth)
        return self._searches[key]

    def size(self, mode: str) -> int:
        """Bytes of the indexes that a mode needs."""
        words = self._words.size if self._words and mode != Mode.SEMANTIC else 0
        meaning = len(self.chunks) * self._dimensions * _BYTES if mode != Mode.LEXICAL else 0
        return words + meaning
