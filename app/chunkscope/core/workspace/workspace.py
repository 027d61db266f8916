"""A workspace opened: documents, profiles, indexing and upkeep behind one object."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.indexing.identity import profile_id
from chunkscope.core.indexing.pipeline import Indexer
from chunkscope.core.indexing.report import IndexReport
from chunkscope.core.indexing.tools import Acknowledge, Embedding, Tools
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.files import find_files
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.search.context import DEFAULT_BUDGET, Context
from chunkscope.core.search.heat import Passage, WordHeat
from chunkscope.core.search.model import SearchResult
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.search.related import Related, RelatedDocument
from chunkscope.core.search.searcher import CONTEXT_TOKENIZER, Searcher
from chunkscope.core.search.templates import DEFAULT_TEMPLATE
from chunkscope.core.search.why_not import WhyNot
from chunkscope.core.store import chunks, commit, documents, fulltext, outbox, profiles, standing
from chunkscope.core.store.check import CheckReport, check
from chunkscope.core.store.export import export
from chunkscope.core.store.faults import WorkspaceError, told
from chunkscope.core.store.model import StoredChunk, StoredDocument, StoredProfile, Waiting
from chunkscope.core.store.store import Store
from chunkscope.core.workspace import derived
from chunkscope.core.workspace.basics import segmented, shared_sandbox
from chunkscope.core.workspace.duplicates import THRESHOLD, Duplicate, duplicates
from chunkscope.core.workspace.standing import Stand, stands

VARIABLE = "CHUNKSCOPE_WORKSPACE"
Provider = Callable[[str], Embedder]


def default_folder() -> Path:
    """Where the workspace is when nobody says otherwise."""
    from platformdirs import user_data_path

    chosen = os.environ.get(VARIABLE, "")
    return Path(chosen) if chosen else user_data_path("chunkscope", appauthor=False) / "workspace"


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What was made anew."""

    profiles: int
    documents: int
    chunks: int
    files_removed: int


