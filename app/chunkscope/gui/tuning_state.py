"""A tuning session: what a sweep would try, the one that runs, and what it found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from chunkscope.core.embedding.base import embedder
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.bench import Bench, Caches
from chunkscope.core.evaluation.bootstrap import Verdict
from chunkscope.core.evaluation.configuration import describe
from chunkscope.core.evaluation.corpus import Corpus, gold_of
from chunkscope.core.evaluation.estimate import estimate
from chunkscope.core.evaluation.plan import SweepPlan, plan_of
from chunkscope.core.evaluation.query_set import QuerySet
from chunkscope.core.evaluation.robustness import Robustness, vary
from chunkscope.core.evaluation.run import FileJournal, Origin, Run, now
from chunkscope.core.evaluation.scores import Row
from chunkscope.core.evaluation.sweep import Progress, sweep
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.workspace import shared_analyses
from chunkscope.gui.changes import Change, IndexChange, TuningChange
from chunkscope.gui.label_state import LabelState
from chunkscope.gui.tasks import Latest

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

LANE = "sweep"
FOLDER = "tuning"  # in the workspace's folder
FIRST_SWEEP: dict[str, Any] = {
    "name": "sweep",
    "grid": {
        "strategy": ["recursive", "sentence", "token-window"],
        "max_size": [128, 256, 512],
        "overlap_share": [0.0, 0.25],
        "mode": ["lexical", "hybrid"],
    },
}
_MOST_CHOSEN = 8
_INTERVAL = 0.1  # seconds between two reports: more could not be read


@dataclass(frozen=True, slots=True)
class Material:
    """What a sweep is run on."""

    documents: tuple[Document, ...]
    queries: QuerySet
    file: Path | None

    def is_same(self, other: Material) -> bool:
        mine, theirs = ([(d.id, d.content_hash) for d in each.documents] for each in (self, other))
        return mine == theirs and self.queries is other.queries


@dataclass(slots=True)
class Running:
    """The sweep that goes on, as it is shown."""

    total: int
    job: Job | None = None
    done: int = 0
    note: str = "getting ready"
    seconds_left: float | None = None
    started: float = field(default_factory=time.monotonic)
    is_told: bool = True  # whether the last progress has reached the window
    told_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """A finished run, and what was worked out of it away from the window's thread."""

    run: Run
    verdict: Verdict | None
    texts: Mapping[str, str]  # of the questions, by id


