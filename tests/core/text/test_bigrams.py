"""Scripts without spaces are found in full text by their pairs of letters."""

from __future__ import annotations

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.search.query import match_query
from chunkscope.core.text.bigrams import bigrams, has_bigrams, runs, without_bigrams
from support.nasty import nasty_texts

_LETTERS = st.text("東京都水道局のテスト학교กำลังทดสอบที่น้ำ", min_size=1, max_size=8)


def _finds(passage: str, query: str) -> bool:
    with apsw.Connection(":memory:") as connection:
        connection.execute("create virtual table grams using fts5(content, tokenize='unicode61')")
        connection.execute("insert into grams values (?)", (bigrams(passage),))
        match = match_query(query).grams
        return bool(list(connection.execute("select 1 from grams where grams match ?", (match,))))


def test_words_of_other_scripts_have_none() -> None:
    assert bigrams("Plain words, naïve café, Привет мир, हिन्दी") == ""
    assert not has_bigrams("Plain words, naïve café")


def test_a_run_becomes_its_pairs_and_its_last_letter() -> None:
    assert bigrams("東京都に、水") == "東京 京都 都に に 水"


@pytest.mark.parametrize(
    ("passage", "query"),
    [
        ("私は東京都に住んでいます", "東京都"),
        ("私は東京都に住んでいます", "東"),
        ("私は東京都に住んでいます", "す"),
        ("ฉันกำลังทดสอบน้ำ", "น้ำ"),
        ("ฉันกำลังทดสอบน้ำ", '"กำลังทดสอบ"'),
        ("학교에서 공부한다", "학교"),
        ("ខ្ញុំស្រឡាញ់", "ស្រ"),
        ("ຂ້ອຍຮັກ", "ຮັກ"),
        ("ကျွန်တော်", "ကျွန်"),
        ("𠀀𠀁𠀂", "𠀁𠀂"),
    ],
)
def test_part_of_a_run_is_found(passage: str, query: str) -> None:
    assert _finds(passage, query)


def test_marks_tell_letters_apart() -> None:
    assert not _finds("ที่นี่", '"ทานา"')
    assert not _finds("ปาก", '"ปีก"')


def test_a_phrase_is_not_found_in_another_order() -> None:
    assert not _finds("京東", '"東京"')
    assert not _finds("東京、都立", '"東京都"')


@given(_LETTERS, _LETTERS, _LETTERS)
def test_every_phrase_inside_a_run_is_found(before: str, wanted: str, after: str) -> None:
    whole = before + wanted + after
    # A mark at the cut would join the letter before it, and be another letter.
    starts = {offset for run in runs(whole) for offset in run.offsets}
    if {len(before), len(before) + len(wanted)} <= starts:
        assert _finds(whole, f'"{wanted}"')


@given(nasty_texts)
def test_runs_are_spans_and_the_rest_keeps_its_place(text: str) -> None:
    rest = without_bigrams(text)
    assert len(rest) == len(text)
    assert not has_bigrams(rest)
    for run in runs(text):
        assert rest[run.start : run.offsets[-1]].isspace()
        assert len(run.letters) == len(run.offsets) - 1
        assert list(run.offsets) == sorted(set(run.offsets))
