"""Tries a bundle as a person would: `python tests/campaigns/bundle.py [FOLDER]`.

Without a folder it is built first, by PyInstaller of the Python that runs this. The bundle runs in
an empty folder, without PYTHONPATH and with a home of its own, so nothing of the checkout helps it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_docs"
UNWANTED = re.compile(
    r"torch|transformers|WebEngine|Qt6?Qml|Qt6?Quick|/qml/|/tests?/|intel_(gpu|npu)|tensorflow"
    r"|pytorch|paddle|pytest|PyInstaller|tkinter",
)
NEEDED = (
    "chunkscope/resources/tiktoken", "chunkscope/resources/models/all-MiniLM-L6-v2/model.onnx",
    "chunkscope/resources/THIRD_PARTY_NOTICES.md", "chunkscope/sample_docs", "wordllama/weights",
    "LICENSE",
)  # fmt: skip


class Bundle:
    """A folder with the two executables."""

    def __init__(self, folder: Path, home: Path) -> None:
        ending = ".exe" if os.name == "nt" else ""
        self.folder = folder
        self.console = folder / f"chunkscope{ending}"
        self.window = folder / f"chunkscope-window{ending}"
        kept = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LANG")
        self._environment = {
            **{name: os.environ[name] for name in kept if name in os.environ},
            "HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home),
            "QT_QPA_PLATFORM": "offscreen",
        }  # fmt: skip
        self._home = home

    def run(self, program: Path, *arguments: str) -> tuple[str, float]:
        """What it prints, and how long it took."""
        began = time.perf_counter()
        done = subprocess.run(
            [str(program), *arguments],
            capture_output=True, encoding="utf-8", env=self._environment, cwd=self._home,
            timeout=300, check=False,
        )  # fmt: skip
        seconds = time.perf_counter() - began
        if done.returncode != 0:
            raise SystemExit(
                f"FAILED: {program.name} {' '.join(arguments)} ended with {done.returncode}\n"
                f"{done.stdout[-3000:]}{done.stderr[-3000:]}"
            )
        return done.stdout, seconds


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="chunkscope-bundle-") as scratch:
        folder = Path(arguments[0]).resolve() if arguments else build(Path(scratch))
        home = Path(scratch) / "home"
        home.mkdir()
        bundle = Bundle(folder, home)
        check_content(bundle)
        figures = {
            "megabytes": megabytes(folder),
            "start_seconds": check_start(bundle),
            **check_console(bundle),
            **check_window(bundle),
        }
        check_moved(bundle, Path(scratch), home)
    print(json.dumps(figures, indent=2))
    print("the bundle works")
    return 0


def build(scratch: Path) -> Path:
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    places = ["--distpath", str(scratch / "dist"), "--workpath", str(scratch / "work")]
    began = time.perf_counter()
    subprocess.run([*command, *places, str(ROOT / "build.spec")], check=True)
    print(f"built in {time.perf_counter() - began:.0f} s")
    return next((scratch / "dist").iterdir())


def check_content(bundle: Bundle) -> None:
    """Nothing needless, nothing missing, no link that leads outside."""
    inside = bundle.folder / "_internal"
    for name in NEEDED:
        expect((inside / name).exists(), f"{name} is missing")
    for file in bundle.folder.rglob("*"):
        name = "/" + file.relative_to(bundle.folder).as_posix()
        expect(not UNWANTED.search(name) or "licenses" in name, f"{name} is not needed")
        if file.is_symlink():
            inner = file.resolve().is_relative_to(bundle.folder)
            expect(inner and file.exists(), f"{name} leads nowhere or outside")


def megabytes(folder: Path) -> int:
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    return round(sum(file.stat().st_size for file in files) / 1e6)


def check_start(bundle: Bundle) -> float:
    """The median of three starts that do nothing else."""
    runs = [bundle.run(bundle.console, "--version") for _ in range(3)]
    expect(runs[0][0].startswith("chunkscope "), "--version")
    return round(sorted(seconds for _, seconds in runs)[1], 2)


def check_console(bundle: Bundle) -> dict[str, float]:
    told, demo = bundle.run(bundle.console, "demo")
    expect(demo < 60, f"the demo took {demo:.0f} s")
    for promise in ("is accounted for", "Crabs, barnacles", "Nothing here fits", "by R@500"):
        expect(promise in told, f"the demo says nothing of {promise!r}")
    told, load = bundle.run(bundle.console, "load", str(SAMPLES), "--json")
    documents = json.loads(told)
    found = documents if isinstance(documents, list) else documents["documents"]
    expect(len(found) >= len(list(SAMPLES.iterdir())), f"only {len(found)} documents were loaded")
    told, chunk = bundle.run(
        bundle.console, "chunk", str(SAMPLES), "--tokenizer", "cl100k_base", "--format", "jsonl"
    )
    chunks = [json.loads(line) for line in told.splitlines()]
    expect(len(chunks) > 50, f"only {len(chunks)} chunks")
    told, index = bundle.run(bundle.console, "index", str(SAMPLES / "story.txt"))
    told, search = bundle.run(
        bundle.console, "search", "Who mended the clocks in Kessary?", "--json"
    )
    expect("Cable Street" in told, f"the search did not find it: {told[:500]}")
    return {
        "index_seconds": round(index, 1),
        "search_seconds": round(search, 1),
        "demo_seconds": round(demo, 1),
        "load_seconds": round(load, 1),
        "chunk_seconds": round(chunk, 1),
    }


def check_window(bundle: Bundle) -> dict[str, float]:
    """The window does its whole job; its own figure is the time until it stands there."""
    told, seconds = bundle.run(bundle.window, "--self-test")
    expect(told.rstrip().endswith("self-test passed"), told)
    opened = re.search(r"opened in ([\d.]+) s", told)
    print(told, end="")
    return {
        "window_seconds": float(opened[1]) if opened else -1.0,
        "self_test_seconds": round(seconds, 1),
    }


def check_moved(bundle: Bundle, scratch: Path, home: Path) -> None:
    """It works wherever it is put, under an odd name too."""
    target = scratch / "my programs — ä" / "chunkscope"
    shutil.copytree(bundle.folder, target, symlinks=True)
    moved = Bundle(target, home)
    told, _ = moved.run(moved.console, "chunk", str(SAMPLES / "story.txt"), "--format", "stats")
    expect("chunks" in told, "it does not work where it was moved to")


def expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise SystemExit(f"FAILED: {what}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
