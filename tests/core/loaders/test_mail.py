"""Mail as a reader sees it, within bounds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import LoadOptions, Source
from chunkscope.core.loaders.mail import is_mailbox, is_message
from chunkscope.core.loaders.mailbox import load_mailbox
from chunkscope.core.sandbox.watch import Watch
from support.parsing import check_draft, parse_all, parse_one, texts

HEAD = "From: Ada <ada@example.org>\nTo: Bob <bob@example.org>\n"


def message(body: str, extra: str = "Subject: Hi\n") -> str:
    return f"{HEAD}{extra}\n{body}"


def test_the_parts_of_a_plain_message() -> None:
    body = "Hello,\nBob.\n\nOn Monday, 3 May 2021, Bob wrote:\n> yes\n>> no\n\nBye\n\n-- \nAda\n"
    draft = parse_one(message(body, "Subject: =?utf-8?q?Caf=C3=A9?=\n"), "a.eml")
    assert draft.title == "Café"
    assert texts(draft, BlockKind.MAIL_HEADER) == [HEAD.strip()]
    assert texts(draft, BlockKind.SIGNATURE) == ["--\nAda"]
    levels = [block.level for block in draft.blocks.of_kind(BlockKind.QUOTE)]
    assert levels == [1, 2]
    assert draft.blocks.of_kind(BlockKind.MESSAGE)[0].name == "Ada"
    assert "Hello,\nBob." in draft.text


def multipart(kind: str, *parts: str) -> str:
    body = "".join(f"--b\n{part}\n" for part in parts)
    return message(f"{body}--b--\n", f'Content-Type: multipart/{kind}; boundary="b"\n')


def test_text_is_preferred_to_html_and_html_to_nothing() -> None:
    plain = "Content-Type: text/plain\n\nplain words"
    html = "Content-Type: text/html\n\n<p>html <b>words</b></p>"
    assert "plain words" in parse_one(multipart("alternative", plain, html), "a.eml").text
    draft = parse_one(multipart("alternative", html), "a.eml")
    assert "html words" in draft.text
    assert "<b>" not in draft.text


def test_attachments_are_listed_and_opened() -> None:
    csv = (
        'Content-Type: text/csv\nContent-Disposition: attachment; filename="a/../t.csv"\n\nx,y\n1,2'
    )
    png = (
        "Content-Type: image/png\nContent-Disposition: attachment; filename=p.png\n"
        "Content-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    )
    draft = parse_one(multipart("mixed", "Content-Type: text/plain\n\nsee", csv, png), "a.eml")
    assert [child.text.strip() for child in draft.children] == ["x,y\n1,2"]
    assert "t.csv (text/csv" in texts(draft, BlockKind.ATTACHMENTS)[0]
    assert any("p.png not read" in line for line in draft.warnings)


def test_encrypted_mail_says_so() -> None:
    draft = parse_one(
        multipart("encrypted", "Content-Type: application/octet-stream\n\nx"), "a.eml"
    )
    assert "encrypted" in draft.missing[0]


@pytest.mark.parametrize(
    "hostile",
    [
        f"From: {chr(34) * 100_000}\nSubject: x\n\nbody",
        "From: a@b.c\nSubject: " + "=?utf-8?q?=41?= " * 17_000 + "\n\nbody",
        "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(300))
        + "\n\nbody",
        'From: a@b.c\nContent-Type: multipart/mixed; boundary="b"\n\n' + "--b\n\nx\n" * 20_000,
        "From: a@b.c\nSubject: x\n\n" + "> " * 100_000,
    ],
    ids=["quotes", "words", "depth", "parts", "quoted"],
)
def test_hostile_mail_is_read_within_bounds(hostile: str) -> None:
    check_draft(parse_one(hostile, "a.eml"))


@pytest.mark.parametrize(
    "text",
    [
        "Subject to change: the dates.\nTo: be continued\n",
        "---\ntitle: x\ndate: y\n---\n\n# Head\n",
        "name: build\non: push\n",
        "Ada: hello\nBob: hi\nAda: how are you\n",
        "User-Agent: *\nDisallow: /\n",
        "From here on it rains.\nDate: unknown\n",
        "import os\n",
    ],
)
def test_other_texts_are_no_mail(text: str) -> None:
    assert not is_message(text.encode())
    assert not is_mailbox(text.encode())


def mailbox(*bodies: str) -> bytes:
    return "".join(
        f"From ada@example.org Mon May  3 10:0{n}:00 2021\n{HEAD}Subject: s{n}\n"
        f"Date: Mon, 3 May 2021 10:0{9 - n}:00 +0000\nMessage-ID: <{n}@x>\n\n{body}\n\n"
        for n, body in enumerate(bodies)
    ).encode()


def test_each_message_is_a_document_that_keeps_its_name() -> None:
    first = parse_all(mailbox("one", "two\n>From here"), "a.mbox")
    more = parse_all(mailbox("one", "two\n>From here", "three"), "a.mbox")
    assert [draft.part for draft in first] == ["message 1", "message 2"]
    assert [draft.text for draft in more[:2]] == [draft.text for draft in first]
    assert first[1].text.endswith("two\nFrom here")


def test_thread_view_is_one_document_by_date() -> None:
    draft = parse_one(mailbox("one", "two"), "a.mbox", LoadOptions(mail_view="thread"))
    assert draft.text.index("two") < draft.text.index("one")
    assert len(draft.blocks.of_kind(BlockKind.MESSAGE)) == 2


def test_a_lost_message_is_told_and_delivered_ones_are_not_repeated() -> None:
    watch = Watch(kept={"message 1": b""}, skipped={"message 2": "too slow"})
    drafts = list(load_mailbox(Source(mailbox("one", "two", "three"), "a.mbox"), watch))
    assert [draft.part for draft in drafts] == ["message 2", "message 3"]
    assert drafts[0].missing == ["too slow"]


def test_damaged_mail_is_read_or_refused() -> None:
    rng = random.Random(3)
    original = (paths.sample_docs() / "thread.mbox").read_bytes()
    for _ in range(100):
        data = bytearray(original)
        for _ in range(rng.randint(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            parse_all(bytes(data), "a.mbox")
        except LoadError as problem:
            assert problem.reason  # noqa: PT017 - both ways are right


def test_shared_mail_has_subjects(shared_data: Path) -> None:
    path = shared_data / "documents" / "mail" / "multi_charset" / "japanese_iso_2022.eml"
    draft = parse_one(path.read_bytes(), path.name)
    assert any(ord(char) > 0x3000 for char in draft.text)
