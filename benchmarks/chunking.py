"""How fast and how right documents are chunked, beside other libraries on the same texts.

    python -m benchmarks.chunking [--size-mb 10] [--cold-mb 2] [--rounds 5] [--quick]

Contenders take turns in one run, with a budget of 512 cl100k_base tokens and no overlap. Libraries
that are not installed are named and skipped. Prints Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.race import (
    EVALUATION,
    Piece,
    find_faults,
    make_prose,
    make_texts,
    race,
    timed,
)
from benchmarks.tables import Table, Tables, show
from chunkscope import paths
from chunkscope.core.blocks import BlockKind, Blocks
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.text.layout import Layout
from chunkscope.core.text.sentences import sentence_starts
from chunkscope.core.text.sentences.starts import flatten, memory
from chunkscope.core.text.tokenizers import encoding

MEGABYTE = 1_000_000
BUDGET = 512
_LITTLE = 20_000
ENCODING = "cl100k_base"

# ---- Contenders ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contender:
    """`run` is timed; `read` makes of its result what can be compared."""

    name: str
    run: Callable[[str], Any]
    read: Callable[[Any], list[Piece]] | None
    is_ours: bool = False


PROFILES = {
    "windows": Profile.of("token-window", max_size=BUDGET, overlap=0, single_piece_max=0),
    "recursive": Profile.of("recursive", max_size=BUDGET),
    "sentences": Profile.of("sentence", max_size=BUDGET, overlap=0, segmenter="unicode"),
    "sentences (pysbd)": Profile.of("sentence", max_size=BUDGET, overlap=0, segmenter="pysbd"),
}


def analyse(text: str, profile: Profile) -> Analysis:
    """Nothing found yet, nothing remembered from another run."""
    memory.clear()
    empty = np.zeros(0, np.int64)
    blocks = Blocks.of_spans(BlockKind.PARAGRAPH, empty, empty)
    document = Document("doc", "", "", "text/plain", text, blocks, "")
    return Analysis(document, segmenter=profile.parameters.segmenter)


def chunk(analysis: Analysis, profile: Profile) -> Chunking:
    found = chunk_analysed(analysis, profile.strategy, profile.parameters, profile.model)
    _ = found.starts, found.ends, found.sizes
    return found


def ours(name: str, label: str = "") -> Contender:
    profile = PROFILES[name]

    def run(text: str) -> tuple[Chunking, list[str]]:
        found = chunk(analyse(text, profile), profile)
        return found, [found.text(index) for index in range(len(found))]

    def read(result: tuple[Chunking, list[str]]) -> list[Piece]:
        starts, ends = result[0].starts.tolist(), result[0].ends.tolist()
        return [Piece(*each) for each in zip(result[1], starts, ends, strict=True)]

    return Contender(f"chunkscope {label or profile.strategy}", run, read, is_ours=True)


def _strings(found: list[str]) -> list[Piece]:
    return [Piece(text) for text in found]


def _chonkie(name: str) -> Contender:
    import chonkie

    def run(text: str) -> Any:
        # Made anew for each run, as all of them: what it remembers would not be cold.
        options = {"chunk_overlap": 0} if name != "RecursiveChunker" else {}
        return getattr(chonkie, name)(encoding(ENCODING), chunk_size=BUDGET, **options)(text)

    def read(found: Any) -> list[Piece]:
        return [Piece(each.text, each.start_index, each.end_index) for each in found]

    return Contender(f"chonkie {name}", run, read)


def _langchain(name: str) -> Contender:
    import langchain_text_splitters

    def run(text: str) -> list[str]:
        splitter = getattr(langchain_text_splitters, name).from_tiktoken_encoder(
            encoding_name=ENCODING, chunk_size=BUDGET, chunk_overlap=0, disallowed_special=()
        )
        return list(splitter.split_text(text))

    return Contender(f"langchain {name}", run, _strings)


def _llama_index(name: str) -> Contender:
    from llama_index.core import node_parser

    def run(text: str) -> list[str]:
        splitter = getattr(node_parser, name)(
            chunk_size=BUDGET, chunk_overlap=0, tokenizer=encoding(ENCODING).encode_ordinary
        )
        return list(splitter.split_text(text))

    return Contender(f"llama-index {name}", run, _strings)


def _semchunk(_: str) -> Contender:
    from semchunk import semchunk

    def run(text: str) -> Any:
        semchunk._memoized_token_counters.clear()
        return semchunk.chunkerify(encoding(ENCODING), BUDGET)(text, offsets=True)

    def read(found: Any) -> list[Piece]:
        return [Piece(text, *place) for text, place in zip(*found, strict=True)]

    return Contender("semchunk", run, read)


def _semantic(_: str) -> Contender:
    from semantic_text_splitter import TextSplitter

    def run(text: str) -> list[tuple[int, str]]:
        # The encoding of this model is cl100k_base, compiled in.
        return list(TextSplitter.from_tiktoken_model("gpt-4", BUDGET).chunk_indices(text))

    def read(found: list[tuple[int, str]]) -> list[Piece]:
        return [Piece(text, at, at + len(text)) for at, text in found]

    return Contender("semantic-text-splitter", run, read)


BARE_TIKTOKEN = "bare tiktoken"
PEERS: dict[str, list[tuple[Callable[[str], Contender], str]]] = {
    "windows": [
        (_chonkie, "TokenChunker"),
        (_langchain, "TokenTextSplitter"),
        (_llama_index, "TokenTextSplitter"),
        (lambda name: Contender(name, encoding(ENCODING).encode_ordinary, None), BARE_TIKTOKEN),
    ],
    "recursive": [
        (_chonkie, "RecursiveChunker"),
        (_langchain, "RecursiveCharacterTextSplitter"),
        (_semchunk, "semchunk"),
        (_semantic, "semantic-text-splitter"),
    ],
    "sentences": [(_chonkie, "SentenceChunker"), (_llama_index, "SentenceSplitter")],
}


def contenders(kind: str) -> list[Contender]:
    found = [ours(kind, "sentence (unicode)" if kind == "sentences" else "")]
    if kind == "sentences":
        found.append(ours("sentences (pysbd)", "sentence (pysbd)"))
    for make, name in PEERS[kind]:
        try:
            found.append(make(name))
        except ImportError as problem:
            _tell_absent(f"{make.__name__.strip('_')} {name}: not installed ({problem.name})")
    return found


@cache  # once each
def _tell_absent(line: str) -> None:
    print(line)


# ---- Measurements --------------------------------------------------------------------------------


@dataclass(slots=True)
class Goals:
    """What was hoped for beside what was found."""

    rows: list[list[str]]

    def least(self, name: str, goal: float, value: float, note: str = "") -> None:
        self._add(f"{name}: ≥ {goal:g}", value, value >= goal, note)

    def most(self, name: str, goal: float, value: float, note: str = "") -> None:
        self._add(f"{name}: ≤ {goal:g}", value, value <= goal, note)

    def _add(self, goal: str, value: float, is_met: bool, note: str) -> None:
        found = f"{value:.3g}" + (f" ({note})" if note else "")
        self.rows.append([goal, found, "met" if is_met else "MISSED"])

    def table(self) -> Table:
        return Table("Goals", ["goal", "result", "verdict"], self.rows)


def measure_cold(kind: str, made: dict[str, str], rounds: int, goals: Goals) -> Table:
    """From raw text to chunks, with what is wrong with them."""
    rows: list[list[str | float]] = []
    entered = contenders(kind)
    count = encoding(ENCODING).encode_ordinary
    faults = 0
    for each in entered:  # what is loaded once for all texts is not chunking
        each.run(made["international"][:_LITTLE])
    for label, text in made.items():
        calls = {each.name: _bind(each.run, text) for each in entered}
        seconds, results = race(calls, rounds)
        size = len(text.encode()) / MEGABYTE
        for each in entered:
            cells = ["–"] * 4
            if each.read:
                found = find_faults(
                    text, each.read(results[each.name]), BUDGET, lambda one: len(count(one))
                )
                cells = found.cells
                if each.is_ours:
                    faults += found.over_budget + found.wrong_offsets + found.lost
            rows.append([label, each.name, size / seconds[each.name], *cells])
        _set_goals(kind, label, seconds, entered, goals)
    goals.most(f"{kind}: violations, wrong offsets and lost characters", 0, faults)
    head = ["text", "contender", "MB/s", "chunks", "over budget", "wrong offsets", "lost"]
    return Table(f"Cold: {kind}", head, rows)


def _bind(run: Callable[[str], Any], text: str) -> Callable[[], Any]:
    return lambda: run(text)


def _set_goals(
    kind: str, label: str, seconds: dict[str, float], entered: list[Contender], goals: Goals
) -> None:
    own = seconds[entered[0].name]
    peers = {each.name: seconds[each.name] for each in entered if not each.is_ours and each.read}
    if peers:
        fastest = min(peers, key=lambda name: peers[name])
        goal = 1.5 if kind == "windows" else 2.0
        goals.least(f"{kind}, {label}: × fastest peer", goal, peers[fastest] / own, fastest)
    if BARE_TIKTOKEN in seconds:
        share = seconds[BARE_TIKTOKEN] / own
        goals.least(f"{kind}, {label}: × bare tiktoken", 0.8, share)


def measure_pysbd(text: str, rounds: int, goals: Goals) -> Table:
    """The finding of sentences alone, beside pysbd itself, paragraph by paragraph."""
    import pysbd

    layout = Layout(text)
    spans = np.column_stack(layout.paragraphs)
    flat = [flatten(text[start:end]) for start, end in spans.tolist()]
    segmenter = pysbd.Segmenter(language="en")

    def find(name: str) -> object:
        memory.clear()
        return sentence_starts(text, spans, name)

    seconds, results = race(
        {
            "bare pysbd": lambda: [segmenter.segment(one) for one in flat],
            "chunkscope pysbd": lambda: find("pysbd"),
            "chunkscope unicode": lambda: find("unicode"),
        },
        rounds,
    )
    results["bare pysbd"] = list(chain.from_iterable(results["bare pysbd"]))
    rows: list[list[str | float]] = [
        [name, len(text.encode()) / MEGABYTE / taken, len(results[name])]
        for name, taken in seconds.items()
    ]
    goals.least("pysbd: × bare pysbd", 14, seconds["bare pysbd"] / seconds["chunkscope pysbd"])
    return Table("Finding sentences", ["contender", "MB/s", "sentences"], rows)


def measure_warm(label: str, text: str, rounds: int, goals: Goals) -> Table:
    """New parameters on an analysed document, and the likely best peers on the same text."""
    rows: list[list[str | float]] = []
    for kind, limit in {"windows": 16.0, "sentences": 30.0, "recursive": 50.0}.items():
        profile = PROFILES[kind]
        analysis = analyse(text, profile)
        first, _ = timed(_chunk_later(analysis, profile))
        warm = {target: _again(analysis, profile, target, rounds) for target in (500, 480, 256)}
        peers = [each for each in contenders(kind) if not each.is_ours and each.read][:2]
        seconds = _time_peers(peers, text)
        # The goals are for about 512 tokens; half of that makes twice the chunks.
        worst = max(warm[500], warm[480]) * 1000
        cells = [taken * 1000 for taken in (first, *warm.values())]
        goals.most(f"warm, {label}, {kind}: ms", limit, worst)
        best = ""
        if seconds:
            fastest = min(seconds, key=lambda name: seconds[name])
            ratio = seconds[fastest] * 1000 / worst
            goals.least(f"warm, {label}, {kind}: × best peer", 100, ratio, fastest)
            best = f"{ratio:.0f} ({fastest}, {seconds[fastest] * 1000:.0f} ms)"
        rows.append([kind, *cells, best])
    size = len(text.encode()) / MEGABYTE
    head = ["strategy", "first, ms", "→ 500, ms", "→ 480, ms", "→ 256, ms", "× best peer"]
    return Table(f"Warm: {size:.0f} MB of {label}", head, rows)


def _time_peers(peers: Sequence[Contender], text: str) -> dict[str, float]:
    """One run of each; some give up on a text of this size."""
    seconds: dict[str, float] = {}
    for each in peers:
        try:
            seconds[each.name] = timed(_bind(each.run, text))[0]
        except Exception as problem:  # noqa: BLE001 - whatever it is, it is not ours
            print(f"{each.name} failed: {str(problem)[:100]}")
    return seconds


def _again(analysis: Analysis, profile: Profile, target: int, rounds: int) -> float:
    """The shortest time of sizes near the target: each is new, none is asked for twice."""
    return min(
        timed(_chunk_later(analysis, profile.with_values({"max_size": target - change})))[0]
        for change in range(rounds)
    )


def _chunk_later(analysis: Analysis, profile: Profile) -> Callable[[], Chunking]:
    return lambda: chunk(analysis, profile)


def measure_growth(sizes: Sequence[int], folder: Path) -> Table:
    """Time and memory of a fresh process for each size."""
    rows: list[list[str | float]] = []
    files = {size: folder / f"{size}.txt" for size in sizes}
    for size, file in files.items():
        file.write_text(make_prose(size * MEGABYTE), encoding="utf-8")
    for name in PROFILES:
        first: dict[str, float] = {}
        for size, file in files.items():
            command = [sys.executable, "-m", "benchmarks.chunking", "--one", name, str(file)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            first = first or found
            time_ratio = found["seconds"] / first["seconds"]
            rows.append(
                [
                    name, size, found["seconds"], time_ratio,
                    found["peak"] / MEGABYTE, found["peak"] / (size * MEGABYTE),
                ]
            )  # fmt: skip
    head = [
        "strategy",
        "MB",
        "cold, CPU s",
        "× the first",
        "peak beyond the text, MB",
        "peak / text",
    ]
    return Table("Growth", head, rows)


def measure_one(name: str, file: Path) -> None:
    """What a child of `measure_growth` does."""
    profile = PROFILES[name]
    chunk(analyse("One. Two.", profile), profile)
    text = file.read_text(encoding="utf-8")
    # Linux forgets its high-water mark: what was needed to get here does not hide the rest.
    Path("/proc/self/clear_refs").write_text("5")
    before = _peak()
    # The processor's seconds: how they grow does not depend on who else is at work.
    started = time.process_time()
    chunk(analyse(text, profile), profile)
    seconds = time.process_time() - started
    print(json.dumps({"seconds": seconds, "peak": _peak() - before}))


def _peak() -> int:
    """Linux's figure; `ru_maxrss` cannot be reset."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) * 1024


