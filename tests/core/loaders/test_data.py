"""JSON and CSV stay the files they are; their records are blocks."""

from __future__ import annotations

import csv
import json

from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.base import LoadOptions
from support.parsing import parse_one, texts

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


CELLS = st.text(alphabet='ab",\n é', max_size=6)


@given(JSON_VALUES, st.sampled_from([None, 1, "\t"]))
def test_members_of_json_are_blocks(value: object, indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    draft = parse_one(text, "a.json", LoadOptions(format="json"))
    if isinstance(value, list) and draft.media_type == "application/json":
        assert [json.loads(piece) for piece in texts(draft)] == value
    if isinstance(value, dict) and draft.media_type == "application/json":
        assert [block.name for block in draft.blocks] == list(value)
        assert [json.loads("{" + piece + "}") for piece in texts(draft)] == [
            {key: member} for key, member in value.items()
        ]


def test_broken_and_deep_json_are_text() -> None:
    assert "not valid JSON" in parse_one('{"a": ', "a.json").warnings[0]
    deep = "[" * 200_000
    draft = parse_one(deep, "a.json")
    assert draft.text == deep
    assert draft.warnings


def test_csv_rows_with_line_breaks_in_fields() -> None:
    draft = parse_one('name;note\n"Ana";"two\nlines; here"\n\nBob;x\n', "a.csv")
    rows = texts(draft, BlockKind.TABLE_ROW)
    assert rows == ["name;note", '"Ana";"two\nlines; here"', "Bob;x"]
    assert texts(draft, BlockKind.TABLE) == [draft.text.rstrip("\n")]


@given(
    st.lists(st.lists(st.text(alphabet='ab",\n é', max_size=6), min_size=2, max_size=3), max_size=6)
)
def test_csv_rows_are_the_records(rows: list[list[str]]) -> None:
    import io

    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    draft = parse_one(stream.getvalue(), "a.csv", LoadOptions(format="csv"))
    found = texts(draft, BlockKind.TABLE_ROW)
    assert [next(csv.reader(io.StringIO(row))) for row in found] == rows


def test_an_open_quote_takes_linear_time() -> None:
    draft = parse_one('a,"b\n' + "x,y\n" * 200_000, "a.csv")
    assert draft.text.count("\n") == 200_001


def test_json_lines() -> None:
    draft = parse_one('{"a": 1}\n\n[2]\n', "a.jsonl")
    assert texts(draft) == ['{"a": 1}', "[2]"]


def test_a_number_of_many_digits_is_a_number() -> None:
    draft = parse_one('{"a": 1, "big": ' + "9" * 9000 + "}", "a.json")
    assert [block.name for block in draft.blocks] == ["a", "big"]
    assert draft.warnings == []
