"""What goes wrong around an indexing run stays outside: lost files, odd names, stops, closing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from chunkscope import paths
from chunkscope.core.errors import Cancelled, ChunkscopeError
from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.loaders.files import load_file
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.store.faults import WorkspaceError
from chunkscope.core.workspace import Workspace
from support.documents import plain_document
from support.hashing import HashingEmbedder, provide
from support.stored import SMALL


class Moody(HashingEmbedder):
    """Embeds nothing while it is in a bad mood."""

    is_bad = True

    def embed_passages(self, texts: Sequence[str], job: Job = NO_JOB):  # type: ignore[no-untyped-def]
        if self.is_bad:
            raise ChunkscopeError("the model is in a bad mood; try again later")
        return super().embed_passages(texts, job)


def test_a_file_that_failed_and_is_gone_is_told_once_and_forgotten(
    workspace: Workspace, files: Path
) -> None:
    bad = files / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7 nothing more")
    assert len(workspace.index([files], SMALL).failures) == 1
    bad.unlink()
    report = workspace.index([files / "note.txt"], SMALL, retry=True)
    assert report.failures == []
    assert report.notes == [f"{bad} is gone and is not tried again"]
    assert workspace.waiting() == []
    assert workspace.index([files / "note.txt"], SMALL, retry=True).notes == []


def test_pasted_text_that_failed_is_not_looked_for_among_files(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    moody = Moody()
    with Workspace.open(tmp_path / "w", embedders=lambda _: moody, sandbox=sandbox) as workspace:
        pasted = plain_document("Pasted text about lighthouses. " * 30)
        assert len(workspace.index([pasted], SMALL).failures) == 1
        moody.is_bad = False
        assert workspace.index([], SMALL, retry=True).is_clean
        assert workspace.index([pasted], SMALL).added == 1


def test_a_mailbox_is_one_file_whether_given_as_messages_or_by_its_path(
    workspace: Workspace, sandbox: Sandbox
) -> None:
    box = paths.sample_docs() / "thread.mbox"
    messages = load_file(box, sandbox).documents
    first = workspace.index(messages, SMALL)
    again = workspace.index([box], SMALL)
    assert first.added == again.unchanged == len(workspace.documents()) > 5
    assert (again.added, again.changed) == (0, 0)
    assert workspace.remove([str(box)]) == first.added


def test_a_document_that_no_database_can_hold_fails_alone(
    workspace: Workspace, files: Path
) -> None:
    (files / "huge.txt").write_text("A long line of a huge text. " * 20_000, "utf-8")
    workspace.store.writer.limit(apsw.SQLITE_LIMIT_LENGTH, 200_000)
    report = workspace.index([files], SMALL)
    assert [Path(failure.source).name for failure in report.failures] == ["huge.txt"]
    assert "split the file" in report.failures[0].reason
    assert report.added == 5
    assert workspace.check().is_sound


class CancelsAt(Job):
    """Is stopped at its nth look."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.left = at

    def check(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.cancel()
        super().check()


def test_a_run_can_be_stopped_wherever_it_looks(workspace: Workspace, files: Path) -> None:
    """At each of its first looks, then at some: what is there is sound, the next run goes on."""
    some, stops, at = [files / "story.md", files / "mail.eml"], 0, 0
    while not stops or len(workspace.documents()) < 3:
        at += 1 + at // 8
        job = CancelsAt(at)
        with suppress(Cancelled):
            workspace.index(some, SMALL, job)
        stops += job.is_cancelled
        assert workspace.check().is_sound, f"after a stop at look {at}"
    assert stops > 10


def test_closing_waits_for_searches_and_tells_the_later_ones(
    workspace: Workspace, files: Path
) -> None:
    workspace.index([files], SMALL)
    is_under_way = threading.Barrier(5)
    problems: list[Exception] = []

    def ask() -> None:
        is_under_way.wait()
        try:
            while True:
                assert workspace.search("the keeper lit the lamp").hits
        except Exception as problem:  # noqa: BLE001 - told by the thread that waits
            problems.append(problem)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    is_under_way.wait()
    workspace.close()
    for thread in threads:
        thread.join()
    assert {type(problem) for problem in problems} == {WorkspaceError}
    assert all("closed" in str(problem) for problem in problems)


def test_a_model_is_loaded_once_however_many_threads_ask(tmp_path: Path) -> None:
    loaded: list[str] = []
    everybody = threading.Barrier(4)

    def load(name: str) -> HashingEmbedder:
        loaded.append(name)
        return provide(name)

    with Workspace.open(tmp_path / "w", embedders=load) as workspace, ThreadPoolExecutor(4) as pool:

        def ask() -> HashingEmbedder:
            everybody.wait()
            found = workspace.embedders("hashing")
            assert isinstance(found, HashingEmbedder)
            return found

        found = [pool.submit(ask) for _ in range(4)]
        assert len({id(each.result()) for each in found}) == 1
    assert loaded == ["hashing"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "a/../b",
        'x"; DROP TABLE chunks --',
        "日本 🦜",
        "%s{0}\\",
        "n\nl\ttab",
        "\x7f",
    ],
)
def test_profiles_may_have_any_name(workspace: Workspace, files: Path, name: str) -> None:
    profile = replace(SMALL, name=name)
    workspace.index([files], profile)
    assert [each.name for each in workspace.profiles()] == [name]
    assert workspace.search("lamp", name).hits
    assert workspace.check().is_sound
    assert workspace.remove_profile(name).name == name
    assert workspace.profiles() == []


def test_a_name_that_no_file_can_hold_is_refused(workspace: Workspace, files: Path) -> None:
    with pytest.raises(ChunkscopeError, match="name"):
        workspace.index([files], replace(SMALL, name="a\udc80"))


def test_places_that_cannot_be_written_cost_the_copy_not_the_work(
    tmp_path: Path, files: Path, sandbox: Sandbox
) -> None:
    """A file where the folder of backups should be, and a folder where the note should be."""
    place = tmp_path / "odd"
    (place / "workspace.owner" / "x").mkdir(parents=True)
    (place / "backups").write_text("not a folder")
    with Workspace.open(place, embedders=provide, sandbox=sandbox) as workspace:
        assert workspace.index([files], SMALL).added == 5
        assert workspace.remove([str(files / "note.txt")]) == 1
        assert workspace.check().is_sound
