"""Chunkscope: see how documents are cut into chunks, tune the cut, and measure it."""

__version__ = "0.1.0"
