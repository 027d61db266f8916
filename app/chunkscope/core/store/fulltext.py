"""The full-text tables: contentless, kept in step by the transaction that writes the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chunkscope.core.store.columns import texts, to_json
from chunkscope.core.store.db import keys
from chunkscope.core.text.bigrams import bigrams, without_bigrams

if TYPE_CHECKING:
    import apsw

_OPTIONS = "content='', contentless_delete=1"
DOCUMENTS = "fts_documents"


def words_table(profile: int) -> str:
    """The words of a profile's chunks; the row ids are the chunks' keys."""
    return f"fts_{profile:d}"


def grams_table(profile: int) -> str:
    """Bigrams of scripts that write no spaces, for the chunks that have some."""
    return f"grams_{profile:d}"


def create(connection: apsw.Connection, profile: int) -> None:
    connection.execute(
        f"CREATE VIRTUAL TABLE {words_table(profile)} USING fts5("
        f"title, headings, content, tokenize='porter unicode61', {_OPTIONS})"
    )
    connection.execute(
        f"CREATE VIRTUAL TABLE {grams_table(profile)} USING fts5("
        f"content, tokenize='unicode61', {_OPTIONS})"
    )


def drop(connection: apsw.Connection, profile: int) -> None:
    connection.execute(f"DROP TABLE IF EXISTS {words_table(profile)}")
    connection.execute(f"DROP TABLE IF EXISTS {grams_table(profile)}")


def add_chunks(
    connection: apsw.Connection,
    profile: int,
    entries: Iterable[tuple[int, str, tuple[str, ...], str]],
) -> None:
    """Enter chunks as (key, title, heading chain, text).

    Letters of scripts without spaces are left out of the words, or `iPhoneは` would be one of them.
    """
    words = f"INSERT INTO {words_table(profile)}(rowid, title, headings, content) VALUES(?,?,?,?)"
    grams = f"INSERT INTO {grams_table(profile)}(rowid, content) VALUES(?, ?)"
    for key, title, chain, text in entries:
        parts = (title, " > ".join(chain), text)
        connection.execute(words, (key, *map(without_bigrams, parts)))
        pairs = bigrams("\n".join(parts))
        if pairs:
            connection.execute(grams, (key, pairs))


def remove_chunks(connection: apsw.Connection, profile: int, rows: list[int]) -> None:
    for table in (words_table(profile), grams_table(profile)):
        connection.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT value FROM json_each(?))",
            (to_json(rows),),
        )


def put_document(connection: apsw.Connection, key: int, title: str, text: str) -> None:
    """Enter a whole document, in place of what stood there."""
    remove_documents(connection, [key])
    connection.execute(
        f"INSERT INTO {DOCUMENTS}(rowid, title, content) VALUES(?, ?, ?)", (key, title, text)
    )


def remove_documents(connection: apsw.Connection, rows: list[int]) -> None:
    connection.executemany(f"DELETE FROM {DOCUMENTS} WHERE rowid = ?", ((key,) for key in rows))


def purge(connection: apsw.Connection) -> None:
    """Write the tables anew without the words of what was removed: deleting only hides them."""
    found = keys(connection, "SELECT key FROM profiles")
    tables = [name(key) for key in found for name in (words_table, grams_table)]
    for table in (DOCUMENTS, *tables):
        connection.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")


def rebuild(connection: apsw.Connection, profile: int) -> int:
    """Make the tables of a profile anew from its rows; how many chunks there are."""
    drop(connection, profile)
    create(connection, profile)
    count = 0
    for entries in _by_document(connection, profile):
        add_chunks(connection, profile, entries)
        count += len(entries)
    return count


def _by_document(
    connection: apsw.Connection, profile: int
) -> Iterator[list[tuple[int, str, tuple[str, ...], str]]]:
    """What is entered for each document: one text in memory at a time."""
    found = connection.execute("SELECT document FROM indexed WHERE profile = ?", (profile,))
    for (document,) in found.fetchall():
        title, text = map(
            str,
            connection.execute(
                "SELECT title, text FROM documents WHERE key = ?", (document,)
            ).fetchall()[0],
        )
        spans = connection.execute(
            'SELECT key, heading_chain, start, "end" FROM chunks '
            "WHERE profile = ? AND document = ? ORDER BY idx",
            (profile, document),
        )
        yield [(key, title, texts(chain), text[start:end]) for key, chain, start, end in spans]


def rebuild_documents(connection: apsw.Connection) -> int:
    """Make the table of whole documents anew."""
    connection.execute(f"INSERT INTO {DOCUMENTS}({DOCUMENTS}) VALUES('delete-all')")
    every = keys(connection, "SELECT key FROM documents ORDER BY key")
    for key in every:
        connection.execute(
            f"INSERT INTO {DOCUMENTS}(rowid, title, content) "
            "SELECT key, title, text FROM documents WHERE key = ?",
            (key,),
        )
    return len(every)
