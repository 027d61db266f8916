"""The fast encoder gives tiktoken's ids, or is not used."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.tokenizers import RANK_FILES, encoding, tokenizer
from chunkscope.core.text.tokenizers import encoders as encoders_module
from chunkscope.core.text.tokenizers.encoders import (
    PROBE_DIGESTS,
    GigatokenEncoder,
    TiktokenEncoder,
    digest,
    encoder,
    is_familiar,
    probe,
)
from chunkscope.core.text.tokenizers.ranks import token_bytes
from support.nasty import NASTY, nasty_texts

NAMES = list(RANK_FILES)
HOSTILE = [
    "a" * 100_000, "!" * 50_000, "\n" * 50_000 + "x", " " * 50_000 + "x", "漢" * 50_000,
    "👩\u200d🔬" * 10_000, "e\u0301" * 30_000, "1234567890" * 5_000, "aB1 " * 20_000,
    "\t \n" * 20_000, "<|endoftext|><|fim_prefix|><|endofprompt|>" * 200, "\x00\x01\x7f" * 3_000,
    "don't we'll I'VE 'ſ ’s" * 500, "/\n//\n" * 5_000, "\ufeff\u180e\u200b\u2028" * 2_000,
]  # fmt: skip


def same(name: str, text: str) -> bool:
    expected = encoding(name).encode_ordinary(text)
    return bool(np.array_equal(encoder(name).encode(text), expected))


@pytest.mark.parametrize("name", NAMES)
def test_the_fast_encoder_is_in_use(name: str) -> None:
    assert isinstance(encoder(name), GigatokenEncoder)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_texts_have_the_same_ids(name: str) -> None:
    for text in HOSTILE:
        assert same(name, text), text[:20]


@pytest.mark.parametrize("name", NAMES)
def test_large_texts_have_the_same_ids(name: str) -> None:
    names = ("story.txt", "handbook.md", "article.html")
    text = "".join((paths.sample_docs() / one).read_text("utf-8") for one in names)
    assert same(name, text)
    rng = random.Random(7)
    planes = [*range(0x20, 0xD800), *range(0xE000, 0x1F000), *range(0x1F000, 0x20000)]
    for _ in range(20):
        letters = rng.choices(planes, k=5_000)
        assert same(name, "".join(map(chr, letters)))
        assert same(name, "".join(rng.choices([*NASTY, " ", "\n", "a", "B", "1"], k=5_000)))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=500, deadline=None)
@given(nasty_texts | st.text(max_size=40))
def test_any_text_has_the_same_ids(name: str, text: str) -> None:
    assert same(name, text)


# New in Unicode 17: letters, digits and marks for some libraries, nothing for others.
NEW = (0x88F, 0xC5C, 0x1ACF, 0x1ADD, 0xA7CE, 0xA7F1, 0x10940, 0x11B60, 0x11DE0, 0x16EA0, 0x18D1E,
       0x1E6C0, 0x1E6F5, 0x2B73A, 0x2CEA2, 0x323B0, 0x33479)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_characters_of_any_age_have_the_same_ids(name: str) -> None:
    every = [*range(0x80, 0xD800, 11), *range(0xE000, 0x110000, 331), *NEW]
    for character in map(chr, every):
        text = f"{character}/A a{character}b 1{character}2 a{character}B{character}'s  {character}"
        assert same(name, text), hex(ord(character))
    assert same(name, "漢字 word " * 500 + chr(NEW[-1]) + "/A")


@pytest.mark.parametrize("name", NAMES)
def test_lone_surrogates_count_like_the_character_that_replaces_them(name: str) -> None:
    expected = encoding(name).encode_ordinary("a\ufffdb")
    for used in (TiktokenEncoder(name), GigatokenEncoder(name)):
        assert used.encode("a\ud800b").tolist() == expected


@pytest.mark.parametrize("name", NAMES)
def test_the_probe_tells_what_tiktoken_gives(name: str) -> None:
    assert digest(TiktokenEncoder(name)) == PROBE_DIGESTS[name]
    assert is_familiar(probe())  # else gigatoken would never see it


def test_the_probe_is_put_to_gigatoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders_module, "TiktokenEncoder", None)
    assert digest(GigatokenEncoder("cl100k_base")) == PROBE_DIGESTS["cl100k_base"]


def test_without_the_package_tiktoken_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gigatoken.gigatoken_rs", None)
    used = encoder.__wrapped__("cl100k_base")
    assert isinstance(used, TiktokenEncoder)
    assert used.encode("Hello <|endoftext|>").tolist() == encoding("cl100k_base").encode_ordinary(
        "Hello <|endoftext|>"
    )


def test_a_package_with_other_ids_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROBE_DIGESTS, "cl100k_base", "another")
    assert isinstance(encoder.__wrapped__("cl100k_base"), TiktokenEncoder)


def test_what_it_remembers_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoders_module, "_REMEMBERED", 1_000)
    used = GigatokenEncoder("cl100k_base")
    first = used._tokenizer
    used.encode("word " * 150)
    assert used._tokenizer is first
    assert used.encode("word " * 150).tolist() == encoding("cl100k_base").encode_ordinary(
        "word " * 150
    )
    assert used._tokenizer is not first


@pytest.mark.parametrize("name", NAMES)
def test_the_vocabulary_is_tiktokens(name: str) -> None:
    values = token_bytes(name)
    assert values == encoding(name).decode_tokens_bytes(range(len(values)))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=300, deadline=None)
@given(
    nasty_texts
    | st.text("abAB'lvre éßΣσǅ漢字かナー々한국العربيةกำनमस्ते़12 \n/.!\u0301𠀀𝐚", max_size=30)
)
def test_a_cut_at_a_fair_place_changes_no_token(name: str, text: str) -> None:
    table = tokenizer(name).tabulate(Layout(text))
    encode = encoder(name).encode
    tokens = encode(text).tolist()
    assert table.fair is not None
    for number in np.flatnonzero(table.fair[:-1]).tolist():
        at = int(table.starts[number])
        assert encode(text[:at]).tolist() == tokens[:number]
        assert encode(text[at:]).tolist() == tokens[number:]
