"""How fast a workspace is built, verified and made anew: `python -m benchmarks.indexing [CHUNKS]`.

Files of words from a fixed seed. Vectors come from a random generator first, so that the store is
measured alone, then from the real embedders on a part. The yardstick beside it, in the same run, is
bare FTS5: the same passages inserted in one transaction, with no hash, no vector, no durability.
"""

from __future__ import annotations

import hashlib
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.loading import VOCABULARY
from benchmarks.tables import Table, Tables, show
from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.profile import Profile
from chunkscope.core.store import vectors
from chunkscope.core.workspace import Workspace

CHUNKS = 20_000
CHUNKS_PER_FILE = 50
CHARACTERS = 1_200
REAL_TEXTS = 100
DIMENSIONS = 384
PROFILE = replace(Profile.preset("paragraphs-1200"), name="bench")


class RandomVectors:
    """As wide as the default model's, in no time."""

    name, version, dimensions, max_tokens = "random", "random-1", DIMENSIONS, 256

    def __init__(self) -> None:
        self.embedding_calls = 0

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB) -> NDArray[np.float32]:
        self.embedding_calls += len(texts)
        seed = hashlib.sha256(texts[0].encode()).digest()
        rows = np.random.default_rng(list(seed)).standard_normal((len(texts), DIMENSIONS))
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def close(self) -> None:
        pass


def write_files(folder: Path, count: int) -> list[Path]:
    """Files of paragraphs that each fill a chunk, with words as frequent as in prose."""
    rng = random.Random(4)
    weights = [1 / rank for rank in range(1, len(VOCABULARY) + 1)]
    found = []
    for number in range(count):
        paragraphs = []
        for _ in range(CHUNKS_PER_FILE):
            words = rng.choices(VOCABULARY, weights, k=170)
            paragraphs.append(" ".join(words)[: CHARACTERS - 100] + ".")
        path = folder / f"{number:05d}.txt"
        path.write_text("\n\n".join(paragraphs), "utf-8")
        found.append(path)
    return found


@dataclass(slots=True)
class Clock:
    """Takes times and keeps them as rows of a table."""

    rows: list[list[str | float]] = field(default_factory=list)

    def time(self, label: str, count: int, unit: str, work: Callable[[], object]) -> float:
        started = time.perf_counter()
        work()
        seconds = time.perf_counter() - started
        self.rows.append([label, seconds, count / seconds, f"{unit}/s"])
        return seconds

    def note(self, label: str, value: float, unit: str) -> None:
        self.rows.append([label, "", value, unit])

    def table(self, title: str) -> Table:
        return Table(title, ["what", "seconds", "figure", "unit"], self.rows)


def bare_full_text(folder: Path, files: Sequence[Path]) -> None:
    connection = apsw.Connection(str(folder / "bare.db"))
    connection.execute("CREATE VIRTUAL TABLE f USING fts5(content, tokenize='porter unicode61')")
    with connection:
        for path in files:
            texts = path.read_text("utf-8").split("\n\n")
            connection.executemany("INSERT INTO f VALUES(?)", ((text,) for text in texts))
    connection.close()


def store_alone(root: Path, chunks: int) -> Table:
    """Growth: the last files must not cost more than the first."""
    folder = root / "files"
    folder.mkdir()
    first, *files = write_files(folder, chunks // CHUNKS_PER_FILE + 1)
    clock, key = Clock(), "workspace"
    with Workspace.open(root / key, embedders=lambda _: RandomVectors()) as workspace:  # type: ignore[arg-type, return-value]
        workspace.index([first], PROFILE)  # workers start with it
        tenth = max(len(files) // 10, 1)
        parts = [files[at : at + tenth] for at in range(0, len(files), tenth)]
        times = []
        for part in (parts[0], list(chain.from_iterable(parts[1:-1])), parts[-1]):
            label = f"index {len(part):,} files"
            work = partial(workspace.index, part, PROFILE)
            times.append(clock.time(label, len(part) * CHUNKS_PER_FILE, "chunks", work))
        clock.note("last tenth against the first", times[-1] / times[0], "×")
        clock.note("peak memory", peak_megabytes(), "MB")
        clock.time("index again, nothing changed", len(files), "files",
                   lambda: workspace.index([folder], PROFILE))  # fmt: skip
        _upkeep(clock, workspace, files, chunks)
    size = sum(path.stat().st_size for path in (root / key).glob("workspace.db*"))
    clock.note("database, a chunk", size / chunks, "bytes")
    bare = clock.time(
        "bare FTS5, one transaction", chunks, "chunks", lambda: bare_full_text(root, files)
    )
    clock.note("indexing against bare FTS5", sum(times) / bare, "× its time")
    return clock.table(f"A workspace of {chunks:,} chunks, vectors given")


def _upkeep(clock: Clock, workspace: Workspace, files: Sequence[Path], chunks: int) -> None:
    clock.time("check", chunks, "chunks", workspace.check)
    clock.time("rebuild", chunks, "chunks", workspace.rebuild)
    key = workspace.profiles()[0].key
    read = partial(vectors.matrix, workspace.store.reader(), key)
    clock.time("read all vectors", chunks, "vectors", read)
    clock.time("duplicates", len(files), "documents", workspace.duplicates)
    tenth = [str(path) for path in files[: max(len(files) // 10, 1)]]
    clock.time("remove a tenth", len(tenth), "documents", partial(workspace.remove, tenth))


def with_embedding(root: Path, texts: int) -> Table:
    folder = root / "real"
    folder.mkdir()
    write_files(folder, texts // CHUNKS_PER_FILE)
    clock = Clock()
    for name in ("instant", "minilm"):
        model: Embedder = embedder(name)
        model.embed_passages(["warm up"])
        profile = replace(PROFILE, embedder=name, name=name)
        with Workspace.open(root / name, embedders=lambda _, model=model: model) as workspace:  # type: ignore[misc]
            work = partial(workspace.index, [folder], profile)
            clock.time(f"index with {name}", texts, "chunks", work)
    return clock.table("Indexing, embedding included")


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def tables(is_quick: bool = False, chunks: int = CHUNKS) -> Tables:
    if is_quick:
        chunks = CHUNKS // 4
    with tempfile.TemporaryDirectory() as root:
        yield store_alone(Path(root), chunks)
        yield with_embedding(Path(root), CHUNKS_PER_FILE * 2 if is_quick else REAL_TEXTS)


if __name__ == "__main__":
    show(tables(False, *map(int, sys.argv[1:2])))
