"""Why a passage is not shown: where its chunks rank, what beat them, what would help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkscope.core.errors import WrongUsage
from chunkscope.core.search import lexical
from chunkscope.core.search.dense import Kind
from chunkscope.core.search.explain import hit_record
from chunkscope.core.search.filters import allowed_keys, describe
from chunkscope.core.search.fusion import fuse
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.core.search.options import MOST_HITS, Mode, SearchOptions
from chunkscope.core.store import chunks, vectors
from chunkscope.core.store.model import StoredChunk, StoredDocument

if TYPE_CHECKING:
    from chunkscope.core.search.inquiry import Inquiry

# How many more results are asked for than needed, since repeats and caps take some away.
_ROOM = 50


@dataclass(frozen=True, slots=True)
class Channel:
    """All that a channel ranks, exactly: place and score by key."""

    ranks: dict[int, int]
    scores: dict[int, float]

    @property
    def keys(self) -> list[int]:
        return list(self.ranks)


@dataclass(frozen=True, slots=True)
class Absent:
    """A chunk that holds some of the passage, and where it stands."""

    chunk: StoredChunk
    start: int  # what it holds of the passage
    end: int
    shown_at: int | None
    lexical_rank: int | None
    bm25: float | None
    semantic_rank: int | None
    cosine: float | None
    fused_rank: int | None
    rule: str
    appears_at_k: int | None
    appears_at_budget: int | None  # tokens of the context up to it


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer, and what would change it."""

    query: str
    document_id: str
    title: str
    start: int
    end: int
    chunks: tuple[Absent, ...]
    beaten_by: tuple[Hit, ...]
    advice: tuple[str, ...]

    @property
    def is_shown(self) -> bool:
        return any(each.shown_at for each in self.chunks)

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "query": self.query,
            "document_id": self.document_id,
            "title": self.title,
            "start": self.start,
            "end": self.end,
            "is_shown": self.is_shown,
            "chunks": [_absent_record(each) for each in self.chunks],
            "beaten_by": [_beating(hit) for hit in self.beaten_by],
            "advice": list(self.advice),
        }


def explain_absence(
    inquiry: Inquiry,
    result: SearchResult,
    document: StoredDocument,
    span: tuple[int, int],
    again: Callable[[SearchOptions], Inquiry],
    tokens_of: Callable[[Sequence[Hit]], int],
) -> WhyNot:
    """Look at every chunk that holds some of a span; `again` searches with other options."""
    start, end = span
    if not 0 <= start < end <= document.characters:
        raise WrongUsage(
            f"the span {start}:{end} is not in {document.title!r}, "
            f"which has {document.characters:,} characters"
        )
    holding = chunks.holding(inquiry.connection, inquiry.profile.key, document.key, start, end)
    case = _Case(inquiry, result, again, tokens_of)
    absent = tuple(case.judge(chunk, start, end) for chunk in holding)
    best = min((each.shown_at or 1 << 40 for each in absent), default=1 << 40)
    return WhyNot(
        inquiry.text,
        document.id,
        document.title,
        start,
        end,
        absent,
        tuple(hit for hit in result.hits if hit.rank < best),
        tuple(_advise(case, document, absent)),
    )


