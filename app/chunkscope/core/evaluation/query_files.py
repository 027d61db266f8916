"""Query sets as files: JSON lines, and the CSV of the public chunking evaluation."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.query_set import (
    Passage,
    QueryClass,
    QuerySet,
    Question,
    question_id,
    record_of,
    with_distinct_ids,
)
from chunkscope.core.text.canonical import canonical

_MAX_BYTES = 256_000_000
_CSV_FIELD = 64_000_000
_CSV_COLUMNS = ("question", "references", "corpus_id")
_CSV_EXTRA = ("class", "tags", "id")


class BadQuerySet(ChunkscopeError):
    """A query set that cannot be read or written."""


class _BadRow(Exception):
    """One sentence about a row."""


def read_queries(path: str | Path) -> QuerySet:
    """The query set in a file: CSV by its ending, else JSON lines.

    Rows that cannot be read are left out, and told with their line in `problems`.
    """
    text = _read_text(Path(path))
    if str(path).lower().endswith(".csv"):
        return from_csv(text, str(path))
    return from_jsonl(text, str(path))


def write_queries(queries: QuerySet, path: str | Path) -> None:
    """Write a neighbour and rename it: a reader never sees half of it."""
    is_csv = str(path).lower().endswith(".csv")
    write_atomically(path, to_csv(queries) if is_csv else to_jsonl(queries))


def write_atomically(path: str | Path, text: str) -> None:
    target = Path(path)
    beside = target.with_name(target.name + ".new")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise BadQuerySet(f"{path} cannot be written: {problem.strerror}") from None


def _read_text(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise BadQuerySet(f"{path} is too large for a query set; the most is 256 MB")
        return path.read_text("utf-8-sig")
    except OSError as problem:
        raise BadQuerySet(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadQuerySet(f"{path} is not UTF-8 text; save it as UTF-8") from None


def to_jsonl(queries: QuerySet) -> str:
    return "".join(json.dumps(record_of(each), ensure_ascii=False) + "\n" for each in queries)


def from_jsonl(text: str, source: str = "the query set") -> QuerySet:
    questions, problems = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            questions.append(_question(_parse(line)))
        except _BadRow as problem:
            problems.append(f"{source}, line {number}: {problem}")
    return QuerySet(with_distinct_ids(questions), tuple(problems))


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        raise _BadRow("is not valid JSON") from None
    except ValueError:  # a number of more digits than Python converts
        raise _BadRow("holds a number that is too long") from None


def _question(record: Any) -> Question:
    if not isinstance(record, dict):
        raise _BadRow("must be a JSON object with `question` and `expected`")
    text = _text(record, "question").strip()
    if not text:
        raise _BadRow("has no question")
    expected = tuple(_passage(each) for each in _list(record, "expected"))
    tags = tuple(_as_text(tag, "a tag") for tag in _list(record, "tags"))
    kind = _kind(_text(record, "class"), bool(expected))
    return Question(_text(record, "id") or question_id(text), text, kind, tags, expected)


def _kind(name: str, has_answer: bool) -> QueryClass:
    if not name:
        return QueryClass.PARAPHRASE if has_answer else QueryClass.NEGATIVE
    if name not in list(QueryClass):
        raise _BadRow(f"has the class {name!r}; known: {', '.join(QueryClass)}")
    if has_answer and name == QueryClass.NEGATIVE:
        raise _BadRow("is negative and yet expects a passage; remove one of the two")
    if not has_answer and name != QueryClass.NEGATIVE:
        raise _BadRow(f"is of class {name} but expects no passage; label one or call it negative")
    return QueryClass(name)


def _passage(record: Any) -> Passage:
    if not isinstance(record, dict):
        raise _BadRow("has an expected passage that is no JSON object")
    document = _text(record, "document")
    if not document:
        raise _BadRow("has an expected passage without a document")
    start, end = _offset(record, "start"), _offset(record, "end")
    return _checked(Passage(document, start, end, _text(record, "text")))


def _checked(passage: Passage) -> Passage:
    if passage.end <= passage.start:
        raise _BadRow(f"has an empty passage ({passage.start}–{passage.end})")
    return passage


def _offset(record: dict[str, Any], key: str) -> int:
    value = record.get(key)
    if isinstance(value, float) and value.is_integer():  # some writers know only floats
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 53:
        raise _BadRow(f"has {key} = {value!r}, which is no position in a text")
    return value


def _text(record: dict[str, Any], key: str) -> str:
    return _as_text(record.get(key) or "", f"`{key}`")


def _as_text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise _BadRow(f"has {what} that is no text")
    return canonical(value)[0]


def _list(record: dict[str, Any], key: str) -> list[Any]:
    value = record.get(key) or []
    if not isinstance(value, list):
        raise _BadRow(f"has `{key}` that is no list")
    return value


def to_csv(queries: QuerySet) -> str:
    """The public form, one row for each question and document, with our columns after it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*_CSV_COLUMNS, *_CSV_EXTRA))
    for question in queries:
        for document in dict.fromkeys(each.document for each in question.expected) or [""]:
            references = [
                {"content": each.text, "start_index": each.start, "end_index": each.end}
                for each in question.expected
                if each.document == document
            ]
            writer.writerow(
                (question.text, json.dumps(references, ensure_ascii=False), document,
                 question.kind.value, json.dumps(list(question.tags)), question.id)
            )  # fmt: skip
    return out.getvalue()


