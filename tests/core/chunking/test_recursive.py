"""The common baseline: the usual splitter's cuts, and the figures published with them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.profile import Profile
from support.documents import plain_document

SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
Span = tuple[int, int]


def chunked(analysis: Analysis, strategy: str, **values: object) -> Chunking:
    profile = Profile.of(strategy, **values)
    return chunk_analysed(analysis, strategy, profile.parameters, profile.model)


def split_keeping(text: str, start: int, end: int, separator: str) -> list[Span]:
    """The pieces of a span; the separator stays at the beginning of what follows it."""
    if not separator:
        return [(at, at + 1) for at in range(start, end)]
    cuts, at = [start], text.find(separator, start, end)
    while at >= 0:
        if at > cuts[-1]:
            cuts.append(at)
        at = text.find(separator, at + len(separator), end)
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def merge(pieces: list[Span], size: int, overlap: int) -> list[Span]:
    """The usual way: add up, close when full, drop from the front what is too much to repeat."""
    found: list[Span] = []
    current: list[Span] = []
    total = 0
    for piece in pieces:
        length = piece[1] - piece[0]
        if total + length > size and current:
            found.append((current[0][0], current[-1][1]))
            while total > overlap or (total + length > size and total > 0):
                total -= current[0][1] - current[0][0]
                current = current[1:]
        current.append(piece)
        total += length
    return [*found, (current[0][0], current[-1][1])] if current else found


def reference(
    text: str, start: int, end: int, size: int, overlap: int, separators: list[str]
) -> list[Span]:
    separator = next(each for each in separators if not each or text.find(each, start, end) >= 0)
    finer = separators[separators.index(separator) + 1 :]
    found: list[Span] = []
    good: list[Span] = []
    for piece in split_keeping(text, start, end, separator):
        if piece[1] - piece[0] < size:
            good.append(piece)
            continue
        found += merge(good, size, overlap)
        good = []
        found += reference(text, *piece, size, overlap, finer) if finer else [piece]
    return found + merge(good, size, overlap)


def stripped(text: str, spans: list[Span]) -> list[Span]:
    """Without white space around, and without those that bring nothing new."""
    found: list[Span] = []
    for start, end in spans:
        inner = text[start:end]
        start += len(inner) - len(inner.lstrip())
        end -= len(inner) - len(inner.rstrip())
        if start < end and (not found or end > found[-1][1]):
            found.append((start, end))
    return found


PIECES = ["word", " ", "\n", "\n\n", ".", "?", "!", "longerword", "a. ", "x" * 30, "\n\n\n", "  "]


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.integers(2, 40),
    st.integers(0, 20),
)
def test_cuts_are_those_of_the_usual_splitter(text: str, size: int, overlap: int) -> None:
    overlap = min(overlap, size - 1)
    found = chunked(
        Analysis(plain_document(text)),
        "recursive",
        unit="characters",
        max_size=size,
        overlap=overlap,
    )
    spans = reference(text, 0, len(text), size, overlap, SEPARATORS) if text else []
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == stripped(
        text, spans
    )


# chunker, size, overlap: precision-omega and its deviation, as measured with the public evaluator.
PUBLISHED = [
    ("recursive", 800, 400, 5.75, 3.94),
    ("recursive", 400, 200, 12.61, 8.72),
    ("recursive", 400, 0, 15.86, 10.09),
    ("recursive", 250, 125, 19.55, 13.46),
    ("recursive", 200, 0, 28.61, 17.39),
    ("token-window", 800, 400, 4.42, 2.69),
    ("token-window", 400, 200, 8.20, 4.61),
    ("token-window", 400, 0, 12.13, 7.13),
    ("token-window", 200, 0, 21.10, 11.12),
]


@pytest.fixture(scope="module")
def corpora() -> dict[str, Analysis]:
    return {}


@pytest.mark.parametrize(("strategy", "size", "overlap", "mean", "deviation"), PUBLISHED)
def test_published_figures_are_reproduced(
    shared_data: Path,
    corpora: dict[str, Analysis],
    strategy: str,
    size: int,
    overlap: int,
    mean: float,
    deviation: float,
) -> None:
    folder = shared_data / "chunking-eval"
    scores = []
    spans: dict[str, list[Span]] = {}
    with (folder / "questions.csv").open(encoding="utf-8", newline="") as file:
        questions = list(csv.DictReader(file))
    values = {"single_piece_max": 0} if strategy == "token-window" else {}
    for name in sorted({question["corpus_id"] for question in questions}):
        if name not in corpora:
            text = (folder / f"{name}.md").read_text(encoding="utf-8")
            corpora[name] = Analysis(plain_document(text))
        found = chunked(corpora[name], strategy, max_size=size, overlap=overlap, **values)
        spans[name] = list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))
    for question in questions:
        labels = [
            (each["start_index"], each["end_index"]) for each in json.loads(question["references"])
        ]
        scores.append(precision_omega(spans[question["corpus_id"]], labels))
    assert 100 * np.mean(scores) == pytest.approx(mean, abs=0.05)
    assert 100 * np.std(scores) == pytest.approx(deviation, abs=0.05)


def precision_omega(chunks: list[Span], labels: list[Span]) -> float:
    """Ranges that only touch count as overlapping, as the public evaluator has it."""
    shared = [
        (max(start, first), min(end, last))
        for start, end in chunks
        for first, last in labels
        if max(start, first) <= min(end, last)
    ]
    touched = [
        (start, end)
        for start, end in chunks
        if any(max(start, first) <= min(end, last) for first, last in labels)
    ]
    return union_length(shared) / union_length([*touched, *labels]) if shared else 0.0


def union_length(spans: list[Span]) -> int:
    total, reached = 0, -1
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total
