"""One process writes, others read and are told why; a holder that died holds nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from chunkscope.core.store import documents
from chunkscope.core.store.faults import NoWorkspace, ReadOnlyWorkspace, WorkspaceError
from chunkscope.core.store.store import Store
from support.stored import put_text

HOLD = """
import sys
from chunkscope.core.store.store import Store
store = Store.open(sys.argv[1])
print(store.why_read_only or "writing", flush=True)
sys.stdin.read()
"""


def hold(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip


def test_the_second_instance_reads_and_says_why(tmp_path: Path) -> None:
    holder = hold(tmp_path)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "writing\n"
        with Store.open(tmp_path) as second:
            assert f"process {holder.pid} on " in second.why_read_only
            assert documents.rows(second.reader()) == []
            with (
                pytest.raises(ReadOnlyWorkspace, match="in use by process"),
                second.transaction(),
            ):
                pass
    finally:
        holder.kill()
        holder.communicate()
    # SIGKILL gave it no chance to clean up: the note is there, the lock is not.
    assert (tmp_path / "workspace.owner").exists()
    with Store.open(tmp_path) as third:
        assert not third.is_read_only
    assert not (tmp_path / "workspace.owner").exists()


def test_in_one_process_too(tmp_path: Path) -> None:
    with Store.open(tmp_path) as first, Store.open(tmp_path) as second:
        assert (first.is_read_only, second.is_read_only) == (False, True)
        put_text(first, "Seen by both. " * 20, "a.md")
        assert len(documents.rows(second.reader())) == 1


def test_what_is_asked_to_be_read_takes_no_lock(tmp_path: Path) -> None:
    with pytest.raises(NoWorkspace, match="there is no workspace in"):
        Store.open(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()
    Store.open(tmp_path).close()
    with Store.open(tmp_path, read_only=True) as reader, Store.open(tmp_path) as writer:
        assert reader.is_read_only
        assert not writer.is_read_only


def test_each_thread_has_its_reader_and_a_snapshot_stands_still(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        with store.snapshot() as reader:
            assert documents.rows(reader) == []
            thread = threading.Thread(target=put_text, args=(store, "Late. " * 50, "late.md"))
            thread.start()
            thread.join()
            assert documents.rows(reader) == []
        assert len(documents.rows(store.reader())) == 1


def test_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "workspace"
    with Store.open(folder) as store:
        put_text(store, "Private. " * 40, "p.md")
        assert folder.stat().st_mode & 0o777 == 0o700
        for path in folder.iterdir():
            assert path.stat().st_mode & 0o077 == 0, path


AS_NOBODY = """
import os, sys
import apsw, filelock  # while they can still be read
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.store import documents
from chunkscope.core.store.store import Store
if os.getuid() == 0:  # root may write everywhere
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    with Store.open(sys.argv[1]) as store:
        print(len(documents.rows(store.reader())), store.why_read_only)
except ChunkscopeError as problem:
    print(problem)
"""


def as_nobody(folder: Path) -> str:
    """What a user without rights sees."""
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(folder)],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_read_only_folder_is_read_and_nothing_is_left_in_it(tmp_path: Path) -> None:
    folder = Path(tmp_path) / "workspace"
    with Store.open(folder) as store:
        put_text(store, "Look, do not touch. " * 20, "look.md")
    before = sorted(folder.iterdir())
    for path in (*tmp_path.parents, tmp_path):
        if path.stat().st_uid == os.getuid() and str(path).startswith("/tmp/"):
            path.chmod(path.stat().st_mode | 0o055)
    for path in before:
        path.chmod(0o444)
    folder.chmod(0o555)
    try:
        said = as_nobody(folder)
        nowhere = as_nobody(folder / "inside")
    finally:
        folder.chmod(0o755)
    assert said.startswith("1 its folder cannot be written to")
    assert "cannot be made" in nowhere
    assert sorted(folder.iterdir()) == before


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(WorkspaceError, match="cannot be made"):
        Store.open(tmp_path / "file")
