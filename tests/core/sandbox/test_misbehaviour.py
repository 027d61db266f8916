"""A document that hangs, eats memory, exits or crashes costs one worker and one sentence."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from chunkscope.core.errors import Cancelled
from chunkscope.core.job import Job
from chunkscope.core.loaders.files import Loaded, load_file, load_paths
from chunkscope.core.sandbox import Limits, Sandbox


def load(tmp_path: Path, sandbox: Sandbox, *orders: str) -> Loaded:
    path = tmp_path / "a.mock"
    path.write_text("\n".join(orders), encoding="utf-8")
    return load_file(path, sandbox)


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("hang", "stopped after 2 s without progress"),
        ("busy", "stopped after 2 s without progress"),
        ("eat", "needs more than 0.7 GB of memory"),
        ("exit 3", "exit code 3"),
        ("crash", "SIGSEGV"),
        ("raise", "could not be parsed (KeyError: '/Root')"),
        ("panic", "could not be parsed (Panic: index out of bounds)"),
        ("refuse", "refused on demand"),
    ],
)
def test_misbehaviour_is_told_and_the_next_document_loads(
    tmp_path: Path, strict_sandbox: Sandbox, order: str, sentence: str
) -> None:
    failed = load(tmp_path, strict_sandbox, "text before", order)
    assert failed.error is not None
    assert sentence in str(failed.error)
    assert str(tmp_path / "a.mock") in str(failed.error)
    assert not failed.documents
    assert load(tmp_path, strict_sandbox, "text fine").documents[0].text == "fine"


def test_progress_holds_off_the_stall_limit_but_not_the_total(tmp_path: Path) -> None:
    limits = Limits(stall_seconds=60, total_seconds=1)
    with Sandbox(1, limits, ["support.mock_loader"]) as sandbox:
        failed = load(tmp_path, sandbox, "hang")
    assert "stopped after 1 s (the time limit" in str(failed.error)


@pytest.mark.parametrize("order", ["hang", "crash", "exit 1", "eat", "panic"])
def test_the_parts_before_and_after_a_guilty_one_are_kept(
    tmp_path: Path, strict_sandbox: Sandbox, order: str
) -> None:
    loaded = load(tmp_path, strict_sandbox, "parts", "text one", order, "text two")
    (document,) = loaded.documents
    assert loaded.error is None
    assert document.text == "one\n\ntwo"
    assert document.state == "partial"
    assert document.missing[0].startswith("line 2: ")


def test_after_many_guilty_parts_what_was_read_is_kept(
    tmp_path: Path, strict_sandbox: Sandbox
) -> None:
    orders = ["parts", "text one", *["exit 1"] * 9, "text two"]
    (document,) = load(tmp_path, strict_sandbox, *orders).documents
    assert document.text == "one"
    assert len(document.missing) == 10


def test_what_a_library_prints_stays_out_of_the_protocol(tmp_path: Path, sandbox: Sandbox) -> None:
    assert load(tmp_path, sandbox, "print noise", "text fine").documents[0].text == "fine"


def test_cancelling_ends_the_worker_at_once(tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / "a.mock"
    path.write_text("hang", encoding="utf-8")
    job = Job()
    timer = threading.Timer(0.3, job.cancel)
    timer.start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        load_file(path, sandbox, job=job)
    timer.join()
    assert time.monotonic() - started < sandbox.limits.stall_seconds / 2


def test_a_folder_goes_on_after_failures(tmp_path: Path, strict_sandbox: Sandbox) -> None:
    for name, order in {"1": "text a", "2": "crash", "3": "text b", "4": "raise"}.items():
        (tmp_path / f"{name}.mock").write_text(order, encoding="utf-8")
    results = list(load_paths([tmp_path], strict_sandbox))
    assert [bool(result.error) for result in results] == [False, True, False, True]


def test_a_large_owner_does_not_wear_out_its_workers(tmp_path: Path) -> None:
    """Linux adds what the owner held to the peak of a process that it starts."""
    ballast = b"x" * 450_000_000
    with Sandbox(1, plugins=["support.mock_loader"]) as sandbox:
        served_by = {load(tmp_path, sandbox, "pid").documents[0].text for _ in range(3)}
    assert len(ballast)
    assert len(served_by) == 1


def test_closing_leaves_no_thread_behind(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with Sandbox(1, plugins=["support.mock_loader"]) as sandbox:
        load(tmp_path, sandbox, "text fine")
    assert not [thread for thread in set(threading.enumerate()) - before if thread.is_alive()]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("order", ["hang", "text waiting"])
def test_workers_do_not_outlive_a_killed_owner(tmp_path: Path, order: str) -> None:
    path = tmp_path / "a.mock"
    path.write_text(order, encoding="utf-8")
    code = (
        "import sys, threading\n"
        "from chunkscope.core.loaders.files import load_file\n"
        "from chunkscope.core.sandbox import Sandbox, pool\n"
        "start = pool._Worker.__init__\n"
        "def tell(self):\n"
        "    start(self)\n"
        "    print(self.process.pid, flush=True)\n"
        "pool._Worker.__init__ = tell\n"
        "load_file(sys.argv[1], Sandbox(1, plugins=['support.mock_loader']))\n"
        "threading.Event().wait()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    worker = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    deadline = time.monotonic() + 20
    while _is_running(worker):
        assert time.monotonic() < deadline, "the worker is still there"
        threading.Event().wait(0.05)


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2] != "Z"
    except OSError:
        return False
