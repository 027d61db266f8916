"""Everything that the database says, without keys and times: equal content gives equal exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chunkscope.core.store import fulltext, profiles
from chunkscope.core.store.columns import from_name
from chunkscope.core.store.model import StoredProfile

if TYPE_CHECKING:
    import apsw

_DOCUMENTS = (
    "id, parent_id, origin, source, title, media_type, characters, text_hash, blocks_hash, "
    "metadata, warnings, missing"
)
_CHUNKS = (
    'idx, c.id, start, "end", overlap, size, unit, model_tokens, boundary, heading_chain, page, '
    "last_page, first_line, last_line, symbol, table_header, prefix, oversize, truncated, "
    "content_hash, e.version, e.text_hash, e.vector_hash"
)


def export(connection: apsw.Connection) -> Iterator[dict[str, Any]]:
    """One record for each row, in an order that does not depend on when it was written."""
    for row in connection.execute(f"SELECT {_DOCUMENTS} FROM documents ORDER BY id"):
        yield _record("document", _DOCUMENTS, row)
    names = "origin, file_hash, loaded_with, documents"
    for row in connection.execute(f"SELECT {names} FROM sources ORDER BY origin"):
        yield _record("source", names, row)
    for profile in sorted(profiles.rows(connection), key=lambda each: each.id):
        yield from _profile(connection, profile)


def _profile(connection: apsw.Connection, profile: StoredProfile) -> Iterator[dict[str, Any]]:
    yield {
        "record": "profile", "id": profile.id, "name": profile.name, "toml": profile.toml,
        "embedding_version": profile.embedding_version, "dimensions": profile.dimensions,
    }  # fmt: skip
    names = "document_id, source_hash, chunks, is_whole, pooled_hash"
    rows = connection.execute(
        "SELECT d.id, source_hash, chunks, is_whole, pooled_hash FROM indexed "
        "JOIN documents AS d ON d.key = document WHERE profile = ? ORDER BY d.id",
        (profile.key,),
    )
    for row in rows:
        yield {"profile": profile.id, **_record("indexed", names, row)}
    words, grams = fulltext.words_table(profile.key), fulltext.grams_table(profile.key)
    tables = f"{words}_docsize", f"{grams}_docsize"
    rows = connection.execute(
        f"SELECT {_CHUNKS}, d.id, EXISTS(SELECT 1 FROM {tables[0]} AS w WHERE w.id = c.key), "
        f"EXISTS(SELECT 1 FROM {tables[1]} AS g WHERE g.id = c.key) "
        "FROM chunks AS c JOIN documents AS d ON d.key = c.document "
        "JOIN embeddings AS e ON e.key = c.embedding WHERE c.profile = ? ORDER BY d.id, idx",
        (profile.key,),
    )
    for row in rows:
        names = _CHUNKS + ", document_id, has_words, has_grams"
        yield {"profile": profile.id, **_record("chunk", names, row)}


def _record(kind: str, names: str, row: tuple[Any, ...]) -> dict[str, Any]:
    plain = [name.split(".")[-1].strip('"') for name in names.split(", ")]
    return {"record": kind, **dict(zip(plain, map(_plain, row), strict=True))}


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return value.hex()
    return from_name(value) if isinstance(value, str) else value
