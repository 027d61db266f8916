"""What one parameter, or two together, do to a measure: means over all the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from chunkscope.core.evaluation.configuration import (
    Configuration,
    describe_value,
    profile_table,
    search_settings,
)
from chunkscope.core.evaluation.scores import Row

_LEAST = 2


def settings_of(configuration: Configuration) -> dict[str, Any]:
    """Everything that a configuration sets, under the names of a grid."""
    table = profile_table(configuration.profile)
    options = {name: getattr(configuration.options, name) for name in search_settings()}
    head = {"strategy": table["strategy"], "embedder": table["embedder"]}
    return {**head, **table["parameters"], **options}


def varied(rows: Sequence[Row]) -> list[str]:
    """The parameters that differ between rows, as a grid would name them."""
    values: dict[str, set[str]] = {}
    for row in rows:
        for name, value in settings_of(row.configuration).items():
            values.setdefault(name, set()).add(describe_value(value))
    return [name for name, found in values.items() if len(found) >= _LEAST]


def effect(rows: Sequence[Row], name: str, measure: str) -> dict[str, tuple[float, int]]:
    """For each value of a parameter the mean over rows that have it, and how many they are."""
    found: dict[Any, list[float]] = {}
    for row in rows:
        settings = settings_of(row.configuration)
        if name in settings:
            found.setdefault(_hashable(settings[name]), []).append(row.mean(measure))
    ordered = sorted(found.items(), key=lambda pair: _order(pair[0]))
    return {describe_value(value): (float(np.mean(means)), len(means)) for value, means in ordered}


def pair_effect(
    rows: Sequence[Row], across: str, down: str, measure: str
) -> dict[tuple[str, str], float]:
    """The same for every pair of two parameters' values, in order."""
    found: dict[tuple[Any, Any], list[float]] = {}
    for row in rows:
        settings = settings_of(row.configuration)
        if across in settings and down in settings:
            key = _hashable(settings[across]), _hashable(settings[down])
            found.setdefault(key, []).append(row.mean(measure))
    ordered = sorted(found.items(), key=lambda pair: (_order(pair[0][0]), _order(pair[0][1])))
    return {
        (describe_value(one), describe_value(other)): float(np.mean(means))
        for (one, other), means in ordered
    }


def _order(value: Any) -> tuple[int, float, str]:
    if isinstance(value, bool | int | float):
        return 0, float(value), ""
    return 1, 0.0, str(value)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
