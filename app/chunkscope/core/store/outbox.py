"""Work that is still to be done: what failed, how often, why, and when to try again."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from chunkscope.core.store.columns import from_name, to_name
from chunkscope.core.store.db import now, stamp
from chunkscope.core.store.model import Waiting

if TYPE_CHECKING:
    import apsw

INDEX = "index"
# After so many attempts a piece of work is only tried again when somebody asks for it.
MOST_ATTEMPTS = 6
_FIRST_WAIT = timedelta(minutes=1)
_NEVER = "9999"


def put(
    connection: apsw.Connection, profile: int, source: str, document_id: str, action: str = INDEX
) -> None:
    """Queue work that is due at once."""
    moment = now()
    connection.execute(
        "INSERT INTO outbox(profile, source, document_id, action, attempts, next_try, last_error,"
        " file_hash, queued) VALUES(?, ?, ?, ?, 0, ?, '', x'', ?) ON CONFLICT DO NOTHING",
        (profile, to_name(source), document_id, action, moment, moment),
    )


def fail(
    connection: apsw.Connection,
    profile: int,
    source: str,
    document_id: str,
    error: str,
    file_hash: bytes = b"",
) -> None:
    """Note a failed attempt on these bytes; each makes the wait before the next one longer."""
    put(connection, profile, source, document_id)
    where = "WHERE profile = ? AND source = ? AND document_id = ?"
    at = (profile, to_name(source), document_id)
    attempts = 1 + int(connection.execute(f"SELECT attempts FROM outbox {where}", at).get)
    connection.execute(
        f"UPDATE outbox SET attempts = ?, next_try = ?, last_error = ?, file_hash = ? {where}",
        (attempts, _next_try(attempts), to_name(error), file_hash, *at),
    )


def _next_try(attempts: int) -> str:
    if attempts >= MOST_ATTEMPTS:
        return _NEVER
    return stamp(datetime.now(UTC) + _FIRST_WAIT * int(4 ** (attempts - 1)))


def done(connection: apsw.Connection, profile: int, source: str, document_id: str) -> None:
    connection.execute(
        "DELETE FROM outbox WHERE profile = ? AND source = ? AND document_id = ?",
        (profile, to_name(source), document_id),
    )


def finished(connection: apsw.Connection, profile: int, source: str) -> None:
    """All documents of a file are indexed: what failed before is no longer in it."""
    connection.execute(
        "DELETE FROM outbox WHERE profile = ? AND source = ?", (profile, to_name(source))
    )


def forget(connection: apsw.Connection, name: str) -> int:
    """Drop all work on a file or a document, whatever the profile; how much there was."""
    path = to_name(os.path.abspath(os.path.expanduser(name)))
    connection.execute(
        "DELETE FROM outbox WHERE document_id = ?1 OR source = ?1 OR source = ?2",
        (to_name(name), path),
    )
    return connection.changes()


def failed_hashes(connection: apsw.Connection, profile: int) -> dict[str, bytes]:
    """Files whose present bytes failed and are not due again, with the hash of those bytes."""
    found = connection.execute(
        "SELECT source, max(file_hash) FROM outbox WHERE profile = ? "
        "GROUP BY source HAVING min(next_try) > ?",
        (profile, now()),
    )
    return {from_name(str(source)): digest for source, digest in found if digest}


def waiting(
    connection: apsw.Connection, profile: int | None = None, *, due_only: bool = False
) -> list[Waiting]:
    """What is still to be done, in the order in which it was queued."""
    moment = now() if due_only else _NEVER
    found = connection.execute(
        "SELECT profiles.id, source, document_id, action, attempts, next_try, last_error, queued "
        "FROM outbox JOIN profiles ON profiles.key = outbox.profile "
        "WHERE (?1 IS NULL OR outbox.profile = ?1) AND next_try <= ?2 ORDER BY outbox.key",
        (profile, moment),
    )
    return [
        Waiting(
            row[0], from_name(row[1]), row[2], row[3], row[4], row[5], from_name(row[6]), row[7]
        )
        for row in found
    ]
