"""Writes the generated tables into README.md: `python tools/readme_tables.py`."""

from __future__ import annotations

import re
from pathlib import Path

from chunkscope.cli.chunk import summary
from chunkscope.core.chunking.strategies import Strategy, strategies
from chunkscope.core.loaders.every import formats
from chunkscope.core.params import Declared, declared
from chunkscope.core.profile import presets
from chunkscope.core.search.options import SearchOptions

README = Path(__file__).resolve().parents[1] / "README.md"


def formats_table() -> str:
    rows = ["| `--read-as` | what | names that suggest it |", "|---|---|---|"]
    for name in formats:
        entry = formats[name]
        endings = " ".join(f"`{ending}`" for ending in entry.extensions) or "by content"
        rows.append(f"| `{name}` | {entry.label} | {endings} |")
    return "\n".join(rows)


def strategies_table() -> str:
    rows = ["| strategy | what it does | its own parameters |", "|---|---|---|"]
    shared = declared(Strategy)
    for name in strategies:
        own = [
            each for each in declared(strategies[name]).values() if each != shared.get(each.name)
        ]
        values = ", ".join(f"`{each.name}` {_default(each)}" for each in own)
        rows.append(f"| `{name}` | {summary(strategies[name])} | {values} |")
    return "\n".join(rows)


def parameters_table() -> str:
    known: dict[str, Declared] = {}
    for name in strategies:
        for field, each in declared(strategies[name]).items():
            known.setdefault(field, each)
    rows = ["| parameter | bounds | meaning |", "|---|---|---|"]
    rows += [f"| `{each.name}` | {_bounds(each)} | {each.param.help} |" for each in known.values()]
    return "\n".join(rows)


def presets_table() -> str:
    rows = ["| preset | strategy | what it does |", "|---|---|---|"]
    rows += [
        f"| `{name}` | `{presets[name].profile.strategy}` | {presets[name].help} |"
        for name in presets
    ]
    return "\n".join(rows)


def search_table() -> str:
    rows = ["| setting | default | bounds | meaning |", "|---|---|---|---|"]
    rows += [
        f"| `{each.name}` | {_default(each)} | {_bounds(each)} | {each.param.help} |"
        for each in declared(SearchOptions).values()
    ]
    return "\n".join(rows)


def _default(known: Declared) -> str:
    if isinstance(known.default, bool):
        return "yes" if known.default else "no"
    if known.default in ("", ()):
        return "–"
    return f"{known.default:,}" if isinstance(known.default, int) else str(known.default)


def _bounds(known: Declared) -> str:
    rule = known.param
    if rule.low is not None and rule.high is not None:
        return f"{rule.low:,}–{rule.high:,}"
    if known.name == "skip":
        return "kinds of blocks"
    return ", ".join(rule.choices) or {bool: "yes, no"}.get(known.type, "text")


TABLES = {
    "formats": formats_table,
    "strategies": strategies_table,
    "parameters": parameters_table,
    "presets": presets_table,
    "search": search_table,
}


def filled(text: str) -> str:
    """The page with every table as the registries have it now."""
    for name, table in TABLES.items():
        mark = re.compile(f"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text = mark.sub(lambda match, table=table: f"{match[1]}{table()}\n{match[2]}", text)
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
