"""What every embedder promises: normalised rows in order, for any text whatever."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkscope.core.embedding.base import Embedder, embedder, embedders
from chunkscope.core.embedding.minilm import MiniLM
from chunkscope.core.errors import Cancelled, WrongUsage
from chunkscope.core.job import Job

BUILT_IN = ["minilm", "instant"]
ODD = [
    "",
    " ",
    "a",
    "word " * 200_000,
    "a" * 1_000_000,
    "[CLS] [SEP] [PAD] [UNK] [MASK] <s> </s> <|endoftext|>",
    "👩‍🚀👨‍👩‍👧‍👦 cafe\u0301 🇩🇪 👍🏽",
    "\x00 \ud800 \udfff",
    "人人生而自由，在尊严和权利上一律平等。",
    "\n\t\u2029\u00a0\ufeff",
]


@pytest.fixture(params=BUILT_IN)
def any_embedder(request: pytest.FixtureRequest, minilm: MiniLM) -> Embedder:
    return minilm if request.param == "minilm" else embedder(request.param)


def test_all_built_in_ones_are_tested() -> None:
    assert set(embedders) == {*BUILT_IN, "sentence-transformers"}


def test_odd_texts_have_rows_in_the_order_given(any_embedder: Embedder) -> None:
    found = any_embedder.embed_passages(ODD)
    assert found.shape == (len(ODD), any_embedder.dimensions)
    assert found.dtype == np.float32
    lengths = np.linalg.norm(found, axis=1)
    # Static vectors have nothing to say of an empty text.
    assert np.all(np.isclose(lengths, 1, atol=1e-3) | (lengths == 0))
    assert np.all(np.isclose(lengths[2:], 1, atol=1e-3))
    alone = np.concatenate([any_embedder.embed_passages([text]) for text in ODD])
    np.testing.assert_allclose(found, alone, atol=0.02)


def test_nothing_to_embed(any_embedder: Embedder) -> None:
    assert any_embedder.embed_passages([]).shape == (0, any_embedder.dimensions)
    assert any_embedder.embed_queries([]).shape == (0, any_embedder.dimensions)
    assert any_embedder.token_vectors([]) == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.text(st.characters(), max_size=60), max_size=6))
@pytest.mark.parametrize("name", BUILT_IN)
def test_any_text(minilm: MiniLM, name: str, texts: list[str]) -> None:
    model = minilm if name == "minilm" else embedder(name)
    assert np.isfinite(model.embed_queries(texts)).all()
    for text, tokens in zip(texts, model.token_vectors(texts), strict=True):
        assert len(tokens.vectors) == len(tokens.spans)
        assert np.isfinite(tokens.vectors).all()
        starts, ends = tokens.spans[:, 0], tokens.spans[:, 1]
        assert np.all((starts >= 0) & (starts <= ends) & (ends <= len(text)))
        assert np.all(np.diff(starts) >= 0)


def test_special_tokens_in_a_text_are_letters(any_embedder: Embedder) -> None:
    (tokens,) = any_embedder.token_vectors(["see [SEP] and </s> here"])
    named = {"see [SEP] and </s> here"[start:end].strip() for start, end in tokens.spans}
    assert not named & {"[SEP]", "</s>"}
    plain, special = any_embedder.embed_passages(["see and here", "see [SEP] and </s> here"])
    assert float(plain @ special) < 0.999


def test_token_vectors_point_at_their_words(minilm: MiniLM) -> None:
    text = "Übergrößen 👍🏽 kosten extra"
    (tokens,) = minilm.token_vectors([text], is_query=True)
    words = [text[start:end] for start, end in tokens.spans.tolist()]
    assert "".join(words).replace(" ", "") == text.replace(" ", "")
    np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1, atol=1e-3)


def test_what_is_beyond_the_limit_is_not_read(minilm: MiniLM) -> None:
    start = "the model reads these words " * 60
    first, second = minilm.embed_passages([start, start + "and never these about volcanoes"])
    np.testing.assert_array_equal(first, second)
    (tokens,) = minilm.token_vectors([start])
    assert len(tokens.vectors) == minilm.max_tokens - 2


def test_progress_and_the_count_of_texts(any_embedder: Embedder) -> None:
    before, steps = any_embedder.embedding_calls, list[tuple[int, int]]()
    texts = [f"text {number} " * number for number in range(1, 150)]
    any_embedder.embed_passages(texts, Job(lambda done, total, _: steps.append((done, total))))
    assert any_embedder.embedding_calls - before == len(texts)
    assert steps[0] == (0, 149)
    assert steps[-1] == (149, 149)
    assert len(steps) > 2
    assert steps == sorted(steps)


def test_a_cancelled_job_is_not_begun(any_embedder: Embedder) -> None:
    job, before = Job(), any_embedder.embedding_calls
    job.cancel()
    with pytest.raises(Cancelled):
        any_embedder.embed_passages(["one", "two"], job)
    assert any_embedder.embedding_calls == before


def test_versions_and_names(minilm: MiniLM) -> None:
    instant = embedder("instant")
    assert minilm.name == "minilm"
    assert instant.name == "instant"
    assert minilm.version != instant.version
    assert minilm.version == MiniLM(precision=minilm.precision).version


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("minilmm", "did you mean 'minilm'?"),
        ("Instant", "did you mean 'instant'?"),
        ("sentence-transformers", "write sentence-transformers:FOLDER"),
        ("sentence-transformers: ", "write sentence-transformers:FOLDER"),
    ],
)
def test_unknown_names_are_told(name: str, hint: str) -> None:
    with pytest.raises(WrongUsage, match=hint.replace("?", r"\?")):
        embedder(name)
