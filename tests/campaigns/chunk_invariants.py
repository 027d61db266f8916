"""The invariants of SPEC 2 over many more examples: `python tests/campaigns/chunk_invariants.py`.

Runs the test of the suite with 20,000 examples a strategy, or as many as are given.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    examples = sys.argv[1] if len(sys.argv) > 1 else "20000"
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "auto", "--timeout", "0",
        "tests/core/chunking/test_invariants.py",
    ]  # fmt: skip
    environment = {**os.environ, "CHUNKSCOPE_EXAMPLES": examples}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
