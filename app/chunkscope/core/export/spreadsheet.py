"""CSV that a spreadsheet opens without running anything in it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

# What starts a formula, also behind blanks that some programs skip, and in full width; with
# apostrophes before it that are part of the text, so that taking one away gives the text back.
_FORMULA = re.compile("'*(?:[\\s\ufeff\u200b]*[=+\\-@＝＋－＠]|[\t\r\n])")


def harmless(cell: str) -> str:
    """The text, behind an apostrophe where it could be taken for a formula."""
    return "'" + cell if _FORMULA.match(cell) else cell


def original(cell: str) -> str:
    """The text that `harmless` made a cell of."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_lines(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """A table as CSV (RFC 4180), line by line."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(header)
    for row in rows:
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
        writer.writerow([_cell(value) for value in row])
    yield buffer.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        value = " > ".join(map(str, value))
    return harmless(value) if isinstance(value, str) else value
