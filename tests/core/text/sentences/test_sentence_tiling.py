"""Whatever the text: sentences tile their paragraphs and never begin inside a character."""

from __future__ import annotations

import numpy as np
import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from chunkscope.core.text.sentences import segmenters, sentence_starts
from chunkscope.core.text.sentences.languages import LANGUAGES
from core.text.sentences.fragments import pieces, spans

MARKS = "∯∮ȸȹ☉☈☇☄♨☝☏ƪ♟♝♬♭ᓰᓱᓳᓴᓷᓸ✂⌬⎋"
NASTY = [
    "👩‍🚀", "👍🏽", "🇩🇪", "🇫", "❤️", "e\u0301", "\u0301", "\u200d", "\ufe0f", "ก็", "สวัสดี", "한",
    "\u1100", "\u1161", "क्ष", "你好。", "「はい。」", "مرحبا؟", "שלום.", "।", "\u3000", "\u00a0",
    "\u2028", "\u0085", "\x1c", "\f", "\t", "\n", "\n\n", " ", ". ", "! ", "\ufeff", "\u200b",
    "\u202e", "𝒜.", "\ufffd", "&ᓴ&", "İ. ", "ſt. ", *MARKS,
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(NASTY + pieces()), st.text(max_size=5))).map("".join)
clean = texts.map(lambda text: text.replace("\0", "").replace("\r", "\n"))


def check(text: str, segmenter: str, language: str = "en") -> None:
    paragraphs = spans(text)
    starts = sentence_starts(text, paragraphs, segmenter, language)
    assert starts.dtype == np.int64
    assert np.all(np.diff(starts) > 0)
    assert set(paragraphs[:, 0]) <= set(starts.tolist())
    owner = np.searchsorted(paragraphs[:, 0], starts, "right") - 1
    assert np.all(starts < paragraphs[owner, 1])
    assert not any(text[start].isspace() for start in starts)
    whole = {match.start() for match in regex.finditer(r"\X", text)}
    assert set(starts.tolist()) - set(paragraphs[:, 0].tolist()) <= whole


@pytest.mark.parametrize("segmenter", ["pysbd", "unicode"])
@given(text=clean)
@example(text="Hi. \u0301There.")
@example(text="Hi.\u200d There. 🇩🇪🇫🇷. 🇩 🇪")
@example(text="Call ☏ now. It is ∯ here. ☝ Look! ♨ 3. ✂ cut.")
@example(text="Wait...!!!! What ... . . . . Now")
@example(text="")
def test_sentences_tile_their_paragraphs(segmenter: str, text: str) -> None:
    check(text, segmenter)


@given(text=clean, language=st.sampled_from(LANGUAGES))
def test_in_every_language(text: str, language: str) -> None:
    check(text, "pysbd", language)
    check(text, "unicode", language)


@pytest.mark.parametrize("segmenter", ["pysbd", "unicode"])
@pytest.mark.parametrize(
    "unit", ["a", ".", "!", "[", "(", '"', "‘", "“", "👩‍🚀", "。", "\u0301", "1. ", "a) "]
)
def test_a_hundred_thousand_of_one_kind(segmenter: str, unit: str) -> None:
    check((unit * 100_000)[:100_000], segmenter)


def test_a_mark_of_pysbd_in_the_text_costs_no_sentence() -> None:
    text = "The sign ∯ is here. A ☝ too. And an end ȸ of it."
    starts = sentence_starts(text, spans(text)).tolist()
    assert starts == [0, text.index("A ☝"), text.index("And")]


def test_line_ends_inside_a_paragraph_are_blanks() -> None:
    text = "  The end\nof Mr.\nLamb. It\nwas late.\n\n  Then\u2028nothing. "
    starts = sentence_starts(text, spans(text)).tolist()
    assert starts == [2, text.index("It\n"), text.index("Then")]


def test_no_paragraphs_no_sentences() -> None:
    for segmenter in segmenters:
        assert sentence_starts("  \n ", spans("  \n "), segmenter).tolist() == []
