"""The gate: whether figures fell since a kept run, beyond what chance explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.evaluation.bootstrap import Interval, compare
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.scores import Row


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measure before and now, on the questions that both were asked."""

    measure: str
    name: str
    questions: int
    before: float
    after: float
    difference: Interval
    is_significant_drop: bool
    skipped: int  # questions that only one of the two was asked

    @property
    def sentence(self) -> str:
        found = self.difference
        word = "fell" if found.mean < 0 else "rose" if found.mean > 0 else "stayed"
        told = (
            f"{self.measure} of {self.name} {word} from {self.before:.1%} to {self.after:.1%} on "
            f"{self.questions} questions ({found.low:+.1%} to {found.high:+.1%}): "
        )
        verdict = "a significant drop." if self.is_significant_drop else "no significant drop."
        note = f" {self.skipped} questions differ and were not compared." if self.skipped else ""
        return told + verdict + note

    def record(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "name": self.name,
            "questions": self.questions,
            "skipped": self.skipped,
            "before": self.before,
            "after": self.after,
            "difference": {
                "mean": self.difference.mean,
                "low": self.difference.low,
                "high": self.difference.high,
            },
            "significant_drop": self.is_significant_drop,
        }


def compare_rows(before: Row, after: Row, settings: Settings, measure: str = "") -> Comparison:
    """Paired over the questions that both rows have."""
    measure = measure or settings.headline
    old = _by_id(before, measure)
    new = _by_id(after, measure)
    both = [identity for identity in old if identity in new]
    if not both:
        raise ChunkscopeError("baseline and query set have no question in common; check --queries")
    was = np.array([old[identity] for identity in both])
    now = np.array([new[identity] for identity in both])
    drop = compare(was, now, settings.seed, settings.resamples)
    return Comparison(
        measure,
        after.name,
        len(both),
        float(was.mean()),
        float(now.mean()),
        drop.difference,
        drop.is_significant,
        len(old.keys() ^ new.keys()),
    )


def _by_id(row: Row, measure: str) -> dict[str, float]:
    found = {}
    for each in row.questions:
        if not each.values:
            continue
        if measure not in each.values:
            raise WrongUsage(f"no measure is called {measure!r}; known: {', '.join(each.values)}")
        found[each.id] = each.values[measure]
    return found
