"""The leaderboard as a table: every figure of a row, the headline with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSortFilterProxyModel, Qt

from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.scores import Row
from chunkscope.gui.panels.tuning.tables import ROW_ROLE, Column, Index, TableModel

INTERVAL_ROLE = Qt.ItemDataRole.UserRole + 4
SCALE_ROLE = Qt.ItemDataRole.UserRole + 5
NAME, HEADLINE = 0, 1


class Means:
    """Means of rows, worked out once: a table asks for them at every painting and sorting."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Row, dict[str, float]]] = {}
        self._names: dict[int, str] = {}

    def __call__(self, row: Row, measure: str) -> float:
        # By identity; the row is kept, so that no other one can take its place.
        _, found = self._known.setdefault(id(row), (row, {}))
        if measure not in found:
            found[measure] = row.mean(measure)
        return found[measure]

    def name(self, row: Row) -> str:
        """As it is shown, with what became of it in the race."""
        self._known.setdefault(id(row), (row, {}))
        if id(row) not in self._names:
            lost = f" (dropped after {row.dropped_after})" if row.dropped_after is not None else ""
            self._names[id(row)] = row.name + lost
        return self._names[id(row)]

    def keep(self, rows: Sequence[Row]) -> None:
        """Forget all others."""
        kept = {id(row) for row in rows}
        self._known = {key: each for key, each in self._known.items() if key in kept}
        self._names = {key: each for key, each in self._names.items() if key in kept}


def columns_of(settings: Settings, mean: Means) -> list[Column[Row]]:
    """The columns under these settings, the headline right after the name."""

    def share(name: str, measure: str, tip: str) -> Column[Row]:
        return Column(name, lambda row: f"{mean(row, measure):.1%}",
                      lambda row: mean(row, measure), tip)  # fmt: skip

    k, headline = settings.k, settings.headline
    found = [
        Column[Row]("Configuration", mean.name, None, "what was tried"),
        share(headline, headline, "the measure that decides, with its 95 % interval"),
        share(f"recall@{k}", "recall", f"how much of the answers the first {k} results hold"),
        share("nDCG", "ndcg", f"how early the right ones stand among the first {k}"),
        share("MRR", "mrr", "one over the rank of the first right result"),
        share("precision", "precision", "how much of what is retrieved belongs to an answer"),
        share("IoU", "iou", "common part of answer and results over both together"),
        share("precision Ω", "precision_omega", "precision if all chunks of the answer came first"),
        Column[Row]("whole", lambda row: f"{row.whole_share:.0%}", lambda row: row.whole_share,
                    "answers that one chunk holds whole"),
        _number("tokens", lambda row: mean(row, "tokens"), f"tokens of the first {k} results"),
        _number("chunks", lambda row: row.chunks, "in all documents"),
        _number("mean size", lambda row: row.mean_size, "of a chunk"),
        Column[Row]("index", lambda row: _bytes(row.index_bytes), lambda row: row.index_bytes,
                    "size of the indexes that the search needs"),
        Column[Row]("seconds", lambda row: f"{row.seconds:,.2f}", lambda row: row.seconds,
                    "to cut, embed and search, without what was known already"),
    ]  # fmt: skip
    others = [f"R@{each}" for each in settings.budgets if f"R@{each}" != headline]
    found += [share(name, name, f"recall within {name[2:]} tokens") for name in others]
    found.append(
        Column[Row]("rejected", lambda row: _rejected(row),
                    lambda row: -1.0 if row.rejected_negatives is None else row.rejected_negatives,
                    "questions without an answer that found nothing")
    )  # fmt: skip
    return found


def _number(name: str, value: Callable[[Row], float], tip: str) -> Column[Row]:
    return Column(name, lambda row: f"{value(row):,.0f}", value, tip)


def _bytes(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB"


def _rejected(row: Row) -> str:
    return "" if row.rejected_negatives is None else f"{row.rejected_negatives:.0%}"


class LeaderboardModel(TableModel[Row]):
    """Rows as they stand; those that lost the race are greyed and say so."""

    def __init__(self) -> None:
        self._means = Means()
        super().__init__(columns_of(Settings(), self._means))
        self.headline = Settings().headline
        self._scale = (0.0, 1.0)

    def show_rows(self, rows: Sequence[Row], settings: Settings) -> None:
        self.headline = settings.headline
        self.set_columns(columns_of(settings, self._means))
        self._means.keep(rows)
        found = [row.intervals[self.headline] for row in rows if self.headline in row.intervals]
        self._scale = (
            min((each.low for each in found), default=0.0),
            max((each.high for each in found), default=1.0),
        )
        self.set_rows(rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if index.column() == HEADLINE and role in (INTERVAL_ROLE, SCALE_ROLE):
            return row.intervals.get(self.headline) if role == INTERVAL_ROLE else self._scale
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(row, self.headline)
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == HEADLINE:
            return _tip(row, self.headline)
        return super().data(index, role)


def _tip(row: Row, headline: str) -> str:
    lines = [row.name]
    found = row.intervals.get(headline)
    if found:
        lines.append(
            f"{headline} {found.mean:.1%}, 95 % between {found.low:.1%} and {found.high:.1%}"
        )
    if row.dropped_after is not None:
        lines.append(f"lost the race after {row.dropped_after} questions")
    return "\n".join(lines)


class LeaderboardProxy(QSortFilterProxyModel):
    """Every typed word must stand in the name; losers of the race can be hidden."""

    def __init__(self) -> None:
        super().__init__()
        self._words: list[str] = []
        self._hides_dropped = False

    def set_words(self, text: str) -> None:
        self._words = text.casefold().split()
        self.invalidate()

    def hide_dropped(self, hides: bool) -> None:
        self._hides_dropped = hides
        self.invalidate()

    def filterAcceptsRow(self, at: int, parent: Index) -> bool:
        row: Row = self.sourceModel().index(at, 0, parent).data(ROW_ROLE)
        if self._hides_dropped and row.dropped_after is not None:
            return False
        name = str(self.sourceModel().index(at, NAME, parent).data()).casefold()
        return all(word in name for word in self._words)
