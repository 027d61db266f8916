"""README tells what the program is now."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_tables_are_current() -> None:
    spec = importlib.util.spec_from_file_location("readme_tables", ROOT / "tools/readme_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.filled(README) == README, "run: python tools/readme_tables.py"


def test_options_named_in_readme_exist() -> None:
    from chunkscope.cli import build_parser

    commands = build_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    known = {option for parser in commands.values() for option in parser._option_string_actions}
    named = set(re.findall(r"`(--[a-z-]+)", README)) - {"--strict"}
    assert named <= known | {"--with", "--self-test"}
