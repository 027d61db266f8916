"""A mailbox is its messages, or one document of threads; no message costs another."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkscope.core.loaders  # noqa: F401
from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, LoadOptions, Source
from chunkscope.core.loaders.mail.loader import is_mailbox
from chunkscope.core.loaders.mail.mailbox import split_mailbox
from chunkscope.core.loaders.run import parse
from chunkscope.core.sandbox.watch import Watch
from support.parsing import check_draft, parse_all, parse_one, texts

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
SAMPLE = (paths.sample_docs() / "thread.mbox").read_bytes()
THREAD = LoadOptions(mail_view="thread")


def letter(subject: str, day: int = 0, number: str = "", answers: str = "", body: str = "") -> str:
    """One message of a mailbox, its separator before it."""
    fields = ["From: Ada <ada@museum.example>"]
    fields += [f"Subject: {subject}"] * bool(subject)
    fields += [f"Date: {day:02} Mar 2025 09:00:00 +0000"] * bool(day)
    fields += [f"Message-ID: <{number}@museum.example>"] * bool(number)
    fields += [f"References: <{answers}@museum.example>"] * bool(answers)
    envelope = "From ada@museum.example Mon Mar  3 09:12:00 2025"
    return "\n".join([envelope, *fields, "", body or f"Words of {subject or number}.", "", ""])


def titles(box: str) -> list[str]:
    """The subjects in the order of the thread view."""
    return texts(parse_one(box, "a.mbox", THREAD), BlockKind.HEADING)


class Notes(Watch):
    """Remembers what a loader reports, and plays an earlier worker's part."""

    def __init__(
        self,
        kept: dict[str, bytes | bytearray] | None = None,
        skipped: dict[str, str] | None = None,
    ) -> None:
        super().__init__(kept=kept, skipped=skipped)
        self.seen: list[tuple[str, str]] = []

    def begin(self, key: str) -> None:
        self.seen.append(("begin", key))

    def keep(self, key: str, blob: bytes) -> None:
        self.seen.append(("keep", key))


def watched(data: str | bytes, watch: Watch, options: LoadOptions | None = None) -> list[Draft]:
    raw = data.encode() if isinstance(data, str) else data
    drafts = list(parse(Source(raw, "a.mbox", options or LoadOptions()), watch))
    for draft in drafts:
        check_draft(draft)
    return drafts


def test_each_message_is_a_document() -> None:
    first, second = parse_all(letter("Lamps") + letter("Blinds"), "a.mbox")
    assert [first.part, second.part] == ["message 1", "message 2"]
    assert first.text == "Lamps\n\nFrom: Ada <ada@museum.example>\n\nWords of Lamps."
    assert second.text == "Blinds\n\nFrom: Ada <ada@museum.example>\n\nWords of Blinds."
    assert {first.media_type, second.media_type} == {"message/rfc822"}


def test_the_sample_as_messages() -> None:
    drafts = parse_all(SAMPLE, "thread.mbox")
    assert [draft.part for draft in drafts] == [f"message {n}" for n in range(1, 6)]
    plan = 'Exposição "Mapas imaginários" autumn plan'
    again = f"Re: {plan}"
    assert [draft.title for draft in drafts] == [
        plan, again, "Re: 展覧会「架空の地図」", again, again
    ]  # fmt: skip
    assert all(not draft.missing and not draft.warnings for draft in drafts)
    levels = [[quote.level for quote in d.blocks.of_kind(BlockKind.QUOTE)] for d in drafts]
    assert levels == [[], [1, 1], [1, 2], [], [1, 2]]
    assert [len(texts(draft, BlockKind.SIGNATURE)) for draft in drafts] == [1, 1, 0, 1, 1]
    assert [[child.part for child in draft.children] for draft in drafts] == [
        [], [], [], ["attachment 1: objects.txt"], []
    ]  # fmt: skip
    assert "👍" in drafts[1].text


def test_the_sample_as_a_thread() -> None:
    draft = parse_one(SAMPLE, "thread.mbox", THREAD)
    messages = parse_all(SAMPLE, "thread.mbox")
    assert draft.text == "\n\n".join(message.text for message in messages)
    assert draft.media_type == "application/mbox"
    assert draft.metadata == {"messages": "5"}
    assert [child.part for child in draft.children] == ["message 4#attachment 1: objects.txt"]
    senders = [block.name for block in draft.blocks.of_kind(BlockKind.MESSAGE)]
    assert senders == ["Inês Carvalho", "Tomas Lind", "森田英", "Inês Carvalho", "Tomas Lind"]
    last = draft.blocks.of_kind(BlockKind.SIGNATURE)[-1]
    assert last.heading_chain == (messages[-1].title,)
    assert draft.missing == []


def test_threads_are_grouped_and_in_order() -> None:
    box = (
        letter("Re: Lamps", 5, "l2", "l1")
        + letter("Blinds", 4, "b1")
        + letter("Lamps", 3, "l1")
        + letter("New words", 7, "l3", "l2")
        + letter("AW: Blinds", 6)
    )
    assert titles(box) == ["Lamps", "Re: Lamps", "New words", "Blinds", "AW: Blinds"]


def test_dates_are_compared_across_zones() -> None:
    early = letter("Lamps", 3, "a").replace("09:00:00 +0000", "12:00:00 +0900")
    assert titles(letter("Re: Lamps", 3, "b", "a") + early) == ["Lamps", "Re: Lamps"]


