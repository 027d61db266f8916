"""A run's results by group, its report, and the gate that it sets."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from lxml import html

from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.evaluation.bench import Bench
from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.effects import effect, pair_effect, varied
from chunkscope.core.evaluation.figures import Series, chart
from chunkscope.core.evaluation.gate import compare_rows
from chunkscope.core.evaluation.plan import Settings, configurations_of
from chunkscope.core.evaluation.query_set import QuerySet
from chunkscope.core.evaluation.report import report
from chunkscope.core.evaluation.results import (
    KINDS,
    breakdown,
    failures_of,
    flow,
    groups_of,
    pareto,
    recipe,
)
from chunkscope.core.evaluation.robustness import vary
from chunkscope.core.evaluation.run import Origin, Run, now
from chunkscope.core.evaluation.scores import QuestionScore, Row
from chunkscope.core.evaluation.sweep import sweep

SETTINGS = Settings(racing=False, resamples=200, headline="R@500")
GRID = {"strategy": "recursive", "max_size": [80, 200], "mode": "lexical", "neighbours": [0, 1]}


@pytest.fixture
def run(bench: Bench, sample_queries: QuerySet) -> Run:
    configurations, _ = configurations_of(GRID)
    origin = Origin.of(
        "tune", "<script>alert(1)</script>", SETTINGS, bench.corpus,
        ("a&b.csv", sample_queries), configurations, {},
    )  # fmt: skip
    return Run.of(origin, now(), sweep(bench, configurations, SETTINGS))


def row_of(name: int, *scores: float, tokens: float = 100.0, failures: str = "") -> Row:
    """A row with given figures; each question's id is its number."""
    configuration = Configuration.of({"strategy": "recursive", "max_size": name})
    questions = tuple(
        QuestionScore(str(at), "keyword", {"R@500": value, "tokens": tokens}, failures)
        for at, value in enumerate(scores)
    )
    return Row(configuration, 1, 1.0, questions, 1.0, 1.0, 1, None, 0.0)


def test_the_report_stands_alone_and_escapes_everything(run: Run, bench: Bench) -> None:
    groups = {
        kind: breakdown(run.ranked, groups_of(bench.gold, bench.corpus, kind), "R@500")
        for kind in KINDS
    }
    lines = recipe(run.ranked, groups_of(bench.gold, bench.corpus, "type"), SETTINGS)
    best = run.ranked[0].configuration
    page = report(run, groups, lines, vary(bench, best, SETTINGS), "sweep.toml")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"(src|href)\s*=|url\(|@import", page)
    tree = html.fromstring(page)
    assert len(tree.findall(".//svg")) >= 3
    commands = [unescape(each.text_content()) for each in tree.findall(".//pre")]
    documents = [source for source, _ in run.origin.documents]
    for row in run.rows:
        assert row.configuration.command("a&b.csv", documents, 5) in commands


def test_groups_hold_every_question(bench: Bench, sample_queries: QuerySet) -> None:
    classes = groups_of(bench.gold, bench.corpus, "class")
    assert sum(len(members) for members in classes.values()) == len(sample_queries)
    types = groups_of(bench.gold, bench.corpus, "type")
    assert {"text/markdown", "application/pdf"} <= types.keys()
    assert "weather" in groups_of(bench.gold, bench.corpus, "tag")


def test_means_of_groups_are_plain_means() -> None:
    rows = [row_of(10, 1.0, 0.0, 0.5), row_of(20, 0.0, 1.0, 1.0)]
    found = breakdown(rows, {"a": {"0", "1"}, "b": {"2"}}, "R@500")
    assert [(each.group, each.questions, each.mean) for each in found] == [
        ("a", 2, 0.5), ("a", 2, 0.5), ("b", 1, 0.5), ("b", 1, 1.0),
    ]  # fmt: skip


def test_the_best_of_each_type_is_a_recipe() -> None:
    many = 40
    rows = [row_of(10, *[1.0] * many, *[0.0] * many), row_of(20, *[0.0] * many, *[1.0] * many)]
    groups = {
        "text/html": {str(at) for at in range(many)},
        "application/pdf": {str(at) for at in range(many, 2 * many)},
    }
    found = recipe(rows, groups, SETTINGS)
    assert [(line.group, line.row, line.is_certain) for line in found] == [
        ("text/html", rows[0], True),
        ("application/pdf", rows[1], True),
    ]


def test_failures_are_counted_and_followed() -> None:
    one, other = row_of(10, 0.0, 0.0, failures="split"), row_of(20, 1.0, 1.0)
    assert failures_of(one) == {"split": 2}
    assert flow(one, other) == {("split", ""): 2}


def test_the_front_is_what_nothing_beats() -> None:
    rows = [
        row_of(10, 0.5, tokens=100),
        row_of(20, 0.4, tokens=200),
        row_of(30, 0.9, tokens=300),
        row_of(40, 0.9, tokens=400),
    ]
    assert pareto(rows, "R@500") == [rows[0], rows[2]]


def test_effects_are_means_over_the_others(run: Run) -> None:
    assert varied(run.ranked) == ["max_size", "neighbours"]
    sizes = effect(run.ranked, "max_size", "R@500")
    assert list(sizes) == ["80", "200"]
    pairs = pair_effect(run.ranked, "max_size", "neighbours", "R@500")
    assert sizes["80"][0] == pytest.approx((pairs["80", "0"] + pairs["80", "1"]) / 2)


@pytest.mark.parametrize("points", [[], [(1.0, 1.0)], [(0.0, 0.0), (0.0, 0.0)]])
def test_charts_of_little_are_drawn(points: list[tuple[float, float]]) -> None:
    html.fromstring(chart([Series("a", points)], "x", "y"))


def test_the_gate_closes_on_a_significant_drop_only() -> None:
    before = row_of(10, *[1.0, 0.8, 0.9] * 20)
    fallen = row_of(10, *[0.7, 0.6, 0.8] * 20)
    found = compare_rows(before, fallen, SETTINGS)
    assert found.is_significant_drop
    assert "a significant drop" in found.sentence
    assert not compare_rows(before, before, SETTINGS).is_significant_drop
    assert not compare_rows(fallen, before, SETTINGS).is_significant_drop
    usual = [0.8, 0.9, 1.0] * 20
    little = compare_rows(row_of(10, 1.0, *usual), row_of(10, 0.0, *usual), SETTINGS)
    assert little.difference.mean < 0
    assert not little.is_significant_drop


def test_the_gate_compares_common_questions() -> None:
    before, after = row_of(10, 1.0, 1.0, 1.0), row_of(10, 1.0, 1.0)
    found = compare_rows(before, after, SETTINGS)
    assert (found.questions, found.skipped) == (2, 1)
    with pytest.raises(ChunkscopeError, match="no question in common"):
        compare_rows(before, replace(after, questions=()), SETTINGS)
    with pytest.raises(WrongUsage, match="no measure is called"):
        compare_rows(before, after, SETTINGS, "recal")
