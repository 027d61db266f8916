"""Hostile queries, many more than in the suite: `python tests/campaigns/queries.py [50000]`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    examples = sys.argv[1] if len(sys.argv) > 1 else "50000"
    command = [
        sys.executable, "-m", "pytest", "-q", "--timeout", "0",
        "tests/core/search/test_query.py::test_no_query_breaks",
    ]  # fmt: skip
    environment = {**os.environ, "CHUNKSCOPE_EXAMPLES": examples}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
