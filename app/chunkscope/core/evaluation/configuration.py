"""A configuration of a sweep: how documents are cut, and how the chunks are searched."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from chunkscope.core import params
from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.params import BadParameter
from chunkscope.core.profile import Profile
from chunkscope.core.search.options import SearchOptions

# Nothing is stitched on or thrown away unless it is asked for: the bare ranking is measured.
PLAIN = SearchOptions(k=5, neighbours=0, similarity_floor=0.0, lexical_floor=0.0, show_repeats=True)
# What the sweep itself decides, or what would leave documents out.
_NOT_SEARCHED = {
    "k", "group", "documents", "media_types", "heading", "pages", "boundary_markers",
    "show_repeats", "per_document_cap", "within_section",
}  # fmt: skip


@cache
def search_settings() -> dict[str, params.Declared]:
    """The settings of a search that a configuration may vary."""
    known = params.declared(SearchOptions)
    return {name: each for name, each in known.items() if name not in _NOT_SEARCHED}


@dataclass(frozen=True, slots=True)
class Configuration:
    """A profile and the settings of its search."""

    profile: Profile
    options: SearchOptions = PLAIN

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Configuration:
        """From one table: `preset` or `strategy`, parameters, and settings of the search.

        What a strategy does not have is left out, so that one grid suits several strategies.
        `overlap_share` is an overlap as a share of `max_size`.
        """
        rest = dict(values)
        search = {name: rest.pop(name) for name in list(rest) if name in search_settings()}
        return cls(_profile(rest), with_settings(PLAIN, search))

    @property
    def key(self) -> str:
        """The same settings, the same key, whatever they are called."""
        table = {**profile_table(self.profile), "name": "", "search": search_table(self.options)}
        return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def name(self) -> str:
        """What tells it from others, short enough for a table."""
        return " · ".join(
            filter(None, (describe(self.profile), self.options.mode, _describe_search(self)))
        )

    def command(self, queries: str, documents: Sequence[str], k: int = 5) -> str:
        """The command line that gives this row again."""
        words = ["chunkscope", "evaluate", "--queries", queries, "--documents", *documents]
        words += ["--strategy", self.profile.strategy]
        if self.profile.embedder != "minilm":
            words += ["--embedder", self.profile.embedder]
        for name, value in _changed(self.profile):
            words += ["--set", f"{name}={describe_value(value)}"]
        words += ["--mode", str(self.options.mode), "--k", str(k)]
        for name, value in search_table(self.options).items():
            if name != "mode":
                words += ["--search", f"{name}={describe_value(value)}"]
        return shlex.join(words)


def _profile(values: dict[str, Any]) -> Profile:
    preset, strategy = values.pop("preset", ""), values.pop("strategy", "")
    embedder, share = values.pop("embedder", ""), values.pop("overlap_share", None)
    if preset and strategy:
        raise BadParameter("strategy", "and preset exclude each other in one configuration")
    profile = Profile.preset(preset) if preset else Profile.of(strategy or "auto")
    known = params.declared(type(profile.parameters))
    if share is not None and "overlap" in known:
        size = values.get("max_size", getattr(profile.parameters, "max_size", 0))
        values.setdefault("overlap", round(share * size))
    for name in values:
        if name not in known and not any(
            name in params.declared(strategies[s]) for s in strategies
        ):
            raise BadParameter(name, "is neither a parameter of a strategy nor of a search")
    profile = profile.with_values({name: v for name, v in values.items() if name in known})
    return replace(profile, embedder=embedder or profile.embedder).checked()


def with_settings(options: SearchOptions, values: Mapping[str, Any]) -> SearchOptions:
    known = search_settings()
    for name in values:
        if name not in known:
            raise BadParameter(name, f"is no setting of a search; it has {', '.join(known)}")
    changed = {name: params.convert(known[name], value) for name, value in values.items()}
    return replace(options, **changed).checked()


def profile_table(profile: Profile) -> dict[str, Any]:
    """A profile as JSON."""
    values = {name: _plain(value) for name, value in profile.parameters.values()}
    return {
        "name": profile.name,
        "strategy": profile.strategy,
        "embedder": profile.embedder,
        "id_form": profile.id_form,
        "parameters": values,
    }


def profile_of(table: Mapping[str, Any]) -> Profile:
    profile = Profile.of(str(table["strategy"])).with_values(table["parameters"])
    return replace(
        profile, name=table["name"], embedder=table["embedder"], id_form=table["id_form"]
    )


def search_table(options: SearchOptions) -> dict[str, Any]:
    """The settings that differ from a plain search, and the mode."""
    known = search_settings()
    return {
        each.name: _plain(getattr(options, each.name))
        for each in fields(options)
        if each.name in known
        and (each.name == "mode" or getattr(options, each.name) != getattr(PLAIN, each.name))
    }


def options_of(table: Mapping[str, Any]) -> SearchOptions:
    return with_settings(PLAIN, table)


def _changed(profile: Profile) -> list[tuple[str, Any]]:
    known = params.declared(type(profile.parameters))
    return [
        (name, value)
        for name, value in profile.parameters.values()
        if value != known[name].default or name in ("max_size", "overlap")
    ]


def describe(profile: Profile) -> str:
    """`recursive 400/200`, with what else differs from the strategy's defaults."""
    changed = dict(_changed(profile))
    size, overlap = changed.pop("max_size", ""), changed.pop("overlap", "")
    head = f"{size}/{overlap}" if size != "" and overlap != "" else f"{size}"
    if changed.get("single_piece_max") == 0:
        del changed["single_piece_max"]
    embedder = "" if profile.embedder == "minilm" else profile.embedder
    rest = [_short(name, value) for name, value in changed.items()]
    return " ".join(filter(None, (profile.strategy, head, *rest, embedder)))


def _short(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name.replace("_", " ") if value else f"no {name.replace('_', ' ')}"
    if name in ("tokenizer", "unit", "segmenter", "language"):
        return str(value)
    return f"{name.replace('_', ' ')} {describe_value(value)}"


def _describe_search(configuration: Configuration) -> str:
    table = search_table(configuration.options)
    return ", ".join(
        f"{name.replace('_', ' ')} {describe_value(value)}"
        for name, value in table.items()
        if name != "mode"
    )


def describe_value(value: Any) -> str:
    """A value as it stands on a command line."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else f"{value}"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, str) else value
