"""The semantic channel: exact where it says so, nearly exact above, never a stale file."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from chunkscope.core.search.dense import DenseIndex, Kind
from chunkscope.core.search.dense_files import DenseIndexes
from chunkscope.core.store import commit, profiles, vectors
from chunkscope.core.store.model import StoredProfile
from chunkscope.core.store.store import Store
from support.hashing import HashingEmbedder
from support.stored import put_text

Rows = NDArray[np.float32]


def _rows(count: int, dimensions: int = 64, seed: int = 5) -> Rows:
    """Vectors in clusters, as those of texts are."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((200, dimensions))
    rows = centres[rng.integers(0, 200, count)] + 0.8 * rng.standard_normal((count, dimensions))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def _recall(index: DenseIndex, keys: NDArray[np.int64], rows: Rows, queries: Rows) -> float:
    hits = 0
    for query in queries:
        exact = keys[np.argsort(-(rows @ query), kind="stable")[:10]]
        hits += len(set(exact.tolist()) & set(index.search(query, 10)[0].tolist()))
    return hits / (10 * len(queries))


def test_half_precision_finds_the_same_neighbours() -> None:
    keys, rows = np.arange(5_000) + 7, _rows(5_000)
    index = DenseIndex.build(keys, rows)
    assert index.kind == Kind.EXACT
    assert _recall(index, keys, rows, _rows(100, seed=9)) >= 0.995


def test_the_graph_finds_98_of_100_neighbours() -> None:
    keys, rows = np.arange(12_000) * 3 + 1, _rows(12_000)
    index = DenseIndex.build(keys, rows, exact_up_to=10_000)
    assert index.kind == Kind.GRAPH
    assert _recall(index, keys, rows, _rows(150, seed=9)) >= 0.98


@pytest.mark.parametrize("exact_up_to", [0, 10_000])
def test_what_is_removed_is_gone_and_what_is_added_is_found(exact_up_to: int) -> None:
    keys, rows = np.arange(800), _rows(800)
    index = DenseIndex.build(keys[:700], rows[:700], exact_up_to=exact_up_to)
    best = int(index.search(rows[750], 1)[0][0])
    index.add(keys[700:], rows[700:])
    assert int(index.search(rows[750], 1)[0][0]) == 750
    index.remove([750])
    assert int(index.search(rows[750], 1)[0][0]) in {best, *range(700, 800)}
    assert 750 not in index.search(rows[750], 800)[0]
    assert len(index) == 799
    assert index.cosines(rows[750], [750, 3]).keys() == {3}


@pytest.mark.parametrize("exact_up_to", [0, 10_000])
def test_a_filter_is_exact(exact_up_to: int) -> None:
    keys, rows = np.arange(2_000), _rows(2_000)
    index = DenseIndex.build(keys, rows, exact_up_to=exact_up_to)
    allowed = np.arange(0, 2_000, 40)
    found, cosines = index.search(rows[1], 5, allowed)
    expected = allowed[np.argsort(-(rows[allowed] @ rows[1]))[:5]]
    assert found.tolist() == expected.tolist()
    assert list(cosines) == sorted(cosines, reverse=True)


def test_an_empty_index_answers() -> None:
    index = DenseIndex.build(np.zeros(0, np.int64), np.zeros((0, 64), np.float32))
    assert len(index.search(np.ones(64, np.float32), 5)[0]) == 0


def test_many_threads_search_while_one_adds() -> None:
    keys, rows = np.arange(3_000), _rows(3_000)
    index = DenseIndex.build(keys[:1_000], rows[:1_000])
    problems: list[BaseException] = []
    done = threading.Event()

    def search() -> None:
        try:
            while not done.is_set():
                found, cosines = index.search(rows[5], 20)
                assert found[0] == 5
                assert len(set(found.tolist())) == 20
                assert cosines[0] == pytest.approx(1.0, abs=1e-2)
        except BaseException as problem:  # noqa: BLE001 - told below
            problems.append(problem)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for first in range(1_000, 3_000, 50):
        index.add(keys[first : first + 50], rows[first : first + 50])
        index.remove(keys[first : first + 10])
    done.set()
    for thread in threads:
        thread.join()
    assert not problems


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        for number in range(12):
            put_text(opened, f"Text {number} speaks of thing {number}.", f"t{number}.md")
        yield opened


