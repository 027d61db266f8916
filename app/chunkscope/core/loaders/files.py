"""Loads paths through the sandbox: files, folders, one bad file never stops the rest."""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from chunkscope.core.blocks import Blocks
from chunkscope.core.errors import ChunkscopeError, LoadError, PasswordNeeded
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.model import Document
from chunkscope.core.sandbox import Item, Sandbox, WorkerFailed
from chunkscope.core.sandbox.shared import as_bytes, as_text
from chunkscope.core.text.canonical import canonical

log = logging.getLogger(__name__)

LOAD_FILE = "chunkscope.core.loaders.run:load_file"
LOAD_BYTES = "chunkscope.core.loaders.run:load_bytes"
# Each part that kills its worker costs up to the stall limit; after this many we keep what we have.
_MAX_LOST_PARTS = 5
_FINISH_SECONDS = 10.0
_IGNORED_FOLDERS = {"__pycache__", "node_modules"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of one file: its documents, or the error that a person can act on.

    Both are there when a mailbox broke in the middle.
    """

    source: str
    documents: tuple[Document, ...] = ()
    error: LoadError | None = None


def load_paths(
    paths: Sequence[str | Path],
    sandbox: Sandbox,
    options: LoadOptions | None = None,
    job: Job = NO_JOB,
) -> Iterator[Loaded]:
    """Load files and folders, in order, several at a time; each result says how it went."""
    options = options or LoadOptions()
    found = [entry for path in paths for entry in find_files(path)]
    part = _Part(job)
    futures: list[Future[Loaded]] = []
    with ThreadPoolExecutor(sandbox.workers, "load") as pool:
        try:
            futures += (pool.submit(_load_entry, entry, sandbox, options, part) for entry in found)
            for done, (entry, future) in enumerate(zip(found, futures, strict=True)):
                job.step(done, len(found), os.path.basename(entry.source))
                yield future.result()
        finally:
            part.cancel()  # nobody waits for those that run, after Ctrl-C for example
            for future in futures:
                future.cancel()


class _Part(Job):
    """Ends with the whole job, or alone when what it makes is not wanted any more."""

    def __init__(self, whole: Job) -> None:
        super().__init__(whole.step)
        self._whole = whole

    def check(self) -> None:
        self._whole.check()
        super().check()


def load_file(
    path: str | Path,
    sandbox: Sandbox,
    options: LoadOptions | None = None,
    job: Job = NO_JOB,
) -> Loaded:
    """Load one file; its problem, if it has one, is in the result."""
    return _load_entry(Loaded(_source(path)), sandbox, options or LoadOptions(), job)


def load_text(
    text: str | bytes,
    sandbox: Sandbox,
    name: str = "",
    options: LoadOptions | None = None,
    job: Job = NO_JOB,
) -> Document:
    """Load pasted or dropped text; without a name its id comes from its content."""
    options = options or LoadOptions()
    warnings: list[str] = []
    if isinstance(text, str):
        text, warnings = canonical(text)  # here, as UTF-8 cannot carry lone surrogates
        text = text.encode("utf-8")
        options = replace(options, encoding="utf-8")
    args = {"name": name, "options": asdict(options), "warnings": warnings}
    kept = {"data": bytearray(text)}
    try:
        return _assemble(list(sandbox.run(LOAD_BYTES, args, kept=kept, job=job)))[0]
    except WorkerFailed as problem:
        raise LoadError(name, problem.reason) from None


def find_files(path: str | Path) -> Iterator[Loaded]:
    """The files that a path stands for; hidden ones inside a folder are left alone."""
    source = _source(path)
    if not os.path.isdir(source):
        yield Loaded(source)
        return
    problems: list[OSError] = []
    for folder, folders, files in os.walk(source, onerror=problems.append):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in _IGNORED_FOLDERS
        )
        for name in sorted(files):
            if not name.startswith("."):
                yield Loaded(os.path.join(folder, name))
    for problem in problems:
        where = str(problem.filename or source)
        yield Loaded(where, error=LoadError(where, f"cannot be read ({problem.strerror})"))


def _source(path: str | Path) -> str:
    return os.path.abspath(os.path.expanduser(path))


def _load_entry(entry: Loaded, sandbox: Sandbox, options: LoadOptions, job: Job) -> Loaded:
    if entry.error:
        return entry
    items: list[Item] = []
    try:
        _check_kind(entry.source)
        _collect(entry.source, sandbox, options, job, items)
    except WorkerFailed as problem:
        return _with_error(entry.source, items, LoadError(entry.source, problem.reason))
    except PasswordNeeded as problem:
        return _with_error(entry.source, items, PasswordNeeded(entry.source, problem.reason))
    except LoadError as problem:
        return _with_error(entry.source, items, LoadError(entry.source, problem.reason))
    except ChunkscopeError as problem:
        return _with_error(entry.source, items, LoadError(entry.source, str(problem)))
    return Loaded(entry.source, _assemble(items))


def _with_error(source: str, items: list[Item], error: LoadError) -> Loaded:
    log.info("%s was not loaded, or not all of it", source)  # the reason may quote the document
    return Loaded(source, _assemble(items), error)


def _check_kind(source: str) -> None:
    """Refuse what is no file before a worker is bothered with it."""
    try:
        mode = os.stat(source).st_mode
    except FileNotFoundError:
        reason = "is a broken link" if os.path.islink(source) else "does not exist"
        raise LoadError(source, reason) from None
    except (OSError, ValueError) as problem:
        raise LoadError(source, f"cannot be read ({problem})") from None
    if stat.S_ISREG(mode):
        return
    kinds = {
        stat.S_IFIFO: "is a pipe, not a file",
        stat.S_IFCHR: "is a device, not a file",
        stat.S_IFBLK: "is a device, not a file",
        stat.S_IFSOCK: "is a socket, not a file",
    }
    raise LoadError(source, kinds.get(stat.S_IFMT(mode), "is not a regular file"))


def _collect(
    source: str, sandbox: Sandbox, options: LoadOptions, job: Job, items: list[Item]
) -> None:
    """Run the loader; if its worker dies over one part of many, go on without that part."""
    args = {"path": source, "name": source, "options": asdict(options)}
    kept: dict[str, bytearray] = {}
    skipped: dict[str, str] = {}
    deadline = time.monotonic() + sandbox.limits.total_seconds
    while True:
        # Even when the time is used up, what was kept is put together: that takes moments.
        least = _FINISH_SECONDS if "*" in skipped else 0.0
        remaining = max(deadline - time.monotonic(), least)
        try:
            # extend() keeps what arrived before a failure.
            items.extend(
                sandbox.run(
                    LOAD_FILE, args, kept=kept, skipped=skipped, job=job, total_seconds=remaining
                )
            )
            return
        except WorkerFailed as problem:
            if problem.current is None or problem.current in skipped:
                raise
            kept = problem.kept
            skipped[problem.current] = problem.reason
            if len(skipped) >= _MAX_LOST_PARTS or time.monotonic() > deadline:
                skipped["*"] = problem.reason


def _assemble(items: list[Item]) -> tuple[Document, ...]:
    """Documents from what arrived: each item is followed by its children."""
    position = 0

    def next_document() -> Document:
        nonlocal position
        item = items[position]
        position += 1
        count = min(int(item.head["children"]), len(items) - position)
        children = tuple(next_document() for _ in range(count) if position < len(items))
        return _document(item, children)

    documents = []
    while position < len(items):
        documents.append(next_document())
    return tuple(documents)


def _document(item: Item, children: tuple[Document, ...]) -> Document:
    head = item.head
    text, *columns = item.blobs
    chains = tuple(tuple(chain) for chain in head["chains"])
    return Document(
        id=head["id"],
        title=head["title"],
        source=head["source"],
        media_type=head["media_type"],
        text=as_text(text),
        blocks=Blocks.from_columns([*map(as_bytes, columns)], chains, tuple(head["names"])),
        content_hash=head["content_hash"],
        metadata=tuple((key, value) for key, value in head["metadata"]),
        warnings=tuple(head["warnings"]),
        missing=tuple(head["missing"]),
        children=children,
        parent_id=head["parent_id"],
    )
