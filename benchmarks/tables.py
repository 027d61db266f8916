"""What a benchmark gives: tables, as Markdown for people and as records for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Cell = str | int | float


@dataclass(frozen=True, slots=True)
class Table:
    """Figures with a title; each row has a cell for each column."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def markdown(self) -> str:
        lines = [self.head, ["---"] * len(self.head), *self.rows] if self.rows else []
        table = "".join("| " + " | ".join(map(shown, line)) + " |\n" for line in lines)
        return "\n".join(["", f"## {self.title}", "", *filter(None, (table, self.note)), ""])

    def record(self) -> dict[str, Any]:
        rows = [dict(zip(self.head, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "note": self.note}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Table:
        rows = [list(row.values()) for row in record["rows"]]
        head = list(record["rows"][0]) if rows else []
        return cls(record["title"], head, rows, record["note"])


def shown(cell: Cell) -> str:
    """Three figures are all that a measurement is good for."""
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.3g}"


def show(tables: Iterable[Table]) -> None:
    """Print them as they come."""
    for each in tables:
        print(each.markdown(), flush=True)


Tables = Iterator[Table]
