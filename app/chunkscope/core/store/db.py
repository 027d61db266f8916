"""Connections and transactions: every setting that makes SQLite durable stands here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import apsw

APPLICATION_ID = 0x43485343  # "CHSC"
_BUSY_MILLISECONDS = 10_000
_MAGIC = b"SQLite format 3\x00"
_CACHE_KIB = 32_768


def connect(path: Path, *, read_only: bool, is_immutable: bool = False) -> apsw.Connection:
    """A connection with all safeguards on; the file must exist."""
    import apsw

    mode = "ro" if read_only else "rw"
    address = f"{path.absolute().as_uri()}?mode={mode}" + ("&immutable=1" if is_immutable else "")
    access = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(address, flags=access | apsw.SQLITE_OPEN_URI)
    try:
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 1)
        # Double-quoted words are names, never silently strings.
        connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        connection.pragma("cell_size_check", True)
        connection.pragma("cache_size", -_CACHE_KIB)
        if not read_only:
            connection.pragma("synchronous", "FULL")
            # What is removed is overwritten, not only forgotten.
            connection.pragma("secure_delete", True)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """All or nothing. After some write errors SQLite has rolled back already."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """Several reads that see one and the same state."""
    if connection.in_transaction:
        yield connection
        return
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.execute("ROLLBACK")


def keys(connection: apsw.Connection, statement: str, values: tuple[Any, ...] = ()) -> list[int]:
    """All of a column of keys."""
    found: list[tuple[Any, ...]] = connection.execute(statement, values).fetchall()
    return [int(key) for (key,) in found]


def application_id(path: Path) -> int | None:
    """Whose database a file is, from its header alone; None: it is no SQLite file."""
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC):
        return None
    return int.from_bytes(header[68:72], "big")


def make_private(path: Path) -> None:
    """An empty file that only its owner may read; SQLite gives its neighbours the same rights."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder last through a power cut, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def now() -> str:
    """The time as it stands in columns: UTC, sortable."""
    return stamp(datetime.now(UTC))


def stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
