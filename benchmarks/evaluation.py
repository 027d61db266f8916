"""What the tuning core promises, on the public evaluation's corpora.

    python -m benchmarks.evaluation [--quick] [--cache FOLDER]

Reference rows (dense, k = 5), a sweep of 24 configurations against the time of embedding its
distinct texts once, the best hybrid configuration of that sweep against the best dense row, and
live measures a slider step. Prints Markdown; skips, and says so, where the data is absent.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.race import EVALUATION
from benchmarks.tables import Table, Tables, show
from chunkscope.core.embedding.base import embedder
from chunkscope.core.evaluation import measures
from chunkscope.core.evaluation.bench import Bench, Caches
from chunkscope.core.evaluation.bootstrap import compare
from chunkscope.core.evaluation.chunk_set import cut_all
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.corpus import Corpus, gold_of
from chunkscope.core.evaluation.plan import Settings, configurations_of
from chunkscope.core.evaluation.query_files import read_queries
from chunkscope.core.evaluation.scores import Row
from chunkscope.core.evaluation.sweep import sweep
from chunkscope.core.profile import Profile
from chunkscope.core.workspace import load

NAMES = ("state_of_the_union", "wikitexts", "chatlogs")
# chunker, size, overlap: recall and precision as measured with the public evaluator.
REFERENCE = (
    ("recursive", 800, 400, 88.1, 1.46),
    ("recursive", 400, 200, 91.5, 3.12),
    ("recursive", 400, 0, 85.9, 3.07),
    ("recursive", 250, 125, 89.4, 4.71),
    ("recursive", 200, 0, 86.5, 6.28),
    ("token-window", 800, 400, 88.9, 1.32),
    ("token-window", 400, 200, 94.3, 2.67),
    ("token-window", 400, 0, 82.2, 2.45),
    ("token-window", 200, 0, 85.4, 4.82),
)
GRID = {
    "strategy": ["recursive", "token-window"],
    "max_size": [200, 250, 400],
    "overlap_share": [0.0, 0.5],
    "single_piece_max": 0,
    "mode": ["hybrid"],
    "lexical_weight": [1.0, 2.0],
}
BEST = ("recall", "R@1000", "R@2000")


def percent(value: float) -> str:
    return f"{100 * value:.1f}"


def make_bench(cache: Path | None = None) -> Bench:
    corpus = Corpus([load(EVALUATION / f"{name}.md") for name in NAMES])
    gold = gold_of(read_queries(EVALUATION / "questions.csv"), corpus)
    return Bench(corpus, gold, Caches(embedder, cache))


def reference(bench: Bench, rows: list[Row]) -> Table:
    lines: list[list[str | float]] = []
    for strategy, size, overlap, recall, precision in REFERENCE:
        configuration = Configuration.of(
            {"strategy": strategy, "max_size": size, "overlap": overlap, "single_piece_max": 0,
             "mode": "semantic"}
        )  # fmt: skip
        row = bench.evaluate(configuration, Settings())
        rows.append(row)
        lines.append(
            [f"{strategy} {size}/{overlap}", recall, 100 * row.mean("recall"),
             precision, 100 * row.mean("precision")]
        )  # fmt: skip
    head = ["chunker", "recall, reference", "recall", "precision, reference", "precision"]
    return Table("Dense reference rows, k = 5, in per cent", head, lines)


def of_sweep(bench: Bench, rows: list[Row]) -> Table:
    configurations, _ = configurations_of(GRID)
    before = bench.caches.seconds
    begun = time.perf_counter()
    outcome = sweep(bench, configurations, Settings(racing=False))
    taken = time.perf_counter() - begun
    embedding = bench.caches.seconds - before
    best = outcome.ranked[0]
    note = (
        f"{taken:.0f} s, of which embedding every distinct text once took {embedding:.0f} s: "
        f"{taken / max(embedding, 1e-9):.2f} times as long (promised: under 3). "
        f"Best hybrid: {best.name}; each measure against the best of the dense rows."
    )
    lines: list[list[str | float]] = []
    for measure in BEST:
        dense = max(rows, key=lambda row: row.mean(measure))
        change = compare(dense.scores(measure), best.scores(measure)).difference
        found = best.intervals[measure]
        lines.append(
            [measure, f"{dense.name} {percent(dense.mean(measure))}",
             f"{percent(found.mean)} ({percent(found.low)}–{percent(found.high)})",
             f"{100 * change.mean:+.1f} ({100 * change.low:+.1f} to {100 * change.high:+.1f})"]
        )  # fmt: skip
    head = ["measure", "best dense", "best hybrid", "difference, 95 %"]
    return Table(f"A sweep of {len(configurations)} configurations", head, lines, note)


def live(bench: Bench) -> Table:
    lines: list[list[str | float]] = []
    for strategy in ("recursive", "token-window", "sentence", "auto"):
        steps = []
        for size in range(180, 420, 20):
            profile = Profile.of(strategy, max_size=size, overlap=0)
            begun = time.thread_time()
            cuts = bench.corpus.cuts(cut_all(bench.corpus, profile, bench.analyses))
            measures.precision_omega(bench.gold.labels, cuts, len(bench.gold))
            measures.kept(bench.gold.trimmed, cuts)
            steps.append(1000 * (time.thread_time() - begun))
        warm = np.array(steps[1:])
        lines.append([strategy, float(np.median(warm)), float(warm.max())])
    title = "Live measures, chunking included, in this thread's time (promised: under 33 ms)"
    return Table(title, ["strategy", "median ms", "slowest ms"], lines)


def tables(is_quick: bool = False, cache: Path | None = None) -> Tables:
    if not EVALUATION.is_dir():
        yield Table("Evaluation", [], [], f"skipped: {EVALUATION} is not there")
        return
    bench = make_bench(cache)
    yield live(bench)
    if is_quick:
        return
    rows: list[Row] = []
    yield reference(bench, rows)
    # The sweep is timed with nothing embedded before.
    yield of_sweep(make_bench(), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="live measures only")
    parser.add_argument("--cache", type=Path, help="vectors of the reference rows, kept")
    options = parser.parse_args()
    show(tables(options.quick, options.cache))


if __name__ == "__main__":
    main()
