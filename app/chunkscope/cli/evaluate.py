"""`chunkscope evaluate`, `tune` and `gate`: which cut retrieves best, and whether it still does."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkscope.cli.chunk import add_profile, chosen_profile
from chunkscope.cli.load import add_reading, documents, loaded
from chunkscope.cli.output import FAILED, complain, say, tell
from chunkscope.core.errors import ChunkscopeError, WrongUsage

if TYPE_CHECKING:
    from chunkscope.core.evaluation.bench import Bench
    from chunkscope.core.evaluation.configuration import Configuration
    from chunkscope.core.evaluation.plan import Settings, SweepPlan
    from chunkscope.core.evaluation.query_set import QuerySet
    from chunkscope.core.evaluation.run import Run
    from chunkscope.core.evaluation.scores import Row
    from chunkscope.core.evaluation.sweep import Progress

Commands = argparse._SubParsersAction
_PART = ".part"


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    _add_evaluate(commands)
    _add_tune(commands)
    _add_gate(commands)


def _add_evaluate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="measure how well a profile retrieves the answers to questions",
        description="Measure how well a profile retrieves the labelled answers to questions.",
    )
    _add_material(parser, is_required=True)
    add_profile(parser)
    parser.add_argument("--embedder", metavar="NAME", help="makes the vectors (default: minilm)")
    _add_search(parser)
    parser.add_argument("--run", metavar="FILE", help="keep the run, for `gate` and replays")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(command=_evaluate)


def _add_tune(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "tune",
        help="try a grid of configurations and tell which is best, as far as can be told",
        description="Run a sweep. After a crash the same command goes on where it stopped.",
    )
    parser.add_argument("sweep", metavar="SWEEP.toml", help="documents, questions and the grid")
    parser.add_argument("--report", metavar="FILE.html", help="write a page with figures")
    parser.add_argument(
        "--run", metavar="FILE", help="where the run is kept (default: SWEEP.run.json)"
    )
    parser.add_argument(
        "--robustness", action="store_true", help="score the best again with small changes"
    )
    _add_cache(parser)
    add_reading(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(command=_tune)


def _add_gate(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "gate",
        help="compare with a kept run; exit 1 only on a significant drop",
        description="Score a kept run's best configuration, or the given profile, on today's "
        "documents and questions. Exits with 1 only when the drop is significant.",
    )
    parser.add_argument("--baseline", required=True, metavar="RUN", help="a kept run")
    parser.add_argument("--row", metavar="NAME", help="the configuration (default: its best)")
    parser.add_argument("--measure", metavar="NAME", help="(default: the run's headline)")
    _add_material(parser, is_required=False)
    add_profile(parser)
    parser.add_argument("--embedder", metavar="NAME", help="makes the vectors")
    _add_search(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(command=_gate)


def _add_material(parser: argparse.ArgumentParser, is_required: bool) -> None:
    parser.add_argument(
        "--queries", required=is_required, metavar="FILE", help="questions: .jsonl or .csv"
    )
    parser.add_argument(
        "--documents", required=is_required, nargs="+", metavar="PATH", help="files and folders"
    )
    add_reading(parser)
    _add_cache(parser)


def _add_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cache", metavar="FOLDER", help="keeps vectors (default: the user's cache folder)"
    )


def _add_search(parser: argparse.ArgumentParser) -> None:
    modes = ("lexical", "semantic", "hybrid", "routed")
    parser.add_argument("--mode", choices=modes, help="of the search (default: hybrid)")
    parser.add_argument("--k", type=int, metavar="N", help="results looked at (default: 5)")
    parser.add_argument(
        "--budgets", metavar="N,N,…", help="token budgets of R@B (default: 250 … 8000)"
    )
    parser.add_argument(
        "--search",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="a setting of the search, as neighbours=1; may be repeated",
    )


# ---- evaluate ------------------------------------------------------------------------------------


def _evaluate(options: argparse.Namespace) -> int:
    configuration = _configuration(options)
    settings = _settings(options)
    bench, queries, failures = _bench(options, options.queries, options.documents)
    row = bench.evaluate(configuration, settings)
    if options.run:
        _run_of(bench, queries, options.queries, configuration, row, settings).save(options.run)
    if options.json:
        from chunkscope.core.evaluation.scores import row_record

        say(json.dumps(row_record(row, settings.budgets), ensure_ascii=False, indent=1))
    else:
        _show_row(row, settings)
    return FAILED if failures else 0


def _run_of(
    bench: Bench,
    queries: QuerySet,
    source: str,
    configuration: Configuration,
    row: Row,
    settings: Settings,
) -> Run:
    from chunkscope.core.evaluation.run import Origin, Run, now
    from chunkscope.core.evaluation.sweep import Outcome

    material = (str(Path(source).resolve()), queries)
    versions = bench.caches.versions
    origin = Origin.of(
        "evaluate", row.name, settings, bench.corpus, material, [configuration], versions
    )
    return Run.of(origin, now(), Outcome((row,)))


def _configuration(options: argparse.Namespace) -> Configuration:
    from dataclasses import replace

    from chunkscope.core.evaluation.configuration import PLAIN, Configuration

    profile = chosen_profile(options)
    if options.embedder:
        profile = replace(profile, embedder=options.embedder).checked()
    values = dict(_pair(text) for text in options.search)
    if options.mode:
        values["mode"] = options.mode
    return Configuration(profile, PLAIN.with_texts(values))


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise WrongUsage(f"--search wants KEY=VALUE, not {text!r}")
    return name.strip(), value


def _settings(options: argparse.Namespace, given: dict[str, Any] | None = None) -> Settings:
    from chunkscope.core.evaluation.plan import Settings

    values: dict[str, Any] = dict(given or {})
    if options.k is not None:
        values["k"] = options.k
    if options.budgets:
        try:
            values["budgets"] = [int(part) for part in options.budgets.split(",")]
        except ValueError:
            raise WrongUsage(f"--budgets wants numbers, not {options.budgets!r}") from None
        wanted = f"R@{max(values['budgets'])}"
        if values.get("headline", "R@2000") not in {f"R@{each}" for each in values["budgets"]}:
            values["headline"] = wanted
    return Settings.of(values)


def _bench(
    options: argparse.Namespace, source: str, paths: Sequence[str]
) -> tuple[Bench, QuerySet, list[ChunkscopeError]]:
    """What questions are asked of, and the documents that could not be read, which were told."""
    from chunkscope.core.embedding.base import embedder
    from chunkscope.core.evaluation.bench import Bench, Caches
    from chunkscope.core.evaluation.corpus import Corpus, gold_of
    from chunkscope.core.evaluation.query_files import read_queries
    from chunkscope.core.workspace import shared_analyses

    queries = read_queries(source)
    failures: list[ChunkscopeError] = []
    corpus = Corpus(list(documents(loaded(paths, options), failures)))
    if not any(each.text.strip() for each in corpus.documents):
        raise ChunkscopeError("none of the documents has text; give --documents that have")
    gold = gold_of(queries, corpus)
    for problem in (*queries.problems, *gold.problems):
        tell(f"note: {problem}", sys.stderr)
    if not len(gold):
        raise ChunkscopeError(f"no question of {source} can be asked of these documents")
    caches = Caches(embedder, _cache(options))
    return Bench(corpus, gold, caches, shared_analyses()), queries, failures


def _cache(options: argparse.Namespace) -> Path:
    from platformdirs import user_cache_path

    return Path(options.cache) if options.cache else user_cache_path("chunkscope") / "vectors"


def _show_row(row: Row, settings: Settings) -> None:
    tell(f"{row.name}: {row.chunks:,} chunks, {row.mean_size:,.0f} on average")
    say(f"  {'':24} {'mean':>7}   95 % interval")
    names = ("recall", "precision", "iou", "precision_omega", "mrr", "ndcg", "hit")
    for name in (*names, *(f"R@{budget}" for budget in settings.budgets)):
        found = row.intervals.get(name)
        told = f"   {found.low:.1%} – {found.high:.1%}" if found else ""
        label = f"{name}@{settings.k}" if name in ("recall", "precision", "iou", "hit") else name
        say(f"  {label:24} {row.mean(name):>7.1%}{told}")
    say(f"  {'answers kept whole':24} {row.whole_share:>7.1%}")
    say(f"  {'tokens a question':24} {row.mean('tokens'):>7,.0f}")
    for kind, value in row.class_precision().items():
        label = "rejected negatives" if kind == "negative" else f"precision@{settings.k}, {kind}"
        say(f"  {label:24} {value:>7.1%}")
    from chunkscope.core.evaluation.results import failures_of

    missing = {cause: count for cause, count in failures_of(row).items() if cause}
    for cause, count in missing.items():
        say(f"  {cause:24} {count:>7,} questions")


# ---- tune ----------------------------------------------------------------------------------------


def _tune(options: argparse.Namespace) -> int:
    from chunkscope.core.evaluation.plan import BadSweep, read_plan

    plan = read_plan(options.sweep)
    if not plan.queries or not plan.documents:
        raise BadSweep(f"{options.sweep} must name `queries` and `documents`")
    bench, queries, failures = _bench(options, plan.queries, plan.documents)
    for sentence in plan.left_out:
        tell(f"note: left out: {sentence}", sys.stderr)
    run = _sweep(options, plan, bench, queries)
    if options.report:
        _write_report(options, plan, bench, run)
    if options.json:
        say(run.to_json())
    else:
        _show_run(run)
    for failure in run.failures:
        complain(ChunkscopeError(failure))
    return FAILED if run.failures or failures else 0


def _sweep(options: argparse.Namespace, plan: SweepPlan, bench: Bench, queries: QuerySet) -> Run:
    from chunkscope.core.evaluation.run import FileJournal, Origin, Run, now
    from chunkscope.core.evaluation.sweep import sweep

    target = Path(options.run) if options.run else Path(options.sweep).with_suffix(".run.json")
    dense = [each for each in plan.configurations if each.options.mode != "lexical"]
    names = sorted({each.profile.embedder for each in dense})
    versions = {name: bench.caches.get(name).version for name in names}
    origin = Origin.of(
        "tune", plan.name, plan.settings, bench.corpus, (plan.queries, queries),
        plan.configurations, versions,
    )  # fmt: skip
    journal = FileJournal(f"{target}{_PART}", origin)
    if len(journal):
        say(f"going on after {len(journal)} finished rows", sys.stderr)
    started = now()
    outcome = sweep(bench, plan.configurations, plan.settings, watch=_watch, journal=journal)
    run = Run.of(origin, started, outcome)
    run.save(target)
    journal.close()
    return run


def _watch(progress: Progress) -> None:
    if not sys.stderr.isatty():
        return
    left = f", {progress.seconds_left:,.0f} s left" if progress.seconds_left else ""
    best = f" · best so far: {progress.rows[0].name}" if progress.rows else ""
    line = f"{progress.done}/{progress.total}{left}{best}"
    say(f"\r\x1b[K{line[:110]}", sys.stderr, end="" if progress.done < progress.total else "\n")
    sys.stderr.flush()


def _show_run(run: Run) -> None:
    from chunkscope.core.evaluation.report import told

    headline = run.origin.settings.headline
    k = run.origin.settings.k
    say(f"{headline:>8}  {'95 % interval':15} {f'recall@{k}':>9} {'tokens':>7} {'chunks':>7}")
    for row in run.rows:
        found = row.intervals.get(headline)
        spread = f"{found.low:.1%}–{found.high:.1%}" if found else ""
        if row.dropped_after is not None:
            spread = f"({row.dropped_after} questions)"
        tell(
            f"{row.mean(headline):8.1%}  {spread:15} {row.mean('recall'):9.1%} "
            f"{row.mean('tokens'):7,.0f} {row.chunks:7,}  {row.name}"
        )
    tell(told(run.verdict(), run.ranked, headline))


def _write_report(options: argparse.Namespace, plan: SweepPlan, bench: Bench, run: Run) -> None:
    from chunkscope.core.evaluation.query_files import write_atomically
    from chunkscope.core.evaluation.report import report
    from chunkscope.core.evaluation.results import KINDS, breakdown, groups_of, recipe
    from chunkscope.core.evaluation.robustness import vary

    rows, settings = run.ranked, plan.settings
    by = {kind: groups_of(bench.gold, bench.corpus, kind) for kind in KINDS}
    results = {kind: breakdown(rows, found, settings.headline) for kind, found in by.items()}
    lines = recipe(rows, by["type"], settings) if rows else []
    changed = vary(bench, rows[0].configuration, settings) if options.robustness and rows else None
    page = report(run, results, lines, changed, options.sweep)
    write_atomically(options.report, page)


# ---- gate ----------------------------------------------------------------------------------------


def _gate(options: argparse.Namespace) -> int:
    from chunkscope.core.evaluation.gate import compare_rows
    from chunkscope.core.evaluation.run import Run
    from chunkscope.core.model import file_of

    run = Run.read(options.baseline)
    before = _baseline_row(run, options.row)
    queries = options.queries or run.origin.queries
    # Messages and attachments come with their file.
    kept = dict.fromkeys(file_of(source) for source, _ in run.origin.documents)
    paths = options.documents or list(kept)
    settings = _settings(options, run.origin.settings.record())
    bench, _, failures = _bench(options, queries, paths)
    configuration = _gated(options, before)
    found = compare_rows(
        before, bench.evaluate(configuration, settings), settings, options.measure or ""
    )
    if options.json:
        say(json.dumps(found.record(), ensure_ascii=False))
    else:
        say(found.sentence)
    # A corpus of which a part is gone must not pass.
    return FAILED if found.is_significant_drop or failures else 0


def _baseline_row(run: Run, name: str | None) -> Row:
    rows = run.ranked
    if not rows:
        raise ChunkscopeError("the baseline has no finished row; run it again")
    if not name:
        return rows[0]
    for row in rows:
        if name in (row.name, row.configuration.key):
            return row
    raise WrongUsage(f"the baseline has no row {name!r}; it has {', '.join(r.name for r in rows)}")


def _gated(options: argparse.Namespace, before: Row) -> Configuration:
    """The given profile, or the baseline's own configuration."""
    chosen = (options.preset, options.profile, options.strategy, options.tokenizer, options.values,
              options.embedder, options.mode, options.search)  # fmt: skip
    return _configuration(options) if any(chosen) else before.configuration
