"""Figures and the proof, against chunkings whose answers are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chunkscope import chunk
from chunkscope.core.blocks import BlockKind
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.difference import compare
from chunkscope.core.chunking.packed import Packed
from chunkscope.core.chunking.statistics import Statistics, prove
from chunkscope.core.profile import Profile
from support.documents import markdown_document, plain_document

TEXT = "One two three. Four five six.\n\nSeven eight nine. Ten eleven twelve.\n"


def altered(chunking: Chunking, starts: list[int], ends: list[int]) -> Chunking:
    """The chunking as a faulty strategy would have given it."""
    packed = Packed(np.array(starts), np.array(ends), np.array(ends) - np.array(starts))
    cut = replace(chunking._cut, packed=packed)
    return Chunking(chunking.analysis, "faulty", chunking.strategy, cut, chunking.model)


@pytest.fixture
def sentences() -> Chunking:
    return chunk(plain_document(TEXT), Profile.of("sentence", unit="words", max_size=3, overlap=0))


def test_sizes_and_cuts(sentences: Chunking) -> None:
    found = Statistics(sentences)
    assert (found.sizes.smallest, found.sizes.median, found.sizes.largest) == (3, 3.0, 3)
    assert found.cut_shares == {
        "section": 0.0, "paragraph": pytest.approx(1 / 3), "sentence": pytest.approx(2 / 3),
        "inside_sentence": 0.0,
    }  # fmt: skip
    assert found.repeated_share == 0.0
    characters = Profile.of("character", max_size=20, min_size=0)
    inside = Statistics(chunk(plain_document(TEXT), characters))
    assert inside.inside_sentence
    assert inside.cut_shares["inside_sentence"] > 0.5


def test_a_proof_holds_only_where_it_is_true(sentences: Chunking) -> None:
    proof = prove(sentences)
    assert proof.holds
    assert proof.fresh + proof.white_space == len(TEXT)
    starts, ends = sentences.starts.tolist(), sentences.ends.tolist()
    lost = prove(altered(sentences, starts[:1] + starts[2:], ends[:1] + ends[2:]))
    assert not lost.holds
    assert [TEXT[span.start : span.end] for span in lost.lost] == ["Four", "five", "six."]
    swapped = prove(altered(sentences, starts[::-1], ends[::-1]))
    assert not swapped.holds


def test_what_is_left_out_is_listed_with_its_reason() -> None:
    document = markdown_document("# Head\n\nText.\n\n> Quoted.\n\nMore.\n")
    found = chunk(document, Profile.of("paragraph", skip=("quote",), min_size=0))
    ((span, reason),) = found.left_out
    assert document.text[span.start : span.end] == "> Quoted."
    assert "quote" in reason
    proof = prove(found)
    assert proof.holds
    assert proof.left_out == len("> Quoted.")


def test_tables_code_and_turns_cut_are_counted() -> None:
    rows = "".join(f"| {n} | {n} |\n" for n in range(20))
    code = "code line\n" * 30
    document = markdown_document(f"| a | b |\n|---|---|\n{rows}\n\n```\n{code}```\n")
    small = Statistics(chunk(document, Profile.of("markdown", max_size=60)))
    assert small.blocks_cut(BlockKind.TABLE)
    assert small.blocks_cut(BlockKind.CODE)
    large = Statistics(chunk(document, Profile.of("markdown", max_size=5000, min_size=0)))
    assert not large.blocks_cut(BlockKind.TABLE)


def test_chunks_over_the_model_and_below_the_minimum() -> None:
    text = "word " * 600
    windows = Profile.of("token-window", max_size=400, overlap=0, single_piece_max=0)
    found = Statistics(chunk(plain_document(text), windows))
    assert found.over_model == [0]
    assert found.over_maximum == []


def test_differences_of_two_chunkings() -> None:
    document = plain_document(" ".join(f"w{n:03}" for n in range(100)))
    tens = chunk(document, Profile.of("sentence", unit="words", max_size=10, overlap=0))
    again = compare(tens, tens)
    assert len(again.same) == 9
    assert (again.moved, again.added, again.removed) == ((), (), ())
    fives = chunk(document, Profile.of("sentence", unit="words", max_size=5, overlap=0))
    finer = compare(tens, fives)
    assert (len(finer.same), len(finer.added), len(finer.removed)) == (9, 10, 0)
    back = compare(fives, tens)
    assert (len(back.same), len(back.added), len(back.removed)) == (9, 0, 10)
    elevens = chunk(document, Profile.of("sentence", unit="words", max_size=11, overlap=0))
    assert compare(tens, elevens).moved
