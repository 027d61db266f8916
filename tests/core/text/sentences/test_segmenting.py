"""Large texts are cut in a worker, and a paragraph that hangs it costs only itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from chunkscope.core import segmenting
from chunkscope.core.errors import Cancelled
from chunkscope.core.job import Job
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.segmenting import segment
from chunkscope.core.text.sentences import sentence_starts
from chunkscope.core.text.sentences.starts import memory
from core.text.sentences import unguarded
from core.text.sentences.fragments import sentences, spans

HANG = "..[" + "111 " * 10
PROSE = "Mr. Lamb is late. “Was it 👩‍🚀 or é?” asked Ruth. It was No. 5."


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    memory.clear()


@pytest.fixture(scope="module")
def workers() -> Iterator[Sandbox]:
    plugins = ["support.no_network", "core.text.sentences.unguarded"]
    with Sandbox(workers=1, plugins=plugins) as pool:
        yield pool


def large_text() -> str:
    return "\n\n".join(f"{number} boats came.\n{PROSE}" for number in range(4_000))


@pytest.mark.parametrize("segmenter", ["pysbd", "unicode"])
def test_a_worker_finds_the_same(workers: Sandbox, segmenter: str) -> None:
    text = large_text()
    steps: list[tuple[int, int]] = []
    job = Job(lambda done, total, _note: steps.append((done, total)))
    found = segment(text, spans(text), segmenter, "en", workers, job)
    memory.clear()
    assert np.array_equal(found, sentence_starts(text, spans(text), segmenter))
    assert len(found) == 16_000
    assert steps == sorted(steps)
    assert len(steps) > 3


def test_what_a_worker_found_is_remembered(
    workers: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = large_text()
    found = segment(text, spans(text), "pysbd", "en", workers)
    monkeypatch.setattr(segmenting, "TASK", "no.such:task")
    assert np.array_equal(found, segment(text, spans(text), "pysbd", "en", workers))
    edited = text + "\n\nA new end. It is short."
    assert len(segment(edited, spans(edited), "pysbd", "en", workers)) == len(found) + 2


def test_a_small_text_needs_no_worker(workers: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenting, "TASK", "no.such:task")
    found = segment(PROSE, spans(PROSE), "pysbd", "en", workers)
    assert len(found) == 3


def test_a_paragraph_that_hangs_is_cut_by_other_rules(workers: Sandbox) -> None:
    text = f"First one. Second one.\n\nBefore. {HANG}\n\nThird one. Fourth one."
    started = time.monotonic()
    found = segment(text, spans(text), unguarded.NAME, "en", workers, seconds=1.0)
    assert time.monotonic() - started > 1.0, "the worker did not hang"
    cut = sentences(text, spans(text), found)
    assert cut[:2] == ["First one.", "Second one."]
    assert cut[-2:] == ["Third one.", "Fourth one."]
    assert "".join("".join(cut).split()) == "".join(text.split())
    # Remembered, so that it does not hang again.
    started = time.monotonic()
    again = segment(text, spans(text), unguarded.NAME, "en", workers, seconds=1.0)
    assert np.array_equal(found, again)
    assert time.monotonic() - started < 0.5


def test_after_many_such_paragraphs_the_rest_is_not_tried(workers: Sandbox) -> None:
    hanging = [f"{number} of them. {HANG}" for number in range(30)]
    text = "\n\n".join([*hanging, "The end. Or not."])
    found = segment(text, spans(text), unguarded.NAME, "en", workers, seconds=0.3)
    assert sentences(text, spans(text), found)[-2:] == ["The end.", "Or not."]


def test_the_guarded_rules_do_not_hang(workers: Sandbox) -> None:
    started = time.monotonic()
    segment(HANG, spans(HANG), "pysbd", "en", workers)
    assert time.monotonic() - started < 1.5


def test_cancelling_ends_the_worker(workers: Sandbox) -> None:
    job = Job()
    timer = threading.Timer(0.5, job.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        segment(HANG, spans(HANG), unguarded.NAME, "en", workers, job, seconds=30)
    timer.join()
