"""Chunks as Parquet, in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.errors import MissingDependency
from chunkscope.core.export.base import ExportFormat, encoded, export_formats, watched
from chunkscope.core.export.rows import COLUMNS, flat_row
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile

if TYPE_CHECKING:
    from arro3.core import Array, DataType, RecordBatch, Schema

_BATCH = 1_000
_ROW_GROUP = 20_000


def write_parquet(
    chunkings: Iterable[Chunking], _profile: Profile, out: BinaryIO, job: Job
) -> None:
    """One row a chunk, compressed; headings are a list of text."""
    try:
        from arro3 import core, io
    except ImportError:
        raise MissingDependency("arro3-io", "writing Parquet") from None

    rows = (
        flat_row(chunk, chunking.document)
        for chunking in chunkings
        for chunk in watched(chunking, job)
    )
    schema = _schema()
    border = _Border(out)
    reader = core.RecordBatchReader.from_batches(schema, border.guarded(_batches(rows, schema)))
    io.write_parquet(
        reader,
        border,  # type: ignore[arg-type]  # it does all that is asked of a file here
        compression="zstd(3)",
        max_row_group_size=_ROW_GROUP,
    )
    border.raise_problem()


class _Border:
    """Carries errors around the writer, which would panic at one, or tell only its words."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._problem: BaseException | None = None

    def guarded(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """The batches, up to the first problem on either side."""
        while self._problem is None:
            try:
                batch = next(batches, None)
            except BaseException as problem:  # noqa: BLE001  # raised again behind the writer
                self._problem = problem
                return
            if batch is None:
                return
            yield batch

    def write(self, data: bytes) -> int:
        if self._problem is None:
            try:
                return self._out.write(data)
            except BaseException as problem:  # noqa: BLE001  # raised again behind the writer
                self._problem = problem
        return len(data)

    def flush(self) -> None:
        """Left to whoever opened the file."""

    def seek(self, offset: int, whence: int = 0) -> int:
        """Asked for, never used: Parquet is written from front to back."""
        raise NotImplementedError

    def raise_problem(self) -> None:
        if self._problem is not None:
            raise self._problem


def _type(kind: type) -> DataType:
    from arro3.core import DataType, Field

    if kind is list:
        return DataType.list(Field("item", DataType.string(), nullable=True))
    plain = {str: DataType.string(), int: DataType.int64(), bool: DataType.bool()}
    return plain[kind]


def _schema() -> Schema:
    from arro3.core import Field, Schema

    return Schema([Field(name, _type(kind), nullable=True) for name, kind in COLUMNS.items()])


def _batches(rows: Iterator[dict[str, Any]], schema: Schema) -> Iterator[RecordBatch]:
    from arro3.core import RecordBatch

    while batch := list(islice(rows, _BATCH)):
        columns = [_column(kind, [row[name] for row in batch]) for name, kind in COLUMNS.items()]
        yield RecordBatch.from_arrays(columns, schema=schema)


def _column(kind: type, values: list[Any]) -> Array:
    import numpy as np
    from arro3.core import Array, list_array

    if kind is list:
        ends = np.cumsum([0, *map(len, values)]).astype(np.int32)
        flat = Array([_valid(text) for each in values for text in each], type=_type(str))
        return list_array(Array(ends), flat, type=_type(list))
    if kind is str:
        values = [None if value is None else _valid(value) for value in values]
    return Array(values, type=_type(kind))


def _valid(text: str) -> str:
    """Only names of files can hold what UTF-8 cannot."""
    return encoded(text).decode()


export_formats.register("parquet")(
    ExportFormat(
        "parquet",
        "Parquet table",
        ".parquet",
        "one row a chunk, typed and compressed: for pandas, Polars, DuckDB and clusters",
        write_parquet,
        is_text=False,
    )
)
