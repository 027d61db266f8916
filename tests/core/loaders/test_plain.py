"""Plain text is the file, character for character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.loaders import plain
from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.plain import LargeDraft, paragraphs, utf8_paragraphs
from chunkscope.core.sandbox.watch import Watch
from support.parsing import parse_one, texts


def test_paragraphs_stand_between_blank_lines() -> None:
    draft = parse_one("\n  One\ntwo\n \t\n\nThree \n\n", "a.txt")
    assert texts(draft) == ["One\ntwo", "Three "]


@given(st.text(alphabet=st.sampled_from("ab \t\n\u3000é👩\u200d"), max_size=60))
def test_blocks_hold_all_but_white_space(text: str) -> None:
    outside, at = [], 0
    for block in paragraphs(text):
        outside.append(text[at : block.start])
        at = block.end
    outside.append(text[at:])
    assert not "".join(outside).strip()


@given(st.text(max_size=200))
def test_the_text_is_the_file_with_plain_newlines(text: str) -> None:
    text = text.replace("\x00", "").removeprefix("\ufeff")
    draft = parse_one(text, "a.txt", LoadOptions(format="text", encoding="utf-8"))
    assert draft.text == text.replace("\r\n", "\n").replace("\r", "\n")


LINES = st.lists(st.sampled_from(["", " ", "\t \u3000", "a", " b ", "é", "👩 \x1c", "\u2028"]))


@pytest.mark.parametrize("piece", [1, 4, 1 << 20])
@given(LINES.map("\n".join))
def test_paragraphs_of_a_large_text_are_the_same(piece: int, text: str) -> None:
    usual, plain._PIECE = plain._PIECE, piece
    try:
        assert utf8_paragraphs(text.encode(), Watch()) == paragraphs(text)
    finally:
        plain._PIECE = usual


@pytest.mark.parametrize(
    "data", [b"caf\xe9\n", b"nul\0", b"\xef\xbb\xbfmark", b"\xed\xa0\x80", "é".encode("utf-16")]
)
def test_what_is_no_canonical_utf8_takes_the_usual_way(data: bytes) -> None:
    assert utf8_paragraphs(data, Watch()) is None


@pytest.mark.parametrize(
    "data",
    [
        b"One\r\ntwo\r\rthree\n",
        b"\xef\xbb\xbfMarked.\r\n",
        b"\xef\xbb\xbf\xef\xbb\xbftwice",
        "👩 and é\n\n".encode(),
        "Zoë".encode("cp1252"),
        "wide\n".encode("utf-16"),
        b"nul\0 in it",
    ],
)
def test_a_large_text_is_read_like_a_small_one(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = parse_one(data, "a.txt")
    monkeypatch.setattr(plain, "_LARGE_BYTES", 1)
    large = parse_one(data, "a.txt")
    assert (large.text, large.blocks, large.warnings) == (small.text, small.blocks, small.warnings)
    if isinstance(large, LargeDraft):
        assert large.utf8 == small.text.encode()
