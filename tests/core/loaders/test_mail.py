"""A message reads as its reader sees it; what is attached to it stands beside it."""

from __future__ import annotations

import time
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkscope.core.loaders  # noqa: F401
from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft
from chunkscope.core.loaders.mail.loader import is_mailbox, is_message
from support.parsing import block_with, parse_all, parse_one, texts

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
HEAD = "From: Ada Byron <ada@museum.example>\nTo: bo@museum.example\nSubject: Lamps\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0" * 3


def mail(body: str, fields: str = "") -> Draft:
    return parse_one(f"{HEAD}{fields}\n{body}", "a.eml")


def multipart(*parts: str, kind: str = "mixed") -> Draft:
    body = "".join(f"--edge\n{part}\n" for part in parts) + "--edge--\n"
    return mail(body, f"Content-Type: multipart/{kind}; boundary=edge\n")


def body_of(draft: Draft) -> str:
    """All below the header block."""
    (header,) = draft.blocks.of_kind(BlockKind.MAIL_HEADER)
    return draft.text[header.end :].strip("\n")


def quotes(draft: Draft) -> list[tuple[int | None, str]]:
    found = draft.blocks.of_kind(BlockKind.QUOTE)
    return [(block.level, draft.text[block.start : block.end]) for block in found]


def test_subject_is_the_heading_above_the_header_block() -> None:
    draft = mail("Dear Bo,\n\nthe lamps are here.\n", "Date: Mon, 03 Mar 2025 09:12:00 +0100\n")
    header = (
        "From: Ada Byron <ada@museum.example>\nTo: bo@museum.example\n"
        "Date: Mon, 03 Mar 2025 09:12:00 +0100"
    )
    assert draft.text == f"Lamps\n\n{header}\n\nDear Bo,\n\nthe lamps are here."
    message, heading, fields, *paragraphs = draft.blocks
    assert (message.kind, message.name) == (BlockKind.MESSAGE, "Ada Byron")
    assert (message.start, message.end) == (0, len(draft.text))
    assert (heading.kind, heading.level, heading.name) == (BlockKind.HEADING, 1, "Lamps")
    assert (fields.kind, fields.start, fields.end) == (BlockKind.MAIL_HEADER, 7, 7 + len(header))
    assert [block.kind for block in paragraphs] == [BlockKind.PARAGRAPH] * 2
    assert {block.heading_chain for block in (fields, *paragraphs)} == {("Lamps",)}
    assert draft.title == "Lamps"
    assert draft.metadata["date"] == "2025-03-03T09:12:00+01:00"
    assert (draft.missing, draft.warnings) == ([], [])


def test_quotes_have_levels_and_include_who_wrote_them() -> None:
    draft = mail(
        "Yes.\n\nOn Mon, 3 Mar 2025 at 11:40, Bo wrote:\n> Good.\n"
        "> On Mon, 3 Mar 2025 at 09:12, Ada wrote:\n>> Lamps?\n\nBye.\n"
    )
    inner = "> On Mon, 3 Mar 2025 at 09:12, Ada wrote:\n>> Lamps?"
    outer = f"On Mon, 3 Mar 2025 at 11:40, Bo wrote:\n> Good.\n{inner}"
    assert quotes(draft) == [(1, outer), (2, inner)]
    assert texts(draft, BlockKind.PARAGRAPH)[-1] == "Bye."


def test_a_quote_is_outside_of_its_paragraph() -> None:
    draft = mail("Yes.\n\n> Good.\n")
    kinds = [block.kind for block in draft.blocks if draft.text[block.start] == ">"]
    assert kinds == [BlockKind.QUOTE, BlockKind.PARAGRAPH]


def test_all_below_an_original_message_line_is_quoted() -> None:
    below = "-----Original Message-----\nFrom: Bo\nSent: Monday\nTo: Ada\n\nHow many?"
    assert quotes(mail(f"Nine.\n\n{below}\n")) == [(1, below)]


def test_signature() -> None:
    draft = mail("Hello.\n\n-- \nAda\n\nRoom 4\n")
    assert texts(draft, BlockKind.SIGNATURE) == ["--\nAda\n\nRoom 4"]
    dashes = mail("One\n--\n" + "many more lines\n" * 30)
    assert texts(dashes, BlockKind.SIGNATURE) == []


PLAIN = "Content-Type: text/plain\n\nplain words\n"
HTML = "Content-Type: text/html\n\n<h2>Rich</h2><p>rich words</p>\n"


def test_plain_text_is_taken_over_html() -> None:
    assert body_of(multipart(PLAIN, HTML, kind="alternative")) == "plain words"
    pointer = "Content-Type: text/plain\n\nPlease view this e-mail in an HTML viewer.\n"
    assert body_of(multipart(pointer, HTML, kind="alternative")) == "Rich\n\nrich words"


