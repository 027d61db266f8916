"""What a plot shows, as values: drawn by charts.py, and exported as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from chunkscope.core.evaluation.effects import effect, pair_effect
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.results import pareto
from chunkscope.core.evaluation.scores import Row


class Kind(StrEnum):
    BUDGET = "Recall against token budget"
    TOKENS = "Recall against tokens per question"
    EFFECT = "Effect"
    HEAT = "Heat map"


@dataclass(frozen=True, slots=True)
class Line:
    """Points with a name for each or for all; `low` and `high` are intervals."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    tips: tuple[str, ...] = ()
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    is_joined: bool = True


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture's content; `cells` only for a heat map."""

    kind: Kind
    across: str
    up: str
    about: str
    lines: tuple[Line, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    is_logarithmic: bool = False
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    cells: tuple[tuple[float | None, ...], ...] = ()

    def to_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        if self.kind is Kind.HEAT:
            writer.writerow((f"{self.up} \\ {self.across}", *self.columns))
            for name, cells in zip(self.rows, self.cells, strict=True):
                writer.writerow((name, *("" if cell is None else cell for cell in cells)))
            return out.getvalue()
        labels = dict(self.ticks) if self.kind is Kind.EFFECT else {}
        writer.writerow(("series", "name", self.across, self.up, "low", "high"))
        for line in self.lines:
            for at, (x, y) in enumerate(zip(line.xs, line.ys, strict=True)):
                tip = line.tips[at] if line.tips else ""
                low, high = (line.low[at], line.high[at]) if line.low else ("", "")
                writer.writerow((line.name, tip, labels.get(x, x), y, low, high))
        return out.getvalue()


def plot_of(
    kind: Kind, rows: Sequence[Row], lines: Sequence[Row], settings: Settings, one: str, other: str
) -> Plot:
    """The plot of a kind; `lines` are the rows that get a line of their own."""
    if kind is Kind.BUDGET:
        return _budget(lines, settings)
    if kind is Kind.TOKENS:
        return _tokens(rows, settings)
    if kind is Kind.EFFECT:
        return _effect(rows, settings, one)
    return _heat(rows, settings, one, other)


def _budget(rows: Sequence[Row], settings: Settings) -> Plot:
    budgets = settings.budgets
    lines = []
    for row in rows:
        found = [row.intervals.get(f"R@{budget}") for budget in budgets]
        known = [each for each in found if each is not None]
        is_whole = len(known) == len(budgets)
        lines.append(
            Line(
                row.name,
                tuple(float(budget) for budget in budgets),
                tuple(row.mean(f"R@{budget}") for budget in budgets),
                low=tuple(each.low for each in known) if is_whole else (),
                high=tuple(each.high for each in known) if is_whole else (),
            )
        )
    ticks = tuple((float(each), f"{each:,}") for each in budgets)
    about = (
        "How much of the answers fits into so many tokens of context, for the chosen rows (Ctrl+"
        "click in the leaderboard), with the 95 % interval of the first."
    )
    return Plot(Kind.BUDGET, "token budget", "recall", about, tuple(lines), ticks, True)


def _tokens(rows: Sequence[Row], settings: Settings) -> Plot:
    front = pareto(rows, "recall")

    def line(name: str, some: Sequence[Row], is_joined: bool) -> Line:
        return Line(
            name,
            tuple(row.mean("tokens") for row in some),
            tuple(row.mean("recall") for row in some),
            tuple(row.name for row in some),
            is_joined=is_joined,
        )

    about = (
        f"Each point is a configuration; on the line are those that no other beats in both "
        f"recall@{settings.k} and tokens."
    )
    lines = (line("all", rows, False), line("not beaten", front, True))
    return Plot(Kind.TOKENS, "tokens per question", f"recall@{settings.k}", about, lines)


def _effect(rows: Sequence[Row], settings: Settings, name: str) -> Plot:
    found = effect(rows, name, settings.headline) if name else {}
    ticks = tuple((float(at), value) for at, value in enumerate(found))
    line = Line(
        settings.headline,
        tuple(float(at) for at in range(len(found))),
        tuple(mean for mean, _ in found.values()),
        tuple(f"{value}: {mean:.1%} over {count}" for value, (mean, count) in found.items()),
        is_joined=all(map(_is_number, found)),  # between names there is nothing to pass through
    )
    shown = name.replace("_", " ")
    about = (
        f"Mean {settings.headline} over all rows with a value of {shown}, whatever else differs."
    )
    return Plot(Kind.EFFECT, shown, settings.headline, about, (line,), ticks)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _heat(rows: Sequence[Row], settings: Settings, one: str, other: str) -> Plot:
    is_pair = bool(one) and bool(other) and one != other
    found = pair_effect(rows, one, other, settings.headline) if is_pair else {}
    columns = tuple(dict.fromkeys(across for across, _ in found))
    names = tuple(dict.fromkeys(down for _, down in found))
    cells = tuple(tuple(found.get((across, down)) for across in columns) for down in names)
    about = (
        f"Mean {settings.headline} for every pair of values; an empty cell was not tried."
        if is_pair
        else "Choose two different parameters."
    )
    across, up = one.replace("_", " "), other.replace("_", " ")
    return Plot(Kind.HEAT, across, up, about, columns=columns, rows=names, cells=cells)
