"""The program: with arguments the command line, without any the window."""

from __future__ import annotations

import sys


def main() -> int:
    """Run what the arguments ask for."""
    if sys.argv[1:] == ["--worker"]:  # how a bundle starts its own worker processes
        from chunkscope.core.sandbox.worker import main as serve

        return serve()
    from chunkscope.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
