"""Whatever lies on a disk gets loaded or gets a sentence, quickly."""

from __future__ import annotations

import bz2
import gzip
import os
import socket
import sys
import threading
from pathlib import Path

import pytest

from chunkscope.core.loaders.files import load_file, load_paths, load_text
from chunkscope.core.sandbox import Limits, Sandbox

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")


def error_of(path: Path | str, sandbox: Sandbox) -> str:
    loaded = load_file(path, sandbox)
    assert loaded.error is not None
    assert not loaded.documents
    return loaded.error.reason


@needs_posix
def test_what_is_no_file(tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "fifo.txt")
    (tmp_path / "broken.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.txt").symlink_to(tmp_path / "loop.txt")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.txt")
        assert error_of("socket.txt", sandbox) == "is a socket, not a file"
    assert error_of("fifo.txt", sandbox) == "is a pipe, not a file"
    assert error_of("/dev/zero", sandbox) == "is a device, not a file"
    assert error_of("broken.txt", sandbox) == "is a broken link"
    assert error_of("missing.txt", sandbox) == "does not exist"
    assert "cannot be read" in error_of("loop.txt", sandbox)
    assert "cannot be read" in error_of("nul\0.txt", sandbox)


@needs_posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read all")
def test_unreadable_file(tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x", encoding="utf-8")
    path.chmod(0)
    assert "Permission denied" in error_of(path, sandbox)


def test_empty_file_is_an_empty_document(tmp_path: Path, sandbox: Sandbox) -> None:
    for name in ("a.txt", "a.md", "a.html", "a.py", "a.json", "a.csv", "a.unknown"):
        (tmp_path / name).touch()
        loaded = load_file(tmp_path / name, sandbox)
        assert loaded.error is None, name
        assert loaded.documents[0].text == ""


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.epub", "a.odt", "a.rtf"])
def test_text_under_a_wrong_name_is_text(tmp_path: Path, sandbox: Sandbox, name: str) -> None:
    (tmp_path / name).write_text("Just words.\n", encoding="utf-8")
    (document,) = load_file(tmp_path / name, sandbox).documents
    assert (document.text, document.media_type) == ("Just words.\n", "text/plain")
    assert "is named" in document.warnings[0]


def test_binary_files_are_named(tmp_path: Path, sandbox: Sandbox) -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20
    (tmp_path / "a.txt").write_bytes(png)
    assert "image/png" in error_of(tmp_path / "a.txt", sandbox)
    (tmp_path / "b.txt").write_bytes(bytes(range(32)) * 100)
    assert "is not text" in error_of(tmp_path / "b.txt", sandbox)


def test_packed_files_and_short_pictures_are_no_text(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"A few words.\n" * 3))
    assert error_of(tmp_path / "a.txt.gz", sandbox) == "is packed with gzip; unpack it first"
    (tmp_path / "b").write_bytes(bz2.compress(b"A few words.\n" * 3))
    assert error_of(tmp_path / "b", sandbox) == "is packed with bzip2; unpack it first"
    (tmp_path / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n" + "é".encode() * 90)
    assert "image/png" in error_of(tmp_path / "c.png", sandbox)
    (tmp_path / "d.txt").write_text("BZ2 is a module, GIF a format.\n", encoding="utf-8")
    assert load_file(tmp_path / "d.txt", sandbox).error is None


def test_nul_bytes_in_text_are_told(tmp_path: Path, sandbox: Sandbox) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\0two\n" * 3)
    (document,) = load_file(tmp_path / "a.txt", sandbox).documents
    assert document.text == "one\ufffdtwo\n" * 3
    assert "3 characters" in document.warnings[0]


@pytest.mark.slow
def test_100_mb_of_one_line(tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"abcdefghi " * 10_000_000)
    (document,) = load_file(path, sandbox).documents
    assert len(document.text) == 100_000_000
    assert len(document.blocks) == 1


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 2_000_000)
    with Sandbox(1, Limits(file_bytes=1_000_000)) as sandbox:
        assert "2 MB is over the limit of 1 MB" in error_of(path, sandbox)


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    """Written to all the time: told, or loaded in a quiet moment, but never torn."""
    path = tmp_path / "log.txt"
    path.write_bytes(b"line\n" * 200_000)
    stop = threading.Event()

    def write() -> None:
        with path.open("ab") as stream:
            while not stop.is_set():
                stream.write(b"line\n")
                stream.flush()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with Sandbox(1) as sandbox:
            loaded = load_file(path, sandbox)
    finally:
        stop.set()
        writer.join()
    if loaded.error:
        assert "changed while it was being read" in loaded.error.reason
    else:
        assert set(loaded.documents[0].text.split("\n")) == {"line", ""}


@needs_posix
def test_a_name_that_is_not_utf8(tmp_path: Path, sandbox: Sandbox) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.txt")
    with open(path, "wb") as stream:
        stream.write(b"hello")
    (document,) = load_file(os.fsdecode(path), sandbox).documents
    assert document.text == "hello"
    assert os.fsencode(document.source) == path


def test_folders_are_walked_in_order_and_hidden_files_left_alone(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "sub/c.txt", ".git/d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    found = [Path(result.source).name for result in load_paths([tmp_path], sandbox)]
    assert found == ["a.txt", "b.txt", "c.txt"]


def test_ids_come_from_the_source_and_hashes_from_the_text(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one", encoding="utf-8")
    (before,) = load_file(path, sandbox).documents
    (again,) = load_file(path, sandbox).documents
    path.write_text("two", encoding="utf-8")
    (after,) = load_file(path, sandbox).documents
    assert before == again
    assert before.id == after.id
    assert before.content_hash != after.content_hash
    pasted = load_text("one", sandbox)
    assert pasted.id == load_text("one", sandbox).id != load_text("two", sandbox).id
    assert pasted.content_hash == before.content_hash


def test_pasted_text_with_a_lone_surrogate(sandbox: Sandbox) -> None:
    document = load_text("a\ud800b", sandbox)
    assert document.text == "a\ufffdb"
    assert "lone surrogates" in document.warnings[0]