class _Case:
    """The exact rankings behind one search."""

    def __init__(
        self,
        inquiry: Inquiry,
        result: SearchResult,
        again: Callable[[SearchOptions], Inquiry],
        tokens_of: Callable[[Sequence[Hit]], int],
    ) -> None:
        self.inquiry = inquiry
        self.result = result
        self.options = result.options
        self._again = again
        self._tokens_of = tokens_of
        allowed = allowed_keys(inquiry.connection, inquiry.profile, result.options)
        self.allowed = None if allowed is None else set(allowed.tolist())
        self.words = self._words()
        self.meaning = self._meaning()
        self.fused = self._fused()
        self._more: dict[int, tuple[Hit, ...]] = {}

    def judge(self, chunk: StoredChunk, start: int, end: int) -> Absent:
        shown = next((h.rank for h in self.result.hits if h.chunk.key == chunk.key), None)
        fused = self.fused.get(chunk.key)
        hits = self._hits_up_to(fused) if fused and not shown else self.result.hits
        at = next((hit.rank for hit in hits if hit.chunk.key == chunk.key), None)
        return Absent(
            chunk,
            max(start, chunk.start),
            min(end, chunk.end),
            shown,
            self.words.ranks.get(chunk.key),
            self.words.scores.get(chunk.key),
            self.meaning.ranks.get(chunk.key),
            self.meaning.scores.get(chunk.key),
            fused,
            "" if shown else self._rule(chunk.key),
            at,
            self._tokens_of(hits[:at]) if at else None,
        )

    def _rule(self, key: int) -> str:
        if self.allowed is not None and key not in self.allowed:
            return f"the filter ({describe(self.options)}) keeps it out"
        record = self.inquiry.trail.records.get(key)
        if record is not None and record.rule:
            return record.rule
        if key not in self.fused:
            return "no channel that answers this query ranks it"
        return f"is not among the {self.options.candidates} candidates of a channel"

    def _hits_up_to(self, rank: int) -> tuple[Hit, ...]:
        """The results when so many are asked for that this rank is among them."""
        k = min(MOST_HITS, -(-(rank + _ROOM) // _ROOM) * _ROOM)
        if rank > MOST_HITS:
            return ()
        if k not in self._more:
            wider = max(self.options.candidates, self.inquiry.profile.chunks)
            changed = replace(
                self.options, k=k, candidates=min(wider, 100_000),
                similarity_floor=0.0, lexical_floor=0.0,
            )  # fmt: skip
            self._more[k] = self._again(changed).run().hits
        return self._more[k]

    def _words(self) -> Channel:
        inquiry = self.inquiry
        found = lexical.search(
            inquiry.connection, inquiry.profile.key, inquiry.query, limit=0,
            weights=inquiry.weights, time_limit=30.0,
        )  # fmt: skip
        return _channel(found.keys, found.scores)

    def _meaning(self) -> Channel:
        inquiry = self.inquiry
        query = inquiry.query_vector()
        index = inquiry.index()
        if index.kind == Kind.EXACT:
            keys, scores = index.search(query, len(index))
        else:
            keys, rows = vectors.matrix(inquiry.connection, inquiry.profile.key)
            every = rows @ query
            order = np.lexsort((keys, -every))
            keys, scores = keys[order], every[order]
        return _channel(keys.tolist(), scores.tolist())

    def _fused(self) -> dict[int, int]:
        """Ranks when each channel hands over all that it has."""
        options = self.options
        channels = {}
        route = self.result.route
        if options.mode in (Mode.LEXICAL, Mode.HYBRID) or route == "lexical":
            least = self.inquiry.least_bm25() if options.mode == Mode.HYBRID else 0.0
            counting = [key for key, score in self.words.scores.items() if score >= least]
            channels["lexical"] = self._passing(counting)
        if options.mode in (Mode.SEMANTIC, Mode.HYBRID) or route == "semantic":
            channels["semantic"] = self._passing(self.meaning.keys)
        weights = {"lexical": options.lexical_weight, "semantic": options.semantic_weight}
        fused = fuse(channels, weights if len(channels) > 1 else None, options.rrf_constant)
        return {each.key: rank for rank, each in enumerate(fused, start=1)}

    def _passing(self, keys: list[int]) -> list[int]:
        return [key for key in keys if self.allowed is None or key in self.allowed]


def _channel(keys: Sequence[int], scores: Sequence[float]) -> Channel:
    return Channel(
        {key: rank for rank, key in enumerate(keys, start=1)},
        dict(zip(keys, scores, strict=True)),
    )


def _advise(case: _Case, document: StoredDocument, absent: Sequence[Absent]) -> list[str]:
    """Settings that would bring the passage in, the simplest first."""
    if not absent:
        name = case.inquiry.profile.name
        return [f"No chunk of profile {name!r} holds this passage of {document.title!r}: it is not "
                "indexed under it, or its blocks are left out (skip)."]  # fmt: skip
    if any(each.shown_at for each in absent):
        rank = min(each.shown_at for each in absent if each.shown_at)
        return [f"It is shown: result {rank}."]
    found: list[str] = []
    best = min(absent, key=lambda each: each.fused_rank or 1 << 40)
    found += _advise_settings(case, best)
    found += _advise_modes(case, best)
    if len(absent) > 1:
        found.append(
            f"The passage is cut: {len(absent)} chunks hold parts of it; larger chunks or more "
            "overlap would keep it together."
        )
    if any(each.chunk.truncated_by_model for each in absent):
        found.append("The model reads only the beginning of its chunk; smaller chunks would help.")
    return found


def _advise_settings(case: _Case, best: Absent) -> list[str]:
    options, found = case.options, []
    if case.allowed is not None and best.chunk.key not in case.allowed:
        found.append(f"Lift the filter: {describe(options)}.")
    if not case.result.hits and best.cosine is not None and options.mode != Mode.LEXICAL:
        found.append(
            f"Nothing was shown at all; similarity_floor={max(best.cosine - 0.005, 0.0):.2f} "
            "would let it through."
        )
    if best.appears_at_k and best.appears_at_k > options.k:
        found.append(
            f"k={best.appears_at_k} would show it (now {options.k}); the context up to it has "
            f"{best.appears_at_budget:,} tokens."
        )
    ranks = [rank for rank in (best.lexical_rank, best.semantic_rank) if rank]
    if ranks and min(ranks) > options.candidates:
        found.append(f"candidates={min(ranks)} would let it take part (now {options.candidates}).")
    if "same text" in best.rule:
        found.append("show_repeats=true would show it beside the passage with the same text.")
    if "its document has" in best.rule:
        found.append("A higher per_document_cap would let more of its document in.")
    return found


def _advise_modes(case: _Case, best: Absent) -> list[str]:
    options, found = case.options, []
    if best.lexical_rank is None:
        found.append("It has none of the query's words.")
    for mode, rank in ((Mode.LEXICAL, best.lexical_rank), (Mode.SEMANTIC, best.semantic_rank)):
        if rank and rank <= options.k and options.mode != mode:
            found.append(f"mode={mode} would show it at rank {rank}.")
    return found


def _absent_record(each: Absent) -> dict[str, Any]:
    return {
        "chunk_id": each.chunk.id,
        "index": each.chunk.index,
        "start": each.chunk.start,
        "end": each.chunk.end,
        "holds": [each.start, each.end],
        "shown_at": each.shown_at,
        "ranks": {
            "lexical": each.lexical_rank,
            "semantic": each.semantic_rank,
            "fused": each.fused_rank,
        },
        "scores": {"bm25": each.bm25, "cosine": each.cosine},
        "rule": each.rule or None,
        "appears_at": {"k": each.appears_at_k, "budget": each.appears_at_budget},
    }


def _beating(hit: Hit) -> dict[str, Any]:
    record = hit_record(hit)
    names = ("rank", "chunk_id", "document_id", "title", "start", "end", "scores", "ranks")
    return {name: record[name] for name in names}
