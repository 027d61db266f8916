"""The lexical channel: FTS5 ranked by BM25. Nothing that was typed reaches it unquoted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.search.query import MatchQuery, Term, match_query
from chunkscope.core.store.fulltext import grams_table, words_table

if TYPE_CHECKING:
    import apsw

__all__ = ["Lexical", "MatchQuery", "Term", "Weights", "match_query", "search"]

TIME_LIMIT = 2.0
_STEPS = 2_000  # of SQLite's machine, between two looks at the clock
K1, B = 1.2, 0.75  # as FTS5 has them


@dataclass(frozen=True, slots=True)
class Weights:
    """Of the columns, in BM25."""

    title: float = 2.0
    headings: float = 1.5
    content: float = 1.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 must know of a table: rows, words in all, and how many rows hold each term."""

    rows: int
    average: float
    holding: dict[str, int]

    def idf(self, term: Term) -> float:
        """As FTS5 computes it."""
        found = self.holding.get(term.expression, 0)
        value = log((self.rows - found + 0.5) / (found + 0.5)) if self.rows else 0.0
        return value if value > 0 else 1e-6


@dataclass(frozen=True, slots=True)
class Lexical:
    """Keys and scores, best first; higher is better, the sign that FTS5 turns is turned back."""

    keys: tuple[int, ...]
    scores: tuple[float, ...]
    is_complete: bool = True

    @property
    def best(self) -> float:
        return self.scores[0] if self.scores else 0.0


def search(
    connection: apsw.Connection,
    profile: int,
    query: MatchQuery,
    *,
    limit: int = 100,
    weights: Weights = Weights(),
    allowed: Sequence[int] | None = None,
    time_limit: float = TIME_LIMIT,
    job: Job = NO_JOB,
) -> Lexical:
    """The best `limit` chunks (0: all that match), among the allowed keys where they are given.

    Words and pairs of letters stand in two tables; where a query has both, their scores add up.
    """
    numbers = f"{weights.title:.6g}, {weights.headings:.6g}, {weights.content:.6g}"
    asked = [
        (words_table(profile), query.words, numbers),
        (grams_table(profile), query.grams, f"{weights.content:.6g}"),
    ]
    asked = [each for each in asked if each[1]]
    keep = limit if len(asked) == 1 else 0
    found: dict[int, float] = {}
    is_complete = True
    with _limited(connection, time_limit, job) as was_stopped:
        for table, expression, columns in asked:
            for key, score in _rank(connection, table, expression, columns, keep, allowed):
                found[key] = found.get(key, 0.0) - score
    is_complete = not was_stopped
    ranked = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    ranked = ranked[:limit] if limit else ranked
    return Lexical(
        tuple(key for key, _ in ranked), tuple(score for _, score in ranked), is_complete
    )


def _rank(
    connection: apsw.Connection,
    table: str,
    expression: str,
    columns: str,
    limit: int,
    allowed: Sequence[int] | None,
) -> Iterator[tuple[int, float]]:
    # `ORDER BY rank` would sort inside FTS5 with all positions and take twice the time; the plus
    # keeps SQLite from asking FTS5 once for each allowed row.
    among = "AND +rowid IN (SELECT value FROM json_each(?))" if allowed is not None else ""
    values: list[object] = [expression]
    if allowed is not None:
        values.append(json.dumps([int(key) for key in allowed]))
    return connection.execute(
        f"SELECT rowid, bm25({table}, {columns}) AS score FROM {table} WHERE {table} MATCH ? "
        f"{among} ORDER BY score, rowid LIMIT ?",
        (*values, limit or -1),
    )


def has_all(connection: apsw.Connection, profile: int, query: MatchQuery) -> bool:
    """Whether a single passage has every word of the query."""
    tables = ((words_table(profile), False), (grams_table(profile), True))
    found = [
        (table, " AND ".join(term.expression for term in query.terms_of(is_gram)))
        for table, is_gram in tables
        if query.terms_of(is_gram)
    ]
    if not found:
        return False
    inside = " INTERSECT ".join(
        f"SELECT rowid FROM {table} WHERE {table} MATCH ?" for table, _ in found
    )
    return bool(
        connection.execute(
            f"SELECT EXISTS({inside})", tuple(expression for _, expression in found)
        ).get
    )


def statistics(
    connection: apsw.Connection,
    profile: int,
    query: MatchQuery,
    is_gram: bool = False,
    time_limit: float = TIME_LIMIT,
) -> Statistics:
    """What the scores of a query rest on; counting is far cheaper than ranking."""
    table = grams_table(profile) if is_gram else words_table(profile)
    rows, average = _size(connection, table)
    holding: dict[str, int] = {}
    with _limited(connection, time_limit, NO_JOB):
        for term in query.terms_of(is_gram):
            holding[term.expression] = int(
                connection.execute(
                    f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (term.expression,)
                ).get
            )
    return Statistics(rows, average, holding)


def _size(connection: apsw.Connection, table: str) -> tuple[int, float]:
    """Rows, and words in an average one, from the record that FTS5 keeps as row 1."""
    record = connection.execute(f"SELECT block FROM {table}_data WHERE id = 1").get
    numbers = list(_varints(record or b""))
    if not numbers or not numbers[0]:
        return 0, 0.0
    return numbers[0], sum(numbers[1:]) / numbers[0]


def _varints(data: bytes) -> Iterator[int]:
    """SQLite's numbers: seven bits a byte, the first bit says that more follow."""
    value = 0
    for byte in data:
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            yield value
            value = 0


@contextmanager
def _limited(connection: apsw.Connection, seconds: float, job: Job) -> Iterator[list[bool]]:
    """Stop what runs inside after some time; the list is not empty then."""
    import apsw

    stopped: list[bool] = []
    end = time.monotonic() + seconds

    def look() -> bool:
        if time.monotonic() > end:
            stopped.append(True)
        return bool(stopped) or job.is_cancelled

    connection.set_progress_handler(look, _STEPS)
    try:
        yield stopped
    except apsw.InterruptError:
        job.check()
    finally:
        connection.set_progress_handler(None)


def term_share(
    statistics: Statistics, weighted_count: float, length: int, term: Term, times: int = 1
) -> float:
    """What a term adds to the BM25 of a passage of `length` words."""
    if not weighted_count or not statistics.average:
        return 0.0
    damping = K1 * (1 - B + B * length / statistics.average)
    return times * statistics.idf(term) * weighted_count * (K1 + 1) / (weighted_count + damping)


def best_possible(query: MatchQuery, *known: Statistics) -> float:
    """The score of a passage that is full of every term."""
    return sum(
        (K1 + 1) * known[term.is_gram].idf(term) if term.is_gram < len(known) else 0.0
        for term in query.terms
    )
