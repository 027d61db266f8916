"""How fast a workspace answers: `python -m benchmarks.search [1000 10000 100000] [--model minilm]`.

Real text for the words (the evaluation texts and the sample story, each copy a little different),
synthetic vectors in clusters for the meaning, questions of six to nine words from the public set.
The query is embedded by the real model. Times are those of the whole call, in one run.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.race import EVALUATION, make_text
from benchmarks.tables import Table, Tables, show
from chunkscope import paths
from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.evaluation.query_files import read_queries
from chunkscope.core.profile import Profile
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.search.searcher import Searcher
from chunkscope.core.store import fulltext, profiles
from chunkscope.core.store.columns import to_json
from chunkscope.core.store.store import Store

CHARACTERS = 2_000
CHUNKS_A_DOCUMENT = 50
MODES = ("lexical", "semantic", "hybrid", "routed")
ROUNDS = 3


def questions() -> list[str]:
    """Questions of six to nine words; the samples' where the public set is absent."""
    known = EVALUATION / "questions.csv"
    source = known if known.exists() else paths.resources() / "questions" / "sample_docs.jsonl"
    every = [each.text for each in read_queries(source).questions]
    return [each for each in every if 6 <= len(each.split()) <= 9]


def vectors(count: int, dimensions: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    centres = rng.standard_normal((500, dimensions)).astype(np.float32)
    rows = centres[rng.integers(0, 500, count)]
    rows += rng.standard_normal((count, dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def fill(store: Store, count: int, model: Embedder) -> float:
    """Rows as indexing writes them, without chunking and embedding; seconds taken."""
    files = [*sorted(EVALUATION.glob("*.md")), paths.sample_docs() / "story.txt"]
    sources = [path.read_text("utf-8") for path in files]
    text = make_text(
        [each for each in sources if len(each) > 10_000], count * CHARACTERS * 11 // 10
    )
    rows = vectors(count, model.dimensions)
    profile = replace(Profile.preset("auto-256"), name="bench", embedder=model.name)
    started = time.perf_counter()
    with store.transaction() as connection:
        key = profiles.save(
            connection, "bench", "bench", profile.to_toml(), model.version, model.dimensions
        )
        for number in range(-(-count // CHUNKS_A_DOCUMENT)):
            first = number * CHUNKS_A_DOCUMENT
            last = min(count, first + CHUNKS_A_DOCUMENT)
            part = text[first * CHARACTERS : last * CHARACTERS]
            _put(connection, key, number, part, rows[first:last], model.version)
        profiles.touch(connection, {key})
    return time.perf_counter() - started


def _put(connection, profile, number, text, rows, version) -> None:  # type: ignore[no-untyped-def]
    zero = bytes(32)
    title = f"Document {number}"
    document = connection.execute(
        "INSERT INTO documents(id, parent_id, origin, source, title, media_type, characters, text, "
        "text_hash, blocks, blocks_hash, metadata, warnings, missing, added, updated, row_hash) "
        "VALUES(?, '', ?, ?, ?, 'text/plain', ?, ?, ?, x'', ?, '[]', '[]', '[]', '', '', ?) "
        "RETURNING key",
        (f"d{number}", title, title, title, len(text), text, zero, zero, zero),
    ).get
    entries = []
    for index, row in enumerate(rows):
        start = index * CHARACTERS
        content = text[start : start + CHARACTERS]
        identity = hashlib.sha256(f"{number}:{index}".encode()).digest()
        embedding = connection.execute(
            "INSERT INTO embeddings(version, text_hash, vector, vector_hash) VALUES(?, ?, ?, ?) "
            "RETURNING key", (version, identity, row.tobytes(), zero),
        ).get  # fmt: skip
        chain = (f"Chapter {index % 7}", "Part")
        key = connection.execute(
            'INSERT INTO chunks(profile, document, idx, id, start, "end", overlap, size, unit, '
            "model_tokens, boundary, heading_chain, first_line, last_line, symbol, table_header, "
            "prefix, oversize, truncated, content_hash, embedding, row_hash) "
            "VALUES(?, ?, ?, ?, ?, ?, 0, 400, 'tokens', 400, 'sentence', ?, 1, 1, '', '', '', 0, "
            "1, ?, ?, ?) RETURNING key",
            (profile, document, index, f"d{number}:{index}", start, start + len(content),
             to_json(chain), identity, embedding, identity),
        ).get  # fmt: skip
        entries.append((key, title, chain, content))
    fulltext.add_chunks(connection, profile, entries)
    connection.execute(
        "INSERT INTO indexed VALUES(?, ?, ?, ?, 0, NULL, NULL, '')",
        (profile, document, zero, len(rows)),
    )


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds on the clock, and of this process's work: a busy machine stretches the first."""
    started, worked = time.perf_counter(), time.process_time()
    call()
    return (time.perf_counter() - started) * 1e3, (time.process_time() - worked) * 1e3


def measure(
    store: Store, model: Embedder, asked: list[str]
) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Milliseconds of each search, by mode; a search by meaning also without the embedding."""
    searcher = Searcher(store, lambda _: model)
    load = timed(lambda: searcher.search("warm up", options=SearchOptions(similarity_floor=0.0)))
    yield "first search (loads everything)", [load]
    for mode in MODES:
        options = SearchOptions(mode=mode, similarity_floor=0.0, lexical_floor=0.0)  # type: ignore[arg-type]
        ask = partial(searcher.search, options=options, is_logged=False)
        yield mode, [timed(partial(ask, query)) for _ in range(ROUNDS) for query in asked]
    with store.snapshot() as connection:
        stored = profiles.find(connection, "bench")
        index = searcher.dense.get(connection, stored)
    rows = model.embed_queries(asked)
    yield (
        "FAISS alone",
        [timed(partial(index.search, row, 100)) for _ in range(ROUNDS) for row in rows],
    )
    yield "vectors made anew", [timed(lambda: searcher.rebuild("bench"))]
    searcher.close()


def of_size(size: int, model: Embedder, asked: list[str]) -> Table:
    rows: list[list[str | float]] = []
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder)) as store:
        seconds = fill(store, size, model)
        for name, found in measure(store, model, asked):
            clock, work = (sorted(each) for each in zip(*found, strict=True))
            last = clock[int(len(clock) * 0.99)]
            rows.append([name, statistics.median(clock), last, statistics.median(work)])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    note = f"{size / seconds:,.0f} chunks written a second; at most {memory:,} MB of memory"
    head = ["search", "p50 ms", "p99 ms", "work p50 ms"]
    return Table(f"Searching {size:,} chunks", head, rows, note)


def tables(is_quick: bool = False, sizes: Sequence[int] = (), name: str = "minilm") -> Tables:
    model = embedder(name)
    asked = questions()
    for size in sizes or ([10_000] if is_quick else [1_000, 10_000, 100_000]):
        yield of_size(size, model, asked[:20] if is_quick else asked)
    model.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--model", default="minilm")
    options = parser.parse_args()
    show(tables(False, options.sizes, options.model))


if __name__ == "__main__":
    main()
