"""`chunkscope evaluate`, `tune` and `gate`, as a script sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope import paths

QUESTIONS = paths.resources() / "questions" / "sample_docs.jsonl"
DOCUMENTS = [
    paths.sample_docs() / name for name in ("handbook.md", "story.txt", "irc.log", "thread.mbox")
]
ROW = {"name", "profile", "mode", "chunks", "mean_size", "metrics", "intervals", "seconds"}
METRICS = {
    "recall", "precision", "iou", "precision_omega", "precision_omega_touching",
    "budget_recall", "mrr", "ndcg",
}  # fmt: skip


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chunkscope", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def evaluate(tmp_path: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
    return run(
        "evaluate", "--queries", QUESTIONS, "--documents", *DOCUMENTS, "--cache", tmp_path,
        "--mode", "lexical", "--budgets", "250,500", *more,
    )  # fmt: skip


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    path = tmp_path / "base.json"
    done = evaluate(tmp_path, "--strategy", "recursive", "--set", "max_size=150", "--run", path)
    assert done.returncode == 0
    return path


def test_a_row_of_json_has_its_names(tmp_path: Path) -> None:
    done = evaluate(tmp_path, "--strategy", "recursive", "--set", "max_size=150", "--json")
    assert done.returncode == 0
    record = json.loads(done.stdout)
    assert record.keys() >= ROW
    assert record["metrics"].keys() == METRICS
    assert record["metrics"]["budget_recall"].keys() == {"250", "500"}
    assert record["intervals"]["recall"]["low"] <= record["metrics"]["recall"]
    assert record["profile"]["parameters"]["max_size"] == 150
    assert record["mode"] == "lexical"
    # Questions about other documents are told, and left out.
    assert "no document is called 'report.pdf'" in done.stderr


def test_tune_prints_a_run_and_writes_a_report(tmp_path: Path) -> None:
    sweep = tmp_path / "sweep.toml"
    names = ", ".join(f"'{path}'" for path in DOCUMENTS)
    sweep.write_text(
        f"queries = '{QUESTIONS}'\ndocuments = [{names}]\n"
        "[settings]\nheadline = 'R@500'\nresamples = 300\n"
        "[grid]\nstrategy = 'recursive'\nmax_size = [80, 160]\noverlap = [0, 120]\n"
        "mode = ['lexical', 'hybrid']\nembedder = 'instant'\n",
        "utf-8",
    )
    report = tmp_path / "report.html"
    done = run("tune", sweep, "--json", "--report", report, "--cache", tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    body = json.loads(done.stdout)["body"]
    assert len(body["rows"]) == 6
    assert body["verdict"]["leader"] == body["rows"][0]["name"]
    assert "overlap must be under max_size (80)" in done.stderr
    assert report.read_text("utf-8").startswith("<!doctype html>")
    kept = json.loads((tmp_path / "sweep.run.json").read_text("utf-8"))
    assert kept["body"] == body
    assert not list(tmp_path.glob("*.part"))


def test_the_gate_is_open_for_the_same_and_closed_after_a_drop(
    baseline: Path, tmp_path: Path
) -> None:
    same = run("gate", "--baseline", baseline, "--cache", tmp_path)
    assert (same.returncode, "no significant drop" in same.stdout) == (0, True)
    assert "does not exist" not in same.stderr  # messages of a mailbox are in its file
    worse = run(
        "gate", "--baseline", baseline, "--queries", QUESTIONS, "--strategy", "recursive",
        "--set", "max_size=6", "--mode", "lexical", "--json", "--cache", tmp_path,
    )  # fmt: skip
    assert worse.returncode == 1
    assert json.loads(worse.stdout)["significant_drop"] is True


def test_a_document_that_cannot_be_read_is_a_failure(tmp_path: Path) -> None:
    done = evaluate(tmp_path, "--json", "--documents", DOCUMENTS[0], tmp_path / "gone.txt")
    assert done.returncode == 1
    assert "gone.txt: does not exist" in done.stderr
    assert json.loads(done.stdout)["chunks"] > 0


def test_documents_without_text_are_told(tmp_path: Path) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"question": "Who?", "class": "negative", "expected": []}\n', "utf-8")
    done = run("evaluate", "--queries", questions, "--documents", tmp_path / "gone.txt")
    assert done.returncode == 1
    assert "none of the documents has text" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("gate", "--baseline", "no-such-run"), 1, "cannot be read"),
        (("tune", "no-such-sweep.toml"), 1, "cannot be read"),
        (("evaluate", "--queries", "x"), 2, "--documents"),
        (("evaluate", "--queries", "no.csv", "--documents", "x"), 1, "no.csv cannot be read"),
        (
            ("evaluate", "--queries", QUESTIONS, "--documents", "x", "--search", "neighbors=1"),
            2,
            "neighbors is no setting",
        ),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run(*arguments)
    assert done.returncode == code
    assert words in done.stderr
