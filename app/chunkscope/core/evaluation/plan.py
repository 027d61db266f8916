"""A sweep as a TOML file: what is asked of which documents, and the grid of configurations."""

from __future__ import annotations

import itertools
import random
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from chunkscope.core import params
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.measures import NAMES
from chunkscope.core.params import BadParameter, param

BUDGETS = (250, 500, 1000, 2000, 4000, 8000)
_MOST = 100_000
_KEYS = ("name", "queries", "documents", "settings", "grid", "configuration")


class BadSweep(ChunkscopeError):
    """A sweep that cannot be run; the sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a sweep judges."""

    k: int = param(5, low=1, high=1000, help="how many results the usual measures look at")
    budgets: tuple[int, ...] = param(BUDGETS, help="token budgets of R@B")
    headline: str = param("R@2000", help="the measure that decides: R@B, recall, iou, ndcg, …")
    seed: int = param(0, low=0, high=2**31, help="of the bootstrap, the sample and the race")
    racing: bool = param(True, help="drop hopeless configurations early")
    sample: int = param(0, low=0, high=_MOST, help="try so many of the grid by chance; 0: all")
    resamples: int = param(4000, low=100, high=1_000_000, help="of the bootstrap")

    def checked(self) -> Settings:
        params.check(self)
        for budget in self.budgets:
            if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
                raise BadParameter("budgets", f"must be numbers of tokens, not {budget!r}")
        known = (*NAMES[:-1], *(f"R@{budget}" for budget in self.budgets))
        if self.headline not in known:
            raise BadParameter(
                "headline", f"must be one of {', '.join(known)}, not {self.headline!r}"
            )
        return self

    def record(self) -> dict[str, Any]:
        return {**asdict(self), "budgets": list(self.budgets)}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Settings:
        known = params.declared(cls)
        for name in values:
            if name not in known:
                raise BadParameter(name, f"is no setting of a sweep; it has {', '.join(known)}")
        return cls(**{n: params.convert(known[n], v) for n, v in values.items()}).checked()


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a sweep does; `left_out` tells of combinations that cannot be."""

    name: str
    queries: str
    documents: tuple[str, ...]
    settings: Settings
    configurations: tuple[Configuration, ...]
    left_out: tuple[str, ...] = ()


def read_plan(path: str | Path) -> SweepPlan:
    """The sweep in a TOML file; its paths are relative to it."""
    source = Path(path)
    try:
        table = tomllib.loads(source.read_text("utf-8"))
    except OSError as problem:
        raise BadSweep(f"{path} cannot be read: {problem.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadSweep(f"{path} is not valid TOML: {problem}") from None
    try:
        return plan_of(table, source.stem, source.parent)
    except ChunkscopeError as problem:
        raise BadSweep(f"{path}: {problem}") from None


def plan_of(table: Mapping[str, Any], name: str = "sweep", folder: Path = Path()) -> SweepPlan:
    """The sweep that a table describes."""
    for key in table:
        if key not in _KEYS:
            raise BadParameter(key, f"is not known; a sweep has {', '.join(_KEYS)}")
    documents = table.get("documents", [])
    if not isinstance(documents, list) or not all(isinstance(each, str) for each in documents):
        raise BadParameter("documents", "must be a list of files and folders")
    settings = Settings.of(_table(table, "settings"))
    found, left_out = configurations_of(table.get("grid", {}), table.get("configuration", []))
    if settings.sample and settings.sample < len(found):
        chosen = set(random.Random(settings.seed).sample(range(len(found)), settings.sample))
        found = [each for number, each in enumerate(found) if number in chosen]
    if not found:
        why = f"none of its configurations can be: {left_out[0]}" if left_out else ""
        raise BadSweep(why or "the sweep has no configuration; give it a [grid] with a strategy")
    queries = str(table.get("queries", ""))
    return SweepPlan(
        str(table.get("name", name)),
        str(folder / Path(queries).expanduser()) if queries else "",
        tuple(str(folder / Path(each).expanduser()) for each in documents),
        settings,
        tuple(found),
        tuple(left_out),
    )


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise BadParameter(key, "must be a table")
    return found


def configurations_of(
    grids: Any, single: Iterable[Mapping[str, Any]] = ()
) -> tuple[list[Configuration], list[str]]:
    """Every combination of one grid or several, each once, and the sentences of the impossible."""
    found: dict[str, Configuration] = {}
    left_out: list[str] = []
    tables = [each for grid in _grids(grids) for each in _combinations(grid)]
    for values in (*tables, *single):
        try:
            each = Configuration.of(values)
        except BadParameter as problem:
            # One size may suit one strategy only; a wrong name never suits.
            if problem.field not in ("overlap", "min_size", "target_size", "max_size"):
                raise
            left_out.append(f"{_told(values)}: {problem}")
            continue
        found.setdefault(each.key, each)
    return list(found.values()), left_out


def _grids(grids: Any) -> list[Mapping[str, Any]]:
    tables = grids if isinstance(grids, list) else [grids]
    if not all(isinstance(each, dict) for each in tables):
        raise BadParameter("grid", "must be a table of lists")
    return [each for each in tables if each]


def _combinations(grid: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    columns = [value if isinstance(value, list) else [value] for value in grid.values()]
    count = 1
    for column in columns:
        count *= len(column)
    if count > _MOST:
        raise BadSweep(f"the grid has {count:,} combinations; the most is {_MOST:,}")
    for values in itertools.product(*columns):
        yield dict(zip(grid, values, strict=True))


def _told(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
