"""A profile: strategy, parameters and embedder under a name, the same in TOML and everywhere."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chunkscope.core import params
from chunkscope.core.chunking.ids import id_forms
from chunkscope.core.chunking.models import ReadingModel, reading_model
from chunkscope.core.chunking.strategies import Strategy, strategies
from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.params import BadParameter
from chunkscope.core.registry import Registry

_KEYS = ("name", "strategy", "embedder", "id_form", "parameters")
_MAX_BYTES = 1_000_000


class BadProfile(ChunkscopeError):
    """A profile that cannot be used; the sentence says where it comes from."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What decides the chunks of a document."""

    name: str
    strategy: str
    parameters: Strategy
    embedder: str = "minilm"
    id_form: str = "hash"

    @classmethod
    def of(cls, strategy: str, **values: Any) -> Profile:
        """A profile of a strategy's defaults with some values changed."""
        return cls(strategy, strategy, strategies[strategy]()).with_values(values)

    @classmethod
    def preset(cls, name: str) -> Profile:
        """One of the profiles that come with the program."""
        return presets[name].profile

    @classmethod
    def from_toml(cls, text: str, source: str = "the profile") -> Profile:
        try:
            return cls._from_table(tomllib.loads(text))
        except tomllib.TOMLDecodeError as problem:
            raise BadProfile(f"{source} is not valid TOML: {problem}") from None
        except ChunkscopeError as problem:
            raise BadProfile(f"{source}: {problem}") from None

    @classmethod
    def read(cls, path: str | Path) -> Profile:
        """The profile in a TOML file."""
        try:
            if Path(path).stat().st_size > _MAX_BYTES:
                raise BadProfile(f"{path} is too large for a profile")
            text = Path(path).read_text("utf-8")
        except OSError as problem:
            raise BadProfile(f"{path} cannot be read: {problem.strerror}") from None
        except UnicodeDecodeError:
            raise BadProfile(f"{path} is not UTF-8 text") from None
        return cls.from_toml(text, str(path))

    @classmethod
    def _from_table(cls, table: dict[str, Any]) -> Profile:
        for key in table:
            if key not in _KEYS:
                raise BadParameter(key, f"is not known; a profile has {', '.join(_KEYS)}")
        for key in _KEYS[:-1]:
            if not isinstance(table.get(key, ""), str):
                raise BadParameter(key, "must be text")
        if not isinstance(table.get("parameters", {}), dict):
            raise BadParameter("parameters", "must be a table")
        strategy = table.get("strategy", "auto")
        profile = cls(
            table.get("name") or strategy,
            strategy,
            strategies[strategy](),
            table.get("embedder", "minilm"),
            table.get("id_form", "hash"),
        )
        return profile.with_values(table.get("parameters", {}))

    def to_toml(self) -> str:
        import tomli_w

        values = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.parameters.values()
        }
        head = {key: getattr(self, key) for key in _KEYS[:-1]}
        return tomli_w.dumps({**head, "parameters": {k: _plain(v) for k, v in values.items()}})

    def save(self, path: str | Path) -> None:
        """Write the profile to a neighbour and rename it: a reader never sees half of it."""
        target = Path(path)
        beside = target.with_name(target.name + ".new")
        try:
            beside.write_text(self.to_toml(), "utf-8")
            beside.replace(target)
        except OSError as problem:
            beside.unlink(missing_ok=True)
            raise BadProfile(f"{path} cannot be written: {problem.strerror}") from None

    def with_values(self, values: Mapping[str, Any]) -> Profile:
        """The profile with some parameters changed, checked."""
        return self._with(values).checked()

    def _with(self, values: Mapping[str, Any]) -> Profile:
        known = params.declared(type(self.parameters))
        changed = {
            name: params.convert(_find(known, name, self.strategy), value)
            for name, value in values.items()
        }
        parameters = replace(self.parameters, **changed).adapted(changed)
        return replace(self, parameters=parameters)

    def with_texts(self, texts: Mapping[str, str]) -> Profile:
        """As `with_values`, with the values as they stand on a command line."""
        known = params.declared(type(self.parameters))
        return self.with_values(
            {
                name: params.parse(_find(known, name, self.strategy), text)
                for name, text in texts.items()
            }
        )

    def with_strategy(self, name: str) -> Profile:
        """Another strategy, with all values that both have and that differ from the defaults."""
        ours = params.declared(type(self.parameters))
        theirs = params.declared(strategies[name])
        kept = {
            field: getattr(self.parameters, field)
            for field, known in ours.items()
            if field in theirs and getattr(self.parameters, field) != known.default
        }
        fresh = replace(self, strategy=name, parameters=strategies[name]())
        parameters = replace(fresh.parameters, **kept).adapted(kept)
        return replace(fresh, parameters=parameters).checked()

    def checked(self) -> Profile:
        """This profile, or the sentence that says what is wrong with it."""
        self.parameters.check()
        _ = self.model, id_forms[self.id_form]
        if any("\ud800" <= letter <= "\udfff" for letter in self.name):
            raise WrongUsage(f"the name {self.name!r} has characters that no file can hold")
        return self

    @property
    def model(self) -> ReadingModel:
        return reading_model(self.embedder)


def _find(known: dict[str, params.Declared], name: str, strategy: str) -> params.Declared:
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
        raise BadParameter(name, f"is no parameter of {strategy}; {hint}")
    return known[name]


def _plain(value: object) -> object:
    return str(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Preset:
    """A profile that comes with the program, and what it is for."""

    profile: Profile
    help: str


presets: Registry[Preset] = Registry("preset")


def _register(name: str, help: str, strategy: str, id_form: str = "hash", **values: Any) -> None:
    # Not checked here but by a test: a check reads tokenizers, and every start would wait for it.
    profile = Profile(name, strategy, strategies[strategy](), id_form=id_form)._with(values)
    presets.register(name)(Preset(profile, help))


_register(
    "auto-256",
    "follows the document's structure and fits the 256 word pieces that the model reads",
    "auto", tokenizer="minilm", max_size=256, min_size=32, overlap=0, prepend_headings=True,
)  # fmt: skip
_register(
    "workspace",
    "sentences up to 800 estimated tokens, 15 % repeated",
    "workspace", "uuid", max_size=800, overlap_fraction=0.15,
)  # fmt: skip
_register(
    "research-board",
    "elements and sentences around 300 words, at most 400, two sentences repeated",
    "structured", "index",
    max_size=400, target_size=300, min_size=50, overlap_sentences=2, prepend_headings=True,
)  # fmt: skip
_register(
    "chunk-first",
    "sentences up to 512 word pieces of the embedding model, 128 repeated",
    "sentence", "uuid", tokenizer="minilm", max_size=512, overlap=128,
)  # fmt: skip
_register(
    "token-window",
    "windows of 900 tokens with 100 repeated; up to 1,200 one piece",
    "token-window",
    tokenizer="cl100k_base", max_size=900, overlap=100, single_piece_max=1200,
)  # fmt: skip
_register(
    "characters-1200", "1,200 characters each", "character",
    unit="characters", max_size=1200, min_size=100,
)  # fmt: skip
_register(
    "sentences-1200", "whole sentences up to 1,200 characters", "sentence",
    unit="characters", max_size=1200, min_size=100, overlap=0,
)  # fmt: skip
_register(
    "paragraphs-1200", "whole paragraphs up to 1,200 characters", "paragraph",
    unit="characters", max_size=1200, min_size=100, overlap=0,
)  # fmt: skip
