"""A sweep: every configuration of a plan, the hopeless ones dropped on the way."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from chunkscope.core.errors import Cancelled, ChunkscopeError
from chunkscope.core.evaluation.bench import Bench
from chunkscope.core.evaluation.bootstrap import Verdict, hopeful, judge
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.corpus import Corpus, Gold
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.scores import Row
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.text.codepoints import Offsets

# Shares of the questions that the heats of a race ask, and the fewest that can drop anything.
_HEATS = (0.25, 0.5)
_FEWEST = 30
_MOST_TEXT = 0.7


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is; the rows are a running leaderboard, the best first."""

    done: int
    total: int
    seconds_left: float | None
    current: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sweep found; rows that lost the race have `dropped_after`."""

    rows: tuple[Row, ...]
    failures: tuple[str, ...] = ()
    is_complete: bool = True

    @property
    def ranked(self) -> tuple[Row, ...]:
        """Rows over all questions, which alone can be compared."""
        return tuple(row for row in self.rows if row.dropped_after is None)


class Journal:
    """Where finished rows go as they come, so that a crash costs one; this one forgets."""

    def find(self, heat: int, key: str) -> Row | None:
        return None

    def add(self, heat: int, row: Row) -> None:
        pass


Watch = Callable[[Progress], None]


@dataclass(slots=True)
class _Race:
    """The state of a running sweep."""

    settings: Settings
    job: Job
    watch: Watch | None
    journal: Journal
    total: int
    begun: float = field(default_factory=time.monotonic)
    done: int = 0
    known: int = 0  # taken from the journal
    rows: dict[str, Row] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def run(self, heat: int, bench: Bench, live: Sequence[Configuration]) -> None:
        """One heat: all live configurations on one bench."""
        for configuration in live:
            self._tell(configuration.name)
            row = self.journal.find(heat, configuration.key)
            if row is None:
                try:
                    row = bench.evaluate(configuration, self.settings, self.job)
                except ChunkscopeError as problem:  # one that cannot be never stops the rest
                    self.failures.append(f"{configuration.name}: {problem}")
                    self.rows.pop(configuration.key, None)
                    self.done += 1
                    continue
                self.journal.add(heat, row)
            else:
                self.known += 1
            self.rows[configuration.key] = row
            self.done += 1
        self._tell("")

    def _tell(self, current: str) -> None:
        if self.watch:
            rows = leaderboard(tuple(self.rows.values()), self.settings.headline)
            self.watch(Progress(self.done, self.total, self._left(), current, rows))
        self.job.step(self.done, self.total, current)

    def _left(self) -> float | None:
        fresh = self.done - self.known
        if not fresh:
            return None
        return (time.monotonic() - self.begun) / fresh * max(self.total - self.done, 0)


def sweep(
    bench: Bench,
    configurations: Sequence[Configuration],
    settings: Settings,
    job: Job = NO_JOB,
    watch: Watch | None = None,
    journal: Journal | None = None,
) -> Outcome:
    """Try all configurations; cancelling keeps what is done."""
    live = grouped(configurations)
    heats = heats_of(bench.corpus, bench.gold, settings) if len(live) > 2 else []
    keeper = Journal() if journal is None else journal  # an empty one is one
    race = _Race(settings, job, watch, keeper, len(live) * (1 + len(heats)))
    dropped: list[Row] = []
    try:
        for heat, documents in enumerate(heats):
            small = bench.subset(documents)
            race.run(heat, small, live)
            live, gone = _drop(race, live, len(small.gold))
            dropped += gone
            race.total -= len(gone) * (len(heats) - heat)
        race.rows.clear()
        race.run(len(heats), bench, live)
    except Cancelled:
        final = _finished(race, bench)
        return Outcome((*final, *dropped), tuple(race.failures), is_complete=False)
    rows = leaderboard(tuple(race.rows.values()), settings.headline)
    return Outcome((*rows, *dropped), tuple(race.failures))


def _finished(race: _Race, bench: Bench) -> tuple[Row, ...]:
    """Of a cancelled race: rows over all questions, or marked as less."""
    count = len(bench.gold)
    rows = leaderboard(tuple(race.rows.values()), race.settings.headline)
    return tuple(
        row if len(row.questions) == count else replace(row, dropped_after=len(row.questions))
        for row in rows
    )


def _drop(
    race: _Race, live: Sequence[Configuration], questions: int
) -> tuple[list[Configuration], list[Row]]:
    """Those that may still win, and the rows of the others."""
    tried = [each for each in live if each.key in race.rows]
    if not tried:
        return [], []
    scores = np.array([race.rows[each.key].scores(race.settings.headline) for each in tried])
    keep = hopeful(scores, race.settings.seed, resamples=race.settings.resamples)
    gone = [
        replace(race.rows[each.key], dropped_after=questions)
        for each, stays in zip(tried, keep, strict=True)
        if not stays
    ]
    return [each for each, stays in zip(tried, keep, strict=True) if stays], gone


def grouped(configurations: Sequence[Configuration]) -> list[Configuration]:
    """Those that share their chunks one after another, in the order in which they were given."""
    groups: dict[str, list[Configuration]] = {}
    for each in configurations:
        plain = Configuration(replace(each.profile, name=""))
        groups.setdefault(plain.key, []).append(each)
    return [each for group in groups.values() for each in group]


def heats_of(corpus: Corpus, gold: Gold, settings: Settings) -> list[Offsets]:
    """Growing sets of documents whose questions are asked before all are.

    What costs is embedding, so a race is run over documents: a configuration that is dropped never
    has the rest of them embedded. All rivals see the same documents and questions.
    """
    if not settings.racing or len(corpus) < 2:
        return []
    order = np.random.default_rng(settings.seed).permutation(len(corpus))
    lengths = np.array([len(document.text) for document in corpus.documents])
    home = corpus.document_at(gold.labels.starts)
    # The heat in which a question can be asked: when the last of its documents has come.
    place = np.empty(len(corpus), np.int64)
    place[order] = np.arange(len(corpus))
    ready = np.full(len(gold), -1, np.int64)
    np.maximum.at(ready, gold.labels.group, place[home])
    positive = int((ready >= 0).sum())
    counts = np.cumsum(np.bincount(ready[ready >= 0], minlength=len(corpus)))
    text = np.cumsum(lengths[order]) / max(int(lengths.sum()), 1)
    heats: list[Offsets] = []
    for part in _HEATS:
        least = max(_FEWEST, math.ceil(part * positive))
        at = int(np.searchsorted(counts, least))
        taken = len(heats[-1]) if heats else 0
        if at < len(corpus) - 1 and text[at] <= _MOST_TEXT and at + 1 > taken:
            heats.append(np.sort(order[: at + 1]))
    return heats


def leaderboard(rows: Sequence[Row], measure: str) -> tuple[Row, ...]:
    """The best first; of equals the cheaper."""
    return tuple(sorted(rows, key=lambda row: (-row.mean(measure), row.cost[:2], row.name)))


def conclude(rows: Sequence[Row], settings: Settings, measure: str = "") -> Verdict | None:
    """What may be said about rows over the same questions."""
    if not rows:
        return None
    scores = np.array([row.scores(measure or settings.headline) for row in rows])
    return judge(scores, [row.cost[:2] for row in rows], settings.seed, settings.resamples)
