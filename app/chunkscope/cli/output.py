"""How commands speak: results on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from typing import TextIO

from chunkscope.core.errors import ChunkscopeError

FAILED = 1
WRONG_USAGE = 2


def complain(problem: ChunkscopeError) -> None:
    """Tell an error, after what was printed before it."""
    sys.stdout.flush()
    say(f"error: {problem}", sys.stderr)


def say(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    (stream or sys.stdout).write(text + end)


def use_utf8(*streams: TextIO) -> None:
    """UTF-8 whatever the locale; file names that are not UTF-8 show as escapes, valid in JSON."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
