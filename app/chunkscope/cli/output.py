"""How commands speak: results on stdout, everything else on stderr."""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from chunkscope.core.errors import ChunkscopeError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

FAILED = 1
WRONG_USAGE = 2
JOINERS = "\u200c\u200d"  # emoji and Persian words need them


class OutputFailed(Exception):
    """Stdout takes no more; no ChunkscopeError, or a document might be blamed for it."""


@contextmanager
def printing() -> Iterator[None]:
    """Tell a failure of stdout, of a full disk perhaps, from any other; a closed pipe is none."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise OutputFailed(f"the output cannot be written: {reason}") from None


class Printed(io.RawIOBase):
    """Stdout for bytes."""

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer) -> int:
        with printing():
            return sys.stdout.buffer.write(data)


def flush() -> None:
    with printing():
        sys.stdout.flush()


def discard_output() -> None:
    """What stdout still holds goes nowhere, or the interpreter would fail over it at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def complain(problem: ChunkscopeError) -> None:
    """Tell an error, after what was printed before it."""
    flush()
    tell(f"error: {problem}", sys.stderr)


def say(text: str, stream: TextIO | None = None, end: str = "\n") -> None:
    if stream is not None and stream is not sys.stdout:
        stream.write(text + end)
        return
    with printing():
        sys.stdout.write(text + end)


def tell(line: str, stream: TextIO | None = None) -> None:
    """Say one line in which a title, a name or a snippet cannot command the terminal."""
    say(plain(line), stream)


def plain(text: str) -> str:
    """A text for one line: no control characters, and no marks that turn its direction."""
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(letter: str) -> str:
    if letter.isprintable() or letter in JOINERS:
        return letter
    category = unicodedata.category(letter)
    if category == "Cs":  # of a file name that is not UTF-8
        return letter.encode("utf-8", "backslashreplace").decode()
    return "" if category == "Cf" else " "


def use_utf8(*streams: TextIO) -> None:
    """UTF-8 whatever the locale; file names that are not UTF-8 show as escapes, valid in JSON."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
