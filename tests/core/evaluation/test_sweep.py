"""A sweep shares work, can be stopped and taken up again, and gives the same figures each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from chunkscope.cli import build_parser
from chunkscope.cli.evaluate import _configuration
from chunkscope.core.embedding.base import Embedder
from chunkscope.core.errors import WrongUsage
from chunkscope.core.evaluation.bench import Bench
from chunkscope.core.evaluation.chunk_set import chunk_set, cut_all
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.corpus import Corpus
from chunkscope.core.evaluation.plan import (
    BadSweep,
    Settings,
    configurations_of,
    plan_of,
    read_plan,
)
from chunkscope.core.evaluation.query_set import QuerySet
from chunkscope.core.evaluation.robustness import shifted, vary
from chunkscope.core.evaluation.run import FileJournal, Origin, Run, differences, now
from chunkscope.core.evaluation.sweep import Outcome, Progress, heats_of, sweep
from chunkscope.core.evaluation.validate import validate
from chunkscope.core.job import Job
from chunkscope.core.model import Document

GRID = {
    "strategy": "recursive",
    "max_size": [96, 160],
    "overlap": 0,
    "embedder": "instant",
    "mode": ["lexical", "semantic", "hybrid"],
}
PLAIN = Settings(racing=False, resamples=300)


def origin_of(bench: Bench, queries: QuerySet, configurations: list[Configuration]) -> Origin:
    return Origin.of(
        "tune", "test", PLAIN, bench.corpus, ("questions", queries), configurations, {}
    )


def test_sample_questions_are_sound(
    sample_queries: QuerySet, sample_documents: list[Document]
) -> None:
    assert sample_queries.problems == ()
    assert validate(sample_queries, Corpus(sample_documents)) == []
    kinds = [question.kind.value for question in sample_queries]
    assert min(kinds.count(kind) for kind in ("keyword", "paraphrase", "negative")) >= 5


def test_each_distinct_text_is_embedded_once(
    bench: Bench, instant: Embedder, sample_queries: QuerySet
) -> None:
    configurations, _ = configurations_of(GRID)
    assert len(configurations) == 6
    outcome = sweep(bench, configurations, PLAIN)
    assert len(outcome.ranked) == 6
    texts: set[str] = set()
    for configuration in configurations:
        chunkings = cut_all(bench.corpus, configuration.profile, bench.analyses)
        texts |= set(chunk_set(bench.corpus, chunkings).embedded)
    assert instant.embedding_calls == len(texts) + len(sample_queries)


def test_the_leaderboard_is_in_order_and_told_on_the_way(bench: Bench) -> None:
    told: list[Progress] = []
    outcome = sweep(bench, configurations_of(GRID)[0], PLAIN, watch=told.append)
    means = [row.mean("R@2000") for row in outcome.rows]
    assert means == sorted(means, reverse=True)
    assert told[0].seconds_left is None
    assert told[-1].done == told[-1].total == 6
    assert told[-1].rows == outcome.rows
    assert all(each.seconds_left is not None for each in told[2:])


def test_replay_gives_identical_figures(
    make_bench: Callable[[], Bench], sample_queries: QuerySet
) -> None:
    configurations, _ = configurations_of({**GRID, "mode": ["hybrid"]})
    runs = []
    for _ in range(2):
        bench = make_bench()
        origin = origin_of(bench, sample_queries, configurations)
        runs.append(Run.of(origin, now(), sweep(bench, configurations, PLAIN)))
    assert differences(*runs) == []
    assert runs[0].id == runs[1].id
    again = Run.from_json(runs[0].to_json())
    assert again == runs[0]
    assert again.verdict() == runs[0].verdict()


def test_cancelling_keeps_what_is_done_and_the_next_start_goes_on(
    make_bench: Callable[[], Bench], sample_queries: QuerySet, tmp_path: Path
) -> None:
    configurations, _ = configurations_of(GRID)
    job = Job()

    def stop(progress: Progress) -> None:
        if progress.done == 3:
            job.cancel()

    bench = make_bench()
    origin = origin_of(bench, sample_queries, configurations)
    path = tmp_path / "run.part"
    first = sweep(bench, configurations, PLAIN, job, stop, FileJournal(path, origin))
    assert (len(first.ranked), first.is_complete) == (3, False)
    with path.open("a") as file:
        file.write('{"heat": 0, "row": {"na')  # as a crash would leave it
    journal = FileJournal(path, origin)
    assert len(journal) == 3
    second = sweep(make_bench(), configurations, PLAIN, journal=journal)
    whole = sweep(make_bench(), configurations, PLAIN)
    assert second.is_complete
    runs = [Run.of(origin, now(), each) for each in (second, whole)]
    assert differences(*runs) == []
    assert len(FileJournal(path, origin)) == 6


def test_a_journal_of_other_inputs_is_not_used(
    bench: Bench, sample_queries: QuerySet, tmp_path: Path
) -> None:
    configurations, _ = configurations_of(GRID)
    journal = FileJournal(tmp_path / "part", origin_of(bench, sample_queries, configurations))
    journal.add(0, bench.evaluate(configurations[0], PLAIN))
    changed = origin_of(bench, sample_queries, configurations[1:])
    assert len(FileJournal(tmp_path / "part", changed)) == 0


def test_a_race_drops_the_hopeless_and_keeps_the_winner(
    make_large_bench: Callable[[], Bench], instant: Embedder
) -> None:
    """Single words as chunks cannot win, and most of them are never embedded."""
    settings = Settings(racing=True, resamples=500, headline="recall")
    grid = {**GRID, "max_size": [8, 160, 240], "mode": "semantic", "strategy": "recursive"}
    configurations, _ = configurations_of(grid)
    raced = sweep(make_large_bench(), configurations, settings)
    calls = instant.embedding_calls
    plain = sweep(make_large_bench(), configurations, PLAIN)
    gone = [row.configuration for row in raced.rows if row.dropped_after is not None]
    assert 8 in [getattr(each.profile.parameters, "max_size", 0) for each in gone]
    assert instant.embedding_calls - calls > 1.5 * calls
    best = max(plain.rows, key=lambda row: row.mean("recall"))
    assert raced.rows[0].mean("recall") == best.mean("recall")


def test_heats_see_growing_parts_of_the_documents(make_large_bench: Callable[[], Bench]) -> None:
    bench = make_large_bench()
    heats = heats_of(bench.corpus, bench.gold, Settings())
    sizes = [len(each) for each in heats]
    assert sizes == sorted(set(sizes))
    assert all(size < len(bench.corpus) for size in sizes)
    assert heats_of(bench.corpus, bench.gold, Settings(racing=False)) == []
    small = bench.subset(heats[0])
    for group, start, end in zip(
        small.gold.labels.group, small.gold.labels.starts, small.gold.labels.ends, strict=True
    ):
        quotes = [passage.text for passage in small.gold.questions[group].expected]
        assert text_at(small.corpus, int(start), int(end)) in quotes


def text_at(corpus: Corpus, start: int, end: int) -> str:
    number = int(corpus.document_at(np.array([start]))[0])
    base = int(corpus.bases[number])
    return corpus.documents[number].text[start - base : end - base]


def test_one_impossible_configuration_does_not_stop_the_rest(bench: Bench) -> None:
    good = Configuration.of({"strategy": "recursive", "max_size": 100, "mode": "lexical"})
    bad = Configuration.of(
        {"strategy": "recursive", "rerank": "cross-encoder", "cross_encoder": "/no/such/folder",
         "embedder": "instant", "mode": "lexical"}
    )  # fmt: skip
    outcome = sweep(bench, [bad, good], PLAIN)
    assert [row.configuration for row in outcome.rows] == [good]
    assert len(outcome.failures) == 1


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid", "routed"])
def test_the_command_of_a_row_gives_its_configuration_again(mode: str) -> None:
    configuration = Configuration.of(
        {"strategy": "sentence", "max_size": 123, "overlap": 7, "mode": mode, "neighbours": 2,
         "lexical_weight": 2.5, "embedder": "instant", "skip": ["table"]}
    )  # fmt: skip
    import shlex

    words = shlex.split(configuration.command("a b.csv", ["x y.md"], 7))
    options = build_parser().parse_args(words[1:])
    assert _configuration(options).key == configuration.key
    assert (options.queries, options.documents, options.k) == ("a b.csv", ["x y.md"], 7)


def test_grids_leave_out_what_cannot_be_and_repeat_nothing() -> None:
    found, left_out = configurations_of(
        {"strategy": ["recursive", "character"], "max_size": [50, 400], "overlap": [0, 100]}
    )
    assert len(found) == 6
    assert len(left_out) == 2
    assert "overlap must be under max_size (50)" in left_out[0]
    # What a strategy does not have makes no difference.
    same, _ = configurations_of({"strategy": "recursive", "single_piece_max": [0, 100]})
    assert len(same) == 1
    half, _ = configurations_of({"strategy": "recursive", "max_size": [200], "overlap_share": 0.5})
    assert half[0].profile.parameters.overlap_size == 100


def test_a_sample_of_the_grid_is_drawn_by_its_seed() -> None:
    table = {"grid": {"strategy": "recursive", "max_size": list(range(10, 110))}}
    plans = [plan_of({**table, "settings": {"sample": 9, "seed": seed}}) for seed in (1, 1, 2)]
    assert [len(plan.configurations) for plan in plans] == [9, 9, 9]
    assert plans[0].configurations == plans[1].configurations != plans[2].configurations


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("[grid]\nstrategi = 'recursive'", "neither a parameter"),
        ("grit = 1", "a sweep has name, queries"),
        ("[settings]\nheadline = 'R@77'\n[grid]\nstrategy='auto'", "headline must be one of"),
        ("[settings]\nbudgets = [0]\n[grid]\nstrategy='auto'", "budgets must be numbers"),
        ("[grid]\nstrategy = 'recursiv'", "did you mean 'recursive'"),
        ("[grid]\nmode = 'hybird'", "mode must be one of"),
        ("documents = 'a'", "must be a list"),
        ("", "no configuration"),
        ("[grid]\nstrategy='recursive'\nmax_size=[100]\noverlap=[500]", "must be under max_size"),
        ("[grid", "is not valid TOML"),
    ],
)
def test_a_wrong_sweep_is_told_in_a_sentence(toml: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text(toml, "utf-8")
    with pytest.raises((BadSweep, WrongUsage)) as caught:
        read_plan(path)
    assert words in str(caught.value)


def test_paths_of_a_sweep_are_relative_to_it(tmp_path: Path) -> None:
    path = tmp_path / "sweep.toml"
    path.write_text("queries='q.csv'\ndocuments=['d']\n[grid]\nstrategy='auto'", "utf-8")
    plan = read_plan(path)
    assert (plan.queries, plan.documents) == (str(tmp_path / "q.csv"), (str(tmp_path / "d"),))


def test_labels_follow_a_shifted_start(bench: Bench) -> None:
    moved = shifted(bench, 300)
    assert 0 < len(moved.gold) <= len(bench.gold)
    labels = moved.gold.labels
    for group, start, end in zip(labels.group, labels.starts, labels.ends, strict=True):
        quotes = [passage.text for passage in moved.gold.questions[group].expected]
        assert text_at(moved.corpus, int(start), int(end)) in quotes


def test_robustness_varies_size_and_start(bench: Bench) -> None:
    configuration = Configuration.of(
        {"strategy": "recursive", "max_size": 150, "mode": "lexical", "embedder": "instant"}
    )
    found = vary(bench, configuration, PLAIN)
    names = [each.name for each in found.variations]
    assert names[:2] == ["max_size 135", "max_size 165"]
    assert len([name for name in names if name.startswith("start shifted")]) == 2
    values = found.values("R@500")
    assert found.spread("R@500") == max(values.values()) - min(values.values())
    assert 0 <= found.spread("R@500") < 0.5


def test_an_outcome_without_rows_has_no_verdict(bench: Bench, sample_queries: QuerySet) -> None:
    run = Run.of(origin_of(bench, sample_queries, []), now(), Outcome(()))
    assert run.verdict() is None
    assert Run.from_json(run.to_json()) == run
