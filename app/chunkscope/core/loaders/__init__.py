"""From a file to a Document: one module for each format."""

# Named one by one: PyInstaller does not see a scanned folder.
from chunkscope.core.loaders import markdown, plain

__all__ = ["markdown", "plain"]
