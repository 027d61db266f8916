"""What the window shows: documents, profile, the current chunking; panels listen to its changes."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from chunkscope.core.chunking.bands import Bands, bands_of
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.workspace import (
    Loaded,
    LoadOptions,
    Sandbox,
    chunk,
    load_paths,
    load_text,
    shared_analyses,
    warm_up_search,
)
from chunkscope.gui.changes import Change
from chunkscope.gui.index_state import IndexState
from chunkscope.gui.search_state import SearchState
from chunkscope.gui.tasks import Latest, Tasks
from chunkscope.gui.tuning_state import TuningState

__all__ = ["AppState", "Change", "Entry", "Preview", "Status"]

log = logging.getLogger(__name__)


class Status(StrEnum):
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the library."""

    key: int
    source: str
    status: Status
    document: Document | None = None
    error: str = ""
    chunks: int | None = None

    @property
    def title(self) -> str:
        if self.document is None:
            return Path(self.source).name or self.source
        return self.document.title or "Pasted text"


@dataclass(frozen=True, slots=True)
class Preview:
    """A chunking, ready to be drawn."""

    key: int
    profile: Profile
    chunking: Chunking
    bands: Bands


class AppState(QObject):
    """The one model behind the window."""

    changed = Signal(Change)
    failed = Signal(str)
    revealed = Signal(int, int)

    def __init__(self, tasks: Tasks, sandbox: Sandbox, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tasks = tasks
        self._sandbox = sandbox
        self._keys = itertools.count(1)
        self.entries: list[Entry] = []
        self.current: int | None = None
        self.profile = Profile.preset("auto-256")
        self.saved_profile = self.profile
        self.preview: Preview | None = None
        self.problem: Exception | None = None  # why there is no preview of the current settings
        self.selected: int | None = None
        self.undo_stack = QUndoStack(self)
        self._latest = Latest(tasks, "preview", "Cutting")
        self.index = IndexState(self, sandbox)
        self.search = SearchState(self)
        self.tuning = TuningState(self)

    def warm_up(self) -> None:
        """Start a worker and read what the first cut and search need, before anybody waits for it.

        Libraries hold the interpreter while they load: later, a hand would feel it.
        """
        profile = self.profile

        def work(job: Job) -> None:
            chunk(load_text("Ready.", self._sandbox, job=job), profile, job=job)
            warm_up_search()

        self.tasks.run("warm", work, lambda _: None, lambda problem: log.debug("%s", problem))

    # documents

    def open_paths(self, paths: Sequence[str], options: LoadOptions | None = None) -> None:
        """Load files and folders; each appears in the library at once."""
        for path in paths:
            entry = self._add(str(path))
            self._run_load(entry, partial(load_paths, [str(path)], self._sandbox, options))

    def open_text(self, text: str, title: str = "Pasted text") -> None:
        """Load text that was dropped or pasted."""
        entry = self._add(title)
        self._run_load(
            entry,
            lambda job: iter([Loaded("", (load_text(text, self._sandbox, job=job),))]),
        )

    def _add(self, source: str) -> Entry:
        entry = Entry(next(self._keys), source, Status.LOADING)
        self.entries.append(entry)
        self.changed.emit(Change.DOCUMENTS)
        return entry

    def _run_load(self, entry: Entry, load: Callable[[Job], Iterator[Loaded]]) -> None:
        def work(job: Job) -> None:
            for found in load(job):
                self.tasks.post(partial(self._on_loaded, entry, found))

        self.tasks.run(
            "load",
            work,
            lambda _: self._on_all_loaded(entry),
            lambda problem: self._on_load_failed(entry, problem),
            stopped=lambda: self._on_load_stopped(entry),
            label=f"Loading {entry.title}",
            workers=2,
        )

    def _on_loaded(self, entry: Entry, found: Loaded) -> None:
        """One file of what was asked for: its documents go before the row that says loading."""
        documents = [inner for each in found.documents for inner in each.with_children()]
        rows = [Entry(next(self._keys), each.source, Status.READY, each) for each in documents]
        if found.error:
            source = found.source or entry.source
            rows.append(Entry(next(self._keys), source, Status.FAILED, error=found.error.reason))
        self._insert(entry, rows)

    def _on_all_loaded(self, entry: Entry) -> None:
        at = self._index(entry.key)
        if at is not None:
            del self.entries[at]
            self.changed.emit(Change.DOCUMENTS)

    def _on_load_failed(self, entry: Entry, problem: Exception) -> None:
        self._fail(entry, str(problem))

    def _on_load_stopped(self, entry: Entry) -> None:
        self._fail(entry, "stopped; open it again to load it")

    def _fail(self, entry: Entry, why: str) -> None:
        at = self._index(entry.key)
        if at is not None:
            self.entries[at] = replace(entry, status=Status.FAILED, error=why)
            self.changed.emit(Change.DOCUMENTS)

    def _insert(self, entry: Entry, rows: list[Entry]) -> None:
        at = self._index(entry.key)
        if at is None:  # removed while it was loading
            return
        self.entries[at:at] = rows
        self.changed.emit(Change.DOCUMENTS)
        ready = next((row for row in rows if row.status is Status.READY), None)
        if self.document is None and ready is not None:
            self.show_document(ready.key)

    def retry(self, key: int) -> None:
        """Load again what failed."""
        entry = self.entry(key)
        if entry is not None:
            self.remove([key])
            self.open_paths([entry.source])

    def remove(self, keys: Iterable[int]) -> None:
        gone = set(keys)
        before = self.entries
        self.entries = [entry for entry in before if entry.key not in gone]
        shared_analyses().forget(_ids(before) - _ids(self.entries))
        self.changed.emit(Change.DOCUMENTS)
        if self.current in gone:
            ready = next((row for row in self.entries if row.status is Status.READY), None)
            self.show_document(ready.key if ready else None)

    def _index(self, key: int | None) -> int | None:
        return next((at for at, entry in enumerate(self.entries) if entry.key == key), None)

    def entry(self, key: int | None) -> Entry | None:
        at = self._index(key)
        return None if at is None else self.entries[at]

    @property
    def document(self) -> Document | None:
        entry = self.entry(self.current)
        return entry.document if entry else None

    def add_document(self, document: Document) -> None:
        """Put a document that is loaded already into the library."""
        self.entries.append(Entry(next(self._keys), document.source, Status.READY, document))
        self.changed.emit(Change.DOCUMENTS)

    def show_by_id(self, document_id: str) -> bool:
        """Show a document of the library; whether it is there."""
        for entry in self.entries:
            if entry.document is not None and entry.document.id == document_id:
                self.show_document(entry.key)
                return True
        return False

    def show_document(self, key: int | None) -> None:
        """Make a document the current one, and cut it."""
        if key == self.current and key is not None:
            return
        self.current = key
        self.preview = self.problem = None
        self.selected = None
        self.changed.emit(Change.CURRENT | Change.CHUNKS | Change.SELECTION)
        self._refresh()

    # profile

    def set_profile(self, profile: Profile, text: str, *, drag: int = 0) -> None:
        """Change the profile, undoably; changes of one drag are one step."""
        if profile != self.profile:
            self.undo_stack.push(_ChangeProfile(self, self.profile, profile, text, drag))

    def apply_profile(self, profile: Profile) -> None:
        self.profile = profile
        self.changed.emit(Change.PROFILE)
        self._refresh()

    @property
    def is_profile_changed(self) -> bool:
        return self.profile != self.saved_profile

    def mark_saved(self) -> None:
        self.saved_profile = self.profile
        self.changed.emit(Change.PROFILE)

    # chunks

    def _refresh(self) -> None:
        document, profile, key = self.document, self.profile, self.current
        if document is None or key is None:
            self._latest.drop()
            return

        def work(job: Job) -> Preview:
            chunking = chunk(document, profile, job=job)
            return Preview(key, profile, chunking, bands_of(chunking))

        self._latest.request(work, self._on_chunked, self._on_chunk_failed)

    def _on_chunked(self, preview: Preview) -> None:
        if preview.key != self.current:
            return
        self.preview, self.problem = preview, None
        at = self._index(preview.key)
        if at is not None and self.entries[at].chunks != len(preview.bands):
            self.entries[at] = replace(self.entries[at], chunks=len(preview.bands))
            self.changed.emit(Change.DOCUMENTS)
        if self.selected is not None and self.selected >= len(preview.bands):
            self.selected = None
        self.changed.emit(Change.CHUNKS)

    def _on_chunk_failed(self, problem: Exception) -> None:
        self.problem = problem
        self.changed.emit(Change.CHUNKS)

    def select_chunk(self, index: int | None) -> None:
        if index != self.selected:
            self.selected = index
            self.changed.emit(Change.SELECTION)

    def reveal(self, start: int, end: int = -1) -> None:
        """Bring a place of the current document into view; a span is marked as well."""
        self.revealed.emit(start, max(start, end))


def _ids(entries: Iterable[Entry]) -> set[str]:
    return {entry.document.id for entry in entries if entry.document is not None}


class _ChangeProfile(QUndoCommand):
    """One step of undo: the profile is a value, so both ways are one call."""

    def __init__(
        self, state: AppState, before: Profile, after: Profile, text: str, drag: int
    ) -> None:
        super().__init__(text)
        self._state = state
        self._before = before
        self._after = after
        self._drag = drag

    def id(self) -> int:
        return self._drag if self._drag else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _ChangeProfile) or other._drag != self._drag:
            return False
        self._after = other._after
        return True

    def redo(self) -> None:
        self._state.apply_profile(self._after)

    def undo(self) -> None:
        self._state.apply_profile(self._before)
