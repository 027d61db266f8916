"""Documents as rows: their canonical text, structure and origin."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from chunkscope.core.errors import WrongUsage
from chunkscope.core.model import Document, State
from chunkscope.core.store.columns import (
    digest,
    from_blocks,
    from_name,
    row_hash,
    texts,
    to_blocks,
    to_json,
    to_name,
)
from chunkscope.core.store.db import now
from chunkscope.core.store.model import StoredDocument

if TYPE_CHECKING:
    import apsw

_SHORT = (
    "key, id, parent_id, source, title, media_type, characters, warnings, missing, text_hash, "
    "added, updated"
)
_MOST_TOLD = 5
# Everything that `row_hash` covers; text and blocks have hashes of their own, which it covers.
HASHED = (
    "id, parent_id, origin, source, title, media_type, characters, text_hash, blocks_hash, "
    "metadata, warnings, missing"
)


def rows(connection: apsw.Connection) -> list[StoredDocument]:
    """All documents, by source."""
    found = connection.execute(f"SELECT {_SHORT} FROM documents ORDER BY source, key")
    return [_short(row) for row in found]


def find(connection: apsw.Connection, name: str) -> StoredDocument:
    """A document by its id, its source or a title that is its own alone; unknown ones suggest the
    nearest."""
    for column in ("id", "source"):
        found = connection.execute(
            f"SELECT {_SHORT} FROM documents WHERE {column} = ? ORDER BY key LIMIT 1",
            (to_name(name),),
        ).fetchone()
        if found:
            return _short(found)
    titled = connection.execute(
        f"SELECT {_SHORT} FROM documents WHERE title = ? ORDER BY key", (to_name(name),)
    ).fetchall()
    if not titled:
        raise WrongUsage(_unknown(connection, name))
    if len(titled) > 1:
        raise WrongUsage(_ambiguous(name, [str(row[1]) for row in titled]))
    return _short(titled[0])


def _ambiguous(name: str, ids: Sequence[str]) -> str:
    more = f" or {len(ids) - _MOST_TOLD:,} more" if len(ids) > _MOST_TOLD else ""
    told = ", ".join(ids[:_MOST_TOLD])
    return f"{len(ids):,} documents are called {name!r}; name one by its id: {told}{more}"


def _unknown(connection: apsw.Connection, name: str) -> str:
    known = [
        from_name(value) for row in connection.execute("SELECT id, title FROM documents")
        for value in row
    ]  # fmt: skip
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "`chunkscope documents` lists them"
    return f"no document is called {name!r}; {hint}"


def text_hash(connection: apsw.Connection, key: int) -> bytes:
    """By which the canonical text of a document is known to be the same."""
    return bytes(_column(connection, "text_hash", key))


def text(connection: apsw.Connection, key: int) -> str:
    """The canonical text of a document."""
    return str(_column(connection, "text", key))


def _column(connection: apsw.Connection, name: str, key: int) -> Any:
    found = connection.execute(f"SELECT {name} FROM documents WHERE key = ?", (key,)).fetchone()
    if not found:
        raise WrongUsage(f"there is no document {key} any more")
    return found[0]


def load(connection: apsw.Connection, document_id: str, *, children: bool = False) -> Document:
    """A document as it was loaded; with its attachments where asked."""
    found = connection.execute(
        "SELECT id, title, source, media_type, text, blocks, text_hash, metadata, warnings, "
        "missing, parent_id FROM documents WHERE id = ?",
        (document_id,),
    ).fetchone()
    if not found:
        raise WrongUsage(_unknown(connection, document_id))
    inside = _children(connection, document_id) if children else ()
    return Document(
        id=found[0],
        title=from_name(found[1]),
        source=from_name(found[2]),
        media_type=found[3],
        text=found[4],
        blocks=from_blocks(found[5]),
        content_hash=found[6].hex(),
        metadata=tuple((name, value) for name, value in json.loads(found[7])),
        warnings=texts(found[8]),
        missing=texts(found[9]),
        parent_id=found[10],
        children=inside,
    )


def _children(connection: apsw.Connection, document_id: str) -> tuple[Document, ...]:
    ids = connection.execute(
        "SELECT id FROM documents WHERE parent_id = ? ORDER BY key", (document_id,)
    ).fetchall()
    return tuple(load(connection, str(each), children=True) for (each,) in ids)


def _short(row: tuple[Any, ...]) -> StoredDocument:
    missing = texts(row[8])
    return StoredDocument(
        key=row[0],
        id=row[1],
        parent_id=row[2],
        source=from_name(row[3]),
        title=from_name(row[4]),
        media_type=row[5],
        characters=row[6],
        state=State.PARTIAL if missing else State.COMPLETE,
        warnings=texts(row[7]),
        missing=missing,
        content_hash=row[9].hex(),
        added=row[10],
        updated=row[11],
    )


def _values(
    connection: apsw.Connection, document: Document, origin: str, blocks_hash: bytes
) -> tuple[Any, ...]:
    """The columns of HASHED. What it is part of may not be there: then it stands alone."""
    parent = document.parent_id
    return (
        document.id,
        parent if parent and key_of(connection, parent) is not None else "",
        to_name(origin),
        to_name(document.source),
        to_name(document.title),
        document.media_type,
        len(document.text),
        bytes.fromhex(document.content_hash),
        blocks_hash,
        to_json(document.metadata),
        to_json(document.warnings),
        to_json(document.missing),
    )


def key_of(connection: apsw.Connection, document_id: str) -> int | None:
    found = connection.execute("SELECT key FROM documents WHERE id = ?", (document_id,)).get
    return None if found is None else int(found)


def is_same(connection: apsw.Connection, document: Document, origin: str) -> bool:
    """Whether the document stands there just so."""
    blocks_hash = digest(to_blocks(document.blocks))
    expected = row_hash(_values(connection, document, origin, blocks_hash))
    found = connection.execute("SELECT row_hash FROM documents WHERE id = ?", (document.id,)).get
    return bool(found == expected)


def save(connection: apsw.Connection, document: Document, origin: str) -> int:
    """Write a document, over its former self where there is one; its key."""
    blocks = to_blocks(document.blocks)
    values = _values(connection, document, origin, digest(blocks))
    names = HASHED.split(", ")
    settings = ", ".join(f"{name} = excluded.{name}" for name in names[1:])
    marks = ", ".join("?" * (len(names) + 5))
    moment = now()
    return int(
        connection.execute(
            f"INSERT INTO documents({HASHED}, text, blocks, row_hash, added, updated) "
            f"VALUES({marks}) ON CONFLICT(id) DO UPDATE SET {settings}, text = excluded.text, "
            "blocks = excluded.blocks, row_hash = excluded.row_hash, updated = excluded.updated "
            "RETURNING key",
            (*values, document.text, blocks, row_hash(values), moment, moment),
        ).get
    )


def of_origin(connection: apsw.Connection, origin: str) -> list[tuple[int, str]]:
    """Keys and ids of what came from one file."""
    found = connection.execute(
        "SELECT key, id FROM documents WHERE origin = ? ORDER BY key", (to_name(origin),)
    )
    return [(int(key), str(identity)) for key, identity in found]


def with_descendants(connection: apsw.Connection, keys: Collection[int]) -> list[int]:
    """These documents and all that they contain."""
    found = connection.execute(
        "WITH RECURSIVE inside(key, id) AS ("
        " SELECT key, id FROM documents WHERE key IN (SELECT value FROM json_each(?))"
        " UNION SELECT documents.key, documents.id FROM documents"
        " JOIN inside ON documents.parent_id = inside.id) SELECT key FROM inside ORDER BY key",
        (to_json(list(keys)),),
    )
    return [int(key) for (key,) in found]


def matching(connection: apsw.Connection, name: str) -> list[int]:
    """Keys of the documents with this id or source, or from this file or folder."""
    path = to_name(os.path.abspath(os.path.expanduser(name)))
    found = connection.execute(
        "SELECT key FROM documents WHERE id = ?1 OR source = ?1 OR source = ?2 OR origin = ?2 "
        "OR substr(origin, 1, length(?3)) = ?3 ORDER BY key",
        (to_name(name), path, path.rstrip(os.sep) + os.sep),
    )
    return [int(key) for (key,) in found]


def origins_under(connection: apsw.Connection, folders: Collection[str]) -> dict[str, list[int]]:
    """The files in some folders that documents came from, with the documents' keys."""
    found: dict[str, list[int]] = {}
    starts = tuple(folder.rstrip(os.sep) + os.sep for folder in folders)
    for origin, key in connection.execute("SELECT origin, key FROM documents ORDER BY key"):
        name = from_name(str(origin))
        if name.startswith(starts):
            found.setdefault(name, []).append(int(key))
    return found
