"""JSON and CSV as text, with their records as blocks; chat exports in JSON as transcripts."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator

from chunkscope.core.blocks import BlockKind, Blocks, BlockWriter
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.chat.json import draft_from_json, is_chat_json
from chunkscope.core.loaders.plain import paragraphs
from chunkscope.core.sandbox.watch import Watch

_SPACE = re.compile(r"[ \t\n]*")
_EVERY = 4096


@register("json", "JSON", ".json", ".ipynb", ".geojson")
def load_json(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    try:
        value = json.loads(text, parse_int=_number)
    except (ValueError, RecursionError) as problem:
        warnings.append(f"not valid JSON, read as plain text ({_shorten(problem)})")
        yield Draft(text, paragraphs(text), "application/json", warnings=warnings)
        return
    if is_chat_json(value):
        draft = draft_from_json(value)
        draft.warnings[:0] = warnings
        yield draft
        return
    del value
    yield Draft(text, _members(text, watch), "application/json", warnings=warnings)


@register("jsonl", "JSON lines", ".jsonl", ".ndjson")
def load_json_lines(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    writer = BlockWriter()
    at = 0
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            writer.add(BlockKind.CODE, at, at + len(line), name=f"[{number}]")
        at += len(line) + 1
        if number % _EVERY == 0:
            watch.progress(at, len(text), "lines")
    yield Draft(text, writer.finish(), "application/jsonl", warnings=warnings)


@register("csv", "CSV", ".csv", ".tsv")
def load_csv(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    writer = BlockWriter()
    first, last = len(text), 0
    try:
        for start, end in _rows(text, watch):
            writer.add(BlockKind.TABLE_ROW, start, end)
            first, last = min(first, start), end
    except csv.Error as problem:
        warnings.append(f"read as plain text: its rows could not be told apart ({problem})")
        yield Draft(text, paragraphs(text), "text/csv", warnings=warnings)
        return
    writer.add(BlockKind.TABLE, first, last)
    yield Draft(text, writer.finish(), "text/csv", warnings=warnings)


def _rows(text: str, watch: Watch) -> Iterator[tuple[int, int]]:
    """The spans of the records; a quoted field may hold line breaks."""
    lines = text.split("\n")
    reader = csv.reader((line + "\n" for line in lines), _dialect(text))
    at = line = 0
    for number, _ in enumerate(reader):
        start = at
        at += sum(map(len, lines[line : reader.line_num])) + reader.line_num - line
        line = reader.line_num
        row = text[start:at]
        if row.strip():
            lead = len(row) - len(row.lstrip("\n"))
            yield start + lead, start + len(row.rstrip("\n"))
        if number % _EVERY == 0:
            watch.progress(at, len(text), "rows")


def _dialect(text: str) -> type[csv.Dialect]:
    csv.field_size_limit(2**31 - 1)
    head = text.split("\n", 1)[0]

    class Guessed(csv.excel):
        delimiter = max(",;\t|", key=head.count)

    return Guessed


def _members(text: str, watch: Watch) -> Blocks:
    """Each member of the outermost object or array is a block, named by its key or position."""
    writer = BlockWriter()
    decoder = json.JSONDecoder(parse_int=_number)
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] not in ("[", "{"):
        writer.add(BlockKind.CODE, start, len(text.rstrip()))
        return writer.finish()
    is_object = text[start] == "{"
    at = _skip(text, start + 1)
    number = 0
    while text[at] not in "]}":
        begin, name = at, f"[{number}]"
        if is_object:
            name, at = decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)  # past the colon
        _, at = decoder.raw_decode(text, at)
        writer.add(BlockKind.CODE, begin, at, name=name)
        number += 1
        watch.progress(at, len(text), "members")
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return writer.finish()


def _number(digits: str) -> float:
    """A whole number; Python refuses to work with one of thousands of digits, which is valid."""
    return int(digits) if len(digits) < 1000 else float(digits)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _shorten(problem: BaseException) -> str:
    return "nested too deeply" if isinstance(problem, RecursionError) else str(problem)[:100]
