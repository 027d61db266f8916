"""Indexing does what is needed and nothing twice; what it cannot do waits and is told."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from chunkscope.core.errors import Cancelled, ChunkscopeError, WrongUsage
from chunkscope.core.job import Job
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.store.faults import ReadOnlyWorkspace, StorageFull
from chunkscope.core.workspace import Profile, Workspace, chunk, load_paths
from support.documents import plain_document
from support.hashing import HashingEmbedder
from support.stored import SMALL

COARSE = replace(SMALL.with_values({"max_size": 120}), name="coarse")


def export_of(workspace: Workspace) -> list[dict[str, object]]:
    return list(workspace.export())


def records(workspace: Workspace, kind: str) -> list[dict[str, object]]:
    return [each for each in workspace.export() if each["record"] == kind]


def test_a_folder_is_indexed_with_attachments(
    workspace: Workspace, files: Path, embedder: HashingEmbedder
) -> None:
    acknowledged: list[str] = []
    report = workspace.index([files], SMALL, acknowledge=lambda id, _: acknowledged.append(id))
    assert (report.added, report.changed, report.unchanged, report.failures) == (5, 0, 0, [])
    rows = {row.title: row for row in workspace.documents()}
    assert rows.keys() >= {"story.md", "list.txt", "note.txt", "plan.txt"} or "The Lamp" in rows
    assert sorted(acknowledged) == sorted(row.id for row in rows.values())
    plan = next(row for row in rows.values() if row.source.endswith("plan.txt"))
    assert plan.parent_id == next(
        row.id for row in rows.values() if row.source.endswith("mail.eml")
    )
    (profile,) = workspace.profiles()
    assert (profile.documents, profile.chunks) == (5, report.chunks)
    # Repeated texts are embedded once.
    assert embedder.embedding_calls == report.embedded_texts < report.chunks
    assert workspace.check().is_sound
    document = workspace.document(rows["note.txt"].id)
    assert document.text == "Ring the bell. Then wait."


def test_chunks_are_those_of_the_preview(workspace: Workspace, files: Path) -> None:
    workspace.index([files / "list.txt"], SMALL)
    stored = workspace.chunks("list.txt")
    expected = chunk(workspace.document("list.txt"), SMALL)
    assert [(each.start, each.end, each.id) for each in stored] == [
        (each.start, each.end, each.id) for each in expected
    ]


def test_short_documents_are_indexed_whole(workspace: Workspace, files: Path) -> None:
    tiny = SMALL.with_values({"max_size": 6})
    assert len(chunk(plain_document("Ring the bell. Then wait."), tiny)) > 1
    report = workspace.index([files / "note.txt"], tiny)
    assert (report.whole, report.chunks) == (1, 1)
    (one,) = workspace.chunks("note.txt")
    assert (one.start, one.end, one.oversize) == (0, 25, True)
    assert records(workspace, "indexed")[0]["is_whole"] == 1


def test_an_empty_file_is_no_failure(workspace: Workspace, files: Path) -> None:
    (files / "empty.txt").write_text(" \n", "utf-8")
    report = workspace.index([files / "empty.txt"], SMALL)
    assert (report.added, report.chunks, report.failures) == (1, 0, [])
    assert workspace.check().is_sound
    assert workspace.index([files / "empty.txt"], SMALL).unchanged == 1


def test_unchanged_files_cost_a_hash(
    workspace: Workspace, files: Path, embedder: HashingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.index([files], SMALL)
    before, texts = export_of(workspace), embedder.embedding_calls

    def never(*_: object, **__: object) -> None:
        raise AssertionError("an unchanged file was parsed")

    monkeypatch.setattr(Sandbox, "run", never)
    report = workspace.index([files], SMALL)
    assert (report.added, report.changed, report.unchanged) == (0, 0, 5)
    assert (export_of(workspace), embedder.embedding_calls) == (before, texts)


def test_a_second_profile_needs_no_parsing(
    workspace: Workspace, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.index([files], SMALL)
    monkeypatch.setattr(
        "chunkscope.core.indexing.arrivals.load_file",
        lambda *_: pytest.fail("an unchanged file was parsed"),
    )
    report = workspace.index([files], COARSE)
    assert report.added == 5
    assert [each.name for each in workspace.profiles()] == ["coarse", "small"]
    assert workspace.check().is_sound


def test_a_changed_file_replaces_its_own_rows_only(
    workspace: Workspace, files: Path, embedder: HashingEmbedder
) -> None:
    workspace.index([files], SMALL)
    others = [each for each in export_of(workspace) if "list.txt" not in str(each)]
    identity = next(row.id for row in workspace.documents() if row.source.endswith("list.txt"))
    others = [each for each in others if each.get("document_id") != identity]
    texts = embedder.embedding_calls
    path = files / "list.txt"
    path.write_text(path.read_text("utf-8").replace("Item 79 is", "Item 79 was"), "utf-8")
    report = workspace.index([files], SMALL)
    assert (report.added, report.changed, report.unchanged) == (0, 1, 4)
    assert 1 <= embedder.embedding_calls - texts == report.embedded_texts <= 3
    now = [each for each in export_of(workspace) if each.get("document_id") != identity]
    assert [each for each in now if "list.txt" not in str(each)] == others
    assert workspace.check().is_sound


def test_a_changed_file_is_indexed_under_its_other_profiles_too(
    workspace: Workspace, files: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    workspace.index([files], SMALL)
    workspace.index([files], COARSE)
    (files / "list.txt").write_text("Nothing is sold any more. " * 30, "utf-8")
    report = workspace.index([files], SMALL)
    assert report.changed == 1
    assert any("coarse" in note for note in report.notes)
    assert {each.documents for each in workspace.profiles()} == {5}
    assert workspace.waiting() == []
    assert workspace.check().is_sound
    embedder = HashingEmbedder()
    with Workspace.open(tmp_path / "fresh", embedders=lambda _: embedder, sandbox=sandbox) as fresh:
        fresh.index([files], COARSE)
        fresh.index([files], SMALL)
        assert export_of(fresh) == export_of(workspace)


def test_an_attachment_may_stand_alone_until_its_message_comes(
    workspace: Workspace, files: Path, sandbox: Sandbox
) -> None:
    mail = str(files / "mail.eml")
    (loaded,) = load_paths([mail], sandbox)
    (message,) = loaded.documents
    (plan,) = message.children
    assert workspace.index([plan], SMALL).added == 1
    assert workspace.check().is_sound, workspace.check().told
    assert workspace.index([plan], SMALL).unchanged == 1
    workspace.index([message], SMALL)
    workspace.index([message], SMALL)
    rows = {row.id: row.parent_id for row in workspace.documents()}
    assert rows == {message.id: "", plan.id: message.id}
    assert workspace.remove([mail]) == 2
    assert workspace.check().is_sound


def test_removing_leaves_no_trace(workspace: Workspace, files: Path) -> None:
    workspace.index([files / "note.txt", files / "list.txt"], SMALL)
    before = export_of(workspace)
    workspace.index([files], SMALL)
    assert workspace.remove([str(files / "mail.eml")]) == 2
    assert workspace.remove([str(files / "story.md")]) == 1
    assert export_of(workspace) == before
    report = workspace.check()
    assert report.is_sound, report.told
    assert workspace.remove([str(files)]) == 2
    for table in ("documents", "chunks", "embeddings", "indexed", "sources", "outbox"):
        assert workspace.store.reader().execute(f"SELECT count(*) FROM {table}").get == 0
    assert workspace.check().is_sound
    assert workspace.index([files], SMALL).added == 5


def test_no_file_keeps_the_vectors_of_what_was_removed(workspace: Workspace, files: Path) -> None:
    workspace.index([files], SMALL)
    workspace.store.writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    assert b"keeper" in (workspace.folder / "workspace.db").read_bytes()
    derived = workspace.folder / "derived"
    assert {path.suffix for path in derived.iterdir()} == {".faiss", ".json"}
    assert workspace.check().is_sound
    workspace.remove([str(files / "story.md")])
    assert list(derived.iterdir()) == []
    workspace.close()
    assert b"keeper" not in (workspace.folder / "workspace.db").read_bytes()


def test_vector_files_that_are_altered_missing_or_ahead_are_told_and_made_anew(
    workspace: Workspace,
    files: Path,
    embedder: HashingEmbedder,
    sandbox: Sandbox,
) -> None:
    workspace.index([files], SMALL)
    hits = [hit.chunk.id for hit in workspace.search("gulls and boats").hits]
    assert hits
    calls = embedder.embedding_calls
    (path,) = (workspace.folder / "derived").glob("*.faiss")
    whole = path.read_bytes()
    stamp = path.with_suffix(".json").read_text("utf-8")
    number = workspace.profiles()[0].generation
    ahead = stamp.replace(f'"generation": {number}', f'"generation": {number + 1}')
    for data, said in ((whole[:-9], stamp), (b"", stamp), (whole, ahead)):
        path.write_bytes(data)
        path.with_suffix(".json").write_text(said, "utf-8")
        assert workspace.check().counts == {"derived file": 1}
        with Workspace.open(
            workspace.folder, embedders=lambda _: embedder, sandbox=sandbox
        ) as second:
            assert [hit.chunk.id for hit in second.search("gulls and boats").hits] == hits
        workspace.rebuild()
        assert workspace.check().is_sound
        assert path.read_bytes()
    path.unlink()
    assert embedder.embedding_calls == calls + 3  # the queries


def test_removing_a_profile_keeps_the_others(workspace: Workspace, files: Path) -> None:
    workspace.index([files], SMALL)
    before = export_of(workspace)
    workspace.index([files], COARSE)
    workspace.remove_profile("coarse")
    assert export_of(workspace) == before
    assert workspace.check().is_sound


def test_vanished_files_are_told_and_pruned_on_demand(workspace: Workspace, files: Path) -> None:
    workspace.index([files], SMALL)
    (files / "note.txt").unlink()
    report = workspace.index([files], SMALL)
    assert report.gone == [str(files / "note.txt")]
    assert len(workspace.documents()) == 5
    pruned = workspace.index([files], SMALL, prune=True)
    assert (pruned.removed, pruned.gone) == (1, [])
    assert len(workspace.documents()) == 4


def test_a_bad_file_waits_in_the_outbox(workspace: Workspace, files: Path) -> None:
    bad = files / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7 nothing more")
    report = workspace.index([files], SMALL)
    assert report.added == 5
    assert [failure.source for failure in report.failures] == [str(bad)]
    (work,) = workspace.waiting()
    assert (work.attempts, work.source) == (1, str(bad))
    assert work.last_error
    assert work.next_try > work.queued
    # Not due yet: told, not tried.
    again = workspace.index([files], SMALL)
    assert (again.failures, [each.attempts for each in again.waiting]) == ([], [1])
    # Asked for.
    assert len(workspace.index([files], SMALL, retry=True).failures) == 1
    assert workspace.waiting()[0].attempts == 2
    # Other bytes: tried at once, whatever the outbox says.
    shutil.copy(files / "note.txt", bad)
    healed = workspace.index([files], SMALL)
    assert (healed.added, healed.failures, workspace.waiting()) == (1, [], [])


class Fragile(HashingEmbedder):
    """Dies over a word."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def embed_passages(self, texts, job=None):  # type: ignore[no-untyped-def]
        if any(self.word in text for text in texts):
            raise ChunkscopeError("the embedding worker was killed")
        return super().embed_passages(texts)


