"""Verifies everything: each kind of problem is counted, with the first of them told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.store import check_documents, fulltext
from chunkscope.core.store.check_documents import Problem
from chunkscope.core.store.columns import row_hash
from chunkscope.core.store.db import keys, snapshot
from chunkscope.core.store.profiles import HASHED

if TYPE_CHECKING:
    import apsw

_TOLD = 20
_MOST_MESSAGES = 100
Part = Callable[["apsw.Connection", Job], Iterator[Problem]]


@dataclass(slots=True)
class CheckReport:
    """How many problems of each kind there are; none means that all is well."""

    counts: Counter[str] = field(default_factory=Counter)
    told: list[Problem] = field(default_factory=list)
    documents: int = 0
    chunks: int = 0
    vectors: int = 0

    @property
    def is_sound(self) -> bool:
        return not self.counts

    @property
    def is_only_derived(self) -> bool:
        """Whether `rebuild` mends it all."""
        return set(self.counts) <= {"full text", "derived file"}

    def add(self, problem: Problem) -> None:
        self.counts[problem.kind] += 1
        if self.counts[problem.kind] <= _TOLD:
            self.told.append(problem)


def check(connection: apsw.Connection, job: Job = NO_JOB) -> CheckReport:
    """Look at every row; damage in one part does not hide the rest."""
    report = CheckReport()
    with snapshot(connection):
        for part in _PARTS:
            _run(part, connection, job, report)
        for name in ("documents", "chunks", "embeddings"):
            found = _count(connection, name)
            setattr(report, "vectors" if name == "embeddings" else name, found)
    return report


def _run(part: Part, connection: apsw.Connection, job: Job, report: CheckReport) -> None:
    import apsw

    try:
        for problem in part(connection, job):
            report.add(problem)
    except (apsw.Error, UnicodeDecodeError, ValueError, TypeError) as problem:
        report.add(Problem("database", f"cannot be read on: {problem}"))


def _count(connection: apsw.Connection, table: str) -> int:
    import apsw

    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").get)
    except apsw.Error:
        return 0


def _pages(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    """SQLite's own check, which covers the structure of the full-text tables too."""
    job.step(0, 1, "pages of the database")
    for (message,) in connection.execute(f"PRAGMA integrity_check({_MOST_MESSAGES})"):
        if message != "ok":
            is_text = any(name in str(message) for name in ("fts_", "grams_", "fts5:"))
            yield Problem("full text" if is_text else "database", str(message))


def _profiles(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    rows: Any = connection.execute(f"SELECT {HASHED}, row_hash, key FROM profiles")
    for *values, expected, key in rows:
        if row_hash(values) != expected:
            yield Problem("profile", f"the row of profile {key} was altered")


def _references(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    job.step(0, 1, "references")
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem("reference", f"{table} {row} points to a {parent} that is not there")
    unused = connection.execute(
        "SELECT key FROM embeddings "
        "WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.embedding = embeddings.key)"
    )
    for (key,) in unused:
        yield Problem("unused vector", f"vector {key} belongs to no chunk")
    lost = connection.execute(
        "SELECT DISTINCT document, profile FROM chunks WHERE NOT EXISTS (SELECT 1 FROM indexed "
        "WHERE indexed.profile = chunks.profile AND indexed.document = chunks.document)"
    )
    for document, profile in lost:
        yield Problem("record", f"document {document} has chunks of profile {profile}, no record")
    orphans = connection.execute(
        "SELECT key FROM documents AS d WHERE parent_id <> '' "
        "AND NOT EXISTS (SELECT 1 FROM documents WHERE id = d.parent_id)"
    )
    for (key,) in orphans:
        yield Problem("reference", f"document {key} is part of one that is not there")


def _full_text(connection: apsw.Connection, job: Job) -> Iterator[Problem]:
    """Every chunk and every document has its entry, and nothing else has one."""
    job.step(0, 1, "full text")
    yield from _compare(
        connection, fulltext.DOCUMENTS, "SELECT key FROM documents", (), must_have_all=True
    )
    for key in keys(connection, "SELECT key FROM profiles"):
        chunks = "SELECT key FROM chunks WHERE profile = ?"
        yield from _compare(
            connection, fulltext.words_table(key), chunks, (key,), must_have_all=True
        )
        yield from _compare(
            connection, fulltext.grams_table(key), chunks, (key,), must_have_all=False
        )


def _compare(
    connection: apsw.Connection,
    table: str,
    expected: str,
    values: tuple[Any, ...],
    *,
    must_have_all: bool,
) -> Iterator[Problem]:
    import apsw

    entries = f"SELECT id FROM {table}_docsize"
    try:
        extra = connection.execute(f"{entries} EXCEPT {expected}", values).fetchall()
        missing = connection.execute(f"{expected} EXCEPT {entries}", values).fetchall()
    except apsw.SQLError as problem:
        yield Problem("full text", f"{table}: {problem}")
        return
    for (key,) in extra:
        yield Problem("full text", f"{table} has an entry {key} without its row")
    for (key,) in missing if must_have_all else ():
        yield Problem("full text", f"{table} has no entry for row {key}")


_PARTS: tuple[Part, ...] = (
    _pages,
    _profiles,
    _references,
    check_documents.documents,
    check_documents.vectors,
    check_documents.records,
    _full_text,
)
