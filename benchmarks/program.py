"""How fast the command line is from start to end: `python -m benchmarks.program`.

Each command is a fresh process; seconds on the clock, and the processor's of all its processes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.tables import Table, Tables, show
from chunkscope import paths

STORY = str(paths.sample_docs() / "story.txt")


def measure(folder: Path, rounds: int, *command: str) -> list[float]:
    """The shortest run: on the clock, and of the processor."""
    best = [float("inf"), float("inf")]
    environment = {**os.environ, "CHUNKSCOPE_WORKSPACE": str(folder / "workspace")}
    for _ in range(rounds):
        before, started = os.times(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-P", "-m", "chunkscope", *command],
            check=True, stdout=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        taken, after = time.perf_counter() - started, os.times()
        used = sum(after[2:4]) - sum(before[2:4])  # of children, user and system
        best = [min(best[0], taken), min(best[1], used)]
    return best


def tables(is_quick: bool = False) -> Tables:
    rounds = 2 if is_quick else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows: list[list[str | float]] = [
            ["start (`--version`)", *measure(folder, rounds, "--version")],
            ["`chunk story.txt`", *measure(folder, rounds, "chunk", STORY)],
            ["`index story.txt`, model loaded", *measure(folder, 1, "index", STORY)],
            ["`search`, model loaded", *measure(folder, rounds, "search", "Who mended clocks?")],
            ["`demo`, everything", *measure(folder, 1, "demo")],
        ]
    yield Table("Commands, cold", ["what", "seconds", "processor seconds"], rows)


if __name__ == "__main__":
    show(tables())