class Embedders:
    """The embedders of a workspace, each loaded once and kept, whichever threads ask."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._kept: dict[str, Embedder] = {}
        self._turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._is_closed = False

    def __call__(self, name: str) -> Embedder:
        with self._turns[name]:
            if self._is_closed:
                raise WorkspaceError("the workspace was closed meanwhile")
            if name not in self._kept:
                self._kept[name] = self._provider(name)
            return self._kept[name]

    def close(self) -> None:
        self._is_closed = True
        for name, turn in list(self._turns.items()):
            with turn:
                if name in self._kept:
                    self._kept.pop(name).close()


class Workspace:
    """One folder with its index. Window, command line and scripts call only this."""

    def __init__(
        self, store: Store, embedders: Provider = embedder, sandbox: Sandbox | None = None
    ) -> None:
        self.store = store
        self.embedders = Embedders(embedders)
        self.searcher = Searcher(store, self._embedder_of)
        self._sandbox = sandbox
        if not store.is_read_only:
            derived.clean(store.folder)

    @classmethod
    def open(
        cls,
        folder: str | Path | None = None,
        *,
        create: bool = True,
        read_only: bool = False,
        embedders: Provider = embedder,
        sandbox: Sandbox | None = None,
    ) -> Workspace:
        """Open a workspace, or make it; the default folder where none is named."""
        store = Store.open(folder or default_folder(), create=create, read_only=read_only)
        try:
            return cls(store, embedders, sandbox)
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Reading in other threads ends first; what comes after is told that it is closed."""
        self.store.retire()
        self.searcher.close()
        self.embedders.close()
        self.store.close()

    def _embedder_of(self, stored: StoredProfile) -> Embedder:
        return self.embedders(Profile.from_toml(stored.toml, stored.name).embedder)

    @property
    def folder(self) -> Path:
        return self.store.folder

    @property
    def why_read_only(self) -> str:
        """Empty where the workspace can be written to."""
        return self.store.why_read_only

    def documents(self) -> list[StoredDocument]:
        with self.store.snapshot() as reader:
            return documents.rows(reader)

    def document(self, name: str) -> Document:
        """A document by id, source or title, with its text and structure."""
        with self.store.snapshot() as reader:
            return documents.load(reader, documents.find(reader, name).id)

    def profiles(self) -> list[StoredProfile]:
        """The profiles under which something is indexed, the newest first."""
        with self.store.snapshot() as reader:
            return profiles.rows(reader)

    def chunks(self, document: str, profile: str = "") -> list[StoredChunk]:
        """The indexed chunks of a document; under the newest profile where none is named."""
        with self.store.snapshot() as reader:
            key = profiles.find(reader, profile).key
            return chunks.of_document(reader, key, documents.find(reader, document).key)

    def waiting(self) -> list[Waiting]:
        """What could not be indexed yet, and why."""
        with self.store.snapshot() as reader:
            return outbox.waiting(reader)

    def stands(self, documents: Mapping[str, str], profile: Profile) -> dict[str, Stand]:
        """How documents, given as id → content hash, stand to the index under a profile."""
        identity = profile_id(profile, self.embedders(profile.embedder).version)
        with self.store.snapshot() as reader:
            records, waiting = standing.records(reader), outbox.waiting(reader)
            return stands(documents, profile, identity, profiles.rows(reader), records, waiting)

    def index(
        self,
        what: Sequence[str | Path | Document] = (),
        profile: Profile | None = None,
        job: Job = NO_JOB,
        *,
        options: LoadOptions | None = None,
        retry: bool = False,
        prune: bool = False,
        acknowledge: Acknowledge | None = None,
        embedding: Embedding | None = None,
    ) -> IndexReport:
        """Index files, folders and documents under a profile, and what is due in the outbox.

        `prune` removes documents whose files have gone from the given folders; `retry` tries
        again what failed, due or not.
        """
        profile = profile or Profile.preset("auto-256")
        given = [each for each in what if isinstance(each, Document)]
        paths = [each for each in what if not isinstance(each, Document)]
        with told(self.folder):
            _ = self.store.writer  # says at once where nothing can be written
            told_of = {"acknowledge": acknowledge, "embedding": embedding}
            tell = {name: call for name, call in told_of.items() if call}
            tools = self._tools(profile, options, tell)
            indexer = Indexer(tools, profile, job)
            if given:
                indexer.run_documents(given)
            found = [entry for path in paths for entry in find_files(path)]
            report = indexer.run([entry.source for entry in found], retry=retry)
            self._note_gone(paths, {entry.source for entry in found}, report, prune)
            self._follow_up(report, job, retry, tell)
            self.searcher.refresh(report.profile_id, job)
        return report

    def _tools(self, profile: Profile, options: LoadOptions | None, tell: dict[str, Any]) -> Tools:
        return Tools(
            self.store,
            self._sandbox or shared_sandbox(),
            segmented,
            self.embedders(profile.embedder),
            options or LoadOptions(),
            **tell,
        )

    def _note_gone(
        self, paths: Sequence[str | Path], found: set[str], report: IndexReport, prune: bool
    ) -> None:
        folders = [os.path.abspath(os.path.expanduser(each)) for each in paths]
        known = documents.origins_under(self.store.reader(), folders)
        report.gone = sorted(set(known) - found)
        if prune and report.gone:
            report.removed += self._remove([key for each in report.gone for key in known[each]])
            report.gone = []

    def _follow_up(self, report: IndexReport, job: Job, retry: bool, tell: dict[str, Any]) -> None:
        """Documents that changed are indexed under their other profiles too."""
        waiting = outbox.waiting(self.store.reader(), due_only=not retry)
        for identity in sorted({each.profile for each in waiting} - {report.profile_id}):
            stored = profiles.find(self.store.reader(), identity)
            try:
                profile = Profile.from_toml(stored.toml, stored.name)
                tools = self._tools(profile, None, tell)
                if profile_id(profile, tools.embedder.version) != identity:
                    report.notes.append(
                        f"the model of profile {stored.name!r} is another now: index anew under it"
                    )
                    continue
                other = Indexer(tools, profile, job).run([], retry=retry)
                self.searcher.refresh(identity, job)
            except WorkspaceError:
                raise
            except ChunkscopeError as problem:  # its model cannot be had here
                report.notes.append(f"profile {stored.name!r} was left behind: {problem}")
                continue
            report.failures += other.failures
            report.embedded_texts += other.embedded_texts
            report.notes.append(
                f"{other.added + other.changed} changed documents were indexed under profile "
                f"{stored.name!r} too"
            )

    def remove(self, names: Sequence[str]) -> int:
        """Remove documents by id, source, title, file or folder, with every trace; how many.

        What waits in the outbox under such a name is no longer tried.
        """
        keys: list[int] = []
        with self.store.transaction() as connection:
            for name in names:
                is_queued = outbox.forget(connection, name) > 0
                found = documents.matching(connection, name)
                if not found and not is_queued:
                    found = [documents.find(connection, name).key]
                keys += found
        return self._remove(keys)

    def _remove(self, keys: Sequence[int]) -> int:
        with self.store.transaction() as connection:
            count = commit.remove(connection, keys)
            fulltext.purge(connection)
        with told(self.folder):
            derived.remove_stale(self.store)
        return count

    def remove_profile(self, name: str) -> StoredProfile:
        """Remove a profile with its chunks, and the vectors that no other one uses."""
        with self.store.transaction() as connection:
            found = profiles.find(connection, name)
            profiles.remove(connection, found.key)
        self.searcher.dense.forget(found.id)
        derived.remove(self.folder, found.id)
        return found

    def search(
        self,
        query: str,
        profile: str = "",
        options: SearchOptions | None = None,
        job: Job = NO_JOB,
    ) -> SearchResult:
        """The passages that fit a query; under the newest profile where none is named."""
        return self.searcher.search(query, profile, options, job)

    def context(
        self,
        result: SearchResult,
        *,
        budget: int = DEFAULT_BUDGET,
        tokenizer: str = CONTEXT_TOKENIZER,
        template: str = DEFAULT_TEMPLATE,
    ) -> Context:
        """What a language model would get of these results."""
        return self.searcher.context(result, budget=budget, tokenizer=tokenizer, template=template)

    def why_not(
        self,
        query: str,
        document: str,
        start: int,
        end: int,
        profile: str = "",
        options: SearchOptions | None = None,
        job: Job = NO_JOB,
    ) -> WhyNot:
        """Why a passage is not among the results, and what would bring it in."""
        return self.searcher.why_not(query, document, start, end, profile, options, job)

    def heat(
        self, query: str, passages: Sequence[Passage], profile: str = "", job: Job = NO_JOB
    ) -> tuple[WordHeat, ...]:
        """Which words of passages carried their similarity to a query, by late interaction."""
        return self.searcher.heat(query, passages, profile, job)

    def related(self, chunk_id: str, profile: str = "", count: int = 3) -> tuple[Related, ...]:
        """The chunks nearest in meaning to a chunk."""
        return self.searcher.related(chunk_id, profile, count)

    def related_documents(
        self, document: str, profile: str = "", count: int = 10, threshold: float = 0.7
    ) -> tuple[RelatedDocument, ...]:
        """The documents nearest in meaning to a document."""
        return self.searcher.related_documents(document, profile, count, threshold)

    def duplicates(
        self, profile: str = "", threshold: float = THRESHOLD, job: Job = NO_JOB
    ) -> list[Duplicate]:
        """Documents that are nearly the same, by their pooled vectors."""
        if not 0 < threshold <= 1:
            raise WrongUsage(f"threshold must be over 0 and at most 1, not {threshold:g}")
        with self.store.snapshot() as reader:
            return duplicates(reader, profiles.find(reader, profile).key, threshold, job)

    def check(self, job: Job = NO_JOB) -> CheckReport:
        """Verify everything; a count for each kind of problem."""
        with self.store.fresh_reader() as reader:
            report = check(reader, job)
            for problem in derived.problems(self.store):
                report.add(problem)
        return report

    def rebuild(self, job: Job = NO_JOB) -> Rebuilt:
        """Make full text and vector files anew from the database; nothing is embedded."""
        count = 0
        every = self.profiles()
        for done, stored in enumerate(every):
            job.step(done, len(every) + 1, stored.name)
            with self.store.transaction() as connection:
                count += fulltext.rebuild(connection, stored.key)
        job.step(len(every), len(every) + 1, "documents")
        with self.store.transaction() as connection:
            whole = fulltext.rebuild_documents(connection)
        removed = derived.remove_all(self.store)
        for stored in every:
            self.searcher.rebuild(stored.id, job)
        return Rebuilt(len(every), whole, count, removed)

    def export(self) -> Iterator[dict[str, Any]]:
        """Everything that is stored, without keys and times: equal content, equal export."""
        with self.store.snapshot() as reader:
            yield from export(reader)
