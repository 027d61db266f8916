"""Chunkscope: see how documents are cut into chunks, tune the cut, and measure it."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["__version__", "load"]

if TYPE_CHECKING:
    from chunkscope.core.workspace import load


def __getattr__(name: str) -> object:
    """The names for scripts, imported on first use so that `--version` stays instant."""
    if name == "load":
        from chunkscope.core import workspace

        return workspace.load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
