"""Chunks, previews, statistics and profiles to take along, in every format."""

from __future__ import annotations

from chunkscope.core.export import figures, html, marked, parquet, settings, tables
from chunkscope.core.export.base import (
    ExportError,
    ExportFormat,
    TargetExists,
    export_formats,
)
from chunkscope.core.export.files import as_text, save
from chunkscope.core.export.settings import as_command

__all__ = [
    "ExportError", "ExportFormat", "TargetExists", "as_command", "as_text", "export_formats",
    "figures", "html", "marked", "parquet", "save", "settings", "tables",
]  # fmt: skip

export_formats.arrange(
    "html", "markdown", "jsonl", "csv", "parquet", "stats-json", "stats-csv", "profile", "command"
)
