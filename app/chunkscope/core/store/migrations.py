"""The schema, as steps that are appended and never edited, each recorded with what it did."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from chunkscope import __version__
from chunkscope.core.store.columns import row_hash
from chunkscope.core.store.db import now, transaction

if TYPE_CHECKING:
    import apsw

Migration = Callable[["apsw.Connection"], None]
MIGRATIONS: list[Migration] = []

# Keys are never used twice (AUTOINCREMENT): what is derived from the rows can be brought up to
# date by comparing keys.
_FIRST = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE sources(
  origin TEXT PRIMARY KEY, file_hash BLOB NOT NULL, loaded_with TEXT NOT NULL,
  documents INTEGER NOT NULL, loaded TEXT NOT NULL) STRICT;
CREATE TABLE documents(
  key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, parent_id TEXT NOT NULL,
  origin TEXT NOT NULL, source TEXT NOT NULL, title TEXT NOT NULL, media_type TEXT NOT NULL,
  characters INTEGER NOT NULL, text TEXT NOT NULL, text_hash BLOB NOT NULL,
  blocks BLOB NOT NULL, blocks_hash BLOB NOT NULL,
  metadata TEXT NOT NULL, warnings TEXT NOT NULL, missing TEXT NOT NULL,
  added TEXT NOT NULL, updated TEXT NOT NULL, row_hash BLOB NOT NULL) STRICT;
CREATE INDEX documents_origin ON documents(origin);
CREATE INDEX documents_parent ON documents(parent_id);
CREATE TABLE profiles(
  key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
  toml TEXT NOT NULL, embedding_version TEXT NOT NULL, dimensions INTEGER NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0, added TEXT NOT NULL) STRICT;
CREATE INDEX profiles_name ON profiles(name);
CREATE TABLE embeddings(
  key INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL, text_hash BLOB NOT NULL,
  vector BLOB NOT NULL, vector_hash BLOB NOT NULL, UNIQUE(version, text_hash)) STRICT;
CREATE TABLE chunks(
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  idx INTEGER NOT NULL, id TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  overlap INTEGER NOT NULL, size INTEGER NOT NULL, unit TEXT NOT NULL,
  model_tokens INTEGER NOT NULL, boundary TEXT NOT NULL, heading_chain TEXT NOT NULL,
  page INTEGER, last_page INTEGER, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,
  symbol TEXT NOT NULL, table_header TEXT NOT NULL, prefix TEXT NOT NULL,
  oversize INTEGER NOT NULL, truncated INTEGER NOT NULL, content_hash BLOB NOT NULL,
  embedding INTEGER NOT NULL REFERENCES embeddings, row_hash BLOB NOT NULL,
  UNIQUE(profile, document, idx)) STRICT;
CREATE INDEX chunks_document ON chunks(document);
CREATE INDEX chunks_embedding ON chunks(embedding);
CREATE TABLE indexed(
  profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
  document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  source_hash BLOB NOT NULL, chunks INTEGER NOT NULL, is_whole INTEGER NOT NULL,
  pooled BLOB, pooled_hash BLOB, indexed TEXT NOT NULL,
  PRIMARY KEY(profile, document)) STRICT, WITHOUT ROWID;
CREATE INDEX indexed_document ON indexed(document);
CREATE TABLE outbox(
  key INTEGER PRIMARY KEY, profile INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
  source TEXT NOT NULL, document_id TEXT NOT NULL, action TEXT NOT NULL,
  attempts INTEGER NOT NULL, next_try TEXT NOT NULL, last_error TEXT NOT NULL,
  file_hash BLOB NOT NULL, queued TEXT NOT NULL, UNIQUE(profile, source, document_id)) STRICT;
CREATE TABLE queries(
  key INTEGER PRIMARY KEY AUTOINCREMENT, asked TEXT NOT NULL,
  profile INTEGER REFERENCES profiles ON DELETE CASCADE,
  text TEXT NOT NULL, mode TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX queries_profile ON queries(profile);
CREATE TABLE runs(
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, started TEXT NOT NULL, finished TEXT NOT NULL,
  body TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE fts_documents USING fts5(
  title, content, tokenize='porter unicode61', content='', contentless_delete=1);
"""


def _migration(step: Migration) -> Migration:
    MIGRATIONS.append(step)
    return step


@_migration
def first_schema(connection: apsw.Connection) -> None:
    connection.execute(_FIRST)
    connection.execute(
        "INSERT INTO meta VALUES('created', ?), ('created_by', ?)",
        (now(), f"chunkscope {__version__}"),
    )


@_migration
def hashed_profiles(connection: apsw.Connection) -> None:
    """Profiles get a hash too: whether one was altered can be told without its model."""
    connection.execute("ALTER TABLE profiles ADD COLUMN row_hash BLOB NOT NULL DEFAULT x''")
    columns = "id, name, toml, embedding_version, dimensions"
    for key, *values in connection.execute(f"SELECT key, {columns} FROM profiles").fetchall():
        connection.execute(
            "UPDATE profiles SET row_hash = ? WHERE key = ?", (row_hash(values), key)
        )


def applied(connection: apsw.Connection) -> int:
    """The number of the last migration that this database has seen."""
    known = "SELECT count(*) FROM sqlite_schema WHERE name = 'migrations'"
    if not connection.execute(known).get:
        return 0
    return int(connection.execute("SELECT coalesce(max(number), 0) FROM migrations").get)


def migrate(connection: apsw.Connection) -> None:
    """Bring the schema up to date, one transaction a step."""
    with transaction(connection):
        connection.execute(
            "CREATE TABLE IF NOT EXISTS migrations("
            "number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied TEXT NOT NULL) STRICT"
        )
    for number in range(applied(connection) + 1, len(MIGRATIONS) + 1):
        step = MIGRATIONS[number - 1]
        with transaction(connection):
            step(connection)
            connection.execute(
                "INSERT INTO migrations VALUES(?, ?, ?)", (number, step.__name__, now())
            )
