"""The log of queries with their explanations, and the runs of evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkscope.core.store.db import now

if TYPE_CHECKING:
    import apsw

MOST_QUERIES = 5_000


def log_query(connection: apsw.Connection, profile: int, text: str, mode: str, body: str) -> int:
    """Note a query with its explain record (JSON); the oldest ones make room."""
    key = int(
        connection.execute(
            "INSERT INTO queries(asked, profile, text, mode, body) VALUES(?, ?, ?, ?, ?) "
            "RETURNING key",
            (now(), profile, text, mode, body),
        ).get
    )
    connection.execute("DELETE FROM queries WHERE key <= ?", (key - MOST_QUERIES,))
    return key


def queries(connection: apsw.Connection, limit: int = 100) -> list[tuple[int, str, str, str, str]]:
    """The last queries: key, time, text, mode and body, the newest first."""
    found = connection.execute(
        "SELECT key, asked, text, mode, body FROM queries ORDER BY key DESC LIMIT ?", (limit,)
    )
    return [(int(row[0]), str(row[1]), str(row[2]), str(row[3]), str(row[4])) for row in found]


def save_run(
    connection: apsw.Connection, identity: str, kind: str, started: str, body: str
) -> None:
    """Keep a finished run of an evaluation (JSON)."""
    connection.execute(
        "INSERT OR REPLACE INTO runs VALUES(?, ?, ?, ?, ?)", (identity, kind, started, now(), body)
    )


def runs(connection: apsw.Connection, kind: str = "") -> list[tuple[str, str, str, str, str]]:
    """Kept runs, the newest first: id, kind, started, finished, body."""
    found = connection.execute(
        "SELECT id, kind, started, finished, body FROM runs WHERE kind = ?1 OR ?1 = '' "
        "ORDER BY started DESC, id",
        (kind,),
    )
    return [(str(row[0]), str(row[1]), str(row[2]), str(row[3]), str(row[4])) for row in found]
