"""Filters: which chunks may answer at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkscope.core.search.options import SearchOptions
from chunkscope.core.store import documents, selection
from chunkscope.core.store.model import StoredProfile

if TYPE_CHECKING:
    import apsw

    from chunkscope.core.store.selection import Keys


def allowed_keys(
    connection: apsw.Connection, profile: StoredProfile, options: SearchOptions
) -> Keys | None:
    """The keys that pass the filters of a search; None where there are none."""
    if not options.is_filtered:
        return None
    chosen = None
    if options.documents:
        chosen = [key for name in options.documents for key in _find(connection, name)]
    return selection.select(
        connection,
        profile.key,
        documents=chosen,
        media_types=options.media_types,
        heading=options.heading,
        pages=options.page_ranges,
    )


def _find(connection: apsw.Connection, name: str) -> list[int]:
    """Documents by id, source, file or folder, else by title."""
    return documents.matching(connection, name) or [documents.find(connection, name).key]


def describe(options: SearchOptions) -> str:
    """The filters in words."""
    told = [
        f"{noun} {', '.join(values)}"
        for noun, values in (
            ("in", options.documents),
            ("of type", options.media_types),
            ("on page", options.pages),
        )
        if values
    ]
    if options.heading:
        told.append(f"under a heading with {options.heading!r}")
    return " · ".join(told)