def test_html_alone_is_read() -> None:
    draft = mail("<h2>Rich</h2><p>rich <b>words</b></p>", "Content-Type: text/html\n")
    assert body_of(draft) == "Rich\n\nrich words"
    assert block_with(draft, "rich words").heading_chain == ("Lamps", "Rich")


def test_flowed_lines_are_joined() -> None:
    kind = "Content-Type: text/plain; format=flowed"
    draft = mail("one \ntwo\nthree\n> four \n> five\n\n-- \nAda\n", f"{kind}\n")
    assert body_of(draft) == "one two\nthree\n> four five\n\n--\nAda"
    assert quotes(draft) == [(1, "> four five")]
    assert body_of(mail("foot \nball\n", f"{kind}; delsp=yes\n")) == "football"


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("iso-8859-1", "“Lampe” für 5 €"),
        ("koi8-r", "Привет, музей"),
        ("iso-2022-jp", "架空の地図"),
        ("gb2312", "博物馆的灯"),
        ("shift_jis", "展覧会"),
        ("utf-7", "café"),
    ],
)
def test_charsets(charset: str, text: str) -> None:
    codec = "cp1252" if charset == "iso-8859-1" else charset
    fields = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n"
    draft = mail(b64encode(text.encode(codec)).decode(), fields)
    assert body_of(draft) == text
    assert draft.missing == []


def test_an_unknown_charset_is_told() -> None:
    draft = mail("caf\u00e9", "Content-Type: text/plain; charset=x-klingon\n")
    assert body_of(draft) == "café"
    assert "unknown charset 'x-klingon'" in draft.warnings[0]


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("=?utf-8?q?Caf=C3=A9_=26_more?=", "Café & more"),
        ("=?utf-8?b?5p62?= =?utf-8?b?56m6?=", "架空"),
        ("=?utf-8?b?5p4=?= =?utf-8?b?tg==?=", "架"),  # cut inside a character
        ("=?iso-8859-1?q?Lampe_f=FCr?= Bo", "Lampe für Bo"),
        ("=?utf-8?q?8_=F0=9F=92=A1?=", "8 💡"),
        ("one\n two", "one two"),
        ("=?nonsense", "=?nonsense"),
    ],
)
def test_encoded_words(field: str, shown: str) -> None:
    draft = parse_one(f"From: ada@museum.example\nSubject: {field}\n\nHi\n", "a.eml")
    assert draft.title == shown
    assert texts(draft, BlockKind.HEADING) == [shown]


def test_attachments_are_children() -> None:
    table = (
        "Content-Type: text/csv; charset=utf-8\n"
        "Content-Disposition: attachment;\n filename*0*=utf-8''caf%C3%A9%20;\n"
        " filename*1=sizes.csv\n\nroom,lux\nE12,45\n"
    )
    nested = f"Content-Type: message/rfc822\n\n{HEAD.replace('Lamps', 'Inner')}\nInner words\n"
    picture = (
        'Content-Type: image/png; name="../../lamp.png"\nContent-Transfer-Encoding: base64\n'
        f"Content-Disposition: attachment\n\n{b64encode(PNG).decode()}\n"
    )
    draft = multipart(PLAIN, table, nested, picture)
    (listed,) = texts(draft, BlockKind.ATTACHMENTS)
    lines = listed.split("\n")
    assert lines[:2] == ["Attachments:", "café sizes.csv (text/csv, 16 bytes)"]
    assert lines[2].startswith("message 2.eml (message/rfc822, ")
    assert lines[3] == f"lamp.png (image/png, {len(PNG)} bytes)"
    rows, inner = draft.children
    assert (rows.part, rows.media_type) == ("attachment 1: café sizes.csv", "text/csv")
    assert texts(rows, BlockKind.TABLE_ROW) == ["room,lux", "E12,45"]
    assert (inner.part, inner.title) == ("attachment 2: message 2.eml", "Inner")
    assert body_of(inner) == "Inner words"
    assert len(draft.warnings) == 1
    assert draft.warnings[0].startswith("attachment lamp.png not read: is not text")
    assert draft.missing == []