class TuningState(QObject):
    """One sweep at a time, over the library's documents and the working set of questions."""

    changed = Signal(TuningChange)
    told = Signal(str)

    def __init__(self, state: AppState) -> None:
        super().__init__(state)
        self._state = state
        self._tasks = state.tasks
        self.labels = LabelState(state)
        self.table: dict[str, Any] = dict(FIRST_SWEEP)
        self.plan: SweepPlan | None = None
        self.plan_seconds = 0.0  # about how long it would take
        self.plan_problem = ""
        self.running: Running | None = None
        self.found: Found | None = None
        self.rows: tuple[Row, ...] = ()
        self.chosen: tuple[str, ...] = ()  # keys of rows
        self.robustness: Robustness | None = None
        self.cache: Path | None = None  # of vectors; none: in memory only
        self._bench: tuple[Material, Bench] | None = None
        self._planning = Latest(self._tasks, "plan")
        self.labels.changed.connect(self._on_labels_changed)
        self.labels.told.connect(self.told)
        state.changed.connect(self._on_state_changed)
        state.index.changed.connect(self._on_index_changed)

    def open_folder(self, folder: Path, cache: Path | None = None) -> None:
        """Where questions, runs and vectors are kept."""
        self.cache = cache or self.cache
        self.labels.open_folder(folder)

    def _on_state_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change:
            self.refresh_plan()  # the estimate

    def _on_labels_changed(self, change: TuningChange) -> None:
        if TuningChange.QUERIES in change:
            self.refresh_plan()
        self.changed.emit(change)

    def _on_index_changed(self, change: IndexChange) -> None:
        """Every workspace has its own questions and runs."""
        workspace = self._state.index.workspace
        if IndexChange.WORKSPACE in change and workspace is not None:
            self.open_folder(workspace.folder / FOLDER)

    def close(self) -> None:
        """After all tasks have ended: models give their memory back."""
        self._bench = None

    # the plan

    def set_table(self, table: Mapping[str, Any]) -> None:
        """Another sweep, as a TOML file would say it."""
        self.table = dict(table)
        self.refresh_plan()

    def refresh_plan(self) -> None:
        self._planning.request(self._plan_work(), self._on_planned, self._on_plan_failed)

    def _plan_work(self) -> Callable[[Job], tuple[SweepPlan, float]]:
        table, documents = dict(self.table), self.labels.documents()
        questions = len(self.labels.queries)

        def work(_job: Job) -> tuple[SweepPlan, float]:
            plan = plan_of(table)
            return plan, estimate(plan, documents, questions)

        return work

    def _on_planned(self, found: tuple[SweepPlan, float]) -> None:
        self.plan, self.plan_seconds = found
        self.plan_problem = ""
        self.changed.emit(TuningChange.PLAN)

    def _on_plan_failed(self, problem: Exception) -> None:
        self.plan, self.plan_problem = None, str(problem)
        self.changed.emit(TuningChange.PLAN)

    # the sweep

    @property
    def why_not(self) -> str:
        """Why a sweep cannot start; empty where it can."""
        if not self.labels.documents():
            return "Open documents first: they are what is searched."
        if not len(self.labels.queries):
            return "Add questions first: select an answer in the text and press Ctrl+L."
        if self.running is not None:
            return "A sweep is running."
        return self.plan_problem

    @property
    def is_resumable(self) -> bool:
        """Whether a start would go on with the sweep that was stopped."""
        found, plan = self.found, self.plan
        if found is None or plan is None or found.run.is_complete:
            return False
        keys = {each.key for each in plan.configurations}
        same_questions = found.run.origin.query_hash == self.labels.queries.hash
        return same_questions and keys == set(found.run.origin.configurations)

    def start(self) -> None:
        """Run the plan, or go on with it where it was stopped."""
        if self.why_not:
            self.told.emit(self.why_not)
            return
        if self.plan is None:  # not yet worked out
            self._planning.request(self._plan_work(), self._on_plan_wanted, self._on_plan_failed)
            return
        self._start(self.plan)

    def _on_plan_wanted(self, found: tuple[SweepPlan, float]) -> None:
        self._on_planned(found)
        self.start()

    def _start(self, plan: SweepPlan) -> None:
        material, folder = self._material(), self.labels.folder
        running = self.running = Running(len(plan.configurations))
        self.rows, self.robustness = (), None
        self.changed.emit(TuningChange.PROGRESS | TuningChange.ROWS | TuningChange.ROBUSTNESS)

        def work(job: Job) -> None:
            bench = self._make_bench(material, job)
            found = _sweep(plan, bench, material, folder, job, partial(self._watch, running))
            # A sweep that was stopped has found something too: it is told from here.
            self._tasks.post(lambda: self._on_found(running, found))

        running.job = self._tasks.run(
            LANE,
            work,
            lambda _: self._end(running),
            partial(self._on_failed, running),
            stopped=lambda: self._end(running),
            label="Tuning",
        )

    def _material(self) -> Material:
        return Material(tuple(self.labels.documents()), self.labels.queries, self.labels.file)

    def _make_bench(self, material: Material, job: Job) -> Bench:
        """In the worker. The last one is kept: it knows the vectors of what it was asked for."""
        if self._bench is not None and self._bench[0].is_same(material):
            return self._bench[1]
        job.check()
        corpus = Corpus(material.documents)
        gold = gold_of(material.queries, corpus)
        if not len(gold):
            raise ChunkscopeError(
                "no question can be asked of these documents; look at the problems in Questions"
            )
        caches = self._bench[1].caches if self._bench else Caches(embedder, self.cache)
        bench = Bench(corpus, gold, caches, shared_analyses())
        self._bench = (material, bench)
        return bench

    def _watch(self, running: Running, progress: Progress) -> None:
        """In the worker: only the newest progress is told, however fast they come."""
        running.done, running.total = progress.done, progress.total
        running.note, running.seconds_left = progress.current, progress.seconds_left
        now = time.monotonic()
        if running.is_told and now - running.told_at > _INTERVAL:
            running.is_told, running.told_at = False, now
            self._tasks.post(lambda: self._on_progress(running, progress.rows))

    def _on_progress(self, running: Running, rows: tuple[Row, ...]) -> None:
        running.is_told = True
        if running is not self.running:
            return
        change = TuningChange.PROGRESS
        if rows != self.rows:
            self.rows = rows
            change |= TuningChange.ROWS
        self.changed.emit(change)

    def _on_found(self, running: Running, found: Found) -> None:
        if running is self.running:
            self.show(found)

    def _on_failed(self, running: Running, problem: Exception) -> None:
        self._end(running)
        self.told.emit(str(problem))

    def _end(self, running: Running) -> None:
        if running is not self.running:
            return
        self.running = None
        self.changed.emit(TuningChange.PROGRESS)

    def cancel(self) -> None:
        """Stop; the rows that are done stay, and a start goes on from there."""
        if self.running is not None and self.running.job is not None:
            self.running.job.cancel()

    # what was found

    def show(self, found: Found) -> None:
        """A run in the leaderboard."""
        self.found, self.rows, self.robustness = found, found.run.rows, None
        self.chosen = tuple(row.configuration.key for row in self.rows[:1])
        self.changed.emit(TuningChange.ROWS | TuningChange.CHOSEN | TuningChange.ROBUSTNESS)

    def open_run(self, path: str | Path) -> None:
        """A run that was kept, by the window or the command line."""
        texts = {each.id: each.text for each in self.labels.queries}

        def work(_job: Job) -> Found:
            run = Run.read(path)
            return Found(run, run.verdict(), texts)

        self._tasks.run(LANE, work, self.show, self._tell)

    def row(self, key: str) -> Row | None:
        return next((row for row in self.rows if row.configuration.key == key), None)

    @property
    def chosen_rows(self) -> list[Row]:
        found = (self.row(key) for key in self.chosen)
        return [row for row in found if row is not None]

    def choose(self, keys: Iterable[str]) -> None:
        """The rows that plots and details are about, the main one first."""
        chosen = tuple(dict.fromkeys(keys))[:_MOST_CHOSEN]
        if chosen != self.chosen:
            self.chosen = chosen
            self.changed.emit(TuningChange.CHOSEN)

    def use(self, row: Row) -> None:
        """Make a row's profile the current one, undoably, and its search the one of the window."""
        profile = row.configuration.profile
        named = replace(profile, name=describe(profile))
        self._state.set_profile(named, f"Apply {named.name}")

    def check_robustness(self) -> None:
        """Score the first chosen row again with small changes."""
        rows, found = self.chosen_rows, self.found
        if not rows or found is None or self.running is not None:
            return
        row, settings, material = rows[0], found.run.origin.settings, self._material()
        running = self.running = Running(5, note=f"varying {row.name}")

        def work(job: Job) -> Robustness:
            return vary(self._make_bench(material, job), row.configuration, settings, job)

        running.job = self._tasks.run(
            LANE,
            work,
            partial(self._on_varied, running),
            partial(self._on_failed, running),
            stopped=lambda: self._end(running),
            label="Checking robustness",
        )
        self.changed.emit(TuningChange.PROGRESS)

    def _on_varied(self, running: Running, found: Robustness) -> None:
        self.robustness = found
        self._end(running)
        self.changed.emit(TuningChange.ROBUSTNESS)

    def with_bench(
        self, work: Callable[[Bench, Job], object], done: Callable[[Any], None], label: str
    ) -> None:
        """Work on the documents and questions that the window has."""
        material = self._material()
        self._tasks.run(
            LANE,
            lambda job: work(self._make_bench(material, job), job),
            done,
            self._tell,
            label=label,
        )

    def _tell(self, problem: Exception) -> None:
        self.told.emit(str(problem))