def test_messages_without_a_date_stay_in_their_place() -> None:
    box = letter("Lamps", 3, "a") + letter("Re: Lamps", 0, "b", "a") + letter("Blinds", 2, "c")
    assert titles(box) == ["Blinds", "Lamps", "Re: Lamps"]


def test_messages_without_a_subject_are_not_one_thread() -> None:
    box = letter("", 3, "a") + letter("Lamps", 4, "b") + letter("", 5, "c")
    draft = parse_one(box, "a.mbox", THREAD)
    assert [line for line in draft.text.split("\n") if line.startswith("Words")] == [
        "Words of a.", "Words of Lamps.", "Words of c."
    ]  # fmt: skip


def test_escaped_from_lines() -> None:
    body = ">From here on.\n>>From a quote.\n> From a friend."
    draft = parse_one(letter("Lamps", body=body), "a.mbox")
    assert draft.text.endswith("From here on.\n>From a quote.\n> From a friend.")


def test_a_sentence_is_no_separator() -> None:
    body = "One.\n\nFrom my side all is ready.\nNo field here.\n\nFrom 10:00 we open."
    draft = parse_one(letter("Lamps", body=body), "a.mbox")
    assert draft.text.endswith(body)


def test_separators() -> None:
    bare = (
        b"From ada Mon Mar  3 09:12:00 2025\n\none\n\nFrom bo Tue Mar  4 09:12:00 2025\r\n\ntwo\n"
    )
    assert list(split_mailbox(bare)) == [b"\none\n\n", b"\ntwo\n"]
    assert is_mailbox(bare)
    assert is_mailbox(b"From - Mon Mar  3 09:12:00 2025\nX-Mozilla-Status: 1\n")
    assert is_mailbox(b"From ada@museum.example\nFrom: a\nTo: b\n\n")
    crlf = (letter("Lamps") + letter("Blinds")).replace("\n", "\r\n").encode()
    assert [draft.title for draft in parse_all(crlf, "a.mbox")] == ["Lamps", "Blinds"]


def test_appended_messages_leave_the_others_alone() -> None:
    box = letter("Lamps") + letter("Lamps") + letter("Blinds")
    before, after = parse_all(box, "a.mbox"), parse_all(box + letter("Labels"), "a.mbox")
    assert [(d.part, d.text) for d in after[:3]] == [(d.part, d.text) for d in before]
    assert after[3].part == "message 4"


def test_finished_messages_are_kept_and_not_read_again() -> None:
    box = letter("Lamps") + letter("Blinds")
    watch = Notes()
    watched(box, watch)
    keys = ("message 1", "message 2")
    assert watch.seen == [(what, key) for key in keys for what in ("begin", "keep")]
    again = Notes(kept={"message 1": b""})
    assert [draft.part for draft in watched(box, again)] == ["message 2"]
    assert again.seen == [("begin", "message 2"), ("keep", "message 2")]
    thread = watched(box, Notes(kept={"message 1": b""}), THREAD)
    assert texts(thread[0], BlockKind.HEADING) == ["Lamps", "Blinds"]


def test_a_message_that_must_be_left_out_is_missing() -> None:
    box = letter("Lamps") + letter("Blinds")
    lost, other = watched(box, Notes(skipped={"message 1": "took too long"}))
    assert (lost.part, lost.text, lost.missing) == ("message 1", "", ["took too long"])
    assert (other.title, other.missing) == ("Blinds", [])
    (thread,) = watched(box, Notes(skipped={"message 1": "took too long"}), THREAD)
    assert thread.missing == ["message 1: took too long"]


def test_an_attachment_that_must_be_left_out_costs_no_message() -> None:
    key = "message 4/attachment 1: objects.txt"
    watch = Notes(skipped={key: "took too long"})
    fourth = watched(SAMPLE, watch)[3]
    assert fourth.missing == ["attachment objects.txt not read: took too long"]
    assert "Thank you both." in fourth.text
    plain = Notes()
    watched(SAMPLE, plain)
    assert ("begin", key) in plain.seen


@pytest.mark.parametrize("options", [LoadOptions(), THREAD, LoadOptions(format="mbox")])
def test_an_empty_mailbox(options: LoadOptions) -> None:
    draft = parse_one(b"", "a.mbox", options)
    assert (draft.text, len(draft.blocks), draft.missing) == ("", 0, [])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(SAMPLE)), st.binary(max_size=6)), max_size=12),
    st.integers(0, len(SAMPLE)),
    st.sampled_from(["messages", "thread"]),
)
def test_mutations_raise_nothing_but_load_errors(
    changes: list[tuple[int, bytes]], length: int, view: str
) -> None:
    data = bytearray(SAMPLE)
    for at, piece in changes:
        data[at : at + len(piece)] = piece
    for raw in (bytes(data), bytes(data[:length])):
        try:
            drafts = parse_all(raw, "a.mbox", LoadOptions(mail_view=view))
        except LoadError as problem:
            assert problem.reason  # noqa: PT017 - both ways are right
        else:
            assert len(drafts) >= 1


def test_shared_mailboxes_parse() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared evaluation data is not beside this checkout")
    files = sorted((SHARED / "documents").rglob("*.mbox"))
    counts = {path.name: len(parse_all(path.read_bytes(), path.name)) for path in files}
    assert {name: count for name, count in counts.items() if count > 1} == {
        "complex.mbox": 3,
        "simple.mbox": 2,
    }
    assert len(counts) >= 9
    for path in files:
        assert parse_one(path.read_bytes(), path.name, THREAD).text, path.name
