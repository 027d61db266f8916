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
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
from numpy.typing import NDArray

from benchmarks.loading import VOCABULARY
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


def timed(label: str, count: int, unit: str, work) -> float:  # type: ignore[no-untyped-def]
    started = time.perf_counter()
    work()
    seconds = time.perf_counter() - started
    print(f"{label:44} {seconds:8.2f} s {count / seconds:12,.0f} {unit}/s", flush=True)
    return seconds


def bare_full_text(folder: Path, files: Sequence[Path]) -> None:
    connection = apsw.Connection(str(folder / "bare.db"))
    connection.execute("CREATE VIRTUAL TABLE f USING fts5(content, tokenize='porter unicode61')")
    with connection:
        for path in files:
            texts = path.read_text("utf-8").split("\n\n")
            connection.executemany("INSERT INTO f VALUES(?)", ((text,) for text in texts))
    connection.close()


def store_alone(root: Path, chunks: int) -> None:
    """Growth: the last files must not cost more than the first."""
    folder = root / "files"
    folder.mkdir()
    files = write_files(folder, chunks // CHUNKS_PER_FILE)
    with Workspace.open(root / "workspace", embedders=lambda _: RandomVectors()) as workspace:  # type: ignore[arg-type, return-value]
        workspace.index(files[:2], PROFILE)
        tenth = max(len(files) // 10, 1)
        times = []
        for first in range(0, len(files), tenth):
            part = files[first : first + tenth]
            label = f"index, files {first:,} to {first + len(part):,}"
            work = lambda part=part: workspace.index(part, PROFILE)  # noqa: E731
            times.append(timed(label, len(part) * CHUNKS_PER_FILE, "chunks", work))
        print(f"{'last tenth against the first':44} {times[-1] / times[0]:8.2f} x")
        print(f"{'peak memory':44} {peak_megabytes():8.0f} MB")
        timed("index again, nothing changed", len(files), "files",
              lambda: workspace.index([folder], PROFILE))  # fmt: skip
        timed("check", chunks, "chunks", workspace.check)
        timed("rebuild", chunks, "chunks", workspace.rebuild)
        key = workspace.profiles()[0].key
        timed("read all vectors", chunks, "vectors",
              lambda: vectors.matrix(workspace.store.reader(), key))  # fmt: skip
        timed("duplicates", len(files), "documents", workspace.duplicates)
        timed("remove a tenth", tenth, "documents",
              lambda: workspace.remove([str(path) for path in files[:tenth]]))  # fmt: skip
    size = sum(path.stat().st_size for path in (root / "workspace").glob("workspace.db*"))
    print(f"{'database':44} {size / 1e6:8.0f} MB, {size / chunks:,.0f} bytes a chunk")
    bare = timed(
        "bare FTS5, one transaction", chunks, "chunks", lambda: bare_full_text(root, files)
    )
    print(f"{'indexing against bare FTS5':44} {sum(times) / bare:8.2f} x its time")


def with_embedding(root: Path) -> None:
    folder = root / "real"
    folder.mkdir()
    write_files(folder, REAL_TEXTS // CHUNKS_PER_FILE)
    for name in ("instant", "minilm"):
        model: Embedder = embedder(name)
        model.embed_passages(["warm up"])
        profile = replace(PROFILE, embedder=name, name=name)
        with Workspace.open(root / name, embedders=lambda _, model=model: model) as workspace:  # type: ignore[misc]
            timed(f"index with {name}", REAL_TEXTS, "chunks",
                  lambda: workspace.index([folder], profile))  # fmt: skip  # noqa: B023


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else CHUNKS
    with tempfile.TemporaryDirectory() as root:
        store_alone(Path(root), chunks)
        with_embedding(Path(root))


if __name__ == "__main__":
    main()