def test_an_embedder_that_dies_leaves_the_document_as_it_was(
    workspace: Workspace, files: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    workspace.index([files], SMALL)
    before = export_of(workspace)
    workspace.close()
    (files / "list.txt").write_text("A poison pill was found in the soup. " * 20, "utf-8")
    fragile = Fragile("poison")
    with Workspace.open(workspace.folder, embedders=lambda _: fragile, sandbox=sandbox) as opened:
        (files / "new.txt").write_text("All is well in the kitchen. " * 20, "utf-8")
        report = opened.index([files], SMALL)
        assert [(each.source, each.reason) for each in report.failures] == [
            (str(files / "list.txt"), "the embedding worker was killed")
        ]
        assert report.added == 1
        assert [each for each in export_of(opened) if "new.txt" not in str(each)][:5] == [
            each for each in before if "new.txt" not in str(each)
        ][:5]
        assert opened.document("list.txt").text.startswith("Item 0")
        assert opened.check().is_sound
        fragile.word = "\0"
        assert opened.index([files], SMALL, retry=True).changed == 1
        assert opened.waiting() == []


def test_an_embedder_that_always_dies_stops_the_run(
    tmp_path: Path, files: Path, sandbox: Sandbox
) -> None:
    fragile = Fragile("")
    with Workspace.open(tmp_path / "w", embedders=lambda _: fragile, sandbox=sandbox) as opened:
        report = opened.index([files], SMALL)
        assert "3 documents in a row" in report.stopped
        assert len(opened.waiting()) == 3
        assert opened.documents() == []


def test_cancelling_keeps_what_is_committed(workspace: Workspace, files: Path) -> None:
    for number in range(12):
        (files / f"more{number}.txt").write_text(f"Number {number} is here. " * 400, "utf-8")
    job = Job()
    seen: list[str] = []

    def acknowledge(identity: str, _: str) -> None:
        seen.append(identity)
        job.cancel()

    with pytest.raises(Cancelled):
        workspace.index([files], SMALL, job, acknowledge=acknowledge)
    assert {row.id for row in workspace.documents()} == set(seen)
    assert workspace.check().is_sound
    workspace.index([files], SMALL)
    assert len(workspace.documents()) == 17


def test_a_mailbox_that_was_cut_off_is_taken_up_again(workspace: Workspace, files: Path) -> None:
    """A file counts as known only when all its documents are there."""
    box = files / "box.mbox"
    box.write_text(
        "".join(
            f"From a@b Thu Jan  1 00:00:00 2026\nFrom: a@b\nSubject: {n}\n\n"
            + f"Letter {n} says this. " * 600 + "\n\n"
            for n in range(9)
        ),
        "utf-8",
    )  # fmt: skip
    job = Job()
    with pytest.raises(Cancelled):
        workspace.index([box], SMALL, job, acknowledge=lambda *_: job.cancel())
    assert 0 < len(workspace.documents()) < 9
    report = workspace.index([box], SMALL)
    assert len(workspace.documents()) == 9
    assert report.unchanged + report.added == 9
    assert report.unchanged > 0


def test_documents_without_a_file(workspace: Workspace) -> None:
    document = plain_document("Pasted text about lighthouses. " * 30)
    assert workspace.index([document], SMALL).added == 1
    assert workspace.index([document], SMALL).unchanged == 1
    assert workspace.index([document], COARSE).added == 1
    assert workspace.check().is_sound


def test_the_name_of_a_profile_does_not_decide(workspace: Workspace, files: Path) -> None:
    workspace.index([files], SMALL)
    report = workspace.index([files], replace(SMALL, name="renamed"))
    assert report.unchanged == 5
    assert [each.name for each in workspace.profiles()] == ["renamed"]
    assert workspace.index([files], SMALL.with_values({"max_size": 41})).added == 5


def test_the_default_profile_needs_no_name(workspace: Workspace, files: Path) -> None:
    assert workspace.index([files / "note.txt"]).profile_name == Profile.preset("auto-256").name


def test_a_mistyped_name_fails_and_does_not_wait(workspace: Workspace, files: Path) -> None:
    report = workspace.index([files / "nothing.txt", files / "note.txt"], SMALL)
    assert [failure.source for failure in report.failures] == [str(files / "nothing.txt")]
    assert (report.added, workspace.waiting()) == (1, [])


def test_removing_a_file_that_never_loaded_ends_the_trying(
    workspace: Workspace, files: Path
) -> None:
    (files / "bad.pdf").write_bytes(b"%PDF-1.7 nothing more")
    workspace.index([files], SMALL)
    assert workspace.remove([str(files / "bad.pdf")]) == 0
    assert workspace.waiting() == []
    with pytest.raises(WrongUsage, match="no document is called"):
        workspace.remove([str(files / "never.pdf")])


def test_a_text_that_moves_to_another_file_keeps_or_regains_its_vector(
    workspace: Workspace, files: Path
) -> None:
    """The first commit of the run frees the vector that the second one counts on."""
    text = (files / "note.txt").read_text("utf-8")
    workspace.index([files / "note.txt"], SMALL)
    (files / "note.txt").write_text("Something else is written here now.", "utf-8")
    (files / "other.txt").write_text(text, "utf-8")
    report = workspace.index([files / "note.txt", files / "other.txt"], SMALL)
    assert (report.added, report.changed, report.failures) == (1, 1, [])
    assert workspace.check().is_sound


def test_a_profile_whose_embedder_is_unknown_is_left_behind_and_told(
    workspace: Workspace, files: Path
) -> None:
    workspace.index([files], COARSE)
    workspace.index([files], SMALL)
    with workspace.store.transaction() as connection:
        connection.execute(
            "UPDATE profiles SET toml = replace(toml, 'hashing', 'forgotten') WHERE name = 'coarse'"
        )
    (files / "note.txt").write_text("A new note. " * 20, "utf-8")
    report = workspace.index([files], SMALL)
    assert report.changed == 1
    assert any("'coarse' was left behind" in note for note in report.notes)
    assert [work.attempts for work in workspace.waiting()] == [0]
    assert "profile" in workspace.check().counts


def test_a_full_disk_stops_the_run_and_what_was_committed_stands(
    workspace: Workspace, files: Path
) -> None:
    workspace.index([files], SMALL)
    before = export_of(workspace)
    (files / "story.md").write_text("A much longer story is told. " * 4000, "utf-8")
    writer = workspace.store.writer
    writer.pragma("max_page_count", writer.pragma("page_count") + 3)
    with pytest.raises(StorageFull, match="the disk is full"):
        workspace.index([files], SMALL)
    assert export_of(workspace) == before
    assert workspace.check().is_sound
    writer.pragma("max_page_count", 1 << 30)
    assert workspace.index([files], SMALL).changed == 1


def test_a_second_instance_is_told_at_once_that_it_cannot_index(
    workspace: Workspace, files: Path
) -> None:
    with (
        Workspace.open(workspace.folder, embedders=lambda _: pytest.fail("loaded")) as second,
        pytest.raises(ReadOnlyWorkspace, match="in use by process"),
    ):
        second.index([files], SMALL)
