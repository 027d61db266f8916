"""The command line: each command is a few lines around the facade."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from chunkscope import __version__
from chunkscope.core.errors import ChunkscopeError

if TYPE_CHECKING:
    from chunkscope.core.model import Document
    from chunkscope.core.workspace import Loaded

FAILED = 1


def run(arguments: Sequence[str]) -> int:
    """Run one command; 0 done, 1 a failure told in a sentence, 2 wrong usage."""
    _use_utf8(sys.stdout, sys.stderr)
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.ERROR, stream=sys.stderr
    )
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except ChunkscopeError as problem:
        _complain(problem)
        return FAILED
    except KeyboardInterrupt:
        _say("stopped", sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chunkscope",
        description="See how every chunking strategy cuts your documents.",
    )
    parser.add_argument("--version", action="version", version=f"chunkscope {__version__}")
    parser.add_argument("--verbose", action="store_true", help="log to stderr what is being done")
    parser.set_defaults(command=_demo)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_load(commands)
    demo = commands.add_parser("demo", help="load the sample documents and show what was found")
    demo.set_defaults(command=_demo)
    return parser


def _add_load(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "load",
        help="read documents and show their text and structure",
        description="Read documents and show their text and structure. Folders are searched.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file or a folder")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print a JSON array of documents")
    output.add_argument("--text", action="store_true", help="print the canonical text only")
    parser.add_argument("--password", default="", help="for encrypted PDF files")
    parser.add_argument("--encoding", default="", help="of text files, when the guess is wrong")
    parser.add_argument("--format", default="", help="read as this format, whatever it looks like")
    parser.add_argument(
        "--mail-view",
        choices=("messages", "thread"),
        default="messages",
        help="a mailbox as one document per message (default) or as one document",
    )
    parser.add_argument(
        "--stall-limit", type=float, metavar="S", help="seconds without progress (default 20)"
    )
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds for one file (default 300)"
    )
    parser.add_argument(
        "--memory-limit", type=float, metavar="GB", help="for one worker (default 1.5)"
    )
    parser.set_defaults(command=_load)


def _load(options: argparse.Namespace) -> int:
    results = _loaded(options.paths, options)
    if options.json:
        return _print_json(results)
    if options.text:
        return _print_texts(results)
    return _print_summary(results)


def _loaded(paths: Sequence[str], options: argparse.Namespace) -> Iterator[Loaded]:
    from chunkscope.core.workspace import Limits, LoadOptions, Sandbox, load_paths

    chosen = {
        "stall_seconds": options.stall_limit,
        "total_seconds": options.time_limit,
        "memory_bytes": options.memory_limit and int(options.memory_limit * 1e9),
    }
    limits = Limits(**{name: value for name, value in chosen.items() if value is not None})
    how = LoadOptions(options.encoding, options.password, options.format, options.mail_view)
    with Sandbox(min(os.cpu_count() or 1, 4), limits) as sandbox:
        yield from load_paths(paths, sandbox, how)


def _documents(results: Iterator[Loaded], failures: list[ChunkscopeError]) -> Iterator[Document]:
    """Every document as it comes; errors are told at once and counted."""
    for result in results:
        for document in result.documents:
            yield from document.with_children()
        if result.error:
            failures.append(result.error)
            _complain(result.error)


def _print_json(results: Iterator[Loaded]) -> int:
    failures: list[ChunkscopeError] = []
    separator = "[\n"
    for document in _documents(results, failures):
        _say(separator + json.dumps(document_record(document), ensure_ascii=False), end="")
        separator = ",\n"
    _say("[]" if separator == "[\n" else "\n]")
    return FAILED if failures else 0


def _print_texts(results: Iterator[Loaded]) -> int:
    failures: list[ChunkscopeError] = []
    for number, document in enumerate(_documents(results, failures)):
        if number:
            _say("\f", end="")  # the classic mark between documents
        _say(document.text, end="" if document.text.endswith("\n") else "\n")
    return FAILED if failures else 0


def _print_summary(results: Iterator[Loaded]) -> int:
    failures: list[ChunkscopeError] = []
    for document in _documents(results, failures):
        _say(f"{document.title}")
        _say(
            f"  {document.state} · {document.media_type} · {len(document.text):,} characters · "
            f"{len(document.blocks):,} blocks · {document.id}"
        )
        _say(f"  {document.source}")
        for line in document.missing:
            _say(f"  missing: {line}")
        for line in document.warnings:
            _say(f"  note: {line}")
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


def _demo(options: argparse.Namespace) -> int:
    from chunkscope import paths

    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        _say("No display found: showing the demo in the terminal.\n")
    defaults = _parser().parse_args(["load", str(paths.sample_docs())])
    return _print_summary(_loaded(defaults.paths, defaults))


def _complain(problem: ChunkscopeError) -> None:
    sys.stdout.flush()
    _say(f"error: {problem}", sys.stderr)


def _say(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    (stream or sys.stdout).write(text + end)


def _use_utf8(*streams: TextIO) -> None:
    """UTF-8 whatever the locale; file names that are not UTF-8 show as escapes, valid in JSON."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