def _profile(store: Store) -> StoredProfile:
    return profiles.find(store.reader(), "p1")


def _agrees(store: Store, index: DenseIndex) -> bool:
    keys, rows = vectors.matrix(store.reader(), 1)
    return index.keys.tolist() == keys.tolist() and np.allclose(
        index.vectors(keys), rows, atol=1e-3
    )


def test_a_saved_file_is_read_again(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = DenseIndexes(store)
    first.get(store.reader(), _profile(store))
    assert all(path.exists() for path in first.paths("p1"))

    def refuse(*_: object) -> None:
        raise AssertionError("the rows were read")

    monkeypatch.setattr(vectors, "matrix", refuse)
    again = DenseIndexes(store).get(store.reader(), _profile(store))
    monkeypatch.undo()
    assert _agrees(store, again)
    assert not caplog.records


@pytest.mark.parametrize("damage", ["flip", "cut", "missing", "stamp", "old", "version"])
def test_a_damaged_missing_or_old_file_is_made_anew(
    store: Store, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    indexes = DenseIndexes(store)
    indexes.get(store.reader(), _profile(store))
    file, stamp = indexes.paths("p1")
    data = bytearray(file.read_bytes())
    record = json.loads(stamp.read_text())
    if damage == "flip":
        data[len(data) // 2] ^= 4
        file.write_bytes(data)
    elif damage == "cut":
        file.write_bytes(data[:-20])
    elif damage == "missing":
        file.unlink()
    elif damage == "stamp":
        stamp.write_text("{")
    elif damage == "old":
        put_text(store, "Something new came in.", "new.md")
    else:
        stamp.write_text(json.dumps({**record, "embedding_version": "another"}))
    with caplog.at_level(logging.WARNING):
        index = DenseIndexes(store).get(store.reader(), _profile(store))
    assert _agrees(store, index)
    assert bool(caplog.records) == (damage != "missing")


def test_a_backup_copied_back_is_noticed(store: Store) -> None:
    """Keys are given out a second time then, for other texts."""
    indexes = DenseIndexes(store)
    indexes.get(store.reader(), _profile(store))
    _, stamp = indexes.paths("p1")
    record = json.loads(stamp.read_text())
    stamp.write_text(json.dumps({**record, "state": "0" * 64}))
    assert _agrees(store, DenseIndexes(store).get(store.reader(), _profile(store)))


def test_documents_that_come_and_go_are_followed(store: Store) -> None:
    indexes = DenseIndexes(store)
    before = indexes.get(store.reader(), _profile(store))
    key = put_text(store, "A newcomer speaks of whales.", "whales.md")
    after = indexes.get(store.reader(), _profile(store))
    assert after is before
    assert _agrees(store, after)
    query = HashingEmbedder().embed_queries(["A newcomer speaks of whales."])[0]
    assert after.search(query, 1)[1][0] > 0.8
    with store.transaction() as connection:
        commit.remove(connection, [key])
    assert _agrees(store, indexes.get(store.reader(), _profile(store)))
    indexes.refresh(store.reader(), _profile(store))
    assert _agrees(store, DenseIndexes(store).get(store.reader(), _profile(store)))


def test_a_read_only_workspace_is_searched_without_writing(store: Store) -> None:
    with Store.open(store.folder, read_only=True) as reading:
        indexes = DenseIndexes(reading)
        assert _agrees(reading, indexes.get(reading.reader(), _profile(reading)))
        assert not any(path.exists() for path in indexes.paths("p1"))


def test_a_large_index_becomes_a_graph_after_indexing_not_while_searching(store: Store) -> None:
    indexes = DenseIndexes(store, exact_up_to=5)
    assert indexes.get(store.reader(), _profile(store)).kind == Kind.EXACT
    indexes.refresh(store.reader(), _profile(store))
    assert indexes.get(store.reader(), _profile(store)).kind == Kind.GRAPH
    again = DenseIndexes(store, exact_up_to=5)
    assert again.get(store.reader(), _profile(store)).kind == Kind.GRAPH
    indexes.forget("p1")
    assert not any(path.exists() for path in indexes.paths("p1"))
