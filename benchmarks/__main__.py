"""Every figure that README states, in one run: `python -m benchmarks [--quick] [--only NAME…]`.

Each part runs in a process of its own: one that fails is told, and the rest goes on. Other
libraries race along where they are installed (`pip install '.[peers,models]'`).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.tables import Table
from chunkscope import __version__

ROOT = Path(__file__).resolve().parents[1]
# The short ones first.
PARTS = (
    "program", "loading", "sentences", "chunking", "embedding", "indexing", "search", "window",
    "window_search", "evaluation",
)  # fmt: skip
QUICK_SECONDS, FULL_SECONDS = 300, 3_600


@dataclass(frozen=True, slots=True)
class Result:
    """What a part gave, or why it gave nothing."""

    part: str
    seconds: float
    tables: tuple[Table, ...] = ()
    failure: str = ""

    def record(self) -> dict[str, Any]:
        return {
            "part": self.part,
            "seconds": round(self.seconds, 1),
            "failure": self.failure or None,
            "tables": [each.record() for each in self.tables],
        }

    def markdown(self) -> str:
        told = f"failed: {self.failure}" if self.failure else f"{self.seconds:.0f} s"
        return f"\n# {self.part} ({told})\n" + "".join(each.markdown() for each in self.tables)


def run_part(name: str, is_quick: bool) -> Result:
    """One part in a process of its own; what it prints beside its tables goes to stderr."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="chunkscope-bench-") as folder:
        target = Path(folder) / "tables.json"
        command = [sys.executable, "-m", "benchmarks", "--part", name, "--output", str(target)]
        limit = QUICK_SECONDS if is_quick else FULL_SECONDS
        try:
            done = subprocess.run(
                [*command, *(["--quick"] if is_quick else [])],
                cwd=ROOT, env=_environment(), timeout=limit, check=False,
                stdout=sys.stderr, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            )  # fmt: skip
            failure = _last_line(done.stderr, done.returncode) if done.returncode else ""
        except subprocess.TimeoutExpired:
            failure = f"not done after {limit} s"
        tables = _read(target)
    return Result(name, time.perf_counter() - began, tables, failure)


def _environment() -> dict[str, str]:
    """The program of this checkout, wherever another one is installed."""
    places = [str(ROOT / "app"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(places), "HF_HUB_OFFLINE": "1"}


def _last_line(told: str, code: int) -> str:
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return lines[-1] if lines else f"it ended with {code}"


def _read(target: Path) -> tuple[Table, ...]:
    """The tables that were finished, of a part that failed too."""
    if not target.exists():
        return ()
    *lines, _torn = target.read_text(encoding="utf-8").split("\n")
    return tuple(Table.from_record(json.loads(line)) for line in lines)


def serve(name: str, is_quick: bool, target: Path) -> None:
    """What the process of a part does."""
    module = importlib.import_module(f"benchmarks.{name}")
    with target.open("w", encoding="utf-8") as file:
        for each in module.tables(is_quick):
            file.write(json.dumps(each.record(), ensure_ascii=False) + "\n")
            file.flush()


def machine() -> dict[str, Any]:
    found: dict[str, Any] = {
        "chunkscope": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
    }
    if hasattr(os, "getloadavg"):
        found["load"] = round(os.getloadavg()[0], 1)
    return found


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; repeatable")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the JSON there as well")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    return parser.parse_args(given)


def main() -> int:
    chosen = arguments()
    if chosen.part:
        serve(chosen.part, chosen.quick, chosen.output)
        return 0
    about = machine()
    results: list[Result] = []
    if not chosen.json:
        print(", ".join(f"{name} {value}" for name, value in about.items()))
    for name in chosen.only or PARTS:
        print(f"{name} …", file=sys.stderr, flush=True)
        results.append(run_part(name, chosen.quick))
        if not chosen.json:
            print(results[-1].markdown(), flush=True)
        elif results[-1].failure:
            print(f"error: {name}: {results[-1].failure}", file=sys.stderr)
    record = {**about, "is_quick": chosen.quick, "parts": [each.record() for each in results]}
    text = json.dumps(record, ensure_ascii=False, indent=1)
    if chosen.output:
        chosen.output.write_text(text + "\n", encoding="utf-8")
    if chosen.json:
        print(text)
    return 1 if any(each.failure for each in results) else 0


if __name__ == "__main__":
    sys.exit(main())
