"""Plain text is the file, character for character."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.loaders.base import LoadOptions
from chunkscope.core.loaders.plain import paragraphs
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
