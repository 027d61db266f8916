"""The command line: each command is a few lines around the facade."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from chunkscope import __version__
from chunkscope.cli import bench, chunk, demo, evaluate, export, index, load, profile, search
from chunkscope.cli.output import (
    FAILED,
    WRONG_USAGE,
    OutputFailed,
    complain,
    discard_output,
    flush,
    say,
    use_utf8,
)
from chunkscope.core.errors import ChunkscopeError, WrongUsage

Command = Callable[[argparse.Namespace], int]


def run(arguments: Sequence[str]) -> int:
    """Run one command; 0 done, 1 a failure told in a sentence, 2 wrong usage."""
    if sys.stdout is None:  # the caller closed it, and so wants nothing printed
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
    use_utf8(sys.stdout, sys.stderr)
    try:
        try:
            return _outcome(arguments)
        finally:
            flush()
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        discard_output()
        return 0
    except OutputFailed as problem:
        discard_output()
        complain(ChunkscopeError(str(problem)))
        return FAILED


def _outcome(arguments: Sequence[str]) -> int:
    options = build_parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.ERROR, stream=sys.stderr
    )
    command: Command = options.command
    try:
        return command(options)
    except WrongUsage as problem:
        complain(problem)
        return WRONG_USAGE
    except ChunkscopeError as problem:
        complain(problem)
        return FAILED
    except KeyboardInterrupt:
        say("stopped", sys.stderr)
        return 130


def build_parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    parser = argparse.ArgumentParser(
        prog="chunkscope",
        description="See how every chunking strategy cuts your documents.",
    )
    parser.add_argument("--version", action="version", version=f"chunkscope {__version__}")
    parser.add_argument("--verbose", action="store_true", help="log to stderr what is being done")
    parser.set_defaults(command=demo.without_display)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for part in (load, chunk, profile, export, index, search, evaluate, demo, bench):
        part.add(commands)
    return parser
