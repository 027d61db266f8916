"""Progress, pausing and cancelling."""

from __future__ import annotations

import threading

import pytest

from chunkscope.core.errors import Cancelled
from chunkscope.core.job import NO_JOB, Job


def test_step_reports() -> None:
    seen: list[tuple[int, int, str]] = []
    job = Job(lambda *step: seen.append(step))
    job.step(1, 3, "one")
    assert seen == [(1, 3, "one")]


def test_cancelled_work_stops_at_its_next_step() -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        job.step(1, 2)


def test_paused_work_waits_until_it_is_resumed() -> None:
    passed = threading.Event()
    job = Job(lambda *_: passed.set())
    job.pause()
    worker = threading.Thread(target=job.step, args=(1, 2))
    worker.start()
    assert not passed.wait(0.05)
    assert job.is_paused
    job.resume()
    worker.join(10)
    assert passed.is_set()


def test_cancelling_ends_a_pause() -> None:
    ended: list[str] = []
    job = Job()
    job.pause()

    def work() -> None:
        try:
            job.check()
        except Cancelled:
            ended.append("cancelled")

    worker = threading.Thread(target=work)
    worker.start()
    job.cancel()
    worker.join(10)
    assert ended == ["cancelled"]
    job.pause()  # comes too late
    assert not job.is_paused


def test_the_shared_job_can_be_neither_cancelled_nor_paused() -> None:
    for action in (NO_JOB.cancel, NO_JOB.pause):
        with pytest.raises(RuntimeError):
            action()
