"""What goes into the store comes out of it, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.errors import WrongUsage
from chunkscope.core.store import chunks, documents, profiles, vectors
from chunkscope.core.store.columns import from_blocks, from_name, row_hash, to_blocks, to_name
from chunkscope.core.store.store import Store
from chunkscope.core.workspace import chunk
from support.documents import markdown_document
from support.hashing import HashingEmbedder
from support.stored import SMALL, named, put_text

TEXT = (
    "# Tides\n\nThe moon pulls the sea. The sea follows it twice a day.\n\n## Clocks\n\n"
    + "A tide clock has one hand, and it turns once in twelve hours and twenty-five minutes. " * 6
    + "\n\nUne marée — 潮汐表 🌊 was read by the harbour master.\n"
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "workspace") as opened:
        yield opened


def test_a_document_comes_back_as_it_was(store: Store) -> None:
    put_text(store, TEXT, "tides.md")
    original = named(TEXT, "tides.md")
    back = documents.load(store.reader(), original.id)
    assert back == original
    assert back.blocks == original.blocks
    (row,) = documents.rows(store.reader())
    assert (row.title, row.characters, row.content_hash) == (
        "tides.md", len(TEXT), original.content_hash,
    )  # fmt: skip
    assert documents.text(store.reader(), row.key) == TEXT


def test_chunks_come_back_as_they_were(store: Store) -> None:
    key = put_text(store, TEXT, "tides.md")
    profile = profiles.find(store.reader(), "small")
    found = chunks.of_document(store.reader(), profile.key, key)
    expected = list(chunk(named(TEXT, "tides.md"), SMALL))
    assert len(found) == len(expected) == profile.chunks > 4
    for stored, cut in zip(found, expected, strict=True):
        for name in (
            "id", "document_id", "index", "start", "end", "overlap", "size", "unit",
            "model_tokens", "boundary", "heading_chain", "page", "last_page", "lines", "symbol",
            "table_header", "prefix", "oversize", "truncated_by_model", "content_hash", "fresh",
        ):  # fmt: skip
            assert getattr(stored, name) == getattr(cut, name), name
        assert TEXT[stored.start : stored.end] == cut.text


def test_neighbours_and_spans(store: Store) -> None:
    key = put_text(store, TEXT, "tides.md")
    reader, profile = store.reader(), profiles.find(store.reader(), "").key
    every = chunks.of_document(reader, profile, key)
    middle = every[2]
    around = chunks.places_around(reader, [middle.key, every[0].key], 1)
    assert [place.key for place in around[middle.key]] == [each.key for each in every[1:4]]
    assert [place.key for place in around[every[0].key]] == [each.key for each in every[:2]]
    assert around[middle.key][1].start == middle.start
    ref = chunks.refs(reader, [middle.key, -1])[middle.key]
    assert (ref.id, ref.document_id) == (middle.id, middle.document_id)
    assert ref.content_hash.hex() == middle.content_hash
    assert chunks.holding(reader, profile, key, middle.start, middle.start + 1) == [middle]
    assert chunks.holding(reader, profile, key, middle.end - 1, every[3].start + 1) == every[2:4]
    keys = [each.key for each in reversed(every)]
    assert [each.key for each in chunks.rows(reader, [*keys, 10**9])] == keys


def test_vectors_come_back_by_chunk(store: Store) -> None:
    put_text(store, TEXT, "tides.md")
    key = put_text(store, TEXT.replace("moon", "sun"), "sun.md")
    reader, profile = store.reader(), profiles.find(store.reader(), "small").key
    keys, matrix = vectors.matrix(reader, profile)
    assert matrix.shape == (len(keys), 64)
    assert (np.diff(keys) > 0).all()
    embedder = HashingEmbedder()
    for chunk_key, vector in zip(keys.tolist(), matrix, strict=True):
        (stored,) = chunks.rows(reader, [chunk_key])
        text = documents.text(reader, stored.document)[stored.start : stored.end]
        expected = embedder.embed_passages([stored.prefix + text])[0]
        assert np.array_equal(vector, expected)
        assert np.array_equal(vectors.of_chunk(reader, chunk_key), expected)
    owners, pooled = vectors.pooled(reader, profile)
    assert key in owners
    assert np.allclose(np.linalg.norm(pooled, axis=1), 1)


def test_the_same_text_has_one_vector_whatever_the_profile(store: Store) -> None:
    put_text(store, TEXT, "tides.md")
    count = "SELECT count(*) FROM embeddings"
    before = store.reader().execute(count).get
    put_text(store, TEXT, "copy.md")
    put_text(store, TEXT, "tides.md", identity="p2")
    assert store.reader().execute(count).get == before


def test_unknown_names_suggest_the_nearest(store: Store) -> None:
    with pytest.raises(WrongUsage, match="nothing is indexed"):
        profiles.find(store.reader(), "small")
    put_text(store, TEXT, "tides.md")
    with pytest.raises(WrongUsage, match="did you mean 'small'"):
        profiles.find(store.reader(), "smal")
    with pytest.raises(WrongUsage, match="did you mean 'tides"):
        documents.find(store.reader(), "tide.md")


def test_a_title_that_several_have_is_refused_with_their_ids(store: Store) -> None:
    every = [replace(named(TEXT, f"{number}.md"), title="Tides") for number in range(7)]
    with store.transaction() as connection:
        documents.save(connection, every[0], every[0].source)
    assert documents.find(store.reader(), "Tides").id == every[0].id
    with store.transaction() as connection:
        for each in every[1:]:
            documents.save(connection, each, each.source)
    told = ", ".join(each.id for each in every[:5])
    with pytest.raises(WrongUsage, match=f"7 documents are called 'Tides'.*: {told} or 2 more"):
        documents.find(store.reader(), "Tides")
    for each in every:
        assert documents.find(store.reader(), each.id).id == each.id
        assert documents.find(store.reader(), each.source).id == each.id


def test_the_newest_profile_of_a_name_is_found(store: Store) -> None:
    put_text(store, TEXT, "tides.md")
    put_text(store, TEXT, "tides.md", identity="p2")
    assert profiles.find(store.reader(), "small").id == "p2"
    assert profiles.find(store.reader(), "p1").id == "p1"
    assert [each.id for each in profiles.rows(store.reader())] == ["p2", "p1"]


# The last private characters stand for bytes.
@given(st.text(st.characters(exclude_categories=[], max_codepoint=0x10FEFF), max_size=50))
def test_names_survive_whatever_their_bytes(name: str) -> None:
    name = name.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
    stored = to_name(name)
    stored.encode("utf-8")  # SQLite takes nothing else
    assert from_name(stored) == name


@given(st.text(alphabet="# a\n-`|>", max_size=80))
def test_blocks_survive(text: str) -> None:
    blocks = markdown_document(text).blocks
    assert from_blocks(to_blocks(blocks)) == blocks


@given(st.lists(st.one_of(st.text(), st.integers(), st.binary(), st.none()), max_size=4))
def test_rows_that_differ_have_other_hashes(row: list[str | int | bytes | None]) -> None:
    assert row_hash(row) == row_hash(list(row))
    assert row_hash(row) != row_hash([*row, ""])
    if row:
        assert row_hash(row) != row_hash(row[:-1])
