"""What is known of a model without loading it: its folder, its limits, its prefixes."""

from __future__ import annotations

import importlib.util
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkscope.core.errors import MissingDependency, WrongUsage

# More tokens than a text can have: such a model reads everything.
NO_LIMIT = 2**31 - 1
_LARGEST_SENSIBLE = 1_000_000
_WEIGHTS = "*.safetensors"
_PICKLES = ("pytorch_model*.bin", "*.pt", "*.pth", "*.pkl", "*.ckpt")
_OWN_MODULES = "sentence_transformers."


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model was trained to see before questions and before passages."""

    query: str = ""
    passage: str = ""


_SEARCHING = "Represent this sentence for searching relevant passages: "
_INSTRUCT = (
    "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
)
# The first pattern that is found in the model's name decides; no match: no prefixes.
FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    (r"\be5\b.*\binstruct\b|\be5-mistral\b", Prefixes(_INSTRUCT)),
    (r"\be5\b", Prefixes("query: ", "passage: ")),
    (r"\bbge-m3\b", Prefixes()),
    (r"\bbge\b.*-zh\b", Prefixes("为这个句子生成表示以用于检索相关文章：")),
    (r"\bbge\b.*-en\b", Prefixes(_SEARCHING)),
    (r"\barctic-embed\b.*-v2", Prefixes("query: ")),
    (r"\barctic-embed\b|\bmxbai-embed\b", Prefixes(_SEARCHING)),
    (r"\bnomic-embed\b|\bmodernbert-embed\b", Prefixes("search_query: ", "search_document: ")),
    (r"\bgte-qwen", Prefixes(_INSTRUCT)),
    (r"\bgte\b", Prefixes()),
)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A sentence-transformers model on disk, as its own files describe it."""

    path: Path
    label: str

    @property
    def tokenizer(self) -> Path:
        """The file that counts as the model counts."""
        for folder in (self._first_module, self.path):
            if (folder / "tokenizer.json").is_file():
                return folder / "tokenizer.json"
        raise WrongUsage(
            f"{self.path} has no tokenizer.json; save the model again with its fast tokenizer"
        )

    @property
    def max_tokens(self) -> int:
        """How much the model reads: what its makers say, else what it has places for."""
        folder = self._first_module
        for name in ("sentence_bert_config.json", "sentence_xlm-roberta_config.json"):
            if limit := _limit(_json(folder / name).get("max_seq_length")):
                return limit
        declared = (
            _limit(_json(folder / "tokenizer_config.json").get("model_max_length")),
            _limit(_json(folder / "config.json").get("max_position_embeddings")),
        )
        return min((limit for limit in declared if limit), default=NO_LIMIT)

    @property
    def prefixes(self) -> Prefixes:
        """As the model's own file says, else by its family."""
        prompts = _json(self.path / "config_sentence_transformers.json").get("prompts") or {}
        query = str(prompts.get("query") or "")
        passage = str(prompts.get("document") or prompts.get("passage") or "")
        return Prefixes(query, passage) if query or passage else family_of(self.label)

    def check(self) -> None:
        """Complain of weights that are programs, and of code that would be run."""
        for folder in self._folders():
            pickles = [path for pattern in _PICKLES for path in folder.glob(pattern)]
            if pickles and not any(folder.glob(_WEIGHTS)):
                raise WrongUsage(
                    f"{pickles[0]} may run code when it is read; only safetensors are loaded: "
                    "save the model again in that format"
                )
        if not any(self._first_module.glob(_WEIGHTS)):
            raise WrongUsage(f"{self._first_module} holds no model: there is no safetensors file")
        for module in self._modules():
            if not str(module.get("type", "")).startswith(_OWN_MODULES):
                raise WrongUsage(
                    f"{self.path} wants to run code of its own ({module.get('type')}), "
                    "which is never done; use another model"
                )

    def files(self) -> list[Path]:
        """All that decides the vectors, in a fixed order."""
        kinds = (".safetensors", ".json", ".txt", ".model")
        found = (path for path in self.path.rglob("*") if path.suffix in kinds)
        return sorted(path for path in found if path.is_file())

    @property
    def _first_module(self) -> Path:
        modules = self._modules()
        return self.path / str(modules[0].get("path", "")) if modules else self.path

    def _folders(self) -> list[Path]:
        parts = [self.path / str(module.get("path", "")) for module in self._modules()]
        return [self.path, *(part for part in parts if part.is_dir())]

    def _modules(self) -> list[dict[str, Any]]:
        try:
            found = json.loads((self.path / "modules.json").read_text("utf-8"))
        except (OSError, ValueError):
            return []
        return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []


def model_folder(model: str) -> ModelFolder | None:
    """A model by its folder, or by its hub name if a copy is on this computer."""
    path = Path(model).expanduser()
    if path.is_dir():
        return ModelFolder(path.resolve(), _label(path))
    cached = _cached_snapshot(model)
    return ModelFolder(cached, model) if cached else None


def needed_folder(model: str) -> ModelFolder:
    """As `model_folder`, or the sentence that says how to get it."""
    found = model_folder(model)
    if found is None:
        raise WrongUsage(
            f"the model {model!r} is neither a folder nor on this computer already; give the path "
            "of its folder, or allow the download"
        )
    return found


def family_of(label: str) -> Prefixes:
    name = label.lower().replace("_", "-")
    return next((found for pattern, found in FAMILIES if re.search(pattern, name)), Prefixes())


def instant_folder() -> Path:
    """Where the static vectors and their tokenizer are installed."""
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependency("wordllama", "the embedder instant")
    return Path(spec.submodule_search_locations[0])


def instant_tokenizer() -> Path:
    return instant_folder() / "tokenizers" / "l2_supercat_tokenizer_config.json"


def _label(path: Path) -> str:
    """A name for a folder; that of a cached snapshot is its repository's."""
    for part in reversed(path.resolve().parts):
        if part.startswith("models--"):
            return part.removeprefix("models--").replace("--", "/")
    return path.resolve().name


def _cached_snapshot(model: str) -> Path | None:
    """The copy in the cache that Hugging Face's libraries share, without importing them."""
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", model):
        return None
    for name in (model, f"sentence-transformers/{model}"):
        folder = _hub_cache() / f"models--{name.replace('/', '--')}"
        try:
            revision = (folder / "refs" / "main").read_text("utf-8").strip()
        except OSError:
            continue
        if (folder / "snapshots" / revision).is_dir():
            return folder / "snapshots" / revision
    return None


def _hub_cache() -> Path:
    if "HF_HUB_CACHE" in os.environ:
        return Path(os.environ["HF_HUB_CACHE"]).expanduser()
    home = os.environ.get("HF_HOME") or os.path.join(
        os.environ.get("XDG_CACHE_HOME", "~/.cache"), "huggingface"
    )
    return Path(home).expanduser() / "hub"


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _limit(value: object) -> int:
    """A length that was declared on purpose; "very large" stands for "not known"."""
    return value if isinstance(value, int) and 0 < value <= _LARGEST_SENSIBLE else 0
