"""Rulers give what the counters themselves give for the piece of text alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers import encoding, tokenizer
from chunkscope.core.text.units import CharacterRuler, EstimateRuler, TokenRuler, WordRuler
from support.nasty import nasty_texts

TOKENIZERS = ["cl100k_base", "o200k_base", "minilm"]


@st.composite
def spans(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    text = draw(nasty_texts.filter(bool))
    position = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(position, position), min_size=1, max_size=12))
    return text, [(min(pair), max(pair)) for pair in pairs]


@pytest.mark.parametrize("name", TOKENIZERS)
@settings(max_examples=300, deadline=None)
@given(spans())
def test_tokens_of_any_span_are_counted_exactly(
    name: str, case: tuple[str, list[tuple[int, int]]]
) -> None:
    text, pairs = case
    ruler = TokenRuler(tokenizer(name), Layout(text))
    starts = np.array([start for start, _ in pairs])
    ends = np.array([end for _, end in pairs])
    pieces = [text[start:end] for start, end in pairs]
    if name == "minilm":
        expected = tokenizer(name).count_each(pieces)
    else:
        expected = [len(encoding(name).encode_ordinary(piece)) for piece in pieces]
    assert ruler.raw(starts, ends).tolist() == expected


@pytest.mark.parametrize("name", TOKENIZERS[:2])
@settings(max_examples=200, deadline=None)
@given(nasty_texts)
def test_token_starts_are_those_that_tiktoken_decodes(name: str, text: str) -> None:
    tokens = encoding(name).encode_ordinary(text)
    decoded, offsets = encoding(name).decode_with_offsets(tokens)
    assert decoded == text
    table = tokenizer(name).tabulate(Layout(text))
    assert table.starts.tolist() == [*offsets, len(text)]


@settings(max_examples=200, deadline=None)
@given(nasty_texts, st.integers(1, 30), st.sampled_from(TOKENIZERS))
def test_what_fits_is_within_the_limit(text: str, limit: int, name: str) -> None:
    layout = Layout(text)
    for ruler in (
        TokenRuler(tokenizer(name), layout),
        WordRuler(layout),
        CharacterRuler(layout),
        EstimateRuler(layout),
    ):
        start = 0
        while start < len(text):
            end = ruler.fit(start, len(text), limit)
            assert start < end <= len(text)
            length = int(ruler.raw(np.array([start]), np.array([end]))[0])
            is_one_grapheme = layout.clusters.ceil_one(start + 1) == end
            assert length <= limit or is_one_grapheme
            start = end


def test_special_tokens_are_text() -> None:
    assert tokenizer("cl100k_base").count_each(["<|endoftext|>"])[0] > 1
    assert tokenizer("minilm").count_each(["[SEP]"])[0] == 3
    assert tokenizer("minilm").specials == 2


@pytest.mark.parametrize("name", TOKENIZERS)
@pytest.mark.parametrize("text", ["a" * 1_000_000, " " * 1_000_000 + "x", "ab\u0301" * 200_000])
def test_long_runs_do_not_take_quadratic_time(name: str, text: str) -> None:
    ruler = TokenRuler(tokenizer(name), Layout(text))
    assert ruler.tokens.starts[-1] == len(text)
    assert ruler.fit(0, len(text), 100) > 0
    assert tokenizer(name).count_each([text])[0] > 0
