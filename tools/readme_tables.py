"""Writes the generated tables into README.md: `python tools/readme_tables.py`."""

from __future__ import annotations

import re
from pathlib import Path

import chunkscope.core.loaders  # noqa: F401 - fills the registry
from chunkscope.core.loaders.base import formats

README = Path(__file__).resolve().parents[1] / "README.md"


def formats_table() -> str:
    rows = ["| `--format` | what | names that suggest it |", "|---|---|---|"]
    for name in formats:
        entry = formats[name]
        endings = " ".join(f"`{ending}`" for ending in entry.extensions) or "by content"
        rows.append(f"| `{name}` | {entry.label} | {endings} |")
    return "\n".join(rows)


TABLES = {"formats": formats_table}


def filled(text: str) -> str:
    """The page with every table as the registries have it now."""
    for name, table in TABLES.items():
        mark = re.compile(f"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text = mark.sub(lambda match, table=table: f"{match[1]}{table()}\n{match[2]}", text)
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
