"""A workspace's folder opened: one writer under a lock, a reader for each thread."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope.core.store import migrations
from chunkscope.core.store.backup import back_up
from chunkscope.core.store.db import (
    APPLICATION_ID,
    application_id,
    connect,
    make_private,
    snapshot,
    sync_folder,
    transaction,
)
from chunkscope.core.store.faults import (
    DamagedWorkspace,
    ForeignFile,
    NoWorkspace,
    ReadOnlyWorkspace,
    WorkspaceError,
    told,
)
from chunkscope.core.store.lock import WriterLock
from chunkscope.core.store.use import Use

if TYPE_CHECKING:
    import apsw

DATABASE = "workspace.db"


class Store:
    """The database of one workspace. Made by `Store.open`."""

    def __init__(
        self, folder: Path, lock: WriterLock | None, why_read_only: str, is_immutable: bool
    ) -> None:
        self.folder = folder
        self.why_read_only = why_read_only
        self._lock = lock
        self._is_immutable = is_immutable
        self._writer: apsw.Connection | None = None
        self._write_turn = threading.RLock()
        self._local = threading.local()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._use = Use()
        self._backed_up: date | None = None
        self.today: Callable[[], date] = date.today

    @classmethod
    def open(cls, folder: str | Path, *, create: bool = True, read_only: bool = False) -> Store:
        """Open a workspace; one that another process holds, or that is protected, to read."""
        folder = Path(folder).expanduser().absolute()
        database = folder / DATABASE
        exists = database.exists()
        if not exists and (read_only or not create):
            raise NoWorkspace(
                f"there is no workspace in {folder}; `chunkscope index PATH --workspace {folder}` "
                "makes one"
            )
        with told(folder):
            if exists:
                _check_origin(database)
            return cls._open(folder, database, read_only)

    @classmethod
    def _open(cls, folder: Path, database: Path, read_only: bool) -> Store:
        lock = WriterLock(folder)
        why = "it was asked to be"
        if not read_only:
            _make_folder(folder)
            why = lock.acquire()
        try:
            if not database.exists():
                if why:
                    raise WorkspaceError(f"no workspace can be made in {folder}: {why}")
                _create(database)
            store = cls(folder, None if why else lock, why, _is_protected(folder, database))
            store._start()
        except BaseException:
            lock.release()
            raise
        return store

    def _start(self) -> None:
        """Look at the file before anything may be written to it."""
        try:
            _check_version(self.reader(), self.folder)
            if not self.is_read_only:
                self._writer = connect(self.folder / DATABASE, read_only=False)
                self._writer.pragma("journal_mode", "WAL")
                if migrations.applied(self._writer) < len(migrations.MIGRATIONS):
                    self._back_up()
                    migrations.migrate(self._writer)
        except BaseException:
            self._close_connections()
            raise

    @property
    def is_read_only(self) -> bool:
        return bool(self.why_read_only)

    @property
    def writer(self) -> apsw.Connection:
        """The one read-write connection: for the thread that writes, inside `transaction`."""
        if self._writer is None:
            raise ReadOnlyWorkspace(
                f"{self.folder} is open to read only: {self.why_read_only or 'it is closed'}"
            )
        return self._writer

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """A transaction that writes; the first of a day makes the backup before it."""
        with self._write_turn, told(self.folder):
            self._back_up()
            with transaction(self.writer) as connection:
                yield connection

    @contextmanager
    def idle_transaction(self) -> Iterator[apsw.Connection | None]:
        """A transaction for what may be left undone: None where somebody writes just now."""
        if self.is_read_only or not self._write_turn.acquire(blocking=False):
            yield None
            return
        try:
            with self.transaction() as connection:
                yield connection
        finally:
            self._write_turn.release()

    def reader(self) -> apsw.Connection:
        """This thread's connection for reading: each statement sees the last commit."""
        found: apsw.Connection | None = getattr(self._local, "reader", None)
        if found is None:
            self._check_open()
            with told(self.folder):
                found = self._connect_reader()
            self._local.reader = found
            self._readers.add(found)
        return found

    @contextmanager
    def fresh_reader(self) -> Iterator[apsw.Connection]:
        """A connection that remembers nothing: FTS5's check takes what one remembers for damage,
        when another connection has rewritten a table since."""
        with self._in_use(), told(self.folder):
            connection = self._connect_reader()
            try:
                yield connection
            finally:
                connection.close()

    def _connect_reader(self) -> apsw.Connection:
        path = self.folder / DATABASE
        return connect(path, read_only=True, is_immutable=self._is_immutable)

    @contextmanager
    def snapshot(self) -> Iterator[apsw.Connection]:
        """This thread's reader, with all reads inside seeing one state."""
        with self._in_use(), told(self.folder), snapshot(self.reader()) as connection:
            yield connection

    def _back_up(self) -> None:
        today = self.today()
        if self._backed_up != today and not self.writer.in_transaction:
            back_up(self.writer, self.folder / DATABASE, today)
            self._backed_up = today

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        self._check_open()
        with self._use.here():
            self._check_open()
            yield

    def _check_open(self) -> None:
        if self._use.is_over:
            raise WorkspaceError(f"{self.folder} was closed meanwhile; open it again")

    def retire(self) -> None:
        """Let nobody begin to read any more, and wait until other threads have ended."""
        self._use.end()

    def close(self) -> None:
        """Close every connection, the writer last: it folds the log into the database."""
        self.retire()
        self._close_connections()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _close_connections(self) -> None:
        with self._write_turn:
            for reader in list(self._readers):
                reader.close(True)
            self._readers.clear()
            self._local = threading.local()
            if self._writer is not None:
                self._writer.close(True)
                self._writer = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_origin(database: Path) -> None:
    """Refuse a file that is not ours by its first bytes, before SQLite touches it."""
    try:
        found = application_id(database)
    except OSError as problem:
        raise WorkspaceError(f"{database} cannot be read ({problem.strerror})") from None
    if found is None:
        raise DamagedWorkspace(
            f"{database} is no database, or its beginning is damaged; it was left as it is. "
            f"Copy the newest file of {database.parent / 'backups'} over it, or choose another "
            "folder"
        )
    if found != APPLICATION_ID:
        raise ForeignFile(
            f"{database} is a database of another program and was left as it is; "
            "choose another folder for the workspace"
        )


def _check_version(connection: apsw.Connection, folder: Path) -> None:
    found, known = migrations.applied(connection), len(migrations.MIGRATIONS)
    if found > known:
        raise ForeignFile(
            f"{folder} was written by a newer Chunkscope (its format is {found}, this program "
            f"knows {known}) and was left as it is; update the program"
        )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise WorkspaceError(f"{folder} cannot be made ({problem.strerror})") from None


def _create(database: Path) -> None:
    """Make the database beside its place and rename it: it exists complete or not at all."""
    beside = database.with_name(DATABASE + ".new")
    for suffix in ("", "-journal", "-wal", "-shm"):
        Path(f"{beside}{suffix}").unlink(missing_ok=True)
    make_private(beside)
    connection = connect(beside, read_only=False)
    try:
        connection.pragma("application_id", APPLICATION_ID)
        migrations.migrate(connection)
        connection.pragma("journal_mode", "WAL")
    finally:
        connection.close()
    beside.replace(database)
    sync_folder(database.parent)


def _is_protected(folder: Path, database: Path) -> bool:
    """A folder where nobody can write the files beside the database that readers share."""
    import os

    has_log = Path(f"{database}-wal").exists()
    return not os.access(folder, os.W_OK) and not has_log