def test_what_is_encrypted_is_missing() -> None:
    pgp = multipart(
        "Content-Type: application/pgp-encrypted\n\nVersion: 1\n",
        "Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n",
        kind="encrypted",
    )
    assert pgp.missing == ["the message is encrypted (PGP): its text cannot be read"]
    smime = mail("MIIB", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n")
    assert smime.missing == ["the message is encrypted (S/MIME): its text cannot be read"]
    assert pgp.children == smime.children == []


def test_broken_wrapping_is_told() -> None:
    base64 = "Content-Transfer-Encoding: base64\n"
    assert mail("aGVsbG8=\n", base64).missing == []
    strange = mail("aGVs!!bG8=\n", base64)
    assert body_of(strange) == "hello"
    assert strange.missing == ["2 characters that are not base64 were left out"]
    cut = mail("aGVsbG8gd29yb", base64)
    assert cut.text.endswith("hello wor")
    assert cut.missing == ["the base64 encoding is broken: up to one byte is lost"]
    quoted = mail("50=% caf=C3=A9\n", "Content-Transfer-Encoding: quoted-printable\n")
    assert body_of(quoted) == "50=% café"
    assert quoted.missing == ["broken quoted-printable shown as it stands (1 place)"]


@pytest.mark.parametrize(
    "text",
    [
        "From: a@b.example\nSubject: x\n\nHi",
        "\ufeffReceived: from x\n\tby y\r\nDate: today\r\n\r\nHi",
        "X-Spam: no\nMessage-ID: <1@b.example>\nTo: c\n\n",
        "From a@b.example Mon Mar  3 09:12:00 2025\nFrom: a@b.example\nTo: c\n\n",
    ],
)
def test_a_message_is_recognised(text: str) -> None:
    assert is_message(text.encode())
    assert parse_one(text).media_type == "message/rfc822"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "From the door: a view\nTo the window: a walk\n",
        "From Monday we open at 10:00.\nTickets: at the door\n",
        "From ada@museum.example I heard\nNote: nothing new\n",
        "---\ntitle: Lamps\ndate: 2025-03-03\nsubject: light\n---\n\nText\n",
        "name: lamps\ndate: 2025-03-03\n",
        "date: 2025-03-03\nsubject: lamps\nto: Bo\n",
        "Ada: Hello Bo\nBo: Hello Ada\nAda: Lamps?\n",
        "User-agent: *\nDisallow: /private\nUser-agent: Bot\nAllow: /\n",
        "from email import message\nsubject: str = 'x'\n",
        "2025-03-03 09:12:00 INFO From: ada To: bo\n2025-03-03 09:13:00 INFO Date: x\n",
        "Subject to change: the dates.\nTo: be continued\n",
        "name: build\non: push\n",
        "From here on it rains.\nDate: unknown\n",
        "Date: 3 March\n\nSubject: is below a blank line\n",
    ],
)
def test_other_text_is_not_mail(text: str) -> None:
    assert not is_message(text.encode())
    assert not is_mailbox(text.encode())
    assert parse_one(text).media_type != "message/rfc822"


def nested(levels: int) -> str:
    opened = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(levels)
    )
    closed = "".join(f"\n--b{n}--" for n in reversed(range(levels)))
    return f"{HEAD}{opened}\ndeep words{closed}\n"


MANY = f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 10_001 + "--b--\n"
MARKS = '"' * 100_000
WORDS = "=?utf-8?q?=C3=A9?= " * 15_000
REST = "the headers are too long; some were not read"
CUT = "is too long and was shortened"
HOSTILE = {
    "quotes": (f"From: {MARKS}\n{HEAD}\nHi\n", [f"the field From {CUT}"], ""),
    "words": (f"Subject: {WORDS}\n{HEAD}\nHi\n", [f"the field Subject {CUT}", REST], ""),
    "unseen": (f"X-Scan: {MARKS}\n{HEAD}\nHi\n", [], "the field X-Scan is too long"),
    "quoted": (f"{HEAD}\n{'> ' * 100_000}words\n", [], ""),
    "levels": (nested(60), ["parts nested deeper than 50 levels were left out"], ""),
    "300 levels": (nested(300), ["parts nested deeper than 50 levels were left out"], ""),
    "parts": (MANY, ["more than 10,000 parts: the rest was left out"], ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_messages_are_read_quickly(name: str) -> None:
    data, missing, warning = HOSTILE[name]
    began = time.perf_counter()
    draft = parse_one(data, "a.eml")
    assert time.perf_counter() - began < 2
    assert draft.missing == missing
    assert [line for line in draft.warnings if line.startswith(warning)] or not warning


def test_the_sample_is_complete() -> None:
    path = paths.sample_docs() / "enquiry.eml"
    draft = parse_one(path.read_bytes(), path.name)
    assert draft.title == "Enquiry about wall labels – café and rooms"
    assert [child.title for child in draft.children] == ["wall sizes café.csv"]
    assert (draft.missing, draft.warnings) == ([], [])


SEED = (paths.sample_docs() / "enquiry.eml").read_bytes()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SEED)), st.binary(max_size=6)), max_size=12))
def test_mutations_raise_nothing_but_load_errors(changes: list[tuple[int, bytes]]) -> None:
    data = bytearray(SEED)
    for at, piece in changes:
        data[at : at + len(piece)] = piece
    try:
        drafts = parse_all(bytes(data), "a.eml")
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right
    else:
        assert len(drafts) == 1


def test_shared_messages_parse() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared evaluation data is not beside this checkout")
    files = sorted((SHARED / "documents").rglob("*.eml"))
    assert len(files) > 100
    for path in files:
        (draft,) = parse_all(path.read_bytes(), path.name)
        assert draft.media_type == "message/rfc822", path.name
        assert draft.text, path.name
        if path.name == "japanese_iso_2022.eml":
            assert any(ord(char) > 0x3000 for char in draft.text)
