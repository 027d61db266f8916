"""Query sets come back as they went, and a bad row costs itself alone."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.evaluation.query_files import (
    BadQuerySet,
    from_csv,
    from_jsonl,
    read_queries,
    to_csv,
    to_jsonl,
    write_queries,
)
from chunkscope.core.evaluation.query_set import Passage, QueryClass, QuerySet, Question

# What canonical texts hold: no carriage return, NUL or lone surrogate.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0\ufeff"))
SOME = TEXT.map(lambda text: f"x{text}x")
PASSAGES = st.builds(
    lambda name, start, length, text: Passage(name, start, start + length, text),
    SOME, st.integers(0, 10**9), st.integers(1, 10**6), TEXT,
)  # fmt: skip


@st.composite
def query_sets(draw: st.DrawFn) -> QuerySet:
    texts = draw(st.lists(SOME, max_size=6, unique=True))
    questions = []
    for text in texts:
        expected = draw(st.lists(PASSAGES, max_size=3))
        # The CSV has one row for each document.
        expected.sort(key=lambda each: each.document)
        positive = st.sampled_from([QueryClass.KEYWORD, QueryClass.PARAPHRASE])
        kind = draw(positive) if expected else QueryClass.NEGATIVE
        questions.append(Question.new(text, expected, kind, draw(st.lists(SOME, max_size=2))))
    return QuerySet(tuple(questions))


@given(query_sets())
def test_json_lines_come_back(queries: QuerySet) -> None:
    again = from_jsonl(to_jsonl(queries))
    assert again == queries
    assert again.hash == queries.hash


@given(query_sets())
def test_csv_comes_back(queries: QuerySet) -> None:
    assert from_csv(to_csv(queries)) == queries


@given(st.text())
def test_no_text_breaks_the_readers(text: str) -> None:
    from_jsonl(text)
    with suppress(BadQuerySet):
        from_csv("question,references,corpus_id\n" + text)


GOOD = {"question": "Who?", "expected": [{"document": "a", "start": 0, "end": 3, "text": "Ann"}]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"question": " "}, "has no question"),
        ({"class": "hard"}, "keyword, paraphrase, negative"),
        ({"class": "negative"}, "is negative and yet expects"),
        ({"class": "keyword", "expected": []}, "expects no passage"),
        ({"expected": [{"document": "a", "start": 3, "end": 3}]}, "empty passage"),
        ({"expected": [{"document": "a", "start": -1, "end": 3}]}, "no position"),
        ({"expected": [{"document": "a", "start": True, "end": 3}]}, "no position"),
        ({"expected": [{"start": 1, "end": 3}]}, "without a document"),
        ({"expected": ["a"]}, "no JSON object"),
        ({"expected": {}, "tags": "x"}, "`tags` that is no list"),
    ],
)
def test_a_bad_row_is_told_with_its_line(change: dict[str, object], words: str) -> None:
    rows = [GOOD, {**GOOD, **change}, GOOD]
    found = from_jsonl("\n".join(map(json.dumps, rows)), "set.jsonl")
    assert len(found) == 2
    assert len({question.id for question in found}) == 2
    assert found.problems[0].startswith("set.jsonl, line 2: ")
    assert words in found.problems[0]


def test_a_question_without_an_answer_is_negative() -> None:
    found = from_jsonl('{"question": "Is there life on Mars?"}')
    assert found.questions[0].kind is QueryClass.NEGATIVE


def test_lines_of_a_csv_are_counted_in_the_file() -> None:
    rows = 'question,references,corpus_id\n"two\nlines",[],a\nbad,{,a\nworse,"[1]",a\n'
    found = from_csv(rows, "set.csv")
    assert [each.split(": ")[0] for each in found.problems] == [
        "set.csv, line 4",
        "set.csv, line 5",
    ]


def test_a_csv_without_its_columns_is_refused() -> None:
    with pytest.raises(BadQuerySet, match="lacks the column references"):
        from_csv("question,answer\n")


def test_the_public_set_is_read(shared_data: Path, tmp_path: Path) -> None:
    found = read_queries(shared_data / "chunking-eval" / "questions.csv")
    assert (len(found), found.problems) == (276, ())
    assert sum(len(question.expected) for question in found) == 452
    for name in ("set.csv", "set.jsonl"):
        write_queries(found, tmp_path / name)
        assert read_queries(tmp_path / name) == found


def test_writing_leaves_the_old_file_when_it_fails(tmp_path: Path) -> None:
    target = tmp_path / "set.jsonl"
    write_queries(QuerySet((Question.new("Who?"),)), target)
    before = target.read_text("utf-8")
    (tmp_path / "set.jsonl.new").mkdir()
    with pytest.raises((BadQuerySet, OSError)):
        write_queries(QuerySet(), target)
    assert target.read_text("utf-8") == before


def test_questions_are_edited_by_value() -> None:
    one = Question.new("Who?")
    queries = QuerySet().with_question(one).with_question(Question.new("Where?"))
    changed = queries.with_question(Question(one.id, "Who now?", one.kind))
    assert [each.text for each in changed] == ["Who now?", "Where?"]
    assert changed.hash != queries.hash
    assert len(changed.without(one.id)) == 1
