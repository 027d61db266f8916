"""A run: what was tried on what, with all that decides its figures, so that it can be replayed."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from chunkscope import __version__
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.evaluation.bootstrap import Verdict
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.corpus import Corpus
from chunkscope.core.evaluation.plan import Settings
from chunkscope.core.evaluation.query_files import write_atomically
from chunkscope.core.evaluation.query_set import QuerySet
from chunkscope.core.evaluation.scores import Row, row_of, row_record
from chunkscope.core.evaluation.sweep import Journal, Outcome, conclude

_FORMAT = 1
_MAX_BYTES = 1_000_000_000


class BadRun(ChunkscopeError):
    """A run that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Origin:
    """All that decides the figures of a run."""

    kind: str  # tune or evaluate
    name: str
    settings: Settings
    documents: tuple[tuple[str, str], ...]  # source and content hash
    queries: str  # source
    query_hash: str
    versions: tuple[tuple[str, str], ...]
    configurations: tuple[str, ...]  # keys

    @classmethod
    def of(
        cls,
        kind: str,
        name: str,
        settings: Settings,
        corpus: Corpus,
        queries: tuple[str, QuerySet],
        configurations: Sequence[Configuration],
        embedders: Mapping[str, str],
    ) -> Origin:
        sources = [document.source or document.id for document in corpus.documents]
        return cls(
            kind,
            name,
            settings,
            tuple(zip(sources, corpus.hashes, strict=True)),
            queries[0],
            queries[1].hash,
            tuple({**versions(), **dict(sorted(embedders.items()))}.items()),
            tuple(each.key for each in configurations),
        )

    @property
    def fingerprint(self) -> str:
        """The same inputs, the same fingerprint; where files lie does not matter."""
        record = {**self.record(), "documents": [digest for _, digest in self.documents]}
        del record["queries"], record["name"]
        return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()

    def record(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "kind": self.kind,
            "name": self.name,
            "settings": self.settings.record(),
            "documents": [list(each) for each in self.documents],
            "queries": self.queries,
            "query_hash": self.query_hash,
            "versions": dict(self.versions),
            "configurations": list(self.configurations),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Origin:
        return cls(
            record["kind"],
            record["name"],
            Settings.of(record["settings"]),
            tuple((source, digest) for source, digest in record["documents"]),
            record["queries"],
            record["query_hash"],
            tuple(record["versions"].items()),
            tuple(record["configurations"]),
        )


def versions() -> dict[str, str]:
    """Of the parts that figures may depend on."""
    return {
        "chunkscope": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, or what there is of one that was stopped."""

    origin: Origin
    started: str
    finished: str
    rows: tuple[Row, ...]
    failures: tuple[str, ...] = ()
    is_complete: bool = True

    @classmethod
    def of(cls, origin: Origin, started: str, outcome: Outcome) -> Run:
        return cls(origin, started, now(), outcome.rows, outcome.failures, outcome.is_complete)

    @property
    def id(self) -> str:
        """The same inputs give the same run."""
        return f"run_{self.origin.fingerprint[:16]}"

    @property
    def kind(self) -> str:
        return self.origin.kind

    @property
    def ranked(self) -> tuple[Row, ...]:
        """Rows over all questions, the best first."""
        return tuple(row for row in self.rows if row.dropped_after is None)

    def verdict(self, measure: str = "") -> Verdict | None:
        """What may be said by the headline, or by another measure."""
        return conclude(self.ranked, self.origin.settings, measure)

    def body(self) -> dict[str, Any]:
        """All of it as JSON: the column `body` of a workspace's table of runs."""
        budgets = self.origin.settings.budgets
        return {
            **self.origin.record(),
            "is_complete": self.is_complete,
            "failures": list(self.failures),
            "verdict": verdict_record(self.verdict(), self.ranked),
            "rows": [row_record(row, budgets) for row in self.rows],
        }

    def to_json(self) -> str:
        record = {
            "id": self.id,
            "kind": self.kind,
            "started": self.started,
            "finished": self.finished,
            "body": self.body(),
        }
        return json.dumps(record, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, source: str = "the run") -> Run:
        try:
            record = json.loads(text)
            body = record["body"]
            if body["format"] > _FORMAT:
                raise BadRun(f"{source} was written by a newer version; update the program")
            return cls(
                Origin.from_record(body),
                record["started"],
                record["finished"],
                tuple(row_of(row) for row in body["rows"]),
                tuple(body["failures"]),
                body["is_complete"],
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadRun(f"{source} is no run of chunkscope, or damaged") from None

    def save(self, path: str | Path) -> None:
        write_atomically(path, self.to_json() + "\n")

    @classmethod
    def read(cls, path: str | Path) -> Run:
        return cls.from_json(_read(Path(path)), str(path))


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise BadRun(f"{path} is too large for a run")
        return path.read_text("utf-8")
    except OSError as problem:
        raise BadRun(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise BadRun(f"{path} is not UTF-8 text") from None


def verdict_record(verdict: Verdict | None, rows: Sequence[Row]) -> dict[str, Any] | None:
    """A verdict as JSON, with names instead of numbers."""
    if verdict is None:
        return None
    return {
        "leader": rows[verdict.leader].name,
        "winner": rows[verdict.winner].name if verdict.winner is not None else None,
        "tied": [rows[at].name for at in verdict.tied],
        "cheapest": rows[verdict.cheapest].name,
        "more_questions": verdict.more_questions,
        "best_share": {row.name: s for row, s in zip(rows, verdict.best_share, strict=True)},
    }


def differences(one: Run, other: Run) -> list[str]:
    """What a replay changed: figures, but for the time that they took."""
    found = []
    theirs = {row.configuration.key: row for row in other.rows}
    for row in one.rows:
        match = theirs.pop(row.configuration.key, None)
        if match is None:
            found.append(f"{row.name} is missing")
        elif _figures(row) != _figures(match):
            found.append(f"{row.name} has other figures")
    return found + [f"{row.name} is new" for row in theirs.values()]


def _figures(row: Row) -> tuple[object, ...]:
    return (
        row.questions,
        row.chunks,
        row.mean_size,
        row.index_bytes,
        row.whole_share,
        row.chunks_per_answer,
        row.rejected_negatives,
        row.intervals,
        row.dropped_after,
    )


class FileJournal(Journal):
    """Finished rows of a running sweep, a line each: after a crash the next start goes on."""

    def __init__(self, path: str | Path, origin: Origin) -> None:
        self._path = Path(path)
        self._budgets = origin.settings.budgets
        self._rows: dict[tuple[int, str], Row] = {}
        head = {"fingerprint": origin.fingerprint}
        if not self._load(head):
            self._rows.clear()
            write_atomically(self._path, json.dumps(head) + "\n")

    def __len__(self) -> int:
        return len(self._rows)

    def _load(self, head: dict[str, str]) -> bool:
        """Whether the file belongs to these inputs; a torn last line is cut off."""
        try:
            lines = self._path.read_bytes().split(b"\n")
        except OSError:
            return False
        end = 0
        for number, line in enumerate(lines[:-1]):
            try:
                record = json.loads(line)
                if number == 0 and record != head:
                    return False
                if number:
                    self._rows[record["heat"], record["row"]["key"]] = row_of(record["row"])
            except (ValueError, KeyError, TypeError):
                break
            end += len(line) + 1
        if not end:
            return False
        os.truncate(self._path, end)
        return True

    def find(self, heat: int, key: str) -> Row | None:
        return self._rows.get((heat, key))

    def add(self, heat: int, row: Row) -> None:
        self._rows[heat, row.configuration.key] = row
        line = json.dumps({"heat": heat, "row": row_record(row, self._budgets)})
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            raise BadRun(f"{self._path} cannot be written: {problem.strerror}") from None

    def close(self) -> None:
        """The sweep is done and saved elsewhere."""
        self._path.unlink(missing_ok=True)
