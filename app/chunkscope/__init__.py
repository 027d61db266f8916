"""Chunkscope: see how documents are cut into chunks, tune the cut, and measure it."""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"
__all__ = ["Profile", "__version__", "chunk", "load"]

if TYPE_CHECKING:
    from chunkscope.core.workspace import Profile, chunk, load


def __getattr__(name: str) -> object:
    """The names for scripts, imported on first use so that `--version` stays instant."""
    if name in __all__:
        from chunkscope.core import workspace

        return getattr(workspace, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
