"""`check` finds what was altered, whoever did it; `rebuild` mends what is derived."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from chunkscope.core.store.check import check
from chunkscope.core.store.db import connect, transaction
from chunkscope.core.store.faults import WorkspaceError
from chunkscope.core.store.store import Store
from chunkscope.core.workspace import Workspace
from support.hashing import HashingEmbedder
from support.stored import put_text

FLIPS = 200
TEXT = "# Keepers\n\n" + "".join(
    f"The keeper of lamp {number} wrote to the harbour of 東京 about café number {number}. "
    for number in range(60)
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "workspace"
    with Store.open(folder) as store:
        for number in range(4):
            put_text(store, TEXT.replace("lamp", f"lamp{number}"), f"{number}.md")
        assert check(store.reader()).is_sound
    return folder


@pytest.fixture
def open_copy(sound: Path, tmp_path: Path) -> Iterator[apsw.Connection]:
    """A connection that may do harm to a copy."""
    shutil.copytree(sound, tmp_path / "copy")
    connection = connect(tmp_path / "copy" / "workspace.db", read_only=False)
    yield connection
    connection.close()


def flip_text(value: str, chance: random.Random) -> str:
    place = chance.randrange(len(value))
    while True:
        flipped = chr(ord(value[place]) ^ (1 << chance.randrange(7)))
        if flipped != "\0":
            return value[:place] + flipped + value[place + 1 :]


def flip_bytes(value: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(value))
    flipped = value[place] ^ (1 << chance.randrange(8))
    return value[:place] + bytes([flipped]) + value[place + 1 :]


TARGETS = [
    ("documents", "text"), ("documents", "blocks"), ("documents", "title"),
    ("documents", "source"), ("embeddings", "vector"), ("embeddings", "text_hash"),
    ("embeddings", "vector_hash"), ("chunks", "start"), ("chunks", "end"), ("chunks", "overlap"),
    ("chunks", "heading_chain"), ("chunks", "prefix"), ("chunks", "content_hash"),
    ("chunks", "size"), ("indexed", "pooled"), ("indexed", "source_hash"), ("profiles", "toml"),
]  # fmt: skip


def test_bit_flips_in_rows_are_found(open_copy: apsw.Connection) -> None:
    chance = random.Random(11)
    missed = []
    for number in range(FLIPS):
        table, column = TARGETS[number % len(TARGETS)]
        name = "rowid" if table != "indexed" else "document"
        rows = open_copy.execute(f'SELECT {name}, "{column}" FROM {table}').fetchall()
        key, value = chance.choice(rows)
        if isinstance(value, int):
            flipped: object = value ^ (1 << chance.randrange(12))
        elif isinstance(value, str):
            flipped = flip_text(value, chance)
        else:
            flipped = flip_bytes(value, chance)
        open_copy.execute("BEGIN")
        open_copy.execute(f'UPDATE {table} SET "{column}" = ? WHERE {name} = ?', (flipped, key))
        if check(open_copy).is_sound:
            missed.append((table, column))
        open_copy.execute("ROLLBACK")
    assert missed == []


def data_of(path: Path) -> object:
    """Texts and vectors as they are read; pages also hold stale copies that nobody reads."""
    connection = connect(path, read_only=True)
    try:
        vectors = connection.execute("SELECT vector FROM embeddings").fetchall()
        return vectors, connection.execute("SELECT text FROM documents").fetchall()
    except (apsw.Error, UnicodeDecodeError):
        return None
    finally:
        connection.close()


def test_bit_flips_in_the_file_are_found(sound: Path, tmp_path: Path) -> None:
    """In the bytes of texts and vectors: SQLite itself sees hardly any of them."""
    folder = tmp_path / "copy"
    shutil.copytree(sound, folder)
    path = folder / "workspace.db"
    whole, data = path.read_bytes(), data_of(path)
    assert isinstance(data, tuple)
    chance = random.Random(3)
    flips = missed = by_sqlite = 0
    while flips < 100:
        if flips % 2:
            place = whole.index(chance.choice(data[0])[0]) + chance.randrange(4 * 64)
        else:
            lamp = f"lamp{chance.randrange(4)} {chance.randrange(60)} wrote"
            place = whole.index(lamp.encode()) + chance.randrange(40)
        broken = bytearray(whole)
        broken[place] ^= 1 << chance.randrange(8)
        path.write_bytes(broken)
        if data_of(path) == data:
            continue
        flips += 1
        try:
            with Store.open(folder, read_only=True) as store:
                missed += check(store.reader()).is_sound
                by_sqlite += store.reader().pragma("integrity_check") != "ok"
        except WorkspaceError:
            by_sqlite += 1
    assert missed == 0
    assert by_sqlite < 50


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        ("DELETE FROM fts_1 WHERE rowid = 3", "full text"),
        ("INSERT INTO fts_1(rowid, content) VALUES(99999, 'x')", "full text"),
        ("INSERT INTO grams_1(rowid, content) VALUES(99999, 'x')", "full text"),
        ("DELETE FROM fts_documents WHERE rowid = 1", "full text"),
        ("DROP TABLE grams_1", "full text"),
        ("DELETE FROM indexed WHERE document = 2", "record"),
        ("UPDATE indexed SET chunks = chunks + 1 WHERE document = 2", "record"),
        ("DELETE FROM chunks WHERE key = 4", "record"),
        ("UPDATE indexed SET pooled = NULL, pooled_hash = NULL", "pooled vector"),
        (
            "INSERT INTO embeddings(version, text_hash, vector, vector_hash) "
            "VALUES('v', x'00', x'00', x'00')",
            "unused vector",
        ),
        ("UPDATE chunks SET document = 77 WHERE key = 1", "reference"),
        ("UPDATE documents SET parent_id = 'nobody' WHERE key = 1", "reference"),
        ("UPDATE embeddings SET version = 'other' WHERE key = 1", "chunk vector"),
    ],
)
def test_each_kind_of_problem_is_named(open_copy: apsw.Connection, harm: str, kind: str) -> None:
    open_copy.pragma("foreign_keys", False)
    with transaction(open_copy):
        open_copy.execute(harm)
    report = check(open_copy)
    assert kind in report.counts
    assert any(problem.kind == kind for problem in report.told)


def test_rebuild_mends_full_text_without_embedding(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(sound, folder)
    embedder = HashingEmbedder()
    with Workspace.open(folder, embedders=lambda _: embedder) as workspace:
        before = list(workspace.export())
        found = words(workspace)
        with workspace.store.transaction() as connection:
            connection.execute("DROP TABLE fts_1")
            connection.execute("DELETE FROM grams_1 WHERE rowid > 5")
            connection.execute("DELETE FROM fts_documents")
        (folder / "derived").mkdir(exist_ok=True)
        (folder / "derived" / "profile_gone.faiss").write_bytes(b"of nobody")
        report = workspace.check()
        assert set(report.counts) >= {"full text", "derived file"}
        rebuilt = workspace.rebuild()
        assert (rebuilt.documents, rebuilt.profiles) == (4, 1)
        assert not {"full text", "derived file"} & workspace.check().counts.keys()
        assert list(workspace.export()) == before
        assert words(workspace) == found
    assert embedder.embedding_calls == 0


def words(workspace: Workspace) -> list[tuple[object, ...]]:
    """What full-text search gives, row by row."""
    ask = "SELECT rowid, bm25(fts_1) FROM fts_1 WHERE fts_1 MATCH 'keeper' ORDER BY rowid"
    return workspace.store.reader().execute(ask).fetchall()