def from_csv(text: str, source: str = "the query set") -> QuerySet:
    questions: list[Question] = []
    problems: list[str] = []
    for number, row in _csv_rows(text, source):
        try:
            _append(questions, _from_row(row), bool(row.get("id")))
        except _BadRow as problem:
            problems.append(f"{source}, line {number}: {problem}")
    return QuerySet(with_distinct_ids(questions), tuple(problems))


def _append(questions: list[Question], new: Question, has_id: bool) -> None:
    """Rows that we wrote for one question with passages in several documents join again."""
    last = questions[-1] if questions else None
    if has_id and last and (last.id, last.text) == (new.id, new.text):
        both = (*last.expected, *new.expected)
        questions[-1] = Question(last.id, last.text, last.kind, last.tags, both)
    else:
        questions.append(new)


def _csv_rows(text: str, source: str) -> Iterator[tuple[int, dict[str, str]]]:
    csv.field_size_limit(max(csv.field_size_limit(), _CSV_FIELD))
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        head = next(reader, [])
        missing = [name for name in _CSV_COLUMNS if name not in head]
        if missing:
            raise BadQuerySet(
                f"{source} lacks the column {missing[0]}; it needs {', '.join(_CSV_COLUMNS)}"
            )
        before = reader.line_num
        for row in reader:
            if row:
                yield before + 1, dict(zip(head, row, strict=False))
            before = reader.line_num
    except csv.Error as problem:
        raise BadQuerySet(f"{source}, line {reader.line_num}: {problem}") from None


def _from_row(row: dict[str, str]) -> Question:
    text = canonical(row.get("question", ""))[0].strip()
    if not text:
        raise _BadRow("has no question")
    references = _parse(row.get("references") or "[]")
    if not isinstance(references, list):
        raise _BadRow("has references that are no list")
    expected = tuple(_reference(each, row.get("corpus_id", "")) for each in references)
    tags = _parse(row.get("tags") or "[]")
    kind = _kind(row.get("class", ""), bool(expected))
    return Question(
        row.get("id") or question_id(text),
        text,
        kind,
        tuple(_as_text(tag, "a tag") for tag in _list({"tags": tags}, "tags")),
        expected,
    )


def _reference(record: Any, document: str) -> Passage:
    if not isinstance(record, dict):
        raise _BadRow("has a reference that is no JSON object")
    if not document:
        raise _BadRow("has references but no corpus_id")
    start, end = _offset(record, "start_index"), _offset(record, "end_index")
    return _checked(Passage(document, start, end, _text(record, "content")))
