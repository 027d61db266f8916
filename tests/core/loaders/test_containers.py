"""Zip-based formats: DOCX, ODT and EPUB, with the tricks that archives can play."""

from __future__ import annotations

import io
import random
import zipfile

import pytest
from docx import Document as WordDocument

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from support.parsing import block_with, parse_one, texts

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument"/></Relationships>'
)


def archive(**members: str | bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return stream.getvalue()


def docx(body: str, prolog: str = "") -> bytes:
    return archive(
        **{
            "[Content_Types].xml": TYPES,
            "_rels/.rels": RELATIONS,
            "word/document.xml": f"{prolog}<w:document {W}><w:body>{body}</w:body></w:document>",
        }
    )


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_word_structure() -> None:
    made = WordDocument()
    made.add_heading("Top", level=1)
    made.add_paragraph("one")
    made.add_heading("Sub", level=2)
    made.add_paragraph("item", style="List Bullet")
    table = made.add_table(rows=2, cols=2)
    for row, values in zip(table.rows, (("a", "b"), ("1", "2")), strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    made.add_paragraph("last")
    stream = io.BytesIO()
    made.save(stream)
    draft = parse_one(stream.getvalue(), "a.docx")
    assert texts(draft, BlockKind.TABLE_ROW) == ["a\tb", "1\t2"]
    assert block_with(draft, "last").heading_chain == ("Top", "Sub")
    assert texts(draft, BlockKind.LIST_ITEM)[0].endswith("item")
    assert draft.missing == []


def test_word_shows_what_a_reader_sees() -> None:
    body = (
        f"<w:p>{run('kept ')}<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        f"<w:ins>{run('inserted')}</w:ins></w:p>"
        f"<w:p><w:r><w:instrText>PAGE</w:instrText></w:r>{run('shown')}</w:p>"
    )
    assert parse_one(docx(body), "a.docx").text == "kept inserted\n\nshown"


def test_word_with_a_doctype_is_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    with pytest.raises(LoadError, match="DOCTYPE"):
        parse_one(docx(f"<w:p>{run('x')}</w:p>", bomb), "a.docx")


def test_a_damaged_text_keeps_its_beginning() -> None:
    whole = docx("".join(f"<w:p>{run(f'paragraph {n}')}</w:p>" for n in range(50)))
    with zipfile.ZipFile(io.BytesIO(whole)) as read:
        document = read.read("word/document.xml")
    broken = archive(
        **{
            "[Content_Types].xml": TYPES,
            "_rels/.rels": RELATIONS,
            "word/document.xml": document[: len(document) // 2],
        }
    )
    draft = parse_one(broken, "a.docx")
    assert draft.text.startswith("paragraph 0\n\nparagraph 1")
    assert "damaged" in draft.missing[0]


def test_a_zip_bomb_is_refused() -> None:
    body = f"<w:p>{run('A' * 50_000_000)}</w:p>"
    with pytest.raises(LoadError):
        parse_one(docx(body), "a.docx")


def test_archives_that_are_no_documents() -> None:
    with pytest.raises(LoadError, match="unpack it"):
        parse_one(archive(**{"a.txt": "x"}), "a.docx")
    with pytest.raises(LoadError, match="damaged zip"):
        parse_one(b"PK\x03\x04 and nothing more", "a.docx")


def test_many_paragraphs_take_linear_time() -> None:
    draft = parse_one(docx(f"<w:p>{run('x')}</w:p>" * 50_000), "a.docx")
    assert len(draft.blocks) == 50_000


def test_odt() -> None:
    spaces = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    )
    content = (
        f"<office:document-content {spaces}><office:body><office:text>"
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        '<text:h text:outline-level="1">Minutes</text:h>'
        '<text:p>Present:<text:s text:c="2"/>all<text:note><text:note-citation>1'
        "</text:note-citation><text:note-body><text:p>But Omar.</text:p></text:note-body>"
        "</text:note></text:p><text:list><text:list-item><text:p>soil</text:p></text:list-item>"
        "</text:list><table:table><table:table-row><table:table-cell><text:p>a</text:p>"
        "</table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>"
        "</table:table-row></table:table></office:text></office:body></office:document-content>"
    )
    data = archive(
        **{"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}
    )
    draft = parse_one(data, "a.odt")
    assert draft.text == "Minutes\n\nPresent:  all[1]\n\nsoil\n\na\tb\n\n[1] But Omar."
    assert block_with(draft, "soil").heading_chain == ("Minutes",)
    assert texts(draft, BlockKind.FOOTNOTE) == ["[1] But Omar."]


def epub(*chapters: str, entity: str = "") -> bytes:
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml"/>' for n in range(3))
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    return archive(
        **{
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<c><rootfile full-path="o/p.opf"/></c>',
            "o/p.opf": f"{entity}<p><manifest>{items}</manifest><spine>{spine}</spine></p>",
            "o/c0.xhtml": "<html><body><h1>Zero</h1><p>nought</p></body></html>",
            "o/c1.xhtml": "<html><body><h1>One</h1><p>first</p></body></html>",
        }
    )


def test_epub_follows_the_spine() -> None:
    draft = parse_one(epub("c1", "c0"), "a.epub")
    assert draft.text == "One\n\nfirst\n\nZero\n\nnought"
    assert block_with(draft, "nought").heading_chain == ("Zero",)


def test_epub_tells_of_a_missing_chapter_and_refuses_entities() -> None:
    assert "chapter 2" in parse_one(epub("c0", "c2"), "a.epub").missing[0]
    with pytest.raises(LoadError, match="DOCTYPE"):
        parse_one(epub("c0", entity='<!DOCTYPE p [<!ENTITY a "x">]>'), "a.epub")


def test_rtf() -> None:
    draft = parse_one(rb"{\rtf1\ansi One \b bold\b0\par Gr\'f6\'dfe\par}", "a.rtf")
    assert draft.text == "One bold\n\nGröße"


def test_damaged_word_files_are_read_or_refused() -> None:
    rng = random.Random(2)
    original = (paths.sample_docs() / "contract.docx").read_bytes()
    for _ in range(100):
        data = bytearray(original)
        for _ in range(rng.randint(1, 10)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            parse_one(bytes(data), "a.docx")
        except LoadError as problem:
            assert problem.reason  # noqa: PT017 - both ways are right
