"""How fast documents load: `python -m benchmarks.loading [PDF…]`.

Text, Markdown and HTML are made here from a fixed seed. PDFs are compared with bare pypdf on the
same file, contenders alternating in one run.
"""

from __future__ import annotations

import io
import logging
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.race import EVALUATION
from benchmarks.tables import Table, Tables, show
from chunkscope import paths
from chunkscope.core.loaders.base import Source
from chunkscope.core.loaders.files import load_file
from chunkscope.core.loaders.run import parse
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.sandbox.watch import Watch

MEGABYTE = 1_000_000
ROUNDS = 5
PDF_SECONDS = 3.0


def words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(VOCABULARY, k=count))


_LETTERS = random.Random(1)
VOCABULARY = [
    "".join(_LETTERS.choices("etaoinshrdlucmfwypvbgkjqxz", k=_LETTERS.randint(2, 9)))
    for _ in range(3000)
]


def plain_text(size: int, ending: str = "") -> str:
    rng = random.Random(2)
    paragraphs = ["\n".join(words(rng, 12) for _ in range(6)) for _ in range(2000)]
    unit = "\n\n".join(paragraphs) + "\n\n"
    return unit * (size // len(unit) + 1) + ending


def markdown(size: int) -> str:
    rng = random.Random(3)
    makers: list[Callable[[], str]] = [
        lambda: f"## {words(rng, 4)}",
        lambda: "\n".join(f"- {words(rng, 10)}" for _ in range(5)),
        lambda: "```python\n" + "\n".join(words(rng, 6) for _ in range(8)) + "\n```",
        lambda: (
            "| a | b |\n|---|---|\n"
            + "\n".join(f"| {words(rng, 3)} | {words(rng, 4)} |" for _ in range(5))
        ),
        *[lambda: "\n".join(words(rng, 14) for _ in range(5))] * 6,
    ]
    return _fill(size, makers, rng, "\n\n")


def html(size: int) -> str:
    rng = random.Random(4)
    makers: list[Callable[[], str]] = [
        lambda: f"<h2>{words(rng, 4)}</h2>",
        lambda: "<ul>" + "".join(f"<li>{words(rng, 10)}</li>" for _ in range(5)) + "</ul>",
        lambda: (
            "<table>"
            + "".join(f"<tr><td>{words(rng, 3)}<td>{words(rng, 4)}</tr>" for _ in range(5))
            + "</table>"
        ),
        *[lambda: f'<p class="t">{words(rng, 30)} <a href="#x">go</a> <b>{words(rng, 30)}</b></p>']
        * 6,
    ]
    return "<!doctype html><html><body>" + _fill(size, makers, rng, "\n") + "</body></html>"


def _fill(size: int, makers: list[Callable[[], str]], rng: random.Random, separator: str) -> str:
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(rng.choice(makers)())
        length += len(pieces[-1]) + len(separator)
    return separator.join(pieces)


def throughput(path: Path, sandbox: Sandbox, rounds: int) -> float:
    """MB/s of the whole way: worker, parsing, transfer, Document; of the best round."""
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        loaded = load_file(path, sandbox)
        seconds.append(time.perf_counter() - started)
        if loaded.error:
            raise loaded.error
        del loaded
    return path.stat().st_size / MEGABYTE / min(seconds)


def memory_ratio(path: Path) -> float:
    """Peak memory of a fresh program and its worker together, beyond an idle one, per file size."""
    peak = _peak(path) - _peak(paths.sample_docs() / "inventory.csv")
    return peak / path.stat().st_size


def _peak(path: Path) -> int:
    """The most that both processes, and the memory on its way between them, had at one moment."""
    code = (
        "import sys\n"
        "from chunkscope.core.loaders.files import load_file\n"
        "from chunkscope.core.sandbox import Sandbox\n"
        "with Sandbox(1) as sandbox: load_file(sys.argv[1], sandbox)"
    )
    shared = _kilobytes("/proc/meminfo", "Shmem")
    peak = 0
    with subprocess.Popen([sys.executable, "-c", code, str(path)]) as owner:
        while owner.poll() is None:
            children = Path(f"/proc/{owner.pid}/task/{owner.pid}/children")
            pids = [owner.pid, *map(int, children.read_text().split())]
            own = sum(_kilobytes(f"/proc/{pid}/status", "RssAnon") for pid in pids)
            peak = max(peak, own + _kilobytes("/proc/meminfo", "Shmem") - shared)
            time.sleep(0.001)
    return peak * 1024


def _kilobytes(table: str, row: str) -> int:
    """A figure of Linux's; 0 when the process is gone."""
    try:
        found = re.search(rf"^{row}:\s+(\d+)", Path(table).read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) if found else 0


def pdf_ratio(path: Path, rounds: int) -> float:
    """Our loader's processor time over that of bare pypdf, on the same file, alternating."""
    from pypdf import PdfReader

    data = path.read_bytes()

    def bare() -> None:
        for page in PdfReader(io.BytesIO(data)).pages:
            page.extract_text()

    def ours() -> None:
        for _ in parse(Source(data, str(path)), Watch()):
            pass

    times: dict[str, list[float]] = {"bare": [], "ours": []}
    enough = (
        time.perf_counter() + PDF_SECONDS * rounds / ROUNDS
    )  # a file of four pages needs many rounds
    while len(times["ours"]) < rounds or time.perf_counter() < enough:
        for name, call in (("bare", bare), ("ours", ours)):
            started = time.process_time()  # of the processor: others may be using it as well
            call()
            times[name].append(time.process_time() - started)
    return min(times["ours"]) / min(times["bare"])


def long_pdf() -> list[Path]:
    """A PDF of 117 pages, where the evaluation data is beside this checkout."""
    return sorted(EVALUATION.parent.glob("documents/pdf/*GeoTopo*.pdf"))[:1]


def tables(is_quick: bool = False, pdfs: Sequence[Path] = ()) -> Tables:
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # bare pypdf tells of every font
    large, small = (20, 1) if is_quick else (100, 5)
    rounds = 2 if is_quick else ROUNDS
    rows: list[list[str | float]] = []
    with tempfile.TemporaryDirectory() as folder, Sandbox(1) as sandbox:
        made = {
            f"plain text, {large} MB": ("plain.txt", plain_text(large * MEGABYTE)),
            "the same with one emoji": ("emoji.txt", plain_text(large * MEGABYTE, "👩‍🚀\n")),
            f"Markdown, {small} MB": ("page.md", markdown(small * MEGABYTE)),
            f"HTML, {small} MB": ("page.html", html(small * MEGABYTE)),
        }
        for what, (name, text) in made.items():
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            memory = memory_ratio(path) if name.endswith(".txt") else "–"
            rows.append([what, throughput(path, sandbox, rounds), memory])
    yield Table("From file to document", ["what", "MB/s", "peak memory / file size"], rows)
    pdfs = [paths.sample_docs() / "report.pdf", *(pdfs or long_pdf())]
    ratios: list[list[str | float]] = [
        [path.name, pdf_ratio(path, 1 if is_quick else ROUNDS)] for path in pdfs
    ]
    yield Table("PDF", ["file", "processor time / bare pypdf"], ratios)


if __name__ == "__main__":
    show(tables(pdfs=[Path(name) for name in sys.argv[1:]]))
