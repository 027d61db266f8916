"""What the engine says of a model's limit is what the model does."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from chunkscope.core.chunking.models import reading_model, reading_models
from chunkscope.core.embedding.base import Embedder, embedder, embedders
from chunkscope.core.embedding.host import ModelHost
from chunkscope.core.embedding.minilm import MiniLM
from chunkscope.core.errors import WrongUsage
from chunkscope.core.profile import BadProfile, Profile
from chunkscope.core.workspace import chunk
from support import tiny_models
from support.documents import plain_document

TEXT = "\n\n".join(
    f"The tide of day {day} was red: " + "sea and clock, " * day for day in range(99)
)


def check_truncation(model: Embedder, name: str) -> None:
    """A chunk is marked as cut exactly when the model has not seen its last token."""
    chunks = [
        one
        for characters in range(2 * model.max_tokens, 6 * model.max_tokens, model.max_tokens)
        for one in chunk(
            plain_document(TEXT[:5_000]),
            replace(
                Profile.of("character", unit="characters", max_size=characters, min_size=10),
                embedder=name,
            ).checked(),
        )
    ]
    marked = [one.truncated_by_model for one in chunks]
    read = model.token_vectors([one.embedded_text for one in chunks])
    ends = [one.embedded_text.rstrip() for one in chunks]
    seen = [tokens.spans[-1, 1] for tokens in read]
    assert marked == [end < len(text) for end, text in zip(seen, ends, strict=True)]
    assert 0 < sum(marked) < len(marked)


def test_every_embedder_has_its_reading_model() -> None:
    ours = {name for name in reading_models if name != "hashing"}  # of tests/support
    assert ours == set(embedders) - {"sentence-transformers"}


def test_minilm(minilm: MiniLM) -> None:
    assert reading_model("minilm").max_tokens == minilm.max_tokens
    assert reading_model("minilm").share(1200) == "1,200 of 256 tokens"
    check_truncation(minilm, "minilm")


@pytest.mark.parametrize("name", ["plain", "e5-tiny"])
def test_a_folder_with_and_without_a_prefix(
    name: str, tmp_path: Path, torch_host: ModelHost
) -> None:
    folder = tiny_models.write_sentence_model(tmp_path / name)
    model = embedder(f"sentence-transformers:{folder}", host=torch_host)
    assert reading_model(model.name).max_tokens == tiny_models.MAX_TOKENS - 2 * (name == "e5-tiny")
    check_truncation(model, model.name)


def test_instant_reads_everything() -> None:
    profile = replace(Profile.of("paragraph", max_size=8000, overlap=0), embedder="instant")
    chunks = chunk(plain_document(TEXT), profile.checked())
    assert not chunks.truncated.any()
    assert chunks.model.reads_everything
    assert chunks.model.share(1200) == "1,200 tokens"
    (tokens,) = embedder("instant").token_vectors([TEXT])
    assert tokens.spans[-1, 1] == len(TEXT)


def test_a_folder_that_says_little_is_asked_further(tmp_path: Path) -> None:
    folder = tiny_models.write_sentence_model(tmp_path / "terse")
    (folder / "sentence_bert_config.json").unlink()
    assert reading_model(f"sentence-transformers:{folder}").max_tokens == 64


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("minilmm", "did you mean 'minilm'"),
        ("sentence-transformers:", "names no model"),
        ("sentence-transformers:/no/such/folder", "neither a folder nor on this computer"),
    ],
)
def test_profiles_refuse_what_is_not_there(name: str, sentence: str) -> None:
    with pytest.raises(WrongUsage, match=sentence):
        replace(Profile.of("sentence"), embedder=name).checked()
    with pytest.raises(BadProfile, match=sentence):
        Profile.from_toml(f'strategy = "sentence"\nembedder = "{name}"')


def test_a_folder_without_a_tokenizer_is_told(tmp_path: Path) -> None:
    folder = tiny_models.write_sentence_model(tmp_path / "mute")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(WrongUsage, match=r"has no tokenizer\.json"):
        reading_model(f"sentence-transformers:{folder}")
    shutil.rmtree(folder)
