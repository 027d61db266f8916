"""`chunkscope load`: documents, their text and their structure."""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from chunkscope.cli.output import FAILED, complain, say, tell
from chunkscope.core.errors import ChunkscopeError

if TYPE_CHECKING:
    from chunkscope.core.model import Document
    from chunkscope.core.workspace import Loaded, LoadOptions, Sandbox

_HIGHEST = 1_000_000_000  # so many seconds or GB still are numbers to the system


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "load",
        help="read documents and show their text and structure",
        description="Read documents and show their text and structure. Folders are searched.",
    )
    add_loading(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print a JSON array of documents")
    output.add_argument("--text", action="store_true", help="print the canonical text only")
    parser.set_defaults(command=_load)


def add_loading(parser: argparse.ArgumentParser, many: str = "+") -> None:
    """Paths and all that says how they are read."""
    parser.add_argument("paths", nargs=many, metavar="PATH", help="a file or a folder")
    add_reading(parser)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How paths are read."""
    parser.add_argument("--password", default="", help="for encrypted PDF files")
    parser.add_argument("--encoding", default="", help="of text files, when the guess is wrong")
    parser.add_argument(
        "--read-as",
        default="",
        metavar="FORMAT",
        help="read as this format, whatever it looks like",
    )
    parser.add_argument(
        "--mail-view",
        choices=("messages", "thread"),
        default="messages",
        help="a mailbox as one document per message (default) or as one document",
    )
    parser.add_argument(
        "--stall-limit", type=positive, metavar="S", help="seconds without progress (default 20)"
    )
    parser.add_argument(
        "--time-limit", type=positive, metavar="S", help="seconds for one file (default 300)"
    )
    parser.add_argument(
        "--memory-limit", type=positive, metavar="GB", help="for one worker (default 1.5)"
    )


def positive(text: str) -> float:
    """The number behind an option that sets a limit."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number <= _HIGHEST:
        raise argparse.ArgumentTypeError(
            f"a limit is a positive number of at most {_HIGHEST:,}, not {text!r}"
        )
    return number


def _load(options: argparse.Namespace) -> int:
    with closing(loaded(options.paths, options)) as results:
        if options.json:
            return _print_json(results)
        if options.text:
            return _print_texts(results)
        return _print_summary(results)


def loaded(paths: Sequence[str], options: argparse.Namespace) -> Generator[Loaded, None, None]:
    """What becomes of each path; closed early, it ends its workers at once."""
    from chunkscope.core.workspace import load_paths

    how = load_options(options)
    with new_sandbox(options) as sandbox:
        yield from load_paths(paths, sandbox, how)


def new_sandbox(options: argparse.Namespace) -> Sandbox:
    """Workers with the limits that the options give."""
    from chunkscope.core.workspace import Limits, Sandbox

    chosen = {
        "stall_seconds": options.stall_limit,
        "total_seconds": options.time_limit,
        "memory_bytes": options.memory_limit and max(1, int(options.memory_limit * 1e9)),
    }
    limits = Limits(**{name: value for name, value in chosen.items() if value is not None})
    return Sandbox(min(os.cpu_count() or 1, 4), limits)


def load_options(options: argparse.Namespace) -> LoadOptions:
    """How files are read; an unknown name is refused once, not by each of them."""
    from chunkscope.core.loaders.every import formats
    from chunkscope.core.text.decoding import known_encoding
    from chunkscope.core.workspace import LoadOptions

    if options.read_as:
        _ = formats[options.read_as]
    if options.encoding:
        known_encoding(options.encoding)
    return LoadOptions(options.encoding, options.password, options.read_as, options.mail_view)


def documents(results: Iterator[Loaded], failures: list[ChunkscopeError]) -> Iterator[Document]:
    """Every document as it comes; errors are told at once and counted."""
    for result in results:
        for document in result.documents:
            yield from document.with_children()
        if result.error:
            failures.append(result.error)
            complain(result.error)


def _print_json(results: Iterator[Loaded]) -> int:
    failures: list[ChunkscopeError] = []
    separator = "[\n"
    for document in documents(results, failures):
        say(separator + json.dumps(document_record(document), ensure_ascii=False), end="")
        separator = ",\n"
    say("[]" if separator == "[\n" else "\n]")
    return FAILED if failures else 0


def _print_texts(results: Iterator[Loaded]) -> int:
    failures: list[ChunkscopeError] = []
    for number, document in enumerate(documents(results, failures)):
        if number:
            say("\f", end="")  # the classic mark between documents
        say(document.text, end="" if document.text.endswith("\n") else "\n")
    return FAILED if failures else 0


def _print_summary(results: Iterator[Loaded]) -> int:
    failures: list[ChunkscopeError] = []
    for document in documents(results, failures):
        tell(f"{document.title}")
        tell(
            f"  {document.state} · {document.media_type} · {len(document.text):,} characters · "
            f"{len(document.blocks):,} blocks · {document.id}"
        )
        tell(f"  {document.source}")
        for line in document.missing:
            tell(f"  missing: {line}")
        for line in document.warnings:
            tell(f"  note: {line}")
    return FAILED if failures else 0


def document_record(document: Document) -> dict[str, Any]:
    """A document as JSON."""
    return {
        "id": document.id,
        "title": document.title,
        "source": document.source,
        "parent_id": document.parent_id or None,
        "media_type": document.media_type,
        "state": document.state,
        "missing": document.missing,
        "content_hash": document.content_hash,
        "characters": len(document.text),
        "warnings": document.warnings,
        "metadata": dict(document.metadata),
        "text": document.text,
        "blocks": [
            {
                "kind": block.kind,
                "start": block.start,
                "end": block.end,
                "level": block.level,
                "heading_chain": block.heading_chain,
                "page": block.page,
                "name": block.name or None,
                "lines": [document.line_of(block.start), document.line_of(block.end - 1)],
            }
            for block in document.blocks
        ],
    }
