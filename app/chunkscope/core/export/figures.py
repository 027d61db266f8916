"""Statistics of documents as JSON and as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.statistics import Statistics, as_record
from chunkscope.core.chunking.strategies import Boundary
from chunkscope.core.export.base import text_format
from chunkscope.core.export.spreadsheet import csv_lines
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile

_PLAIN = (
    "title", "source", "document_id", "strategy", "unit", "chunks", "min", "median", "mean",
    "p95", "max", "repeated_share", "below_minimum", "over_maximum", "over_model_limit",
    "tables_cut", "code_cut", "turns_cut",
)  # fmt: skip
_CUTS = (Boundary.SECTION, Boundary.PARAGRAPH, Boundary.SENTENCE, "inside_sentence")
_BOUNDARIES = (
    Boundary.PAGE, Boundary.SECTION, Boundary.TURN, Boundary.SYMBOL, Boundary.PARAGRAPH,
    Boundary.SENTENCE, Boundary.TOKEN, Boundary.CHARACTER,
)  # fmt: skip
_COVERAGE = ("holds", "characters", "fresh", "white_space", "left_out", "lost")
STATISTICS_COLUMNS = (
    *_PLAIN,
    *(f"cuts_{name}" for name in _CUTS),
    *(f"boundaries_{name}" for name in _BOUNDARIES),
    *(f"coverage_{name}" for name in _COVERAGE),
)


@text_format(
    "stats-json", "Statistics as JSON", ".json", "an array with the figures of each document"
)
def statistics_json(chunkings: Iterable[Chunking], _profile: Profile, job: Job) -> Iterator[str]:
    separator = "[\n"
    for record in _records(chunkings, job):
        yield separator + json.dumps(record, ensure_ascii=False)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


@text_format(
    "stats-csv", "Statistics as CSV", ".csv", "the figures, one row a document", has_bom=True
)
def statistics_csv(chunkings: Iterable[Chunking], _profile: Profile, job: Job) -> Iterator[str]:
    return csv_lines(STATISTICS_COLUMNS, (_row(record) for record in _records(chunkings, job)))


def _records(chunkings: Iterable[Chunking], job: Job) -> Iterator[dict[str, Any]]:
    for chunking in chunkings:
        document = chunking.document
        job.step(0, 1, document.title)
        head = {"title": document.title, "source": document.source}
        yield {**head, **as_record(Statistics(chunking))}


def _row(record: dict[str, Any]) -> list[object]:
    coverage = {**record["coverage"], "lost": len(record["coverage"]["lost"])}
    return [
        *(record[name] for name in _PLAIN),
        *(record["cuts"][name] for name in _CUTS),
        *(record["boundaries"].get(name, 0) for name in _BOUNDARIES),
        *(coverage[name] for name in _COVERAGE),
    ]
