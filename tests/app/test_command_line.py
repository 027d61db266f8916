"""The command line as a script sees it: exit codes, clean stdout, errors on stderr."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope import __version__, cli, paths

KEYS = {
    "id", "title", "source", "media_type", "state", "text", "content_hash", "characters",
    "blocks", "warnings",
}  # fmt: skip
HEAVY = (
    "torch", "transformers", "sentence_transformers", "onnxruntime", "openvino", "faiss", "apsw",
    "wordllama", "PySide6",
)  # fmt: skip


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "chunkscope", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_version_and_help() -> None:
    assert run("--version").stdout == f"chunkscope {__version__}\n"
    assert "load" in run("--help").stdout


def test_load_prints_json_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# Título 👩‍🚀\r\n\r\nText.\r\n", encoding="utf-8", newline="")
    done = run("load", path, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (record,) = json.loads(done.stdout)
    assert record.keys() >= KEYS
    assert record["text"] == "# Título 👩‍🚀\n\nText.\n"
    assert record["characters"] == len(record["text"])
    heading, paragraph = record["blocks"]
    assert heading["kind"] == "heading"
    assert heading["level"] == 1
    assert paragraph["heading_chain"] == ["Título 👩‍🚀"]
    assert record["text"][paragraph["start"] : paragraph["end"]] == "Text."
    assert paragraph["lines"] == [3, 3]


def test_load_prints_the_text_alone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Just text.\n", encoding="utf-8")
    assert run("load", tmp_path / "a.txt", "--text").stdout == "Just text.\n"


def test_a_failure_is_told_and_the_rest_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("fine", encoding="utf-8")
    (tmp_path / "b.docx").write_bytes(b"PK\x03\x04garbage")
    done = run("load", tmp_path / "b.docx", tmp_path / "a.txt", tmp_path / "none", "--json")
    assert done.returncode == 1
    assert [record["text"] for record in json.loads(done.stdout)] == ["fine"]
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("error: ") for line in lines)
    assert "b.docx" in lines[0]
    assert "does not exist" in lines[1]


def test_nothing_loaded_is_still_json(tmp_path: Path) -> None:
    done = run("load", tmp_path / "none", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (1, [])


@pytest.mark.parametrize("arguments", [["load"], ["nonsense"], ["load", "--json", "--text", "x"]])
def test_wrong_usage(arguments: list[str]) -> None:
    assert run(*arguments).returncode == 2


@pytest.mark.parametrize("option", ["--memory-limit", "--time-limit", "--stall-limit"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1", "1e300", "much"])
def test_a_limit_is_a_positive_number(
    option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.run(["load", "x", f"{option}={value}"])
    assert ended.value.code == 2
    assert f"a limit is a positive number of at most 1,000,000,000, not {value!r}" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("command", ["load", "chunk", "index"])
@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("--read-as", "markdwon", "did you mean 'markdown'?"),
        ("--read-as", "nope", "no format is called 'nope'; known: text"),
        ("--encoding", "nope", "no encoding is called 'nope'; try utf-8"),
        ("--encoding", "windows-125", "did you mean 'windows_125"),
        ("--encoding", "rot13", "no encoding is called 'rot13'"),
    ],
)
def test_an_unknown_way_to_read_is_refused_once(
    tmp_path: Path,
    command: str,
    option: str,
    value: str,
    sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    workspace = ["--workspace", str(tmp_path / "w")] if command == "index" else []
    assert cli.run([command, str(tmp_path), option, value, *workspace]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("error: ") == 1
    assert sentence in err
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["load", "{sample}", "--json"], ["chunk", "{sample}", "--format", "jsonl"]],
)
def test_heavy_packages_stay_out(arguments: list[str]) -> None:
    sample = str(paths.sample_docs() / "handbook.md")
    code = (
        "import sys, runpy\n"
        f"sys.argv = ['chunkscope', *{[a.format(sample=sample) for a in arguments]!r}]\n"
        "try: runpy.run_module('chunkscope', run_name='__main__')\n"
        "except SystemExit as end: assert not end.code\n"
        f"sys.exit(','.join(m for m in {HEAVY!r} if m in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_an_interrupt_stops_at_once_and_leaves_no_worker(tmp_path: Path) -> None:
    # Many seconds of work, and the signal may come before it has begun.
    (tmp_path / "a.html").write_text("<p>a</p>" * 2_000_000, encoding="utf-8")
    command = [sys.executable, "-m", "chunkscope", "load", str(tmp_path), "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, preexec_fn=heed_interrupts) as running:
        while not (workers := children(running.pid)):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=20)
    assert (running.returncode, told) == (130, b"stopped\n")
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


def heed_interrupts() -> None:
    """Programs that are started in the background inherit that they ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    """Workers must not import the caller's script again, as multiprocessing's would."""
    script = tmp_path / "script.py"
    script.write_text(
        "from chunkscope import load\n"
        f"document = load({str(paths.sample_docs() / 'handbook.md')!r})\n"
        "print(document.state, len(document.blocks) > 10)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("complete True\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    "arguments",
    [
        ["load", "--json"], ["load", "--text"], ["load"], ["chunk"], ["export", "--to", "jsonl"],
        ["export", "--to", "csv"], ["strategies"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_full_disk_is_told_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    """With more text than any buffer holds, and a second file still being read."""
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("All of it must go somewhere. " * 10_000, encoding="utf-8")
    needs_paths = arguments[0] in ("load", "chunk", "export")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "chunkscope", *arguments, *[tmp_path] * needs_paths],
            stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: the output cannot be written: No space left on device"
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes stdout")
def test_a_closed_stdout_takes_nothing() -> None:
    line = ["sh", "-c", 'exec "$0" -m chunkscope presets >&-', sys.executable]
    done = subprocess.run(line, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
