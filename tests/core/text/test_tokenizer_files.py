"""Any tokenizer.json can count, also one whose counts add up nowhere."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.profile import Profile
from chunkscope.core.text.tokenizers import tokenizer
from support.documents import plain_document

TEXT = "The tide clock of Brennick is wrong, but it has been wrong by the same amount. " * 40


@pytest.fixture
def without_words(tmp_path: Path) -> Path:
    """A byte-pair tokenizer without a pre-tokenizer: tokens reach over blanks."""
    from tokenizers import Tokenizer
    from tokenizers.models import BPE
    from tokenizers.trainers import BpeTrainer

    trained = Tokenizer(BPE())
    trained.train_from_iterator([TEXT], BpeTrainer(vocab_size=60, show_progress=False))
    path = tmp_path / "tokenizer.json"
    trained.save(str(path))
    return path


def test_a_tokenizer_without_safe_places_keeps_the_maximum(without_words: Path) -> None:
    from tokenizers import Tokenizer

    count = Tokenizer.from_file(str(without_words)).encode
    profile = Profile.of("sentence", tokenizer=str(without_words), max_size=20, overlap=5)
    chunking = chunk_analysed(
        Analysis(plain_document(TEXT)), "sentence", profile.parameters, profile.model
    )
    assert len(chunking) > 10
    for chunk in chunking:
        assert len(count(chunk.text).ids) == chunk.size <= 20
        assert len(count(chunk.text[: chunk.overlap]).ids) <= 5


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"model": {"type": "Nonsense"}}'])
def test_a_file_that_is_none_gives_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ChunkscopeError, match="tokenizer"):
        tokenizer(str(path)).count_each(["a"])
    with pytest.raises(ChunkscopeError, match="cannot be read"):
        tokenizer(str(tmp_path / "none.json")).count_each(["a"])


def test_truncation_and_padding_of_a_file_do_not_count(tmp_path: Path) -> None:
    from chunkscope import paths

    model = paths.resources() / "models" / "all-MiniLM-L6-v2" / "tokenizer.json"
    declared = json.loads(model.read_text(encoding="utf-8"))
    assert declared["truncation"] is not None or declared["padding"] is not None
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(declared), encoding="utf-8")
    assert tokenizer(str(path)).count_each(["word " * 1000]) == [1000]
    assert np.array(tokenizer(str(path)).specials) == 2
