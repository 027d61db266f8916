"""What the engine must know of an embedding model: how it counts, and how much it reads."""

from __future__ import annotations

from dataclasses import dataclass

from chunkscope.core.registry import Registry
from chunkscope.core.text.tokenizers import MODEL_TOKENIZER


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """A model reads at most `max_tokens` of its own tokens; what is beyond is cut off silently."""

    name: str
    tokenizer: str
    max_tokens: int


reading_models: Registry[ReadingModel] = Registry("embedding model")
reading_models.register("minilm")(ReadingModel("all-MiniLM-L6-v2", MODEL_TOKENIZER, 256))
