"""What comes in: files hashed, parsed only where they changed, a few ahead of the work."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.job import Job, Report, silent
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.files import load_file
from chunkscope.core.model import Document
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.store import chunks, documents, sources
from chunkscope.core.store.store import Store

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Request:
    """A file to be indexed; `failed_hash` is of bytes that failed before and are not due again."""

    origin: str
    document_ids: tuple[str, ...] = ()
    failed_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """The documents of one source that need work, attachments among them."""

    origin: str
    documents: tuple[Document, ...] = ()
    unchanged: int = 0
    file_hash: bytes = b""
    is_loaded: bool = False
    """Read from its file just now: when all is committed, the file is known."""
    is_waiting: bool = False
    error: ChunkscopeError | None = None


class Patient(Job):
    """Stops when the other job is cancelled; its small steps are nobody's progress but yours."""

    def __init__(self, job: Job, report: Report = silent) -> None:
        super().__init__(report)
        self._job = job

    def check(self) -> None:
        self._job.check()
        super().check()


@dataclass(frozen=True, slots=True)
class Reception:
    """Finds out what is to be done for a file, in any thread."""

    store: Store
    sandbox: Sandbox
    profile: int
    options: LoadOptions
    loaded_with: str
    job: Job

    def receive(self, request: Request) -> Arrived:
        stored = self._from_store(request.origin, request.document_ids)
        if stored is not None:
            return Arrived(request.origin, stored)
        digest = hash_file(request.origin, self.job)
        if digest and digest == request.failed_hash:
            return Arrived(request.origin, is_waiting=True)
        if digest and self._is_known(request.origin, digest):
            return self._known(request.origin)
        loaded = load_file(request.origin, self.sandbox, self.options, self.job)
        found = tuple(each for top in loaded.documents for each in top.with_children())
        return Arrived(request.origin, found, file_hash=digest, is_loaded=True, error=loaded.error)

    def _from_store(self, origin: str, ids: tuple[str, ...]) -> tuple[Document, ...] | None:
        """Queued documents that stand in the database: their file need not even exist."""
        reader = self.store.reader()
        stored = [each for each in ids if documents.key_of(reader, each) is not None]
        if not stored or (len(stored) < len(ids) and os.path.lexists(origin)):
            return None
        return tuple(documents.load(reader, each) for each in stored)

    def _is_known(self, origin: str, digest: bytes) -> bool:
        return sources.is_known(self.store.reader(), origin, digest, self.loaded_with)

    def _known(self, origin: str) -> Arrived:
        """An unchanged file: what this profile lacks is cut from the database."""
        reader = self.store.reader()
        found = documents.of_origin(reader, origin)
        lacking = [
            identity for key, identity in found
            if chunks.indexed(reader, self.profile, key) is None
        ]  # fmt: skip
        loaded = tuple(documents.load(reader, identity) for identity in lacking)
        return Arrived(origin, loaded, unchanged=len(found) - len(lacking))


def hash_file(path: str, job: Job) -> bytes:
    """SHA-256 of a file's bytes; empty where it cannot be read, which loading will explain."""
    found = hashlib.sha256()
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # opening a pipe would wait for ever
            return b""
        with open(path, "rb", buffering=0) as file:
            while piece := file.read(_PIECE):
                found.update(piece)
                job.check()
    except (OSError, ValueError):
        return b""
    return found.digest()


def ahead(
    requests: Iterable[Request], receive: Callable[[Request], Arrived], workers: int
) -> Generator[Arrived]:
    """Receive in order, a few files ahead: what waits is bounded, however many there are."""
    pending: deque[Future[Arrived]] = deque()
    with ThreadPoolExecutor(workers, "load") as pool:
        try:
            for request in requests:
                pending.append(pool.submit(receive, request))
                if len(pending) > workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
