"""Large results pass between processes without the pipe, and leave nothing behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from chunkscope.core.loaders.files import load_file
from chunkscope.core.sandbox import Sandbox, pool, shared
from chunkscope.core.sandbox.shared import Inbox, Outbox, SharedBlob, as_bytes, as_text

pytestmark = pytest.mark.skipif(not shared.IS_SUPPORTED, reason="blobs pass the pipe here")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def passed(blob: bytes) -> SharedBlob:
    inbox = Inbox()
    outbox = Outbox(os.dup(inbox.far_descriptor))
    assert outbox.send(blob)
    outbox.close()
    found = inbox.receive(len(blob))
    inbox.close()
    return found


@pytest.mark.parametrize("before_the_cut", range(9))
def test_text_cut_inside_a_character_arrives_whole(before_the_cut: int) -> None:
    text = "x" * (shared._PIECE - before_the_cut) + "é👩€\U0010ffff and on"
    blob = text.encode()
    assert as_text(passed(blob)) == text
    assert as_bytes(passed(blob)) == blob


@pytest.mark.parametrize("last", ["", "é", "€", "👩"])
def test_a_text_of_megabytes_with_its_widest_character_last(last: str) -> None:
    text = "one two\n" * 400_000 + last
    assert as_text(passed(text.encode())) == text


def test_a_blob_cut_off_is_an_error_and_no_crash() -> None:
    inbox = Inbox()
    outbox = Outbox(os.dup(inbox.far_descriptor))
    outbox.send(b"short")
    blob = inbox.receive(10)
    outbox.close()
    inbox.close()
    with pytest.raises(OSError, match="shorter"):
        as_bytes(blob)


def test_a_blob_that_was_announced_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_RECEIVE_SECONDS", 0.05)
    inbox = Inbox()
    with pytest.raises(OSError, match="timed out"):
        inbox.receive(10)
    inbox.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_blob_nobody_takes_is_closed() -> None:
    before = open_files()
    blob = passed(b"x" * 10)
    assert open_files() == before + 1
    del blob
    assert open_files() == before


def big_text(tmp_path: Path, ending: str = "") -> Path:
    path = tmp_path / "big.txt"
    path.write_text("Some words.\n\n" * 200_000 + ending, encoding="utf-8")
    return path


def sent_apart(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    sizes: list[int] = []
    receive = Inbox.receive

    def note(self: Inbox, size: int) -> SharedBlob:
        sizes.append(size)
        return receive(self, size)

    monkeypatch.setattr(Inbox, "receive", note)
    return sizes


def test_a_large_document_goes_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, sizes = big_text(tmp_path, "👩"), sent_apart(monkeypatch)
    with Sandbox(1) as sandbox:
        (document,) = load_file(path, sandbox).documents
    assert sizes[0] == path.stat().st_size
    assert document.text == path.read_text(encoding="utf-8")
    assert len(document.blocks) == 200_001
    assert document.blocks[-1].end == len(document.text)


def test_without_an_exchange_it_takes_the_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, sizes = big_text(tmp_path), sent_apart(monkeypatch)
    monkeypatch.setattr(pool, "IS_SUPPORTED", False)
    with Sandbox(1) as sandbox:
        (document,) = load_file(path, sandbox).documents
    assert not sizes
    assert document.text == path.read_text(encoding="utf-8")


def test_without_room_for_a_file_it_takes_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise OSError("no room")

    monkeypatch.setattr(shared, "_nameless_file", refuse)
    near, far = socket.socketpair()
    outbox = Outbox(far.detach())
    assert not outbox.send(b"x")
    outbox.close()
    near.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_loading_leaves_no_descriptor_open(tmp_path: Path) -> None:
    path = big_text(tmp_path)
    before = open_files()
    with Sandbox(1) as sandbox:
        for _ in range(3):
            assert load_file(path, sandbox).error is None
    assert open_files() == before


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_owner_leaves_no_memory_behind(tmp_path: Path) -> None:
    """The blob has no name, so it goes with the processes that hold it."""
    path = big_text(tmp_path)
    code = (
        "import os, signal, sys\n"
        "from chunkscope.core.loaders import files\n"
        "from chunkscope.core.sandbox import Sandbox\n"
        "files.as_text = lambda blob: os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.load_file(sys.argv[1], Sandbox(1))"
    )
    before = set(os.listdir("/dev/shm"))
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -9
    assert set(os.listdir("/dev/shm")) == before
