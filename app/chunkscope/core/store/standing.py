"""Which document is indexed under which profile, as one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """One document under one profile; `content_hash` is of the text that was indexed."""

    document_id: str
    profile_id: str
    content_hash: str
    chunks: int
    indexed: str


def records(connection: apsw.Connection) -> list[IndexRecord]:
    """Every commit record, documents in the order of their arrival."""
    found = connection.execute(
        "SELECT d.id, p.id, i.source_hash, i.chunks, i.indexed FROM indexed i "
        "JOIN documents d ON d.key = i.document JOIN profiles p ON p.key = i.profile "
        "ORDER BY i.document, i.profile"
    )
    return [
        IndexRecord(str(document), str(profile), bytes(source_hash).hex(), int(chunks), str(at))
        for document, profile, source_hash, chunks, at in found
    ]
