"""Profiles as rows, each with its own full-text tables: its BM25 must not know of others."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from chunkscope.core.errors import WrongUsage
from chunkscope.core.store import fulltext
from chunkscope.core.store.columns import row_hash, to_json
from chunkscope.core.store.db import now
from chunkscope.core.store.model import StoredProfile

if TYPE_CHECKING:
    import apsw

# Everything that `row_hash` covers.
HASHED = "id, name, toml, embedding_version, dimensions"
_ROWS = (
    "SELECT key, id, name, toml, embedding_version, dimensions, generation,"
    " (SELECT count(*) FROM indexed WHERE profile = profiles.key),"
    " (SELECT coalesce(sum(chunks), 0) FROM indexed WHERE profile = profiles.key) FROM profiles "
)


def rows(connection: apsw.Connection) -> list[StoredProfile]:
    """All profiles, the newest first."""
    return [_profile(row) for row in connection.execute(_ROWS + "ORDER BY key DESC")]


def find(connection: apsw.Connection, name: str) -> StoredProfile:
    """A profile by id or name, the newest of a name; without one the newest of all."""
    found = connection.execute(
        _ROWS + "WHERE id = ?1 OR name = ?1 OR ?1 = '' ORDER BY key DESC LIMIT 1", (name,)
    ).fetchone()
    if found:
        return _profile(found)
    known = [each for (each,) in connection.execute("SELECT DISTINCT name FROM profiles")]
    if not known:
        raise WrongUsage("nothing is indexed in this workspace yet; `chunkscope index` does it")
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
    raise WrongUsage(f"no profile is called {name!r} in this workspace; {hint}")


def _profile(row: tuple[Any, ...]) -> StoredProfile:
    return StoredProfile(*row)


def save(
    connection: apsw.Connection,
    identity: str,
    name: str,
    toml: str,
    embedding_version: str,
    dimensions: int,
) -> int:
    """Enter a profile, or give a known one its newest name; its key."""
    values = (identity, name, toml, embedding_version, dimensions)
    known = connection.execute("SELECT key FROM profiles WHERE id = ?", (identity,)).get
    if known is not None:
        connection.execute(
            "UPDATE profiles SET name = ?, toml = ?, row_hash = ? WHERE key = ?",
            (name, toml, row_hash(values), known),
        )
        return int(known)
    key = int(
        connection.execute(
            f"INSERT INTO profiles({HASHED}, row_hash, added) VALUES(?, ?, ?, ?, ?, ?, ?) "
            "RETURNING key",
            (*values, row_hash(values), now()),
        ).get
    )
    fulltext.create(connection, key)
    return key


def remove(connection: apsw.Connection, key: int) -> None:
    """Remove a profile with its chunks, full text and the vectors that nobody else uses."""
    from chunkscope.core.store import vectors

    used = vectors.used_by(connection, "profile = ?", key)
    connection.execute("DELETE FROM profiles WHERE key = ?", (key,))
    fulltext.drop(connection, key)
    vectors.remove_unused(connection, used)


def touch(connection: apsw.Connection, keys: set[int]) -> None:
    """Say that the vectors of these profiles are others now: derived files are out of date."""
    connection.execute(
        "UPDATE profiles SET generation = generation + 1 "
        "WHERE key IN (SELECT value FROM json_each(?))",
        (to_json(sorted(keys)),),
    )
