"""Where the program's own files are: installed, in a checkout, or frozen into a bundle."""

from __future__ import annotations

import sys
from pathlib import Path

IS_FROZEN = bool(getattr(sys, "frozen", False))
# The bundle's executable that has no console: all that it is given is to be opened.
IS_WINDOW_PROGRAM = IS_FROZEN and Path(sys.executable).stem.endswith("-window")


def _package() -> Path:
    return Path(__file__).resolve().parent


def checkout() -> Path:
    """The folder that holds start.py and benchmarks/, where the program runs from a checkout."""
    return _package().parents[1]


def _folder(name: str) -> Path:
    installed = _package() / name
    return installed if installed.is_dir() else checkout() / name


def resources() -> Path:
    """The folder of data files that come with the program."""
    return _folder("resources")


def sample_docs() -> Path:
    """The folder of sample documents."""
    return _folder("sample_docs")


def worker_command() -> list[str]:
    """The command that starts a worker process, in a bundle too."""
    if IS_FROZEN:
        return [sys.executable, "--worker"]
    # -P keeps the caller's working folder, which may hold a random.py, off the import path.
    return [sys.executable, "-P", "-m", "chunkscope.core.sandbox.worker"]
