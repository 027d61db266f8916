"""Chunks as JSON lines and as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from chunkscope.core.chunking.chunks import Chunk, Chunking
from chunkscope.core.export.base import text_format, watched
from chunkscope.core.export.rows import COLUMNS, flat_row, full_record
from chunkscope.core.export.spreadsheet import csv_lines
from chunkscope.core.job import Job
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile

# JSON allows them in strings, but some readers take them for the end of a line.
_LINE_ENDS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


@text_format(
    "jsonl", "JSON lines", ".jsonl", "one JSON object a chunk, with all that is known: for programs"
)
def json_lines(chunkings: Iterable[Chunking], _profile: Profile, job: Job) -> Iterator[str]:
    for chunking in chunkings:
        for chunk in watched(chunking, job):
            yield json_line(chunk, chunking.document) + "\n"


def json_line(chunk: Chunk, document: Document) -> str:
    """A chunk as JSON without a line end in it, also by Unicode's idea of one."""
    line = json.dumps(full_record(chunk, document), ensure_ascii=False)
    for sign, escape in _LINE_ENDS.items():
        line = line.replace(sign, escape)
    return line


@text_format(
    "csv", "CSV table", ".csv", "one row a chunk, safe to open in a spreadsheet", has_bom=True
)
def csv_table(chunkings: Iterable[Chunking], _profile: Profile, job: Job) -> Iterator[str]:
    return csv_lines(
        COLUMNS,
        (
            flat_row(chunk, chunking.document).values()
            for chunking in chunkings
            for chunk in watched(chunking, job)
        ),
    )
