"""How fast sentences are found, beside bare pysbd on the same paragraphs in the same run.

    python -m benchmarks.sentences [text files …]

Without files it reads the prose of the samples. Prints Markdown.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pysbd
from numpy.typing import NDArray
from pysbd.lang.english import English
from pysbd.processor import Processor

from benchmarks.tables import Table, Tables, show
from chunkscope import paths
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.segmenting import segment
from chunkscope.core.text.sentences import sentence_starts
from chunkscope.core.text.sentences.starts import flatten, memory

ROUNDS = 5
LONGEST = 5_000


def prose(files: list[Path]) -> list[str]:
    """The paragraphs of the files; a line of a text that has no blank lines is one, too."""
    found: list[str] = []
    for file in files:
        for part in re.split(r"\n\s*\n", file.read_text(encoding="utf-8")):
            pieces = [part] if len(part) <= LONGEST else re.split(r"\n| {2,}", part)
            found.extend(flatten(piece).strip()[:LONGEST].strip() for piece in pieces)
    return list(dict.fromkeys(filter(None, found)))  # nothing twice: the memory is not measured


def whole(paragraphs: list[str], size: int = 0) -> tuple[str, NDArray[np.int64]]:
    """One text of the paragraphs, repeated up to a size, with their spans."""
    repeated = list(paragraphs)
    while sum(map(len, repeated)) < size:
        # Another word in front, so that none of them is known already.
        repeated += [f"Copy {len(repeated)}: {paragraph}" for paragraph in paragraphs]
    lengths = np.array([len(paragraph) for paragraph in repeated])
    starts = np.concatenate(([0], np.cumsum(lengths + 2)[:-1]))
    return "\n\n".join(repeated), np.stack((starts, starts + lengths), axis=1)


def best(calls: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """The shortest time of each, taking turns so that a busy machine slows all of them."""
    seconds = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            memory.clear()
            started = time.perf_counter()
            call()
            seconds[name] = min(seconds[name], time.perf_counter() - started)
    return seconds


def compare(paragraphs: list[str], rounds: int) -> Table:
    text, spans = whole(paragraphs)
    segmenter = pysbd.Segmenter(language="en", char_span=True)
    seconds = best(
        {
            "bare pysbd, with offsets": lambda: [segmenter.segment(one) for one in paragraphs],
            "bare pysbd, strings only": lambda: [
                Processor(one, English).process() for one in paragraphs
            ],
            "pysbd": lambda: sentence_starts(text, spans, "pysbd"),
            "unicode": lambda: sentence_starts(text, spans, "unicode"),
        },
        rounds,
    )
    bare = seconds["bare pysbd, with offsets"]
    rows: list[list[str | float]] = [
        [name, len(text) / 1e6 / taken, bare / taken] for name, taken in seconds.items()
    ]
    title = f"Finding the sentences of {len(paragraphs):,} paragraphs"
    return Table(title, ["contender", "MB/s", "× bare pysbd"], rows)


def large(paragraphs: list[str]) -> Table:
    text, spans = whole(paragraphs, 5_000_000)
    with Sandbox(1) as sandbox:
        calls = {
            "pysbd in a worker": lambda: segment(text, spans, "pysbd", "en", sandbox),
            "pysbd in this process": lambda: sentence_starts(text, spans, "pysbd"),
            "unicode": lambda: sentence_starts(text, spans, "unicode"),
        }
        seconds = best(calls, 2)
        calls["pysbd in a worker"]()
        seconds["pysbd, remembered"] = _timed(calls["pysbd in a worker"])
    rows: list[list[str | float]] = [
        [name, len(text) / 1e6 / taken] for name, taken in seconds.items()
    ]
    return Table("Finding the sentences of 5 MB", ["how", "MB/s"], rows)


def _timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def tables(is_quick: bool = False, files: Sequence[Path] = ()) -> Tables:
    paragraphs = prose(list(files) or [paths.sample_docs() / "story.txt"])
    yield compare(paragraphs, 2 if is_quick else ROUNDS)
    if not is_quick:
        yield large(paragraphs)


if __name__ == "__main__":
    show(tables(files=[Path(name) for name in sys.argv[1:]]))
