"""What the engine must know of an embedding model: how it counts, and how much it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from chunkscope.core.embedding.base import SENTENCE_TRANSFORMERS
from chunkscope.core.embedding.facts import NO_LIMIT, ModelFolder, instant_tokenizer, needed_folder
from chunkscope.core.errors import WrongUsage
from chunkscope.core.registry import Registry
from chunkscope.core.text.tokenizers import MODEL_TOKENIZER, tokenizer


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """A model reads at most `max_tokens` of its own tokens; what is beyond is cut off silently."""

    name: str
    tokenizer: str
    max_tokens: int

    @property
    def reads_everything(self) -> bool:
        return self.max_tokens >= NO_LIMIT

    def share(self, tokens: int) -> str:
        """A count beside the limit, if there is one."""
        limit = "" if self.reads_everything else f" of {self.max_tokens:,}"
        return f"{tokens:,}{limit} tokens"


reading_models: Registry[Callable[[], ReadingModel]] = Registry("embedding model")


def reading_model(name: str) -> ReadingModel:
    """The model behind an embedder's name, as a profile gives it."""
    kind, colon, model = name.partition(":")
    if kind != SENTENCE_TRANSFORMERS:
        return reading_models[name]()
    if not colon or not model.strip():
        raise WrongUsage(f"{name!r} names no model; write {kind}:FOLDER or {kind}:NAME")
    return _of_folder(needed_folder(model.strip()))


@reading_models.register("minilm")
@cache
def _minilm() -> ReadingModel:
    return ReadingModel("all-MiniLM-L6-v2", MODEL_TOKENIZER, 256)


@reading_models.register("instant")
@cache
def _instant() -> ReadingModel:
    return ReadingModel("wordllama", str(instant_tokenizer()), NO_LIMIT)


@cache
def _of_folder(folder: ModelFolder) -> ReadingModel:
    """A prefix is read too: it takes its tokens from the text."""
    counter, prefix = str(folder.tokenizer), folder.prefixes.passage
    taken = tokenizer(counter).count_each([prefix])[0] if prefix else 0
    return ReadingModel(folder.label, counter, max(1, folder.max_tokens - taken))
