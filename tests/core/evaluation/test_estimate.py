"""The estimate grows with what has to be done, and is said as a person would."""

from __future__ import annotations

from typing import Any

import pytest

from chunkscope.core.evaluation.estimate import estimate, told_seconds
from chunkscope.core.evaluation.plan import SweepPlan, plan_of
from support.documents import plain_document

TEXT = "A sentence that says something. " * 4_000


def plan(**grid: Any) -> SweepPlan:
    return plan_of({"grid": {"strategy": "sentence", **grid}, "settings": {"racing": False}})


def seconds(**grid: Any) -> float:
    return estimate(plan(**grid), [plain_document(TEXT)], 30)


def test_what_is_shared_is_counted_once() -> None:
    one = seconds(mode="hybrid")
    both = seconds(mode=["semantic", "hybrid"])
    assert one < both < 1.1 * one  # the texts are embedded once for both


def test_words_alone_need_no_model() -> None:
    assert seconds(mode="lexical") < 0.1 * seconds(mode="semantic")
    assert seconds(mode="semantic", embedder="instant") < 0.1 * seconds(mode="semantic")


def test_overlaps_are_embedded_again() -> None:
    plain = seconds(mode="semantic", max_size=200, overlap=0)
    assert seconds(mode="semantic", max_size=200, overlap=100) > 1.8 * plain


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.2, "about a second"),
        (42.0, "about 40 seconds"),
        (150.0, "about 2 minutes"),
        (3 * 3600.0, "about 3 hours"),
    ],
)
def test_it_is_said_in_round_figures(value: float, said: str) -> None:
    assert told_seconds(value) == said
