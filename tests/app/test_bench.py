"""`chunkscope bench`: parts apart from each other, tables for people, JSON for programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import __main__ as bench
from benchmarks.tables import Table

from chunkscope import paths
from chunkscope.cli import run

ROOT = Path(__file__).resolve().parents[2]


def test_every_part_gives_tables() -> None:
    """By name: what is listed exists, and each benchmark is listed."""
    helpers = {"__init__", "__main__", "race", "tables"}
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("*.py")} - helpers
    assert scripts == set(bench.PARTS)
    for name in scripts:
        assert "\ndef tables(" in (ROOT / "benchmarks" / f"{name}.py").read_text("utf-8")


def test_a_part_that_fails_is_told_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "figures.json"
    monkeypatch.setattr(bench, "PARTS", ("no_such_part", "sentences"))
    monkeypatch.setattr(sys, "argv", ["bench", "--quick", "--json", "--output", str(target)])
    assert bench.main() == 1
    told = capfd.readouterr()
    assert "error: no_such_part: " in told.err
    record = json.loads(told.out)
    assert json.loads(target.read_text("utf-8")) == record
    failed, sentences = record["parts"]
    assert failed["failure"]
    assert failed["tables"] == []
    assert sentences["failure"] is None
    rows = {row["contender"]: row["× bare pysbd"] for row in sentences["tables"][0]["rows"]}
    assert rows["bare pysbd, with offsets"] == 1
    assert rows["pysbd"] > 1


def test_tables_survive_json() -> None:
    table = Table("Speed", ["what", "MB/s"], [["text", 12.345], ["a | b", 1234.5]], "a note")
    again = Table.from_record(json.loads(json.dumps(table.record())))
    assert again.markdown() == table.markdown()
    assert "| text | 12.3 |" in table.markdown()
    assert "1,234" in table.markdown() or "1,235" in table.markdown()


def test_an_installed_program_says_where_the_benchmarks_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(paths, "checkout", lambda: tmp_path)
    assert run(["bench"]) == 1
    assert "python3 start.py bench" in capsys.readouterr().err


def test_an_unknown_part_is_wrong_usage() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chunkscope", "bench", "--only", "spede"],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "loading" in done.stderr, "it lists the parts"
