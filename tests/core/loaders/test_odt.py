"""OpenDocument text: content.xml in reading order."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkscope.core.loaders  # noqa: F401 - fills the registry
from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from support.parsing import block_with, parse_all, parse_one, texts

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
SPACES = 'xmlns:dc="http://purl.org/dc/elements/1.1/" ' + " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{uri}:1.0"'
    for name, uri in (("office", "office"), ("text", "text"), ("table", "table"))
)
START = f"<office:document-content {SPACES}><office:body><office:text>"
END = "</office:text></office:body></office:document-content>"


def packed(members: dict[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


def odt(body: str, start: str = START, end: str = END, **parts: str) -> bytes:
    members: dict[str, str | bytes] = {"mimetype": MEDIA_TYPE, "content.xml": start + body + end}
    return packed(members | dict(parts))


def para(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def row(*cells: str) -> str:
    inner = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
    return f"<table:table-row>{inner}</table:table-row>"


def test_headings_lists_and_chains() -> None:
    items = f"<text:list-item>{para('one')}<text:list><text:list-item>{para('two')}"
    body = (
        '<text:h text:outline-level="1">Top</text:h><text:h text:outline-level="2">Sub</text:h>'
        f"<text:list>{items}</text:list-item></text:list></text:list-item></text:list>"
        f"{para('end')}"
    )
    draft = parse_one(odt(body), "a.odt")
    assert draft.text == "Top\n\nSub\n\none\ntwo\n\nend"
    assert [(block.kind, block.level) for block in draft.blocks] == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
        (BlockKind.LIST_ITEM, 1),
        (BlockKind.LIST_ITEM, 2),
        (BlockKind.PARAGRAPH, None),
    ]
    assert block_with(draft, "end").heading_chain == ("Top", "Sub")
    assert (draft.title, draft.missing) == ("Top", [])


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("a<text:s/>b", "a b"),
        ('a<text:s text:c="3"/>b', "a   b"),
        ("a\n    b", "a b"),
        ("a<text:tab/>b<text:line-break/>c", "a\tb\nc"),
        ("<text:span>a</text:span><text:a>b</text:a>", "ab"),
        ("<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>ひがし</text:ruby-text>"
         "</text:ruby>", "東(ひがし)"),
    ],
)  # fmt: skip
def test_blanks_and_spans(inner: str, expected: str) -> None:
    assert parse_one(odt(para(inner)), "a.odt").text == expected


@pytest.mark.parametrize("level", ["", "x", "²", "0", "-4", "9" * 5_000, "4000000000"])
def test_odd_levels_and_counts_do_no_harm(level: str) -> None:
    body = f'<text:h text:outline-level="{level}">Top</text:h>' + para(
        f'a<text:s text:c="{level}"/>b'
    )
    draft = parse_one(odt(body), "a.odt")
    assert draft.blocks[0].kind is BlockKind.HEADING
    assert 1 <= (draft.blocks[0].level or 0) <= 99


def test_tables_notes_and_comments() -> None:
    note = (
        "<text:note><text:note-citation>9</text:note-citation>"
        f"<text:note-body>{para('the note')}</text:note-body></text:note>"
    )
    comment = (
        "<office:annotation><dc:creator>Ana</dc:creator><dc:date>2024-01-01</dc:date>"
        f"{para('why?')}</office:annotation>"
    )
    covered = f"<table:table-row><table:covered-table-cell/><table:table-cell>{para('z')}"
    table = (
        f"<table:table>{row(para('a'), para('b') + para('c'))}{covered}</table:table-cell>"
        f"</table:table-row></table:table>"
    )
    draft = parse_one(odt(para(f"x{note}y{comment}") + table), "a.odt")
    assert draft.text == "x[1]y\n\na\tb c\n\tz\n\n[1] the note\n\nAna: why?"
    assert texts(draft, BlockKind.TABLE) == ["a\tb c\n\tz"]
    assert texts(draft, BlockKind.TABLE_ROW) == ["a\tb c", "\tz"]
    assert texts(draft, BlockKind.FOOTNOTE) == ["[1] the note"]
    assert [block.name for block in draft.blocks.of_kind(BlockKind.COMMENT)] == ["Ana"]


def test_deleted_text_is_not_shown() -> None:
    changes = f"<text:tracked-changes>{para('gone')}</text:tracked-changes>"
    assert parse_one(odt(changes + para("kept")), "a.odt").text == "kept"


def test_a_table_inside_a_cell_is_flattened() -> None:
    inner = f"<table:table>{row(para('in'), para('ner'))}</table:table>"
    draft = parse_one(odt(f"<table:table>{row(para('a'), inner)}</table:table>"), "a.odt")
    assert draft.text == "a\tin ner"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (para("one") + "<text:p>tw", "one"),
        (para("one") + f"<table:table>{row(para('a'))}<table:table-row><table:table-cell>"
         f"{para('b')}<text:p>", "one\n\na\nb"),
        (f"<text:p>one<text:note><text:note-body>{para('n')}<", "one[1]\n\n[1] n"),
    ],
)  # fmt: skip
def test_a_text_that_breaks_off_keeps_its_beginning(body: str, expected: str) -> None:
    draft = parse_one(odt(body, end=""), "a.odt")
    assert draft.text.startswith(expected)
    assert draft.missing[0].startswith("what follows a damaged place in the text")


def test_rows_outside_of_a_table_are_paragraphs() -> None:
    assert parse_one(odt(row(para("a"), para("b"))), "a.odt").text == "a\n\nb"


def test_what_cannot_be_read_is_refused_in_a_sentence() -> None:
    doctype = '<!DOCTYPE x [<!ENTITY a "x">]>'
    with pytest.raises(LoadError, match="DOCTYPE"):
        parse_one(odt(para("&a;"), start=doctype + START), "a.odt")
    with pytest.raises(LoadError, match=r"lacks its part content\.xml"):
        parse_one(packed({"mimetype": MEDIA_TYPE}), "a.odt")
    manifest = {"META-INF/manifest.xml": "<manifest:encryption-data/>"}
    with pytest.raises(LoadError, match="protected by a password"):
        parse_one(odt("", **manifest), "a.odt")
    with pytest.raises(LoadError, match="zip bombs"):
        parse_one(odt(para("A" * 30_000_000)), "a.odt")


def test_the_sample_minutes_are_complete() -> None:
    draft = parse_one((paths.sample_docs() / "minutes.odt").read_bytes(), "minutes.odt")
    assert (draft.missing, draft.warnings) == ([], [])
    assert draft.title == "Minutes of the Reading Room Committee"
    assert draft.metadata["author"] == "Abiola Adeyemi"
    assert len(texts(draft, BlockKind.LIST_ITEM)) == len(texts(draft, BlockKind.TABLE_ROW)) == 4
    assert block_with(draft, "flicker").heading_chain == (draft.title, "Lamps")
    assert draft.text.endswith("[1] Two members were on the late train and came at half past six.")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 30), st.binary(max_size=6)),
        min_size=1,
        max_size=8,
    )
)
def test_mutated_documents_load_or_are_refused(changes: list[tuple[int, int, bytes]]) -> None:
    with zipfile.ZipFile(paths.sample_docs() / "minutes.odt") as archive:
        content = bytearray(archive.read("content.xml"))
    for at, length, new in changes:
        start = at % len(content)
        content[start : start + length] = new
    try:
        parse_all(packed({"mimetype": MEDIA_TYPE, "content.xml": bytes(content)}), "a.odt")
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right
