"""What is known of the files that documents came from: an unchanged one is not parsed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkscope.core.store.columns import to_name
from chunkscope.core.store.db import now

if TYPE_CHECKING:
    import apsw


def is_known(connection: apsw.Connection, origin: str, file_hash: bytes, loaded_with: str) -> bool:
    """Whether these bytes, read in this way, have given all their documents already."""
    found = connection.execute(
        "SELECT 1 FROM sources WHERE origin = ? AND file_hash = ? AND loaded_with = ?",
        (to_name(origin), file_hash, loaded_with),
    )
    return found.fetchone() is not None


def save(
    connection: apsw.Connection, origin: str, file_hash: bytes, loaded_with: str, documents: int
) -> None:
    """Written once all documents of the file stand in the database, never before."""
    connection.execute(
        "INSERT OR REPLACE INTO sources VALUES(?, ?, ?, ?, ?)",
        (to_name(origin), file_hash, loaded_with, documents, now()),
    )


def forget(connection: apsw.Connection, origin: str) -> None:
    connection.execute("DELETE FROM sources WHERE origin = ?", (to_name(origin),))
