"""Which chunks of a profile there are, and which of them a filter lets through."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.store.columns import from_name, texts, to_json

if TYPE_CHECKING:
    import apsw

Keys = NDArray[np.int64]


def keys(connection: apsw.Connection, profile: int) -> Keys:
    """The keys of all chunks, in order."""
    found = connection.execute(
        "SELECT key FROM chunks WHERE profile = ? ORDER BY key", (profile,)
    ).fetchall()
    return np.array([key for (key,) in found], np.int64)


def state(connection: apsw.Connection, profile: int) -> str:
    """A hash that tells whether what was derived from the chunks is up to date.

    Keys alone would not do: a backup that was copied back gives them out a second time.
    """
    found = hashlib.sha256()
    for key, row_hash in connection.execute(
        "SELECT key, row_hash FROM chunks WHERE profile = ? ORDER BY key", (profile,)
    ):
        found.update(key.to_bytes(8, "little"))
        found.update(row_hash)
    return found.hexdigest()


def select(
    connection: apsw.Connection,
    profile: int,
    *,
    documents: Sequence[int] | None = None,
    media_types: Sequence[str] = (),
    heading: str = "",
    pages: Sequence[tuple[int, int]] = (),
) -> Keys:
    """The keys of the chunks that pass every filter that is given."""
    where = ["c.profile = ?"]
    values: list[int | str] = [profile]
    columns, joined = "c.key", ""
    if documents is not None:
        where.append("c.document IN (SELECT value FROM json_each(?))")
        values.append(to_json(list(documents)))
    if media_types:
        joined = "JOIN documents AS d ON d.key = c.document"
        where.append(f"({' OR '.join(['d.media_type GLOB ?'] * len(media_types))})")
        values += media_types
    if pages:
        one = "(c.page <= ? AND coalesce(c.last_page, c.page) >= ?)"
        where.append(f"({' OR '.join([one] * len(pages))})")
        values += [page for low, high in pages for page in (high, low)]
    if heading:
        columns += ", c.heading_chain"
    found = connection.execute(
        f"SELECT {columns} FROM chunks AS c {joined} WHERE {' AND '.join(where)} ORDER BY c.key",
        values,
    ).fetchall()
    return np.array(
        [row[0] for row in found if not heading or _is_under(str(row[1]), heading)], np.int64
    )


def _is_under(chain: str, heading: str) -> bool:
    wanted = heading.casefold()
    return any(wanted in from_name(part).casefold() for part in texts(chain))


def key_of(connection: apsw.Connection, profile: int, chunk_id: str) -> int | None:
    """The key of a chunk, given by its id or by the key itself."""
    found = connection.execute(
        "SELECT key FROM chunks WHERE profile = ?1 AND (id = ?2 OR CAST(key AS TEXT) = ?2) "
        "ORDER BY id <> ?2 LIMIT 1",
        (profile, str(chunk_id)),
    ).fetchone()
    return int(found[0]) if found else None
