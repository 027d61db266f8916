"""Seed 001's measure: precision@3 on keyword, paraphrase and negative questions, by mode.

With one passage that answers, precision@3 is the share of questions whose first three results
hold it; a negative question counts when nothing is shown for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chunkscope import paths
from chunkscope.core.search.options import SearchOptions
from chunkscope.core.workspace import Profile, Workspace
from support.sample_queries import KEYWORD, NEGATIVE, PARAPHRASE

MODES = ("lexical", "semantic", "hybrid", "routed")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(tmp_path_factory.mktemp("quality")) as opened:
        opened.index([paths.sample_docs()], Profile.preset("auto-256"))
        yield opened


def _found(workspace: Workspace, mode: str, query: str) -> list[str]:
    options = SearchOptions(mode=mode, k=3, neighbours=0)  # type: ignore[arg-type]
    return [" ".join(hit.text.split()) for hit in workspace.search(query, options=options).hits]


def _precision(workspace: Workspace, mode: str, questions: tuple[tuple[str, str], ...]) -> float:
    right = sum(
        any(answer in text for text in _found(workspace, mode, query))
        for query, answer in questions
    )
    return right / len(questions)


def _rejected(workspace: Workspace, mode: str) -> float:
    return sum(not _found(workspace, mode, query) for query in NEGATIVE) / len(NEGATIVE)


@pytest.mark.slow
def test_precision_at_3_by_class(workspace: Workspace) -> None:
    keyword = {mode: _precision(workspace, mode, KEYWORD) for mode in MODES}
    paraphrase = {mode: _precision(workspace, mode, PARAPHRASE) for mode in MODES}
    negative = {mode: _rejected(workspace, mode) for mode in MODES}
    figures = f"keyword {keyword}, paraphrase {paraphrase}, negative {negative}"
    assert min(keyword[mode] for mode in ("lexical", "hybrid", "routed")) >= 0.9, figures
    assert paraphrase["hybrid"] > paraphrase["lexical"], figures
    assert paraphrase["semantic"] > paraphrase["lexical"], figures
    assert paraphrase["routed"] > paraphrase["lexical"], figures
    assert min(negative[mode] for mode in ("semantic", "hybrid", "routed")) == 1.0, figures
    assert negative["lexical"] >= 0.8, figures


@pytest.mark.parametrize("mode", ["lexical", "hybrid", "routed"])
def test_a_word_that_is_there_is_shown(workspace: Workspace, mode: str) -> None:
    """Whoever types one word, or words that stand together, knows what to look for."""
    assert any("lantern" in text.lower() for text in _found(workspace, mode, "lantern"))
    assert _found(workspace, mode, "barnacles animals")
