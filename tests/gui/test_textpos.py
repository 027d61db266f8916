"""Offsets and Qt positions: each the other's reverse, on any text."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QTextBoundaryFinder

from chunkscope.gui.textpos import TextPositions

_SIGNS = [
    "a",
    " ",
    "é",
    "e\u0301",
    "\u0301",
    "😀",
    "👩‍👩‍👧",
    "🇯🇵",
    "𝒳",
    "字",
    "ש",
    "\u2028",
    "\t",
    "\uffff",
]
_TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(_SIGNS)).map("".join))


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(_TEXTS)
def test_a_position_counts_the_units_before(text: str) -> None:
    places = TextPositions(text)
    expected = [_units(text[:offset]) for offset in range(len(text) + 1)]
    assert [places.to_pos(offset) for offset in range(len(text) + 1)] == expected
    assert places.pos_length == expected[-1]


@given(_TEXTS)
def test_there_and_back(text: str) -> None:
    places = TextPositions(text)
    offsets = np.arange(len(text) + 1)
    assert places.to_offsets(places.to_positions(offsets)).tolist() == offsets.tolist()
    assert [places.to_offset(places.to_pos(offset)) for offset in offsets] == offsets.tolist()


@given(_TEXTS)
def test_inside_a_pair_is_the_character(text: str) -> None:
    places = TextPositions(text)
    for offset, sign in enumerate(text):
        if ord(sign) > 0xFFFF:
            assert places.to_offset(places.to_pos(offset) + 1) == offset


@given(_TEXTS)
def test_one_and_many_agree(text: str) -> None:
    places = TextPositions(text)
    positions = np.arange(places.pos_length + 1)
    assert places.to_offsets(positions).tolist() == [places.to_offset(int(p)) for p in positions]


def test_without_wide_characters_nothing_changes() -> None:
    assert TextPositions("plain, é, 字, e\u0301").is_identity
    assert not TextPositions("😀").is_identity


def test_the_toolkit_counts_the_same() -> None:
    text = "a😀b"
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, text)
    finder.toEnd()
    assert finder.position() == TextPositions(text).pos_length
