"""`chunkscope chunk`, `strategies`, `presets` and `profile`, as a script sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope import paths

KEYS = {
    "chunk_id", "document_id", "index", "start", "end", "overlap", "text", "unit", "size",
    "model_tokens", "boundary", "heading_chain", "page", "oversize", "truncated_by_model",
    "content_hash",
}  # fmt: skip
STORY = paths.sample_docs() / "story.txt"
HANDBOOK = paths.sample_docs() / "handbook.md"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chunkscope", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_jsonl_is_one_chunk_a_line() -> None:
    done = run("chunk", HANDBOOK, STORY, "--preset", "token-window", "--format", "jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(record.keys() >= KEYS for record in records)
    text = STORY.read_text(encoding="utf-8")
    story = [record for record in records if record["text"] in text]
    assert len(story) > 3
    assert all(text[each["start"] : each["end"]] == each["text"] for each in story)
    assert len({record["document_id"] for record in records}) == 2


def test_marked_text_without_its_marks_is_the_text() -> None:
    import re

    done = run("chunk", HANDBOOK, "--preset", "research-board", "--format", "marked")
    assert done.returncode == 0
    assert re.sub(r"⟦[^⟧]*⟧", "", done.stdout) == HANDBOOK.read_text(encoding="utf-8")


def test_statistics_are_json() -> None:
    done = run(
        "chunk", STORY, "--strategy", "sentence", "--set", "max_size=200", "--format", "stats"
    )
    record = json.loads(done.stdout)
    assert record["max"] <= 200
    assert record["coverage"]["holds"] is True
    assert record["chunks"] > 10


def test_the_table_says_what_was_done() -> None:
    done = run("chunk", STORY)
    assert "✓ every character accounted for" in done.stdout
    assert done.stdout.count("\n") > 10


def test_set_and_tokenizer_and_strategy() -> None:
    done = run(
        "chunk", STORY, "--strategy", "recursive", "--tokenizer", "o200k_base",
        "--set", "max_size=100", "--set", "overlap=0", "--format", "jsonl",
    )  # fmt: skip
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(record["size"] <= 100 and record["overlap"] == 0 for record in records)
    assert {record["parameters"]["tokenizer"] for record in records} == {"o200k_base"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--set", "max_size=0"], "max_size must be from 1 to 100,000, not 0"),
        (["--set", "max_size=100", "--set", "overlap=100"], "overlap must be under max_size (100)"),
        (["--set", "max_size"], "KEY=VALUE"),
        (["--preset", "chunk-frist"], "did you mean 'chunk-first'?"),
        (["--strategy", "sentense"], "did you mean 'sentence'?"),
        (["--set", "tokeniser=minilm"], "did you mean tokenizer?"),
    ],
)
def test_wrong_usage_gets_a_sentence(arguments: list[str], sentence: str) -> None:
    done = run("chunk", STORY, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert sentence in done.stderr


def test_one_bad_file_does_not_stop_the_rest(tmp_path: Path) -> None:
    done = run("chunk", tmp_path / "none.txt", STORY, "--format", "stats")
    assert done.returncode == 1
    assert json.loads(done.stdout)["chunks"] > 1
    assert "none.txt" in done.stderr


def test_lists_of_strategies_and_presets() -> None:
    strategies = json.loads(run("strategies", "--json").stdout)
    assert {each["name"] for each in strategies} == {
        "token-window", "character", "sentence", "paragraph", "recursive", "workspace",
        "structured", "flat", "markdown", "html", "email", "chat", "code", "page", "auto",
    }  # fmt: skip
    for each in strategies:
        assert each["help"]
        assert all(known["help"] for known in each["parameters"])
    presets = json.loads(run("presets", "--json").stdout)
    assert {each["name"] for each in presets} >= {"workspace", "research-board", "auto-256"}
    assert "token-window" in run("strategies").stdout
    assert "auto-256" in run("presets").stdout


def test_profiles_are_saved_shown_checked_and_used(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    saved = run(
        "profile",
        "save",
        path,
        "--preset",
        "chunk-first",
        "--set",
        "max_size=300",
        "--name",
        "mine",
    )
    assert saved.returncode == 0
    assert "max_size = 300" in path.read_text(encoding="utf-8")
    assert run("profile", "check", path).returncode == 0
    shown = run("profile", "show", "--profile", path).stdout
    assert shown == path.read_text(encoding="utf-8")
    used = run("chunk", STORY, "--profile", path, "--format", "stats")
    assert json.loads(used.stdout)["max"] <= 300
    path.write_text(shown.replace("300", "-3"), encoding="utf-8")
    checked = run("profile", "check", path)
    assert checked.returncode == 1
    assert "max_size must be from 1" in checked.stderr


def test_three_names_are_enough_for_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from chunkscope import Profile, chunk, load\n"
        f"chunks = chunk(load({str(HANDBOOK)!r}), Profile.preset('auto-256'))\n"
        "print(len(chunks) > 5, all(each.model_tokens <= 256 for each in chunks))\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("True True\n", "")
