"""Tokenizers that work offline from the first start, and any tokenizer.json by its path."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from chunkscope import paths
from chunkscope.core.registry import Registry
from chunkscope.core.text.tokenizers.base import SafePlaces, Tokenizer, TokenTable
from chunkscope.core.text.tokenizers.bpe import BpeTokenizer
from chunkscope.core.text.tokenizers.hugging_face import PieceTokenizer
from chunkscope.core.text.tokenizers.ranks import RANK_FILES, encoding

__all__ = [
    "MODEL_TOKENIZER", "RANK_FILES", "SafePlaces", "TokenTable", "Tokenizer", "encoding",
    "tokenizer", "tokenizers",
]  # fmt: skip

# The word pieces of the built-in embedding model.
MODEL_TOKENIZER = "minilm"

tokenizers: Registry[Tokenizer] = Registry("tokenizer")
for _name in RANK_FILES:
    tokenizers.register(_name)(BpeTokenizer(_name))
tokenizers.register(MODEL_TOKENIZER)(
    PieceTokenizer(
        paths.resources() / "models" / "all-MiniLM-L6-v2" / "tokenizer.json", MODEL_TOKENIZER
    )
)


def tokenizer(name: str) -> Tokenizer:
    """A tokenizer by its name, or by the path of a tokenizer.json."""
    if name not in tokenizers and name.endswith(".json"):
        return _from_file(Path(name).expanduser())
    return tokenizers[name]


@cache
def _from_file(path: Path) -> Tokenizer:
    return PieceTokenizer(path)