def tables(
    is_quick: bool = False, size_mb: float = 10, cold_mb: float = 2, rounds: int = 5
) -> Tables:
    if is_quick:
        size_mb, cold_mb, rounds = min(size_mb, 1), min(cold_mb, 0.2), min(rounds, 2)
    goals = Goals([])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # A copy: tiktoken deletes what it takes for damaged.
        shutil.copytree(paths.resources() / "tiktoken", folder / "tiktoken")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder / "tiktoken")
        made = make_texts(int(cold_mb * MEGABYTE))
        for kind in PEERS:
            yield measure_cold(kind, made, rounds, goals)
        yield measure_pysbd(made["prose"][: MEGABYTE // 2], rounds, goals)
        large = make_texts(int(size_mb * MEGABYTE))
        for label, text in large.items():
            yield measure_warm(label, text, rounds, goals)
        del made, large
        yield measure_growth((1, 4) if is_quick else (1, 10, 100), folder)
    yield goals.table()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--size-mb", type=float, default=10, help="of the analysed documents")
    parser.add_argument("--cold-mb", type=float, default=2, help="of the texts of the races")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="small texts, no 100 MB")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    chosen = _arguments()
    if chosen.one:
        measure_one(chosen.one[0], Path(chosen.one[1]))
        return
    if not EVALUATION.is_dir():
        print(f"absent: {EVALUATION}; prose is made from the samples alone")
    show(tables(chosen.quick, chosen.size_mb, chosen.cold_mb, chosen.rounds))


if __name__ == "__main__":
    main()
