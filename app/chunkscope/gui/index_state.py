"""The workspace behind the window: how documents stand to it, and the run that indexes them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.store.model import StoredProfile
from chunkscope.core.workspace import (
    IndexReport,
    Stand,
    Standing,
    Workspace,
    default_folder,
)
from chunkscope.gui.changes import Change, IndexChange
from chunkscope.gui.tasks import Latest

if TYPE_CHECKING:
    from chunkscope.gui.state import AppState

LANE = "store"  # one worker: all writing is serialised


@dataclass(slots=True)
class Run:
    """An indexing run as it is shown."""

    total: int
    started: float = field(default_factory=time.monotonic)
    done: int = 0
    note: str = ""
    is_paused: bool = False
    shares: dict[str, float] = field(default_factory=dict)  # of documents being embedded
    waiting: set[str] = field(default_factory=set)
    job: Job = field(default_factory=Job)

    @property
    def seconds_left(self) -> float | None:
        """By the pace so far; none before there is one."""
        progress = self.done + sum(self.shares.values())
        if progress <= 0:
            return None
        return (time.monotonic() - self.started) / progress * (self.total - progress)


class IndexState(QObject):
    """One workspace at a time; the default one is opened when first needed."""

    changed = Signal(IndexChange)
    told = Signal(str)

    def __init__(
        self,
        state: AppState,
        sandbox: Sandbox,
        provider: Callable[[str], Embedder] = embedder,
        folder: Path | None = None,
    ) -> None:
        super().__init__(state)
        self._state = state
        self._tasks = state.tasks
        self._sandbox = sandbox
        self._provider = provider
        self.folder = folder or default_folder()
        self.workspace: Workspace | None = None
        self.problem = ""
        self.profiles: tuple[StoredProfile, ...] = ()
        self.stands: dict[str, Stand] = {}
        self.run: Run | None = None
        self.report: IndexReport | None = None
        self.indexes_at_once = False
        self._runs: list[Run] = []  # the one that is shown, and those that wait for it
        self._wishes = 0  # counts stops: what was asked for before is not begun after one
        self._opening: Path | None = None
        self._then: list[Callable[[], None]] = []
        self._held: Workspace | None = None  # the lane's: what is open, or is about to be left
        self._latest = Latest(self._tasks, "standing")
        self._known: set[str] = set()
        state.changed.connect(self._on_state_changed)

    def _on_state_changed(self, change: Change) -> None:
        if Change.DOCUMENTS in change:
            self._on_documents_changed()
        elif Change.PROFILE in change:
            self.refresh()

    # the workspace

    def open(self, folder: Path | None = None, then: Callable[[], None] | None = None) -> None:
        """Open a workspace, or make it; `then` is called once it is there.

        Another one than before: runs in the old one are stopped, and what waited for it is dropped.
        """
        wanted = (folder or self.folder).expanduser().absolute()
        if self._opening is None and self.workspace and self.workspace.folder == wanted:
            if then:
                then()
            return
        if wanted != self._opening:
            self._leave()
            self.folder = self._opening = wanted
            self._tasks.run(
                LANE, partial(self._open, wanted), partial(self._on_opened, wanted),
                partial(self._on_not_opened, wanted),
            )  # fmt: skip
        if then:
            self._then.append(then)

    def _leave(self) -> None:
        """Stop what is at work in the workspace; a paused run would keep the lane for ever."""
        self._stop_runs()
        self.workspace, self._then = None, []

    def _open(self, folder: Path, _job: Job) -> Workspace:
        """In the lane; whatever becomes of the window, `close` finds what is open."""
        self._close_held()
        self._held = Workspace.open(folder, embedders=self._provider, sandbox=self._sandbox)
        return self._held

    def _close_held(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            held.close()

    def _on_opened(self, wanted: Path, opened: Workspace) -> None:
        if wanted != self._opening:
            return  # another one is wanted by now
        self._opening = None
        self.workspace, self.problem = opened, ""
        if opened.why_read_only:
            self.told.emit(f"The workspace is open to read only: {opened.why_read_only}.")
        self.changed.emit(IndexChange.WORKSPACE)
        self.refresh()
        waiting, self._then = self._then, []
        for then in waiting:
            then()

    def _on_not_opened(self, wanted: Path, problem: Exception) -> None:
        if wanted != self._opening:
            return
        self._opening, self._then = None, []
        self.problem = str(problem)
        self.stands, self.profiles = {}, ()
        self.changed.emit(IndexChange.WORKSPACE | IndexChange.STANDS | IndexChange.PROFILES)
        self.told.emit(self.problem)

    @property
    def is_read_only(self) -> bool:
        return self.workspace is not None and bool(self.workspace.why_read_only)

    def close(self) -> None:
        """After all tasks have ended."""
        self.workspace = None
        self._close_held()

    # how documents stand

    def refresh(self) -> None:
        """Look again how the library's documents stand to the index under the current profile."""
        workspace, profile = self.workspace, self._state.profile
        if workspace is None:
            return
        documents = {each.id: each.content_hash for each in self._documents()}

        def work(_job: Job) -> tuple[dict[str, Stand], tuple[StoredProfile, ...]]:
            return workspace.stands(documents, profile), tuple(workspace.profiles())

        self._latest.request(
            work, partial(self._on_looked, workspace), partial(self._on_look_failed, workspace)
        )

    def _on_looked(
        self, workspace: Workspace, found: tuple[dict[str, Stand], tuple[StoredProfile, ...]]
    ) -> None:
        if workspace is not self.workspace:
            return
        stands, profiles = found
        change = IndexChange.STANDS
        if profiles != self.profiles:
            change |= IndexChange.PROFILES
        self.stands, self.profiles = stands, profiles
        self.changed.emit(change)

    def _on_look_failed(self, workspace: Workspace, problem: Exception) -> None:
        if workspace is self.workspace:
            self.told.emit(str(problem))

    def _documents(self) -> Iterable[Document]:
        return (entry.document for entry in self._state.entries if entry.document is not None)

    def status(self, document_id: str) -> str:
        """A few words about a document, for the library; empty without a workspace."""
        run = self.run
        if run is not None and document_id in run.waiting:
            share = run.shares.get(document_id)
            return "queued" if share is None else f"embedding {share:.0%}"
        stand = self.stands.get(document_id)
        if stand is None or self.workspace is None:
            return ""
        return f"failed: {stand.reason}" if stand.reason else str(stand.standing)

    @property
    def is_behind(self) -> bool:
        """Whether a search would not see the library as the preview shows it."""
        return any(stand.standing is not Standing.INDEXED for stand in self.stands.values())

    def _on_documents_changed(self) -> None:
        """New documents: indexed at once where that is wanted, else only looked up."""
        every = {each.id: each for each in self._documents()}
        fresh = [each for key, each in every.items() if key not in self._known]
        if not fresh and len(every) == len(self._known):
            return
        self._known = set(every)
        if fresh and self.indexes_at_once:
            self.index(fresh)
        self.refresh()

    # indexing

    def index_all(self) -> None:
        """Index the whole library under the current profile; what is up to date costs nothing."""
        self.index(list(self._documents()))

    def index(self, documents: Sequence[Document], *, retry: bool = False) -> None:
        """Index documents under the current profile; a run that goes on is waited for."""
        if not documents:
            self.told.emit("There is nothing to index yet: open or drop a document first.")
            return
        profile, wish = self._state.profile, self._wishes

        def begin() -> None:
            if wish == self._wishes:
                self._index(tuple(documents), profile, retry)

        self.open(None, then=begin)

    def _index(self, documents: tuple[Document, ...], profile: Profile, retry: bool) -> None:
        workspace = self.workspace
        if workspace is None:
            return
        if workspace.why_read_only:
            self.told.emit(f"Nothing can be indexed: {workspace.why_read_only}.")
            return
        # A file that was opened again is the same document: its newest text counts.
        documents = tuple({each.id: each for each in documents}.values())
        # Attachments come with their message, and are in the library as well.
        inside = {each.id for document in documents for each in document.with_children()}
        tops = [each for each in documents if each.parent_id not in inside]
        run = Run(len(inside), waiting=inside, note="loading the model…")

        def work(job: Job) -> IndexReport:
            self._tasks.post(lambda: self._on_started(run))
            return workspace.index(
                tops, profile, job, retry=retry,
                acknowledge=lambda document, _profile: self._tasks.post(
                    lambda: self._on_committed(run, document)
                ),
                embedding=lambda ids, share: self._tasks.post(
                    lambda: self._on_embedding(run, ids, share)
                ),
            )  # fmt: skip

        ended = partial(self._on_ended, run)
        self._runs.append(run)
        run.job = self._tasks.run(
            LANE, work, ended, partial(self._on_failed, run), stopped=lambda: ended(None)
        )

    def _on_started(self, run: Run) -> None:
        self.run, self.report = run, None
        self.changed.emit(IndexChange.RUN | IndexChange.STANDS)

    def _on_embedding(self, run: Run, ids: Sequence[str], share: float) -> None:
        for each in ids:
            if each in run.waiting:
                run.shares[each] = share
        run.note = "embedding"
        self.changed.emit(IndexChange.RUN | IndexChange.STANDS)

    def _on_committed(self, run: Run, document_id: str) -> None:
        run.done += 1
        run.waiting.discard(document_id)
        run.shares.pop(document_id, None)
        self.stands[document_id] = Stand(Standing.INDEXED)
        self.changed.emit(IndexChange.RUN | IndexChange.STANDS)

    def _on_ended(self, run: Run, report: IndexReport | None) -> None:
        self._runs = [each for each in self._runs if each is not run]
        if run is not self.run:  # stopped before its turn came
            return
        self.run, self.report = None, report
        self.changed.emit(IndexChange.RUN)
        self.told.emit(summary(report, run))
        self.refresh()

    def _on_failed(self, run: Run, problem: Exception) -> None:
        self._on_ended(run, None)
        self.told.emit(str(problem))

    def pause(self) -> None:
        self._set_paused(True)

    def resume(self) -> None:
        self._set_paused(False)

    def _set_paused(self, is_paused: bool) -> None:
        run = self.run
        if run is None or run.is_paused == is_paused:
            return
        (run.job.pause if is_paused else run.job.resume)()
        run.is_paused = is_paused
        self.changed.emit(IndexChange.RUN)

    def cancel(self) -> None:
        """Stop, also what waits its turn; what is committed stays, and the rest is as before."""
        self._wishes += 1
        self._stop_runs()

    def _stop_runs(self) -> None:
        for run in self._runs:
            run.job.cancel()


def summary(report: IndexReport | None, run: Run) -> str:
    """What a run came to, in a sentence."""
    if report is None:
        return f"Indexing was stopped; {run.done:,} documents are done, the rest is as before."
    if report.stopped:
        return f"Indexing stopped: {report.stopped}."
    parts = [
        (report.added, "indexed"),
        (report.changed, "updated"),
        (report.unchanged, "unchanged"),
        (len(report.failures), "failed"),
    ]
    said = ", ".join(f"{count:,} {word}" for count, word in parts if count) or "nothing to do"
    cut = f"; the model reads {report.truncated:,} chunks only in part" if report.truncated else ""
    return f"Index: {said}{cut}."
