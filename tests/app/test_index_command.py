"""`chunkscope index`, `documents`, `remove`, `check`, `rebuild`, `duplicates`, as a script sees
them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope.core.workspace import Workspace

EMBEDDER = ("--embedder", "instant")


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "chunkscope", *map(str, arguments)]


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, **environment},
    )  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    text = "The lighthouse keeper wrote down the tides every morning. " * 30
    (folder / "a.txt").write_text(text, "utf-8")
    (folder / "b.txt").write_text(text + "And one day he did not.", "utf-8")
    (folder / "c.txt").write_text("Recipes for soup with leeks and potatoes. " * 30, "utf-8")
    return folder


def test_from_files_to_a_workspace_and_back(files: Path, tmp_path: Path) -> None:
    place = ("--workspace", tmp_path / "w")
    done = run("index", files, *place, *EMBEDDER, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert (report["added"], report["failures"]) == (3, [])
    again = run("index", files, *place, *EMBEDDER)
    assert "0 added, 0 changed, 3 unchanged" in again.stdout

    listed = json.loads(run("documents", *place, "--json").stdout)
    assert [Path(row["source"]).name for row in listed["documents"]] == ["a.txt", "b.txt", "c.txt"]
    assert listed["profiles"][0]["chunks"] == report["chunks"]

    pairs = json.loads(run("duplicates", *place, "--json").stdout)
    assert [Path(pairs[0][side]["source"]).name for side in ("first", "second")] == [
        "a.txt", "b.txt",
    ]  # fmt: skip
    assert len(pairs) == 1
    assert pairs[0]["similarity"] > 0.95

    assert run("check", *place).stdout.startswith("✓ all is well: 3 documents")
    assert json.loads(run("rebuild", *place, "--json").stdout)["documents"] == 3
    assert "removed 1 documents" in run("remove", files / "a.txt", *place).stdout
    assert json.loads(run("check", *place, "--json").stdout)["documents"] == 2


def test_the_folder_can_come_from_the_environment(files: Path, tmp_path: Path) -> None:
    here = {"CHUNKSCOPE_WORKSPACE": str(tmp_path / "mine")}
    assert run("index", files / "c.txt", *EMBEDDER, **here).returncode == 0
    assert (tmp_path / "mine" / "workspace.db").exists()
    assert "c.txt" in run("documents", **here).stdout


def test_one_bad_file_fails_alone_and_waits(files: Path, tmp_path: Path) -> None:
    (files / "bad.pdf").write_bytes(b"%PDF-1.7 and nothing")
    place = ("--workspace", tmp_path / "w")
    done = run("index", files, *place, *EMBEDDER, "--json")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "bad.pdf" in done.stderr
    assert json.loads(done.stdout)["added"] == 3
    assert "waiting: " in run("documents", *place).stdout


@pytest.mark.parametrize("arguments", [("index", "FILES"), ("remove", "FILES"), ("rebuild",)])
def test_a_workspace_in_use_is_told_once_with_the_remedy(
    files: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    place = tmp_path / "w"
    assert run("index", files, "--workspace", place, *EMBEDDER).returncode == 0
    named = [str(files) if each == "FILES" else each for each in arguments]
    with Workspace.open(place):
        done = run(*named, "--workspace", place)
        asked = run("search", "tides", "--workspace", place)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert f"error: {place} is open to read only: it is in use by process {os.getpid()} " in line
    assert line.endswith("; wait until that has finished, or choose another workspace")
    assert asked.returncode == 0
    assert asked.stderr.count("is open to read only") == 1


def test_damage_is_found_and_told(files: Path, tmp_path: Path) -> None:
    import apsw

    place = ("--workspace", tmp_path / "w")
    run("index", files, *place, *EMBEDDER)
    connection = apsw.Connection(str(tmp_path / "w" / "workspace.db"))
    connection.execute("UPDATE documents SET text = replace(text, 'soup', 'soap')")
    connection.close()
    done = run("check", *place)
    assert done.returncode == 1
    assert "document text: 1" in done.stdout
    assert "backups/" in done.stdout
    record = json.loads(run("check", *place, "--json").stdout)
    assert record["counts"]["document text"] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("documents",), 1, "there is no workspace in"),
        (("remove", "x"), 1, "there is no workspace in"),
        (("index",), 1, "there is no workspace in"),
        (("remove",), 2, "name documents, or a profile"),
        (("index", "x", "--embedder", "minilmm"), 2, "did you mean 'minilm'?"),
    ],
)
def test_wrong_usage_gets_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    done = run(*arguments, "--workspace", tmp_path / "none")
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("error: ")
    assert sentence in done.stderr
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_bar_on_a_terminal_and_ctrl_c(files: Path, tmp_path: Path) -> None:
    """The first Ctrl-C ends at a safe place, with the documents that are committed."""
    import pty

    for number in range(300):
        words = " ".join(f"w{number}x{i}" for i in range(400))
        (files / f"more{number:03d}.txt").write_text(words, "utf-8")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command("index", files, "--workspace", tmp_path / "w", *EMBEDDER),
        stdout=subprocess.PIPE, stderr=slave, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    seen = b""
    while ("█" * 12).encode() not in seen:
        seen += os.read(master, 4096)
    process.send_signal(signal.SIGINT)
    while b"stopped" not in seen:
        seen += os.read(master, 4096)
    out, _ = process.communicate()
    os.close(master)
    assert (process.returncode, out) == (130, b"")
    record = json.loads(run("check", "--workspace", tmp_path / "w", "--json").stdout)
    assert record["is_sound"]
    assert 0 < record["documents"] < 303
