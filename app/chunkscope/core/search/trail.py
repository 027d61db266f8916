"""The trail of every candidate through the stages of a search."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from chunkscope.core.search.model import Candidate, Ranks, Scores, Stage, Waterfall
from chunkscope.core.store.model import ChunkRef


@dataclass(slots=True)
class Record:
    """What is known so far of a candidate."""

    key: int
    scores: Scores = field(default_factory=Scores)
    ranks: Ranks = field(default_factory=Ranks)
    rank: int | None = None
    stage: str = ""
    rule: str = ""


@dataclass(slots=True)
class Step:
    """A stage that is under way; whoever runs it says what it was given and kept."""

    given: int = 0
    kept: int = 0
    note: str = ""


class Trail:
    """Records by key, in the order in which they were met, and the stages passed."""

    def __init__(self) -> None:
        self.records: dict[int, Record] = {}
        self.stages: list[Stage] = []

    def note_channel(self, channel: str, keys: Sequence[int], scores: Sequence[float]) -> None:
        """The ranking that a channel gave."""
        name = "bm25" if channel == "lexical" else "cosine"
        for rank, (key, score) in enumerate(zip(keys, scores, strict=True), start=1):
            record = self.records.get(key)
            if record is None:
                found = Scores(**{name: score}), Ranks(**{channel: rank})
                self.records[key] = Record(key, *found)
            else:
                record.scores = record.scores._replace(**{name: score})
                record.ranks = record.ranks._replace(**{channel: rank})

    def drop(self, key: int, stage: str, rule: str) -> None:
        record = self.records[key]
        record.stage, record.rule = stage, rule

    def drop_all(self, keys: Iterable[int], stage: str, rule: str) -> None:
        for key in keys:
            self.drop(key, stage, rule)

    @contextmanager
    def stage(self, name: str, given: int) -> Iterator[Step]:
        """Time a stage; it keeps what it was given unless it says otherwise."""
        started = time.perf_counter()
        step = Step(given, given)
        yield step
        taken = (time.perf_counter() - started) * 1e3
        self.stages.append(Stage(name, step.given, step.kept, taken, step.note))

    def waterfall(self, chunks: dict[int, ChunkRef]) -> Waterfall:
        """All candidates: those shown by rank, then the others by how far they came."""
        ordered = sorted(
            self.records.values(),
            key=lambda record: (
                record.rank is None,
                record.rank or 0,
                record.ranks.reranked or 1 << 40,
                record.ranks.fused or 1 << 40,
            ),
        )
        return Waterfall(
            tuple(self.stages), tuple(_candidate(record, chunks) for record in ordered)
        )


def _candidate(record: Record, chunks: dict[int, ChunkRef]) -> Candidate:
    chunk = chunks.get(record.key)
    return Candidate(
        record.key,
        chunk.id if chunk else "",
        chunk.document_id if chunk else "",
        record.scores,
        record.ranks,
        record.rank,
        record.stage,
        record.rule,
    )
