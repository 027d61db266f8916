"""A file that is not ours, not of our time or not whole is refused and left as it is."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
from datetime import date, timedelta
from pathlib import Path

import apsw
import pytest

from chunkscope.core.store import documents, fulltext, migrations
from chunkscope.core.store.backup import backups
from chunkscope.core.store.check import check
from chunkscope.core.store.db import transaction
from chunkscope.core.store.faults import DamagedWorkspace, ForeignFile, StorageFull, WorkspaceError
from chunkscope.core.store.store import Store
from support.stored import put_text

TEXT = "A sentence that fills a page of the database. " * 60


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A workspace with three documents, closed."""
    folder = tmp_path / "workspace"
    with Store.open(folder) as store:
        for number in range(3):
            put_text(store, f"# Part {number}\n\n{TEXT}{number}", f"{number}.md")
    return folder


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs(x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(ForeignFile, match="of another program and was left as it is"):
        Store.open(tmp_path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"hello", b"\0" * 5000, os.urandom(9000)])
def test_what_is_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "workspace.db"
    path.write_bytes(content)
    with pytest.raises(DamagedWorkspace, match="left as it is"):
        Store.open(tmp_path)
    assert path.read_bytes() == content


def test_a_workspace_of_a_newer_version(closed: Path) -> None:
    with Store.open(closed) as store, transaction(store.writer) as connection:
        connection.execute("INSERT INTO migrations VALUES(999, 'from_the_future', '2099')")
    before = (closed / "workspace.db").read_bytes()
    with pytest.raises(ForeignFile, match=r"newer Chunkscope .* update the program"):
        Store.open(closed)
    assert (closed / "workspace.db").read_bytes() == before


def test_an_older_workspace_is_brought_up_to_date_once(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add_colour(connection: apsw.Connection) -> None:
        connection.execute("ALTER TABLE documents ADD COLUMN colour TEXT")

    monkeypatch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, add_colour])
    for _ in range(2):
        with Store.open(closed) as store:
            rows = store.reader().execute("SELECT number, name FROM migrations").fetchall()
            assert rows[0] == (1, "first_schema")
            assert rows[-1] == (len(migrations.MIGRATIONS), "add_colour")
            assert len(documents.rows(store.reader())) == 3
    # Before the schema was touched, what there was had been copied.
    assert len(backups(closed / "backups")) == 1


def test_a_workspace_of_the_first_schema_is_sound_after_its_migrations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:1])
        with Store.open(tmp_path) as store, transaction(store.writer) as connection:
            connection.execute(
                "INSERT INTO profiles(id, name, toml, embedding_version, dimensions, added) "
                "VALUES('p', 'old', 'x = 1', 'v', 4, '')"
            )
            fulltext.create(connection, 1)
    with Store.open(tmp_path) as store:
        assert check(store.reader()).is_sound


def test_a_migration_that_fails_leaves_no_trace(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(connection: apsw.Connection) -> None:
        connection.execute("CREATE TABLE half(x)")
        connection.execute("SELECT no_such_function()")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, half])
        with pytest.raises(apsw.SQLError):
            Store.open(closed)
    with Store.open(closed) as store:
        found = store.reader().execute("SELECT max(number) FROM migrations").get
        assert found == len(migrations.MIGRATIONS)
        known = "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"
        assert store.reader().execute(known).get == 0


def test_a_damaged_database_gets_a_sentence_and_stays_as_it_is(closed: Path) -> None:
    """Whatever is broken: opened or refused with a sentence, never altered by looking."""
    path = closed / "workspace.db"
    whole = path.read_bytes()
    chance = random.Random(5)
    said: list[str] = []
    for _ in range(12):
        broken = bytearray(whole)
        first = chance.randrange(100, 9000)
        broken[first : first + 3000] = chance.randbytes(3000)
        path.write_bytes(broken)
        try:
            with Store.open(closed) as store, store.snapshot() as reader:
                documents.rows(reader)
        except WorkspaceError as problem:
            said.append(str(problem))
        assert path.read_bytes() == bytes(broken)
        for leftover in closed.glob("workspace.db-*"):
            leftover.unlink()
    assert len(said) >= 6
    assert all("left as it is" in sentence and "backups" in sentence for sentence in said)


def test_half_of_a_database(closed: Path) -> None:
    path = closed / "workspace.db"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    before = path.read_bytes()
    with pytest.raises(DamagedWorkspace), Store.open(closed) as store, store.snapshot() as reader:
        documents.text(reader, 3)
    assert path.read_bytes() == before


def test_a_full_disk_keeps_the_last_commit(closed: Path) -> None:
    with Store.open(closed) as store:
        # The same error as from a full disk, where no small disk can be had.
        pages = store.writer.pragma("page_count")
        store.writer.pragma("max_page_count", pages + 2)
        with pytest.raises(StorageFull, match="the disk is full"):
            put_text(store, TEXT * 200, "large.md")
        assert len(documents.rows(store.reader())) == 3
        store.writer.pragma("max_page_count", 1 << 30)
        put_text(store, TEXT * 200, "large.md")
    with Store.open(closed) as store:
        assert len(documents.rows(store.reader())) == 4


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root may mount a disk")
def test_a_disk_that_is_really_full(closed: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)],
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        folder = disk / "workspace"
        shutil.copytree(closed, folder)
        with Store.open(folder) as store:
            with pytest.raises(StorageFull):
                put_text(store, TEXT * 700, "large.md")
            assert len(documents.rows(store.reader())) == 3
        with Store.open(folder) as store:
            assert len(documents.rows(store.reader())) == 3
            put_text(store, "Small. " * 30, "small.md")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_the_first_write_of_a_day_is_preceded_by_a_backup(closed: Path) -> None:
    day = date(2026, 3, 2)
    for number in range(46):
        with Store.open(closed) as store:
            store.today = lambda number=number: day + timedelta(days=number)  # type: ignore[misc]
            put_text(store, f"Day {number}. " * 30, "day.md")
            put_text(store, f"Day {number}, later. " * 30, "later.md")
    kept = [found for found, _ in backups(closed / "backups")]
    last = day + timedelta(days=45)
    assert kept[:7] == [last - timedelta(days=back) for back in range(7)]
    assert len(kept) == 11
    assert [(last - found).days < 45 for found in kept] == [True] * 11
    newest = backups(closed / "backups")[0][1]
    assert newest.stat().st_mode & 0o077 == 0
    # The copy is a workspace by itself, as it was before that day's work.
    other = closed.parent / "restored"
    other.mkdir()
    shutil.copy(newest, other / "workspace.db")
    with Store.open(other) as store:
        assert documents.load(store.reader(), documents.find(store.reader(), "day.md").id).text == (
            "Day 44. " * 30
        )


def test_nothing_is_backed_up_by_reading(closed: Path) -> None:
    with Store.open(closed) as store:
        documents.rows(store.reader())
    assert not (closed / "backups").exists()
