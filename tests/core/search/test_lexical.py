"""The lexical channel: FTS5's own order, with every term's place and share."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.errors import Cancelled
from chunkscope.core.job import Job
from chunkscope.core.search import lexical
from chunkscope.core.search.lexical import Weights, match_query
from chunkscope.core.search.marks import Marker
from chunkscope.core.store import chunks, documents
from chunkscope.core.store.fulltext import words_table
from chunkscope.core.store.store import Store
from support.stored import put_text

TEXTS = {
    "tides.md": "# Tides\n\nThe running tide clock shows high water twice a day, and low water "
    "between; nobody in the harbour would set out without a look at it, least of all at night.\n\n"
    "## Clocks\n\nClocks ran slowly; a tide clock runs with the moon, which is later by fifty "
    "minutes every day, so that no ordinary pendulum can follow it for long.",
    "bread.md": "# Bread\n\nFlour, water and salt make bread. Water the dough twice.",
    "tokyo.md": "# 東京\n\n東京都の水道局は水を配る。iPhoneは売らない。",
    "code.md": "# Code\n\nUse `AND`, `OR` and NOT well-known don't-care values.",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("lexical")) as opened:
        for name, text in TEXTS.items():
            put_text(opened, text, name)
        for number in range(30):  # words in under half of the rows have a weight
            put_text(opened, f"Filler number {number} speaks of nothing.", f"filler{number}.md")
        yield opened


def _titles(store: Store, query: str, **options: object) -> list[str]:
    found = lexical.search(store.reader(), 1, match_query(query), **options)  # type: ignore[arg-type]
    return [chunk.title for chunk in chunks.rows(store.reader(), found.keys)]


def test_words_are_stemmed_and_the_best_comes_first(store: Store) -> None:
    assert _titles(store, "clock running tide")[0] == "tides.md"
    assert _titles(store, "flour bread") == ["bread.md"]
    assert _titles(store, "penguins") == []


def test_scores_are_those_of_fts5(store: Store) -> None:
    query = match_query("tide water clock")
    found = lexical.search(store.reader(), 1, query, weights=Weights(2, 1.5, 1))
    table = words_table(1)
    expected = store.reader().execute(
        f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? AND rank MATCH 'bm25(2, 1.5, 1)' "
        "ORDER BY rank, rowid", (query.words,),
    ).fetchall()  # fmt: skip
    assert list(found.keys) == [key for key, _ in expected]
    assert list(found.scores) == pytest.approx([-score for _, score in expected])


@pytest.mark.parametrize(
    "text", ["tide clocks water", '"tide clock" water', "well-known don't-care", "水 東京都 iPhone"]
)
def test_shares_add_up_to_the_score(store: Store, text: str) -> None:
    """Each term's part, counted by us in the text, gives the sum that FTS5 computed."""
    query, weights = match_query(text), Weights(3, 2, 1)
    reader = store.reader()
    found = lexical.search(reader, 1, query, weights=weights)
    known = [lexical.statistics(reader, 1, query, is_gram) for is_gram in (False, True)]
    assert found.keys
    for key, score in zip(found.keys, found.scores, strict=True):
        (chunk,) = chunks.rows(reader, [key])
        passage = documents.text(reader, chunk.document)[chunk.start : chunk.end]
        total = sum(_absolute(query, chunk, passage, weights, known))
        assert total == pytest.approx(score, rel=1e-6)
        marked = Marker(query, weights, known).mark(chunk, passage)
        assert sum(term.share for term in marked) == pytest.approx(1.0)


def _absolute(query, chunk, passage, weights, known):  # type: ignore[no-untyped-def]
    """The shares before they are made relative."""
    from chunkscope.core.search import marks

    values: list[float] = []
    original = marks.term_share

    def spy(*arguments: object) -> float:
        values.append(original(*arguments))  # type: ignore[arg-type]
        return values[-1]

    marks.term_share = spy  # type: ignore[assignment]
    try:
        Marker(query, weights, known).mark(chunk, passage)
    finally:
        marks.term_share = original
    return values


def test_marks_are_exactly_what_matched(store: Store) -> None:
    query = match_query("clock run")
    reader = store.reader()
    found = lexical.search(reader, 1, query)
    under = [c for c in chunks.rows(reader, found.keys) if "Clocks" in c.heading_chain]
    whole = documents.text(reader, under[0].document)
    (chunk,) = [each for each in under if "runs" in whole[each.start : each.end]]
    marker = Marker(query, Weights(), [lexical.statistics(reader, 1, query)])
    marked = marker.mark(chunk, whole[chunk.start : chunk.end])
    shown = {term.term: [whole[a:b] for a, b in term.spans] for term in marked}
    assert {word.lower() for word in shown["clock"]} <= {"clocks", "clock"}
    assert shown["run"] == ["runs"]  # "ran" has another stem
    assert {term.term: term.in_headings for term in marked} == {"clock": True, "run": False}


def test_scripts_without_spaces_are_found_inside_runs(store: Store) -> None:
    assert _titles(store, "水道局") == ["tokyo.md"]
    assert _titles(store, "水") == ["tokyo.md"]
    assert _titles(store, "iPhone") == ["tokyo.md"]
    assert _titles(store, '"道水"') == []


def test_only_allowed_chunks_answer(store: Store) -> None:
    every = lexical.search(store.reader(), 1, match_query("water")).keys
    assert len(every) > 1
    some = lexical.search(store.reader(), 1, match_query("water"), allowed=[every[1]])
    assert some.keys == (every[1],)


def test_weights_of_columns_count(store: Store) -> None:
    by_heading = lexical.search(
        store.reader(), 1, match_query("clocks"), weights=Weights(0, 50, 0.1)
    )
    (first,) = chunks.rows(store.reader(), by_heading.keys[:1])
    assert first.heading_chain[-1] == "Clocks"


def test_a_slow_query_is_stopped(tmp_path: Path) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "create virtual table fts_1 using fts5(title, headings, content, content='');"
        "create virtual table grams_1 using fts5(content, content='')"
    )
    with connection:
        connection.executemany(
            "insert into fts_1(rowid, title, headings, content) values(?, '', '', ?)",
            ((number, "many words stand here " * 5) for number in range(20_000)),
        )
    started = time.perf_counter()
    found = lexical.search(
        connection, 1, match_query("many words stand"), limit=0, time_limit=0.005
    )
    assert not found.is_complete
    assert time.perf_counter() - started < 1
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        lexical.search(connection, 1, match_query("many words stand"), limit=0, job=job)
    again = lexical.search(connection, 1, match_query("many words stand"), limit=3)
    assert again.is_complete
    assert len(again.keys) == 3


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_can_be_searched(store: Store, text: str) -> None:
    lexical.search(store.reader(), 1, match_query(text))
