"""SPEC 2's invariants, checked with the parts' own counters and none of ours."""

from __future__ import annotations

import regex

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.statistics import prove
from chunkscope.core.text.tokenizers import encoding, tokenizer
from chunkscope.core.text.units import Unit


def check_chunking(chunking: Chunking) -> None:
    """Every promise that a strategy makes about any text and any parameter."""
    text = chunking.document.text
    cluster_edges = {0, len(text)} | {match.end() for match in regex.finditer(r"\X", text)}
    left_out = [span for span, _ in chunking.left_out]
    covered = 0
    before = None
    for index, chunk in enumerate(chunking):
        assert chunk.index == index
        assert 0 <= chunk.start < chunk.end <= len(text)
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.text.strip(), "a chunk shows something"
        assert chunk.start in cluster_edges
        assert chunk.end in cluster_edges
        _check_gap(text, covered, chunk.fresh.start, left_out)
        covered = max(covered, chunk.end)
        if before is None:
            assert chunk.overlap == 0
        else:
            assert chunk.start >= before.start
            assert chunk.fresh.start >= before.end
            assert chunk.fresh.end > before.end
            assert chunk.overlap == max(0, before.end - chunk.start)
        _check_overlap(chunking, chunk.text[: chunk.overlap])
        assert chunk.size == count(chunking, chunk.text)
        _check_maximum(chunking, chunk.text, chunk.oversize)
        before = chunk
    _check_gap(text, covered, len(text), left_out)
    proof = prove(chunking)
    assert proof.holds, proof


def count(chunking: Chunking, text: str) -> int:
    """A text counted by itself, in the unit of the chunking."""
    unit, name = chunking.strategy.unit, chunking.strategy.tokenizer
    if unit == Unit.CHARACTERS:
        return len(text)
    if unit == Unit.ESTIMATE:
        return -(-len(text) // 4)
    if unit == Unit.WORDS:
        return len(text.split())
    if name == "minilm":
        counter = tokenizer(name)
        return counter.count_each([text])[0] + counter.specials
    return len(encoding(name).encode_ordinary(text))


def _check_gap(text: str, start: int, end: int, left_out: list[tuple[int, int]]) -> None:
    for first, last in left_out:
        if first >= start and last <= end:
            assert not text[start:first].strip(), "text lies outside the fresh parts"
            start = max(start, last)
    assert not text[start:end].strip(), "text lies outside the fresh parts"


def _check_overlap(chunking: Chunking, repeated: str) -> None:
    if not repeated:
        return
    strategy = chunking.strategy
    sentences = getattr(strategy, "overlap_sentences", 0)
    if sentences:
        return
    specials = tokenizer(strategy.tokenizer).specials if strategy.unit == Unit.TOKENS else 0
    assert count(chunking, repeated) - specials <= strategy.overlap_size


def _check_maximum(chunking: Chunking, text: str, is_marked: bool) -> None:
    largest = chunking.max_size
    if len(chunking) == 1:
        largest = max(largest, getattr(chunking.strategy, "single_piece_max", 0))
    is_over = count(chunking, text) > largest
    assert is_over == is_marked
    if is_over and not chunking.strategy.oversize_stands_alone:
        # Only what may not be cut is larger: one grapheme.
        assert len(regex.findall(r"\X", text)) == 1
