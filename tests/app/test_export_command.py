"""`chunkscope export`, as a script sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from chunkscope import paths

STORY = paths.sample_docs() / "story.txt"
HANDBOOK = paths.sample_docs() / "handbook.md"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chunkscope", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_lines_are_those_of_the_chunk_command(tmp_path: Path) -> None:
    saved = run("export", HANDBOOK, STORY, "--to", "jsonl", "--output", tmp_path / "a.jsonl")
    assert (saved.returncode, saved.stderr) == (0, "")
    assert "2 documents" in saved.stdout
    chunked = run("chunk", HANDBOOK, STORY, "--format", "jsonl")
    assert (tmp_path / "a.jsonl").read_text("utf-8") == chunked.stdout
    printed = run("export", HANDBOOK, STORY, "--to", "jsonl")
    assert printed.stdout == chunked.stdout


def test_a_file_that_is_there_is_not_replaced_silently(tmp_path: Path) -> None:
    target = tmp_path / "a.html"
    target.write_text("precious")
    refused = run("export", STORY, "--to", "html", "--output", target)
    assert refused.returncode == 1
    assert "--force replaces it" in refused.stderr
    assert target.read_text() == "precious"
    assert run("export", STORY, "--to", "html", "--output", target, "--force").returncode == 0
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_wrong_usage_says_what_is_right(tmp_path: Path) -> None:
    unknown = run("export", STORY, "--to", "parket", "--output", tmp_path / "a")
    assert (unknown.returncode, "did you mean 'parquet'?" in unknown.stderr) == (2, True)
    binary = run("export", STORY, "--to", "parquet")
    assert (binary.returncode, "name a file" in binary.stderr) == (2, True)
    without = run("export", "--to", "csv")
    assert (without.returncode, "needs documents" in without.stderr) == (2, True)
    missing = run("export", tmp_path / "no.txt", "--to", "csv", "--output", tmp_path / "a")
    assert missing.returncode == 1
    assert not os.listdir(tmp_path)


def test_the_profile_needs_no_documents() -> None:
    printed = run("export", "--to", "command", "--preset", "chunk-first", "--set", "max_size=300")
    expected = "chunkscope chunk PATH --preset chunk-first --set max_size=300\n"
    assert (printed.returncode, printed.stdout) == (0, expected)
