"""RTF: the text, a paragraph for each line, and what is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkscope.core.loaders  # noqa: F401 - fills the registry
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from support.parsing import parse_all, parse_one, texts

LETTER = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial;}}"
    rb"{\info{\title Secret}}\f0 Dear Ren\'e9e,\par {\b bold} and \u26085? \u-10179?\u-8704?\par "
    rb"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par\{braces\}\par}"
)


def test_the_letter() -> None:
    draft = parse_one(LETTER, "a.rtf")
    assert draft.text == "Dear Renée,\n\nbold and 日 😀\n\nПривет\n\n{braces}"
    assert texts(draft) == ["Dear Renée,", "bold and 日 😀", "Привет", "{braces}"]
    assert {block.kind for block in draft.blocks} == {BlockKind.PARAGRAPH}
    assert (draft.media_type, draft.missing, draft.warnings) == ("application/rtf", [], [])


def test_it_is_known_by_its_content() -> None:
    assert parse_one(LETTER, "letter.txt").media_type == "application/rtf"


def test_text_between_two_links_of_a_line_is_kept() -> None:
    def link(text: bytes) -> bytes:
        return rb'{\field{\*\fldinst{HYPERLINK "http://a"}}{\fldrslt{\ul ' + text + rb"}}}"

    draft = parse_one(
        rb"{\rtf1 " + link(b"one") + b" kept " + link(b"two") + rb" end\par}", "a.rtf"
    )
    assert draft.text == "one kept two end"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (rb"{\rtf1 one\par two", "one\n\ntwo"),
        (rb"{\rtf1 one {\b two", "one two"),
    ],
)
def test_a_file_that_breaks_off_is_partial(data: bytes, expected: str) -> None:
    draft = parse_one(data, "a.rtf")
    assert draft.text == expected
    assert draft.missing == ["its end: the file breaks off inside a group"]


def test_escaped_braces_open_no_group() -> None:
    assert parse_one(rb"{\rtf1 a \{ b \\}", "a.rtf").missing == []


def test_notes_that_are_not_read_are_told() -> None:
    draft = parse_one(rb"{\rtf1 one{\footnote two}{\*\annotation three}\par}", "a.rtf")
    assert draft.text == "one"
    assert draft.missing == ["2 footnotes or comments, which are not read from RTF"]


@pytest.mark.parametrize(
    "switch", [rb"\uc ", rb"\u9999999999 ", rb"\u-999999 ", rb"\u1114112 ", rb"\ansicpg99999 "]
)
def test_senseless_switches_do_no_harm(switch: bytes) -> None:
    draft = parse_one(rb"{\rtf1 before " + switch + rb"\'e9 after\par}", "a.rtf")
    assert draft.text.startswith("before")
    assert draft.text.endswith("after")


def test_half_a_character_is_replaced() -> None:
    draft = parse_one(rb"{\rtf1 a\u-10179?b\par}", "a.rtf")
    assert draft.text == "a\ufffdb"


def test_an_unknown_code_page_of_a_font_is_refused_in_a_sentence() -> None:
    data = rb"{\rtf1{\fonttbl{\f0\fcharset78 Osaka;}}\f0 \'82\'a0\par}"
    try:
        assert parse_one(data, "a.rtf").text
    except LoadError as problem:
        assert "save it as DOCX" in problem.reason  # noqa: PT017 - either way


def test_a_file_of_no_text_is_told() -> None:
    data = rb"{\rtf1{\pict " + b"00" * 2_000 + b"}}"
    draft = parse_one(data, "a.rtf")
    assert (draft.text, draft.missing) == ("", ["no text was found in it"])


@pytest.mark.parametrize(
    "piece",
    [
        rb'{\field{\*\fldinst{HYPERLINK "a"}}{\fldrslt x}}',
        rb'{\field{\*\fldinst{HYPERLINK "a',
        rb"{\b x} ",
        rb"line\par ",
    ],
)
def test_long_lines_take_linear_time(piece: bytes) -> None:
    began = time.process_time()
    parse_one(rb"{\rtf1 " + piece * 10_000 + b"}", "a.rtf")
    assert time.process_time() - began < 5


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 10), st.binary(max_size=6)),
        min_size=1,
        max_size=8,
    )
)
def test_mutated_files_load_or_are_refused(changes: list[tuple[int, int, bytes]]) -> None:
    data = bytearray(LETTER)
    for at, length, new in changes:
        start = 6 + at % (len(data) - 6)
        data[start : start + length] = new
    try:
        parse_all(bytes(data), "a.rtf")
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right
