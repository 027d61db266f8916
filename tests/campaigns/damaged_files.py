"""Thousands of damaged sample documents: `python tests/campaigns/damaged_files.py [CASES]`.

Each is loaded and chunked; a crash, a broken promise or a hang over the limit ends with the file's
name and seed, from which tests/support/mutants.py makes the same file again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chunkscope import paths
from chunkscope.core.sandbox import Sandbox
from support.bad_input import Tally, try_mutant


def main() -> int:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    samples = sorted(path for path in paths.sample_docs().iterdir() if path.is_file())
    tally, slowest, failures = Tally(), (0.0, ""), 0
    with tempfile.TemporaryDirectory() as folder, Sandbox(workers=1) as sandbox:
        for seed in range(cases):
            sample = samples[seed % len(samples)]
            started = time.monotonic()
            try:
                try_mutant(sample, seed, Path(folder), sandbox, tally)
            except Exception as problem:  # noqa: BLE001 - the campaign tells of all of them
                failures += 1
                _say(f"FAILED {sample.name} seed {seed}: {problem!r}")
            slowest = max(slowest, (time.monotonic() - started, f"{sample.name} seed {seed}"))
    _say(f"{tally.complete} complete, {tally.partial} partial, {tally.refused} refused")
    _say(f"{len(tally.sentences)} different sentences; slowest {slowest[0]:.1f} s: {slowest[1]}")
    _say(f"{cases - failures} passed, {failures} failed")
    return 1 if failures else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
