"""One search from the query to its hits, stage by stage."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.job import Job
from chunkscope.core.search import lexical
from chunkscope.core.search.dense import DenseIndex
from chunkscope.core.search.filters import allowed_keys, describe
from chunkscope.core.search.fusion import fuse
from chunkscope.core.search.lexical import Lexical, Statistics, Weights
from chunkscope.core.search.marks import Marker
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.core.search.narrowing import Found, drop_repeats, limit
from chunkscope.core.search.options import Mode, Rerank, SearchOptions
from chunkscope.core.search.passages import Passages
from chunkscope.core.search.query import MatchQuery, match_query
from chunkscope.core.search.rerank import Asked, QueryEmbedder, rerankers
from chunkscope.core.search.routing import Floors, Route, choose_route, rejection
from chunkscope.core.search.texts import Texts
from chunkscope.core.search.trail import Trail
from chunkscope.core.store import chunks
from chunkscope.core.store.model import ChunkRef, StoredProfile

if TYPE_CHECKING:
    import apsw

    from chunkscope.core.store.columns import Vector
    from chunkscope.core.store.selection import Keys

SLOW_QUERY = (
    "Looking for the words took more than 2 seconds and was stopped; use fewer or rarer words."
)

NO_SPACES = (
    "Scripts without spaces are matched by pairs of letters, which may belong to different words; "
    'put a word in "double quotes" to find exactly it.'
)


@dataclass(frozen=True, slots=True)
class Tools:
    """What a search works with."""

    embedder: Callable[[], QueryEmbedder]
    index: Callable[[], DenseIndex]
    in_background: Callable[[Callable[[], Vector]], Future[Vector]]
    texts: Texts
    load_cross_encoder: Callable[[str], Any] | None = None


class Inquiry:
    """The state of one search; `run` goes through the stages."""

    def __init__(
        self,
        connection: apsw.Connection,
        profile: StoredProfile,
        query: str,
        options: SearchOptions,
        tools: Tools,
        job: Job,
    ) -> None:
        self.connection = connection
        self.profile = profile
        self.text = query
        self.options = options
        self.trail = Trail()
        self.notes: list[str] = []
        self.query: MatchQuery = match_query(query)
        self.weights = Weights(
            options.title_weight, options.headings_weight, options.content_weight
        )
        self.route: Route | None = None
        self._tools = tools
        self._job = job
        self._passages = Passages(connection, options, tools.texts)
        self._chunks: dict[int, ChunkRef] = {}
        self._vector: Vector | None = None
        self._known: list[Statistics] | None = None
        self._asked_meaning = False

    def run(self) -> SearchResult:
        self.notes += self.query.notes
        if not self.text.strip():
            return self._result((), "The query is empty: type some words.")
        if not self.profile.chunks:
            return self._result((), f"Nothing is indexed under {self.profile.name!r} yet.")
        allowed = allowed_keys(self.connection, self.profile, self.options)
        if allowed is not None and not len(allowed):
            return self._result((), f"No passage passes the filter: {describe(self.options)}.")
        found = self.rank(allowed)
        why_not = self._rejection() if found.keys else self._nothing()
        if why_not:
            self.trail.drop_all(found.keys, "floor", "nothing fits")
            return self._result((), why_not)
        self._rerank(found)
        repeats = {} if self.options.show_repeats else drop_repeats(found, self.trail)
        limit(found, self.options, self.trail)
        return self._result(self._hits(found, repeats))

    # --- the channels

    def rank(self, allowed: Keys | None) -> Found:
        """All candidates in their fused order."""
        mode = self.options.mode
        waiting = self._start_embedding() if mode in (Mode.HYBRID, Mode.SEMANTIC) else None
        words = Lexical((), ())
        if mode != Mode.SEMANTIC:
            words = self._ask_words(allowed)
        if mode == Mode.ROUTED:
            floor = Floors.of(self.options, "").lexical
            self.route = choose_route(
                words, self.options.route_threshold, self._strength(words.best), floor
            )
            self.notes.append(self.route.why)
            waiting = self._start_embedding() if self.route.channel == "semantic" else None
        channels: dict[str, list[int]] = {}
        if mode == Mode.LEXICAL or (self.route and self.route.channel == "lexical"):
            channels["lexical"] = list(words.keys)
        elif mode == Mode.HYBRID:
            channels["lexical"] = self._worth_fusing(words)
        if waiting is not None and self._receive(waiting):
            channels["semantic"] = self._ask_meaning(allowed)
        elif mode in (Mode.HYBRID, Mode.ROUTED):
            channels = {"lexical": list(words.keys)}
        return self._fuse(channels)

    def _worth_fusing(self, words: Lexical) -> list[int]:
        """Matches of chance, one common word perhaps, must not outvote what is meant."""
        least = self.least_bm25()
        return [key for key, score in zip(words.keys, words.scores, strict=True) if score >= least]

    def least_bm25(self) -> float:
        """What a match of words must reach to take part in fusion.

        A phrase in quotes always does, and so does the only word of a query.
        """
        floor = Floors.of(self.options, "").lexical
        terms = self.query.terms
        if not floor or len(terms) == 1 or any(term.is_required for term in terms):
            return 0.0
        return floor * lexical.best_possible(self.query, *self.known)

    def _ask_words(self, allowed: Keys | None) -> Lexical:
        with self.trail.stage("lexical", self.profile.chunks) as step:
            found = lexical.search(
                self.connection,
                self.profile.key,
                self.query,
                limit=self.options.candidates,
                weights=self.weights,
                allowed=None if allowed is None else allowed.tolist(),
                job=self._job,
            )
            step.kept = len(found.keys)
            step.note = f"{len(self.query.terms)} terms"
            if self.query.dropped:
                step.note += f", without {', '.join(self.query.dropped)}"
        if not found.is_complete:
            self.notes.append(SLOW_QUERY)
        if self.query.grams:
            self.notes.append(NO_SPACES)
        self.trail.note_channel("lexical", found.keys, found.scores)
        return found

    def _start_embedding(self) -> Future[Vector]:
        def embed() -> Vector:
            embedder = self._tools.embedder()
            _check_version(embedder, self.profile)
            found: Vector = embedder.embed_queries([self.text], self._job)[0]
            return found

        return self._tools.in_background(embed)

    def _receive(self, waiting: Future[Vector]) -> bool:
        """The query's vector; where the model fails, words must do."""
        with self.trail.stage("embedding", 1) as step:
            try:
                self._vector = waiting.result()
            except ChunkscopeError as problem:
                if self.options.mode == Mode.SEMANTIC:
                    raise
                self.notes.append(f"Only words were searched: {problem}")
                step.kept = 0
        return self._vector is not None

    def _ask_meaning(self, allowed: Keys | None) -> list[int]:
        assert self._vector is not None
        with self.trail.stage("semantic", self.profile.chunks) as step:
            index = self._tools.index()
            keys, cosines = index.search(self._vector, self.options.candidates, allowed)
            found = keys.tolist()
            step.kept = len(found)
            step.note = f"{index.kind} search"
        self.trail.note_channel("semantic", found, cosines.tolist())
        missing = [key for key, record in self.trail.records.items() if not record.ranks.semantic]
        for key, cosine in index.cosines(self._vector, missing).items():
            record = self.trail.records[key]
            record.scores = record.scores._replace(cosine=cosine)
        self._asked_meaning = True
        return [int(key) for key in found]

    def _fuse(self, channels: dict[str, list[int]]) -> Found:
        options = self.options
        weights = {"lexical": options.lexical_weight, "semantic": options.semantic_weight}
        with self.trail.stage("fusion", len(self.trail.records)) as step:
            is_fused = len(channels) > 1
            fused = fuse(channels, weights if is_fused else None, options.rrf_constant)
            read = self._chunks = chunks.refs(self.connection, list(self.trail.records))
            keys = []
            for rank, each in enumerate(fused, start=1):
                record = self.trail.records[each.key]
                record.ranks = record.ranks._replace(fused=rank)
                if is_fused:
                    record.scores = record.scores._replace(rrf=each.score)
                if each.key in read:
                    keys.append(each.key)
            step.kept = len(keys)
            step.note = " + ".join(channels)
        left = set(self.trail.records) - set(keys)
        self.trail.drop_all(left, "fusion", "its words match too little to count")
        return Found(keys, read)

    # --- does anything fit?

    def _nothing(self) -> str:
        if self.options.mode == Mode.LEXICAL or not self._asked_meaning:
            required = [term.text for term in self.query.terms if term.is_required]
            if required:
                return f"No passage has the phrase “{required[0]}”."
            if self.query.is_empty:
                return "There is no word to look for in this query."
        return "Nothing here fits this query: no passage has its words."

    def _rejection(self) -> str:
        """The sentence that says that even the best does not fit."""
        embedder = self._tools.embedder().name if self._asked_meaning else ""
        floors = Floors.of(self.options, embedder)
        records = self.trail.records.values()
        strength = cosine = None
        if self.options.mode != Mode.SEMANTIC:
            best = max((record.scores.bm25 or 0.0 for record in records), default=0.0)
            strength = self._strength(best)
        if self._asked_meaning:
            cosine = max((record.scores.cosine or -1.0 for record in records), default=None)
        with self.trail.stage("floor", len(records)) as step:
            why = rejection(floors, strength, cosine)
            if why and strength and lexical.has_all(self.connection, self.profile.key, self.query):
                why = ""  # who types a word that is there wants to see it, however common it is
            step.kept = 0 if why else len(records)
            step.note = f"similarity {floors.similarity:.2f}, words {floors.lexical:.0%}"
        return why

    def _strength(self, best: float) -> float:
        """A BM25 as a share of the best possible."""
        possible = lexical.best_possible(self.query, *self.known) if best else 0.0
        return min(best / possible, 1.0) if possible else 0.0

    @property
    def known(self) -> list[Statistics]:
        """How common the terms are: of words, and of pairs of letters where there are some."""
        if self._known is None:
            both = (False, True) if self.query.grams else (False,)
            self._known = [
                lexical.statistics(self.connection, self.profile.key, self.query, is_gram)
                for is_gram in both
            ]
        return self._known

    # --- the order, once more

    def _rerank(self, found: Found) -> None:
        options = self.options
        if options.rerank == Rerank.NONE:
            return
        head, tail = found.keys[: options.rerank_depth], found.keys[options.rerank_depth :]
        with self.trail.stage("rerank", len(found.keys)) as step:
            snippets = [self._passages.snippet(chunk) for chunk in self._passages.read(head)]
            scores = rerankers[options.rerank](self._asked(), snippets, self._job)
            ordered = sorted(zip(head, scores, strict=True), key=lambda each: -each[1])
            for rank, (key, score) in enumerate(ordered, start=1):
                record = self.trail.records[key]
                record.scores = record.scores._replace(rerank=score)
                record.ranks = record.ranks._replace(reranked=rank)
            step.note = f"{options.rerank}, the best {len(head)}"
        found.keys = [key for key, _ in ordered] + tail

    def _asked(self) -> Asked:
        return Asked(
            self.text,
            self.query_vector,
            self._tools.embedder,
            self.options.cross_encoder,
            self._tools.load_cross_encoder,
        )

    def query_vector(self) -> Vector:
        """The query as the model sees it, embedded when it is first needed."""
        if self._vector is None:
            self._vector = self._start_embedding().result()
        return self._vector

    def index(self) -> DenseIndex:
        return self._tools.index()

    # --- what is shown

    @cached_property
    def _marker(self) -> Marker:
        return Marker(self.query, self.weights, self.known)

    def _hits(self, found: Found, repeats: dict[int, list[str]]) -> tuple[Hit, ...]:
        hits = []
        passages, records = self._passages, self.trail.records
        with self.trail.stage("stitching", len(found.keys)) as step:
            for rank, chunk in enumerate(passages.read(found.keys), start=1):
                record, text = records[chunk.key], passages.text(chunk)
                record.rank = rank
                marks = self._marker.mark(chunk, text) if record.scores.bm25 is not None else ()
                hits.append(
                    Hit(
                        rank, chunk, text, passages.stitched(chunk), record.scores, record.ranks,
                        marks, tuple(repeats.get(chunk.key, ())),
                    )
                )  # fmt: skip
            step.note = f"± {self.options.neighbours}"
        return tuple(hits)

    def _result(self, hits: tuple[Hit, ...], note: str = "") -> SearchResult:
        return SearchResult(
            query=self.text,
            profile=self.profile.id,
            options=self.options,
            hits=hits,
            notes=(*self.notes, note) if note else tuple(self.notes),
            waterfall=self.trail.waterfall(self._chunks),
            route=self.route.channel if self.route else "",
        )


def _check_version(embedder: QueryEmbedder, profile: StoredProfile) -> None:
    if embedder.version != profile.embedding_version:
        raise ChunkscopeError(
            f"profile {profile.name!r} was indexed with {profile.embedding_version}, but the model "
            f"here is {embedder.version}; index again to search by meaning"
        )
