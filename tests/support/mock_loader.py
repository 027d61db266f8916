"""A format whose documents misbehave on demand, as Tika's mock parser does.

A worker imports it as a plug-in. Each line is one order: `text WORDS`, `part KEY`, `keep`, `hang`,
`busy`, `eat`, `exit N`, `crash`, `raise`, `panic`, `print`, `refuse`, `pid`.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, Source, formats, register
from chunkscope.core.loaders.plain import paragraphs
from chunkscope.core.sandbox.watch import Watch

ORDERS: dict[str, Callable[[str], object]] = {
    "hang": lambda _: threading.Event().wait(),
    # Catastrophic backtracking: C code that holds the interpreter lock.
    "busy": lambda _: re.match(r"(a|a)*$", "a" * 60 + "b"),
    "eat": lambda _: [bytearray(100_000_000) for _ in range(1_000)],
    "exit": lambda code: os._exit(int(code)),
    "crash": lambda _: ctypes.string_at(0),
    "print": lambda words: sys.stdout.write(words) and os.write(1, words.encode()),
}


class Panic(BaseException):
    """What a Rust extension raises when it panics."""


def _refuse(_: str) -> None:
    raise LoadError("", "refused on demand")


def _raise(_: str) -> None:
    raise KeyError("/Root")


def _panic(_: str) -> None:
    raise Panic("index out of bounds")


ORDERS |= {"refuse": _refuse, "raise": _raise, "panic": _panic}

if "mock" not in formats:

    @register("mock", "misbehaving test document", ".mock")
    def load_mock(source: Source, watch: Watch) -> Iterable[Draft]:
        words, missing = [], []
        for number, line in enumerate(source.data.decode().splitlines()):
            key, (order, _, rest) = f"line {number}", line.partition(" ")
            if order == "parts":
                continue
            if (kept := watch.kept(key)) is not None:
                words.append(bytes(kept).decode())
            elif why := watch.skipped(key):
                missing.append(f"{key}: {why}")
            elif order == "pid":
                words.append(str(os.getpid()))
            elif order == "text":
                watch.progress(number, 0)
                words.append(rest)
                if source.data.startswith(b"parts"):
                    watch.keep(key, rest.encode())
            else:
                if source.data.startswith(b"parts"):
                    watch.begin(key)
                ORDERS[order](rest)
        text = "\n\n".join(words)
        yield Draft(text, paragraphs(text), "text/x-mock", missing=missing)
