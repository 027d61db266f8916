"""What a format of export is, and the table of all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from chunkscope.core.chunking.chunks import Chunk, Chunking
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile
from chunkscope.core.registry import Registry

Pieces = Callable[[Iterable[Chunking], Profile, Job], Iterator[str]]
Write = Callable[[Iterable[Chunking], Profile, BinaryIO, Job], None]
_STEP = 32


class ExportError(ChunkscopeError):
    """An export that could not be made; nothing is left of it."""


class TargetExists(ExportError):
    """A file of this name is there already, and nobody said that it may be replaced."""


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One way to take chunks along; `help` says what it is good for."""

    name: str
    label: str
    suffix: str
    help: str
    write: Write
    is_text: bool = True
    has_bom: bool = False  # in files only: spreadsheets need it, pipes do not want it
    needs_documents: bool = True


export_formats: Registry[ExportFormat] = Registry("export format")


def text_format(
    name: str,
    label: str,
    suffix: str,
    help: str,
    *,
    has_bom: bool = False,
    needs_documents: bool = True,
) -> Callable[[Pieces], Pieces]:
    """Register a function that makes a text piece by piece."""

    def add(pieces: Pieces) -> Pieces:
        write = _writer(pieces)
        export_formats.register(name)(
            ExportFormat(name, label, suffix, help, write, True, has_bom, needs_documents)
        )
        return pieces

    return add


def _writer(pieces: Pieces) -> Write:
    def write(chunkings: Iterable[Chunking], profile: Profile, out: BinaryIO, job: Job) -> None:
        for piece in pieces(chunkings, profile, job):
            out.write(encoded(piece))

    return write


def encoded(text: str) -> bytes:
    """UTF-8; names of files that are not UTF-8 show as escapes, which are valid in JSON."""
    return text.encode("utf-8", "backslashreplace")


def watched(chunking: Chunking, job: Job) -> Iterator[Chunk]:
    """The chunks one by one, with progress, and stopping where the job is cancelled."""
    for chunk in chunking:
        if chunk.index % _STEP == 0:
            job.step(chunk.index, len(chunking), chunking.document.title)
        yield chunk
