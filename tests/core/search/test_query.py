"""Whatever is typed, FTS5 gets quoted words and never breaks."""

from __future__ import annotations

import os
import random
import time

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.search.query import MOST_TERMS, match_query
from chunkscope.core.search.words import words
from chunkscope.core.text.bigrams import bigrams
from support.nasty import NASTY

# A campaign runs more: tests/campaigns/queries.py.
EXAMPLES = int(os.environ.get("CHUNKSCOPE_EXAMPLES", "2000"))
PASSAGE = "The tide clock shows don't-care values, 東京都の水 and กำลังทดสอบ: NEAR AND NOT."
_PIECES = [
    *NASTY, '"', "'", "*", "^", "(", ")", "{", "}", ":", "+", "-", "--", ";", "/*", "\\", "\0",
    " AND ", " OR ", " NOT ", " NEAR ", "NEAR(", "content:", "title : ", "clock", "tide ", "“", "”",
    "“clock”", '"tide clock"', '""', '"""', "\ud800", "😀", "%", "_", ",", "don’t",
]  # fmt: skip
_QUERIES = st.lists(st.sampled_from(_PIECES) | st.text(max_size=5), max_size=12).map("".join)


@pytest.fixture(scope="module")
def database() -> apsw.Connection:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "create virtual table words using fts5(content, tokenize='porter unicode61');"
        "create virtual table grams using fts5(content, tokenize='unicode61')"
    )
    connection.execute("insert into words values (?)", (PASSAGE,))
    connection.execute("insert into grams values (?)", (bigrams(PASSAGE),))
    return connection


def _matches(database: apsw.Connection, text: str) -> bool:
    query = match_query(text)
    found = []
    for table, expression in (("words", query.words), ("grams", query.grams)):
        if expression:
            sql = f"select 1 from {table} where {table} match ?"
            found += list(database.execute(sql, (expression,)))
    return bool(found)


@settings(max_examples=EXAMPLES)
@given(text=_QUERIES)
def test_no_query_breaks(database: apsw.Connection, text: str) -> None:
    _matches(database, text)


@pytest.mark.parametrize("operator", ["AND", "OR", "NOT", "NEAR(a b)", "content: x", "^x", "x*"])
def test_operators_are_words(database: apsw.Connection, operator: str) -> None:
    assert _matches(database, f"{operator} clock")


def test_hyphens_apostrophes_and_emoji(database: apsw.Connection) -> None:
    assert _matches(database, "don't-care")
    assert _matches(database, "🕰 clock 😀")
    assert match_query("😀 --").is_empty


@pytest.mark.parametrize("text", ["", "   ", "\0", '"', '""', "*", "()", "“”"])
def test_nothing_to_look_for(text: str) -> None:
    query = match_query(text)
    assert query.is_empty
    assert (query.words, query.grams) == ("", "")


def test_a_phrase_in_quotes_must_match_as_one(database: apsw.Connection) -> None:
    assert _matches(database, '"tide clock" whatever')
    assert not _matches(database, '"clock tide" clock')
    assert _matches(database, "“tide clock”")
    assert _matches(database, '"the tide clock shows')  # unbalanced: only words


def test_stop_words_go_while_others_remain() -> None:
    assert [term.text for term in match_query("what is the tide").terms] == ["tide"]
    assert match_query("what is the tide").dropped == ("what", "is", "the")
    assert len(match_query("to be or not to be").terms) == 4
    assert [term.text for term in match_query('"the who" tide').terms] == ["the who", "tide"]


def test_words_with_one_stem_are_one_term() -> None:
    assert [term.text for term in match_query("clocks clock CLOCK Clock's").terms] == ["clocks"]


def test_ten_thousand_words_become_the_longest_64(database: apsw.Connection) -> None:
    numbers = random.Random(5).sample(range(10**6), 10_000)
    started = time.perf_counter()
    query = match_query(" ".join(f"w{number}" for number in numbers))
    assert time.perf_counter() - started < 2
    assert len(query.terms) == MOST_TERMS
    assert min(len(term.text) for term in query.terms) == 7
    assert "64 of the query's 10,000" in query.notes[0]
    database.execute("select 1 from words where words match ?", (query.words,))


@given(st.text())
def test_words_are_spans_of_the_text(text: str) -> None:
    at = 0
    for word in words(text):
        assert at <= word.start < word.end <= len(text)
        at = word.end


def test_words_are_stemmed_and_keep_their_place() -> None:
    text = "naïve Runners — running 👩‍🔬 fast"
    assert [(text[word.start : word.end], word.stem) for word in words(text)] == [
        ("naïve", "naiv"), ("Runners", "runner"), ("running", "run"), ("fast", "fast"),
    ]  # fmt: skip
