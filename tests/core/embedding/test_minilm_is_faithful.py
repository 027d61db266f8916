"""The built-in model gives what sentence-transformers gives for the same weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from chunkscope.core.embedding.base import Embedder
from chunkscope.core.embedding.minilm import MiniLM

Floats = NDArray[np.float32]

# torch and the model together keep a loaded machine busy for minutes.
pytestmark = pytest.mark.timeout(600)


def neighbours(vectors: Floats, count: int = 10) -> list[set[int]]:
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -2)
    return [set(row) for row in np.argsort(-likeness, axis=1)[:, :count].tolist()]


@pytest.fixture(scope="module")
def expected(original: Embedder, sample_chunks: list[str]) -> Floats:
    return original.embed_passages(sample_chunks)


@pytest.mark.parametrize("precision", ["as chosen", "f32"])
def test_every_sample_chunk_and_its_neighbours(
    minilm: MiniLM, sample_chunks: list[str], expected: Floats, precision: str
) -> None:
    model = minilm if precision == "as chosen" else MiniLM(precision=precision)
    found = model.embed_passages(sample_chunks)
    if model is not minilm:
        model.close()
    assert len(sample_chunks) > 50
    assert np.sum(found * expected, axis=1).min() >= 0.9995
    pairs = zip(neighbours(found), neighbours(expected), strict=True)
    assert np.mean([len(ours & theirs) / 10 for ours, theirs in pairs]) >= 0.98


def test_token_vectors_too(minilm: MiniLM, original: Embedder, sample_chunks: list[str]) -> None:
    for ours, theirs in zip(
        minilm.token_vectors(sample_chunks[:12]),
        original.token_vectors(sample_chunks[:12]),
        strict=True,
    ):
        np.testing.assert_array_equal(ours.spans, theirs.spans)
        assert np.sum(ours.vectors * theirs.vectors, axis=1).min() >= 0.995


def test_precisions_have_versions_of_their_own() -> None:
    assert MiniLM(precision="f32").version != MiniLM(precision="bf16").version