def _sweep(
    plan: SweepPlan,
    bench: Bench,
    material: Material,
    folder: Path | None,
    job: Job,
    watch: Callable[[Progress], None],
) -> Found:
    """Run a plan with a journal beside the questions, and keep what came of it."""
    dense = [each for each in plan.configurations if each.options.mode != "lexical"]
    names = sorted({each.profile.embedder for each in dense})
    versions = {name: bench.caches.get(name).version for name in names}
    origin = Origin.of(
        "tune", plan.name, plan.settings, bench.corpus,
        (str(material.file or ""), material.queries), plan.configurations, versions,
    )  # fmt: skip
    journal = _journal(folder, origin)
    started = now()
    outcome = sweep(bench, plan.configurations, plan.settings, job, watch, journal)
    run = Run.of(origin, started, outcome)
    if folder is not None:
        run.save(_runs(folder) / f"{run.id}.run.json")
    if journal is not None and run.is_complete:
        journal.close()
    return Found(run, run.verdict(), {each.id: each.text for each in material.queries})


def _runs(folder: Path) -> Path:
    found = folder / "runs"
    found.mkdir(parents=True, exist_ok=True)
    return found


def _journal(folder: Path | None, origin: Origin) -> FileJournal | None:
    if folder is None:
        return None
    return FileJournal(_runs(folder) / f"{origin.fingerprint[:16]}.part", origin)
