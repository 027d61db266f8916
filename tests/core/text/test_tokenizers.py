"""The rank files come with the program, and a damaged one is never fetched anew."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.errors import ChunkscopeError, DamagedResource
from chunkscope.core.text.tokenizers import RANK_FILES, encoding


@pytest.mark.parametrize("name", RANK_FILES)
def test_the_encodings_work_offline(name: str) -> None:
    tokens = encoding(name).encode_ordinary("Hello <|endoftext|> 👩‍🚀")
    assert encoding(name).decode(tokens) == "Hello <|endoftext|> 👩‍🚀"


def test_a_damaged_rank_file_gives_a_sentence_and_stays(tmp_path: Path) -> None:
    folder = tmp_path / "ranks"
    shutil.copytree(paths.resources() / "tiktoken", folder)
    file = folder / RANK_FILES["cl100k_base"][0]
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(DamagedResource, match="cl100k_base is damaged"):
        encoding("cl100k_base", folder)
    assert file.exists()


def test_a_missing_rank_file_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DamagedResource, match="cannot be read"):
        encoding("o200k_base", tmp_path)


def test_an_unknown_name_gives_the_known_ones() -> None:
    with pytest.raises(ChunkscopeError, match="known: cl100k_base, o200k_base"):
        encoding("p50k_base")
