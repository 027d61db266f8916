"""`chunkscope export`: chunks, previews, statistics and profiles as files."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, cast

from chunkscope.cli.chunk import add_profile, chosen_profile
from chunkscope.cli.load import add_loading, documents, loaded
from chunkscope.cli.output import FAILED, Printed, tell
from chunkscope.core.errors import ChunkscopeError, WrongUsage

if TYPE_CHECKING:
    from chunkscope.core.chunking.chunks import Chunking
    from chunkscope.core.profile import Profile

_HELP = (
    "html (the preview as a page), markdown (the text with cut marks), jsonl, csv, parquet, "
    "stats-json, stats-csv, profile (TOML) or command (the same chunks on the command line)"
)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "export",
        help="write chunks, a preview, statistics or the profile to a file",
        description="Cut documents into chunks and write them, or what is known about them.",
    )
    add_loading(parser, many="*")
    add_profile(parser)
    parser.add_argument("--to", metavar="FORMAT", required=True, help=_HELP)
    parser.add_argument(
        "--output",
        metavar="FILE",
        default="-",
        help="the file to write; without it, or with -, formats that are text are printed",
    )
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.set_defaults(command=_export)


@dataclass
class _Source:
    """The documents, chunked one by one as they are asked for, and what became of them."""

    options: argparse.Namespace
    profile: Profile
    failures: list[ChunkscopeError] = field(default_factory=list)
    documents: int = 0
    chunks: int = 0

    def chunkings(self) -> Generator[Chunking, None, None]:
        from chunkscope.core.export import ExportError
        from chunkscope.core.workspace import chunk

        with closing(loaded(self.options.paths, self.options)) as results:
            for document in documents(results, self.failures):
                chunking = chunk(document, self.profile)
                self.documents += 1
                self.chunks += len(chunking)
                yield chunking
        if not self.documents:
            raise ExportError("no document could be read, so nothing is written")


def _export(options: argparse.Namespace) -> int:
    from chunkscope.core.export import export_formats

    how = export_formats[options.to]
    if how.needs_documents and not options.paths:
        raise WrongUsage(f"{options.to} needs documents: name a file or a folder")
    source = _Source(options, chosen_profile(options))
    if options.output == "-":
        _print(options.to, source)
    else:
        _save(options, source)
        counted = f": {source.documents:,} documents, {source.chunks:,} chunks"
        tell(f"saved {options.output}{counted if how.needs_documents else ''}")
    return FAILED if source.failures else 0


def _print(to: str, source: _Source) -> None:
    from chunkscope.core.export import export_formats
    from chunkscope.core.job import NO_JOB

    if not export_formats[to].is_text:
        raise WrongUsage(f"{to} is no text; name a file with --output")
    with closing(source.chunkings()) as chunkings:
        export_formats[to].write(chunkings, source.profile, cast(BinaryIO, Printed()), NO_JOB)


def _save(options: argparse.Namespace, source: _Source) -> None:
    from chunkscope.core.export import TargetExists, save

    try:
        save(
            options.output,
            options.to,
            source.chunkings(),
            source.profile,
            force=options.force,
        )
    except TargetExists:
        raise ChunkscopeError(f"{options.output} exists already; --force replaces it") from None
