"""`chunkscope bench`: every figure that README states, measured here."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from chunkscope import paths
from chunkscope.core.errors import ChunkscopeError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure every figure that README states, on this machine",
        description="Measure every figure that README states. Needs a checkout; other libraries "
        "race along where the extras `peers` and `models` are installed.",
    )
    parser.add_argument("--quick", action="store_true", help="less of everything: minutes")
    parser.add_argument(
        "--only", action="append", default=[], metavar="PART", help="this part; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--output", metavar="FILE", help="write the JSON there as well")
    parser.set_defaults(command=_bench)


def _bench(options: argparse.Namespace) -> int:
    folder = paths.checkout()
    if paths.IS_FROZEN or not (folder / "benchmarks" / "__main__.py").is_file():
        raise ChunkscopeError(
            "the benchmarks are no part of an installed program; run `python3 start.py bench` in a "
            "checkout of its source"
        )
    chosen = [f"--{name}" for name in ("quick", "json") if getattr(options, name)]
    chosen += [text for part in options.only for text in ("--only", part)]
    chosen += ["--output", os.path.abspath(options.output)] if options.output else []
    return subprocess.call([sys.executable, "-m", "benchmarks", *chosen], cwd=folder)
