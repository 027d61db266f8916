"""The two phases of writing: embed what is new in full batches, then commit document by document.

Whatever happens in between, power cuts included, a document is either as before or complete.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.indexing.arrivals import Arrived, Patient, Reception, Request, ahead
from chunkscope.core.indexing.cutting import prepare
from chunkscope.core.indexing.identity import loaded_with, profile_id
from chunkscope.core.indexing.report import Failure, IndexReport
from chunkscope.core.indexing.tools import Tools, Vectors
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.model import Document, file_of
from chunkscope.core.profile import Profile
from chunkscope.core.store import chunks, commit, documents, outbox, profiles, vectors
from chunkscope.core.store.commit import Prepared, VectorsMissing
from chunkscope.core.store.faults import WorkspaceError

if TYPE_CHECKING:
    import apsw

log = logging.getLogger(__name__)

# Texts embedded together: enough for full batches, little enough to lose.
SLICE = 256
_SLICE_CHARACTERS = 4_000_000
# So many documents in a row that cannot be embedded: it is not the documents.
_MOST_IN_A_ROW = 3


@dataclass(slots=True)
class _Source:
    """A file whose documents are on their way."""

    arrived: Arrived
    open: int = 0
    is_failed: bool = False
    is_finished: bool = False

    @property
    def can_finish(self) -> bool:
        """All its documents were read, and none of them failed."""
        return self.arrived.is_loaded and bool(self.arrived.file_hash) and not self.is_failed


@dataclass(slots=True)
class _Slice:
    """Documents that are cut and wait for their vectors."""

    prepared: list[tuple[Prepared, _Source]] = field(default_factory=list)
    texts: dict[bytes, str] = field(default_factory=dict)
    characters: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.texts) >= SLICE or self.characters >= _SLICE_CHARACTERS


class Indexer:
    """One run under one profile."""

    def __init__(self, tools: Tools, profile: Profile, job: Job = NO_JOB) -> None:
        self._tools = tools
        self._store = tools.store
        self._profile = profile.checked()
        self._job = job
        self._version = tools.embedder.version
        self.report = IndexReport(profile_id(profile, self._version), profile.name)
        self._key = self._enter_profile()
        self._slice = _Slice()
        self._failed_in_a_row = 0
        self._done, self._total = 0, 0

    def _enter_profile(self) -> int:
        with self._store.transaction() as connection:
            return profiles.save(
                connection,
                self.report.profile_id,
                self._profile.name,
                self._profile.to_toml(),
                self._version,
                self._tools.embedder.dimensions,
            )

    def run(self, origins: Iterable[str], *, retry: bool = False) -> IndexReport:
        """Index files, and what waits in the outbox of this profile and is due."""
        requests = self._requests(dict.fromkeys(origins), retry)
        reception = Reception(
            self._store,
            self._tools.sandbox,
            self._key,
            self._tools.options,
            loaded_with(self._tools.options),
            Patient(self._job),
        )
        self._total = len(requests)
        # Closed at once, whatever happens: its threads must not outlive the run.
        with closing(ahead(requests, reception.receive, self._tools.sandbox.workers)) as arrivals:
            self._take(arrivals)
        return self.report

    def run_documents(self, given: Sequence[Document]) -> IndexReport:
        """Index documents that are loaded already."""
        self._total = len(given)
        every = (tuple(each.with_children()) for each in given)
        self._take(Arrived(file_of(found[0].source), found) for found in every)
        return self.report

    def _requests(self, origins: Iterable[str], retry: bool) -> list[Request]:
        reader = self._store.reader()
        waiting = outbox.failed_hashes(reader, self._key) if not retry else {}
        found = {each: Request(each, failed_hash=waiting.get(each)) for each in origins}
        queued: dict[str, list[str]] = {}
        for work in outbox.waiting(reader, self._key, due_only=not retry):
            queued.setdefault(work.source, []).append(work.document_id)
        for source, ids in queued.items():
            if source not in found and not self._is_lost(source, ids):
                found[source] = Request(source, tuple(filter(None, ids)))
        return list(found.values())

    def _is_lost(self, source: str, ids: Sequence[str]) -> bool:
        """Whether queued work has nothing to be done with any more; then it is dropped."""
        reader = self._store.reader()
        if os.path.lexists(source) or any(documents.key_of(reader, each) for each in ids):
            return False
        with self._store.transaction() as connection:
            outbox.finished(connection, self._key, source)
        self.report.notes.append(f"{source} is gone and is not tried again")
        return True

    def _take(self, arrivals: Iterable[Arrived]) -> None:
        for arrived in arrivals:
            self._job.step(self._done, self._total, os.path.basename(arrived.origin))
            self._receive(arrived)
            self._done += 1
            if self.report.stopped:
                return
        self._flush()

    def _receive(self, arrived: Arrived) -> None:
        self.report.unchanged += arrived.unchanged
        source = _Source(arrived, open=1)
        if arrived.is_waiting:
            found = outbox.waiting(self._store.reader(), self._key)
            self.report.waiting += [each for each in found if each.source == arrived.origin]
            return
        if arrived.error is not None:
            self._fail(source, "", arrived.error)
        for document in arrived.documents:
            self._cut(document, source)
        self._close(source)

    def _cut(self, document: Document, source: _Source) -> None:
        if self._is_indexed(document, source.arrived.origin):
            self.report.unchanged += 1
            return
        try:
            prepared = prepare(
                document, source.arrived.origin, self._profile, self._tools.segment, self._job
            )
        except ChunkscopeError as problem:
            self._fail(source, document.id, problem)
            return
        self._collect(prepared, source)

    def _is_indexed(self, document: Document, origin: str) -> bool:
        reader = self._store.reader()
        key = documents.key_of(reader, document.id)
        if key is None or chunks.indexed(reader, self._key, key) is None:
            return False
        return documents.is_same(reader, document, origin)

    def _collect(self, prepared: Prepared, source: _Source) -> None:
        texts = prepared.texts()
        known = vectors.known(self._store.reader(), self._version, texts.keys())
        fresh = {found: text for found, text in texts.items() if found not in known}
        source.open += 1
        self._slice.prepared.append((prepared, source))
        self._slice.texts |= fresh
        self._slice.characters += len(prepared.document.text)
        if self._slice.is_full:
            self._flush()

    def _flush(self) -> None:
        """Embed the slice, then commit each of its documents."""
        full, self._slice = self._slice, _Slice()
        if not full.prepared:
            return
        try:
            fresh = self._embed(full.texts, [each for each, _ in full.prepared])
        except ChunkscopeError as problem:
            self._flush_one_by_one(full, problem)
            return
        for prepared, source in full.prepared:
            self._job.check()
            self._commit(prepared, source, fresh)

    def _flush_one_by_one(self, full: _Slice, problem: ChunkscopeError) -> None:
        """After a failure: find the document that did it, the others must not suffer."""
        for prepared, source in full.prepared:
            texts = {h: text for h, text in prepared.texts().items() if h in full.texts}
            try:
                fresh = self._embed(texts, [prepared]) if texts else {}
            except ChunkscopeError as again:
                problem = again
                self._fail(source, prepared.document.id, problem)
                self._close(source)
                self._failed_in_a_row += 1
                if self._failed_in_a_row >= _MOST_IN_A_ROW:
                    self.report.stopped = (
                        f"embedding failed for {_MOST_IN_A_ROW} documents in a row ({problem})"
                    )
                    return
            else:
                self._commit(prepared, source, fresh)

    def _embed(self, texts: dict[bytes, str], prepared: Sequence[Prepared]) -> dict[bytes, Vectors]:
        """Vectors by the hash of their text, asked for in pieces that can be cancelled."""
        found: dict[bytes, Vectors] = {}
        hashes = list(texts)
        ids = [each.document.id for each in prepared]
        note = f"{prepared[0].document.title} · embedding {len(hashes):,} texts"
        for first in range(0, len(hashes), SLICE):
            self._job.step(self._done, self._total, note)
            part = hashes[first : first + SLICE]

            def tell(done: int, _total: int, _note: str, first: int = first) -> None:
                self._tools.embedding(ids, (first + done) / len(hashes))

            rows = self._tools.embedder.embed_passages(
                [texts[each] for each in part], Patient(self._job, tell)
            )
            self._check_shape(rows, len(part))
            found.update(zip(part, rows, strict=True))
        self.report.embedded_texts += len(hashes)
        self._failed_in_a_row = 0 if hashes else self._failed_in_a_row
        return found

    def _check_shape(self, rows: Vectors, count: int) -> None:
        """A model that went wrong must not get into the database."""
        expected = (count, self._tools.embedder.dimensions)
        if rows.shape != expected or not np.isfinite(rows).all():
            raise ChunkscopeError(
                f"the embedder gave {rows.shape} numbers that are not {expected} or not finite"
            )

    def _commit(self, prepared: Prepared, source: _Source, fresh: dict[bytes, Vectors]) -> None:
        was_there = self._was_indexed(prepared.document)
        try:
            self._write_all(prepared, source, fresh)
        except ChunkscopeError as problem:  # too large for a database, for example
            self._fail(source, prepared.document.id, problem)
        else:
            self._tools.acknowledge(prepared.document.id, self.report.profile_id)
            self._count(prepared, was_there)
        self._close(source)

    def _write_all(self, prepared: Prepared, source: _Source, fresh: dict[bytes, Vectors]) -> None:
        """One transaction; where another document took vectors with it, they are made again."""
        try:
            self._write(prepared, source, fresh)
        except VectorsMissing as problem:
            texts = prepared.texts()
            lost = {each: texts[each] for each in problem.hashes}
            self._write(prepared, source, fresh | self._embed(lost, [prepared]))

    def _write(self, prepared: Prepared, source: _Source, fresh: dict[bytes, Vectors]) -> None:
        with self._store.transaction() as connection:
            commit.put(connection, self._key, self._version, prepared, fresh)
            if source.open == 1:  # the last of its file: no commit of its own for that
                self._finish(connection, source)

    def _was_indexed(self, document: Document) -> bool:
        reader = self._store.reader()
        key = documents.key_of(reader, document.id)
        return key is not None and chunks.indexed(reader, self._key, key) is not None

    def _count(self, prepared: Prepared, was_there: bool) -> None:
        self.report.changed += was_there
        self.report.added += not was_there
        self.report.whole += prepared.is_whole
        self.report.chunks += len(prepared.chunks)
        self.report.truncated += sum(chunk.truncated_by_model for chunk in prepared.chunks)

    def _fail(self, source: _Source, document_id: str, problem: ChunkscopeError) -> None:
        """Into the outbox; a fault of the workspace itself stops the run instead."""
        if isinstance(problem, WorkspaceError):
            raise problem
        origin, reason = source.arrived.origin, str(problem)
        log.info("not indexed: %s", reason)
        source.is_failed = True
        self.report.failures.append(Failure(origin, document_id, reason))
        with self._store.transaction() as connection:
            if os.path.lexists(origin) or documents.key_of(connection, document_id) is not None:
                outbox.fail(
                    connection, self._key, origin, document_id, reason, source.arrived.file_hash
                )
            elif document_id:  # pasted, for example: nothing is there to be tried again
                outbox.done(connection, self._key, origin, document_id)

    def _close(self, source: _Source) -> None:
        """One document less is open; after the last one the file is known."""
        source.open -= 1
        if source.open == 0 and not source.is_finished and source.can_finish:
            with self._store.transaction() as connection:
                self._finish(connection, source)

    def _finish(self, connection: apsw.Connection, source: _Source) -> None:
        """Note that the file is known, inside a transaction."""
        if not source.can_finish:
            return
        arrived = source.arrived
        ids = {document.id for document in arrived.documents}
        how = loaded_with(self._tools.options)
        self.report.removed += commit.finish_source(
            connection, arrived.origin, arrived.file_hash, how, ids
        )
        outbox.finished(connection, self._key, arrived.origin)
        source.is_finished = True
