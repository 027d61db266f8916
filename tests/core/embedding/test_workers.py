"""A model's worker may die, hang or be cancelled: the answer is right, or one sentence."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from chunkscope.core.embedding.base import EmbeddingFailed
from chunkscope.core.embedding.host import ModelHost
from chunkscope.core.embedding.minilm import MiniLM
from chunkscope.core.errors import Cancelled, DamagedResource
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.sandbox import Limits

OBEY = "support.mock_model:obey"
LONG = [f"sentence number {number} about the sea and its tides " * 30 for number in range(24)]


class Obedient:
    """A host, and the orders that its worker follows."""

    def __init__(self, path: Path) -> None:
        self._orders = path / "orders.txt"
        self.host = ModelHost("the mock model", Limits(stall_seconds=1.0))

    def run(self, *orders: str, job: Job = NO_JOB) -> int:
        self._orders.write_text("\n".join(orders), "utf-8")
        return int(self.host.call(OBEY, {"orders": str(self._orders)}, job=job).head["pid"])

    @property
    def left(self) -> list[str]:
        return self._orders.read_text("utf-8").split()


@pytest.fixture
def obedient(tmp_path: Path) -> Iterator[Obedient]:
    made = Obedient(tmp_path)
    yield made
    made.host.close()


def test_the_worker_is_kept(obedient: Obedient) -> None:
    assert obedient.run() == obedient.run()


@pytest.mark.parametrize("order", ["kill", "exit", "hang"])
def test_a_lost_worker_is_replaced_once(obedient: Obedient, order: str) -> None:
    first = obedient.run()
    assert obedient.run(order) != first
    assert obedient.left == []


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("kill", r"the mock model failed \(SIGKILL\); try again"),
        ("exit", r"the mock model failed \(exit code 3\); try again"),
        ("hang", r"the mock model failed \(stopped after 1 s without progress.*\); try again"),
    ],
)
def test_a_worker_lost_twice_is_told(obedient: Obedient, order: str, sentence: str) -> None:
    with pytest.raises(EmbeddingFailed, match=sentence):
        obedient.run(order, order, "kill")
    assert obedient.left == ["kill"]  # two attempts, not three
    assert obedient.run() > 0


@pytest.mark.parametrize(
    ("order", "kind", "sentence"),
    [
        ("raise", EmbeddingFailed, r"\(KeyError: 'weights'\); the model may be damaged"),
        ("damaged", DamagedResource, "^the model is damaged$"),
    ],
)
def test_what_a_model_says_is_not_asked_twice(
    obedient: Obedient, order: str, kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        obedient.run(order, "kill")
    assert obedient.left == ["kill"]


def test_a_worker_killed_while_idle_costs_nothing(obedient: Obedient) -> None:
    os.kill(obedient.run(), signal.SIGKILL)
    assert obedient.run() > 0


def test_a_closed_host_starts_again(obedient: Obedient) -> None:
    first = obedient.run()
    obedient.host.close()
    assert obedient.run() != first


def test_cancel_while_the_worker_hangs(obedient: Obedient) -> None:
    obedient.run()
    job = Job()
    timer = threading.Timer(0.1, job.cancel)
    timer.start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        obedient.run("hang", job=job)
    assert time.monotonic() - started < 1.1
    timer.join()


def test_turns_are_given_in_order(obedient: Obedient) -> None:
    """A query in the middle of a long job waits for one batch only."""
    answered = threading.Event()
    obedient.run()

    def ask() -> None:
        obedient.run()
        answered.set()

    asker = threading.Thread(target=ask)
    for number in range(2_000):
        obedient.host.call("support.mock_model:modules", {"names": []})
        if number == 5:
            asker.start()
        if answered.is_set():
            break
    asker.join()
    assert number < 1_000


def test_a_paused_job_lets_others_pass(minilm: MiniLM) -> None:
    paused = threading.Event()

    def report(done: int, *_: object) -> None:
        if done and not paused.is_set():
            job.pause()
            paused.set()

    job = Job(report)
    texts = ["the tide"] * 400
    worker = threading.Thread(target=minilm.embed_passages, args=(texts, job))
    worker.start()
    assert paused.wait(60)
    assert minilm.embed_queries(["meanwhile"]).shape == (1, minilm.dimensions)
    assert worker.is_alive()
    job.resume()
    worker.join()


def children() -> set[int]:
    found = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker in /proc")
def test_killed_in_the_middle_of_a_batch_the_vectors_are_right(minilm: MiniLM) -> None:
    expected = minilm.embed_passages(LONG)
    before = children()
    model = MiniLM(precision=minilm.precision)
    model.embed_queries(["warm"])
    (worker,) = children() - before
    in_a_batch = threading.Event()

    def kill() -> None:
        in_a_batch.wait()
        os.kill(worker, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    found = model.embed_passages(LONG, Job(lambda done, *_: in_a_batch.set() if done else None))
    killer.join()
    assert worker not in children()
    model.close()
    np.testing.assert_allclose(found, expected, atol=1e-3)


@pytest.mark.skipif(sys.platform != "linux", reason="finds its worker in /proc")
def test_cancelled_in_the_middle_the_worker_stays_warm() -> None:
    before = children()
    model = MiniLM(precision="f32")
    model.embed_queries(["warm"])
    workers = children() - before
    job = Job(lambda done, *_: job.cancel() if done else None)
    with pytest.raises(Cancelled):
        model.embed_passages(["short text"] * 300, job)
    assert 0 < model.embedding_calls < 300
    model.embed_queries(["again"])
    assert children() - before == workers
    model.close()
    assert not children() & workers


def test_cancel_is_felt_within_a_second(minilm: MiniLM) -> None:
    cancelled = 0.0

    def report(done: int, total: int, note: str) -> None:
        if done and not cancelled:
            threading.Thread(target=cancel).start()

    def cancel() -> None:
        nonlocal cancelled
        cancelled = time.monotonic()
        job.cancel()

    job = Job(report)
    with pytest.raises(Cancelled):
        minilm.embed_passages(LONG * 12, job)
    assert time.monotonic() - cancelled < 1.0
