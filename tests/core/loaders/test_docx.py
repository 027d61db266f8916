"""Word documents: what a reader sees, in order, and what damage does to it."""

from __future__ import annotations

import io
import time
import unicodedata
import zipfile
from typing import Any

import pytest
from docx import Document as WordDocument
from hypothesis import given, settings
from hypothesis import strategies as st

import chunkscope.core.loaders  # noqa: F401 - fills the registry
from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from support.parsing import block_with, parse_all, parse_one, texts

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f'xmlns:r="{OFFICE}"'
)
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def packed(members: dict[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return held.getvalue()


def relations(*pairs: tuple[str, str]) -> str:
    """Relations r1, r2, … of (kind, target)."""
    listed = "".join(
        f'<Relationship Id="r{at}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(pairs, start=1)
    )
    return f'<Relationships xmlns="{RELATIONS}">{listed}</Relationships>'


def docx(body: str, prolog: str = "", **parts: str) -> bytes:
    """A document from its body; further parts are named by the kind of their relation."""
    document = f"{prolog}<w:document {SPACES}><w:body>{body}</w:body></w:document>"
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": relations(("officeDocument", "word/document.xml")),
        "word/document.xml": document,
        "word/_rels/document.xml.rels": relations(*((kind, f"{kind}.xml") for kind in parts)),
    }
    return packed(members | {f"word/{kind}.xml": xml for kind, xml in parts.items()})


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def para(*content: str) -> str:
    return f"<w:p>{''.join(content)}</w:p>"


def numbering(levels: list[tuple[str, str]], more: str = "") -> str:
    """A numbering part with one list, number 1, of (form, template) for each level."""
    listed = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{template}"/></w:lvl>'
        for at, (form, template) in enumerate(levels)
    )
    return (
        f'<w:numbering {SPACES}><w:abstractNum w:abstractNumId="0">{listed}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{more}</w:numbering>'
    )


def item(text: str, level: int = 0, number: int = 1) -> str:
    numbered = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return para(f"<w:pPr>{numbered}</w:pPr>", run(text))


def styled(style: str, *content: str) -> str:
    return para(f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>', *content)


def text_of(body: str) -> str:
    draft = parse_one(docx(body), "a.docx")
    assert draft.missing == []
    return draft.text


def saved(document: Any) -> bytes:
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def test_headings_are_told_by_their_ids_where_styles_are_left_out() -> None:
    body = (
        '<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Part</w:t></w:r></w:p>'
        '<w:p><w:pPr><w:pStyle w:val="HeadingX"/></w:pPr><w:r><w:t>text</w:t></w:r></w:p>'
    )
    draft = parse_one(docx(body), "a.docx")
    assert [(b.name, b.level) for b in draft.blocks.of_kind(BlockKind.HEADING)] == [("Part", 2)]


def test_headings_lists_and_quotes() -> None:
    made = WordDocument()
    made.add_heading("Report", 0)
    made.add_heading("Part", 1)
    made.add_heading("Detail", 2)
    made.add_paragraph("one", style="List Bullet")
    made.add_paragraph("two", style="List Bullet")
    made.add_paragraph("first", style="List Number")
    made.add_paragraph("second", style="List Number")
    made.add_paragraph("said", style="Quote")
    made.add_heading("Next", 1)
    made.add_paragraph("end")
    draft = parse_one(saved(made), "a.docx")
    assert draft.text == (
        "Report\n\nPart\n\nDetail\n\n• one\n• two\n1. first\n2. second\n\nsaid\n\nNext\n\nend"
    )
    assert [block.level for block in draft.blocks.of_kind(BlockKind.HEADING)] == [1, 1, 2, 1]
    assert block_with(draft, "• two").kind is BlockKind.LIST_ITEM
    assert block_with(draft, "• two").heading_chain == ("Part", "Detail")
    assert block_with(draft, "said").kind is BlockKind.QUOTE
    assert block_with(draft, "end").heading_chain == ("Next",)
    assert (draft.title, draft.missing) == ("Report", [])


def test_numbers_are_counted_over_levels() -> None:
    levels = [("decimal", "%1."), ("lowerLetter", "(%2)"), ("upperRoman", "%1.%3")]
    body = "".join(
        item(text, level) for text, level in zip("abcdef", (0, 1, 1, 2, 0, 1), strict=True)
    )
    draft = parse_one(docx(body, numbering=numbering(levels)), "a.docx")
    assert texts(draft) == ["1. a", "(a) b", "(b) c", "1.I d", "2. e", "(a) f"]
    assert [block.level for block in draft.blocks] == [1, 2, 2, 3, 1, 2]


def test_tables_are_rows_of_cells_between_tabs() -> None:
    made = WordDocument()
    made.add_paragraph("before")
    table = made.add_table(rows=2, cols=3)
    for row, values in zip(table.rows, (("a", "b\nb2", ""), ("1", "", "3")), strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    made.add_paragraph("after")
    draft = parse_one(saved(made), "a.docx")
    assert draft.text == "before\n\na\tb b2\n1\t\t3\n\nafter"
    assert texts(draft, BlockKind.TABLE) == ["a\tb b2\n1\t\t3"]
    assert texts(draft, BlockKind.TABLE_ROW) == ["a\tb b2", "1\t\t3"]


def test_tracked_changes_show_the_new_text() -> None:
    gone = "<w:del><w:r><w:delText>old </w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run('moved ')}</w:moveFrom>"
    joined = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    body = para(joined, run("a "), gone, f"<w:ins>{run('new ')}</w:ins>", moved) + para(run("b"))
    assert text_of(body) == "a new b"


def test_fields_show_their_result_only() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = "<w:r><w:instrText>REF x</w:instrText></w:r>"
    inner = mark("begin") + code + mark("separate") + run("inner") + mark("end")
    field = mark("begin") + code + inner + mark("separate") + run("shown") + mark("end")
    simple = f'<w:fldSimple w:instr="PAGE">{run("7")}</w:fldSimple>'
    assert text_of(para(run("see "), field, run(" on "), simple)) == "see shown on 7"


def test_text_behind_a_field_without_an_end_is_told() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    draft = parse_one(docx(para(run("kept"), begin, run("lost"))), "a.docx")
    assert draft.text == "kept"
    assert draft.missing == ["4 characters behind a field that never ends"]


def test_links_breaks_and_hidden_text() -> None:
    link = f'<w:hyperlink r:id="r9">{run("link")}</w:hyperlink>'
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
    breaks = "<w:r><w:tab/><w:br/><w:noBreakHyphen/></w:r>"
    draft = parse_one(docx(para(run("a "), link, hidden, breaks, run("z"))), "a.docx")
    assert draft.text == "a link\t\n\u2011z"
    assert draft.warnings == ["6 characters of hidden text are left out"]
    assert draft.missing == []


def test_a_text_box_with_a_fallback_is_read_once() -> None:
    box = f"<w:txbxContent>{para(run('in the box'))}</w:txbxContent>"
    both = (
        f"<w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert text_of(para(run("around "), both, run("it")) + para(run("next"))) == (
        "around it\n\nin the box\n\nnext"
    )


def test_notes_and_comments_stand_behind_the_text() -> None:
    body = para(
        run("one"),
        '<w:r><w:footnoteReference w:id="7"/></w:r>',
        run(" two"),
        '<w:r><w:endnoteReference w:id="2"/></w:r>',
    )
    parts = {
        kind: f'<w:{kind} {SPACES}><w:{kind[:-1]} w:id="{at}" {more}>{para(run(text))}'
        f"</w:{kind[:-1]}></w:{kind}>"
        for kind, at, more, text in (
            ("footnotes", 7, "", "foot"),
            ("endnotes", 2, "", "end"),
            ("comments", 0, 'w:author="Ana"', "why?"),
        )
    }
    draft = parse_one(docx(body, **parts), "a.docx")
    assert draft.text == "one[1] two[i]\n\n[1] foot\n\n[i] end\n\nAna: why?"
    assert texts(draft, BlockKind.FOOTNOTE) == ["[1] foot", "[i] end"]
    (comment,) = draft.blocks.of_kind(BlockKind.COMMENT)
    assert (comment.name, draft.missing) == ("Ana", [])


def test_headings_carry_the_numbers_of_their_styles() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{at}"><w:name w:val="heading {at}"/><w:pPr>'
        f'<w:numPr><w:ilvl w:val="{at - 1}"/><w:numId w:val="1"/></w:numPr>'
        f'<w:outlineLvl w:val="{at - 1}"/></w:pPr></w:style>'
        for at in (1, 2)
    )
    body = styled("H1", run("Fees")) + styled("H2", run("Due")) + styled("H2", run("Late"))
    draft = parse_one(
        docx(
            body + styled("H1", run("End")) + para(run("text")),
            styles=f"<w:styles {SPACES}>{styles}</w:styles>",
            numbering=numbering([("decimal", "%1"), ("decimal", "%1.%2")]),
        ),
        "a.docx",
    )
    assert draft.text == "1 Fees\n\n1.1 Due\n\n1.2 Late\n\n2 End\n\ntext"
    assert [block.level for block in draft.blocks.of_kind(BlockKind.HEADING)] == [1, 2, 2, 1]
    assert block_with(draft, "text").heading_chain == ("2 End",)


def test_a_list_that_starts_again_and_one_that_goes_on() -> None:
    again = (
        '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    )
    body = item("a") + para(run("between")) + item("b") + item("c", number=2)
    draft = parse_one(docx(body, numbering=numbering([("decimal", "%1)")], again)), "a.docx")
    assert draft.text == "1) a\n\nbetween\n\n2) b\n5) c"


def test_merged_cells_are_read_once() -> None:
    made = WordDocument()
    table = made.add_table(rows=3, cols=3)
    for at, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = str(at)
    for first, last, text in (((0, 0), (0, 1), "wide"), ((1, 2), (2, 2), "tall")):
        table.cell(*first).merge(table.cell(*last)).text = text
    draft = parse_one(saved(made), "a.docx")
    rows = [row.split() for row in texts(draft, BlockKind.TABLE_ROW)]
    assert rows == [["wide", "2"], ["3", "4", "tall"], ["6", "7"]]
    assert draft.missing == []


def test_a_table_in_a_cell_is_read_in_its_place() -> None:
    made = WordDocument()
    outer = made.add_table(rows=1, cols=2)
    outer.cell(0, 0).text = "left"
    inner = outer.cell(0, 0).add_table(rows=1, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "in 1", "in 2"
    outer.cell(0, 1).text = "right"
    words = parse_one(saved(made), "a.docx").text.split()
    assert words == ["left", "in", "1", "in", "2", "right"]


def test_tracked_rows_and_paragraphs() -> None:
    def row(mark: str, text: str) -> str:
        return f"<w:tr><w:trPr>{mark}</w:trPr><w:tc>{para(text)}</w:tc></w:tr>"

    gone = "<w:del><w:r><w:delText>cut</w:delText></w:r></w:del>"
    mark = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    rows = row("<w:ins/>", run("new")) + row("<w:del/>", gone) + row("", run("old"))
    text = text_of(para(run("a")) + para(mark, gone) + f"<w:tbl>{rows}</w:tbl>" + para(run("z")))
    assert text == "a\n\nnew\nold\n\nz"


def test_moved_text_stands_where_it_went() -> None:
    body = para(f"<w:moveFrom>{run('away')}</w:moveFrom>", run("a"))
    assert text_of(body + para(f"<w:moveTo>{run('here')}</w:moveTo>")) == "a\n\nhere"


def test_text_that_a_style_hides_is_left_out_and_told() -> None:
    styles = (
        f'<w:styles {SPACES}><w:style w:type="character" w:styleId="S"><w:name w:val="Secret"/>'
        "<w:rPr><w:vanish/></w:rPr></w:style></w:styles>"
    )
    secret = '<w:r><w:rPr><w:rStyle w:val="S"/></w:rPr><w:t>secret</w:t></w:r>'
    back = '<w:r><w:rPr><w:rStyle w:val="S"/><w:vanish w:val="0"/></w:rPr><w:t>back</w:t></w:r>'
    draft = parse_one(docx(para(run("seen "), secret, back), styles=styles), "a.docx")
    assert draft.text == "seen back"
    assert draft.warnings == ["6 characters of hidden text are left out"]


def test_a_text_box_of_old_word_and_one_in_a_cell() -> None:
    box = f"<w:txbxContent>{para(run('boxed'))}{para(run('twice'))}</w:txbxContent>"
    old = f'<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>{box}'
    old += "</v:textbox></v:shape></w:pict></w:r>"
    assert text_of(para(run("a"), old) + para(run("z"))) == "a\n\nboxed\n\ntwice\n\nz"
    cell = f"<w:tc>{para(run('cell'), old)}</w:tc><w:tc>{para(run('next'))}</w:tc>"
    words = text_of(f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>").split()
    assert sorted(words) == ["boxed", "cell", "next", "twice"]


def test_notes_in_cells_with_several_paragraphs_and_signs_of_their_own() -> None:
    def note(at: int, *paragraphs: str) -> str:
        return f'<w:footnote w:id="{at}">{"".join(map(para, paragraphs))}</w:footnote>'

    cell = para(run("cell"), '<w:r><w:footnoteReference w:id="2"/></w:r>')
    own = '<w:r><w:footnoteReference w:id="3" w:customMarkFollows="1"/><w:t>*</w:t></w:r>'
    body = f"<w:tbl><w:tr><w:tc>{cell}</w:tc></w:tr></w:tbl>" + para(run("own"), own)
    listed = (
        f'<w:footnote w:type="separator" w:id="0">{para(run("never"))}</w:footnote>'
        + note(2, run("one"), run("two"))
        + note(3, run("starred"))
    )
    draft = parse_one(
        docx(body, footnotes=f"<w:footnotes {SPACES}>{listed}</w:footnotes>"), "a.docx"
    )
    assert "never" not in draft.text
    assert draft.text.startswith("cell[1]\n\nown*\n\n[1] one")
    assert draft.text.index("two") < draft.text.index("starred")
    assert draft.missing == []


def test_several_comments_keep_their_order_and_authors() -> None:
    listed = "".join(
        f'<w:comment w:id="{at}" w:author="{author}">{para(run(text))}</w:comment>'
        for at, author, text in ((0, "Ana", "why?"), (1, "", "because"), (2, "Bo", "fine"))
    )
    marked = '<w:commentRangeStart w:id="0"/>' + run("text") + '<w:commentRangeEnd w:id="0"/>'
    body = para(marked, '<w:r><w:commentReference w:id="0"/></w:r>')
    draft = parse_one(docx(body, comments=f"<w:comments {SPACES}>{listed}</w:comments>"), "a.docx")
    assert draft.text == "text\n\nAna: why?\n\nbecause\n\nBo: fine"
    assert [b.name for b in draft.blocks.of_kind(BlockKind.COMMENT)] == ["Ana", "", "Bo"]


def test_notes_and_comments_that_are_not_in_the_file_are_told_once_a_kind() -> None:
    body = para(
        run("text"),
        '<w:r><w:footnoteReference w:id="1"/></w:r>',
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        '<w:r><w:endnoteReference w:id="1"/></w:r>',
        '<w:r><w:endnoteReference w:id="3"/></w:r>',
        '<w:r><w:commentReference w:id="4"/></w:r>',
    )
    notes = f'<w:footnote w:id="2">{para(run("here"))}</w:footnote>'
    draft = parse_one(docx(body, footnotes=f"<w:footnotes {SPACES}>{notes}</w:footnotes>"))
    assert texts(draft, BlockKind.FOOTNOTE) == ["[2] here"]
    assert draft.missing == [
        "1 footnote named in the text and not in the file",
        "2 endnotes named in the text and not in the file",
        "1 comment named in the text and not in the file",
    ]


def test_fields_over_paragraphs_and_in_links() -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = '<w:r><w:instrText xml:space="preserve"> TOC \\o "1-3" </w:instrText></w:r>'
    first = para(mark("begin"), code, mark("separate"), run("One"), "<w:r><w:tab/></w:r>", run("3"))
    link = f'<w:hyperlink w:anchor="x">{run("Two")}</w:hyperlink>'
    assert text_of(first + para(link, mark("end")) + para(run("z"))) == "One\t3\n\nTwo\n\nz"


def test_headers_and_footers_are_read_once() -> None:
    made = WordDocument()
    made.add_paragraph("body")
    made.add_section()
    made.add_paragraph("more")
    for section in made.sections:
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Same header"
        section.footer.paragraphs[0].text = "Footer"
    draft = parse_one(saved(made), "a.docx")
    assert draft.text == "Same header\n\nbody\n\nmore\n\nFooter"
    kinds = [block.kind for block in draft.blocks]
    assert kinds[0] is BlockKind.RUNNING_HEADER
    assert kinds[-1] is BlockKind.RUNNING_FOOTER


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_doctype_is_refused(encoding: str) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    document = f"{bomb}<w:document {SPACES}><w:body>{para(run('&b;'))}</w:body></w:document>"
    data = packed({"[Content_Types].xml": TYPES, "word/document.xml": document.encode(encoding)})
    with pytest.raises(LoadError, match="DOCTYPE"):
        parse_one(data, "a.docx")


def test_a_zip_bomb_is_refused() -> None:
    with pytest.raises(LoadError, match="zip bombs"):
        parse_one(docx(para(run("A" * 30_000_000))), "a.docx")


def test_a_text_that_breaks_off_keeps_its_beginning() -> None:
    body = (
        para(run("first")) + f"<w:tbl><w:tr><w:tc>{para(run('cell'))}</w:tc><w:tc><w:p><w:r><w:t>"
    )
    document = f"<w:document {SPACES}><w:body>{body}hal"
    draft = parse_one(packed({"[Content_Types].xml": TYPES, "word/document.xml": document}))
    assert draft.text.startswith("first\n\ncell")
    assert len(draft.missing) == 1
    assert draft.missing[0].startswith("what follows a damaged place in the text (line 1")


def test_a_damaged_side_part_is_told_and_the_text_is_read() -> None:
    draft = parse_one(docx(para(run("text")), styles=f"<w:styles {SPACES}><w:st"), "a.docx")
    assert draft.text == "text"
    assert draft.missing[0].startswith("the part with the styles is damaged")


def test_a_package_without_a_document_is_refused_in_a_sentence() -> None:
    data = packed({"[Content_Types].xml": TYPES, "word/styles.xml": "<a/>"})
    with pytest.raises(LoadError, match="holds no Word document"):
        parse_one(data, "a.docx")


def test_many_paragraphs_take_linear_time() -> None:
    data = docx("".join(para(run(f"paragraph {n}")) for n in range(20_000)))
    began = time.process_time()
    draft = parse_one(data, "a.docx")
    assert len(draft.blocks) == 20_000
    assert draft.text.endswith("\n\nparagraph 19999")
    assert time.process_time() - began < 8


def test_the_sample_contract_is_complete() -> None:
    draft = parse_one((paths.sample_docs() / "contract.docx").read_bytes(), "contract.docx")
    assert (draft.missing, draft.warnings) == ([], [])
    assert draft.title == "Contract for tide gauge services"
    assert "潮位観測株式会社" in draft.text
    assert any(unicodedata.combining(character) for character in draft.text)
    assert texts(draft, BlockKind.TABLE_ROW)[0] == "Service\tUnit\tFee in euros"
    assert texts(draft, BlockKind.RUNNING_HEADER) == ["Contract No. 2024/17"]
    assert block_with(draft, "1,240.00").heading_chain == ("2 Fees", "2.1")


def sample_parts() -> dict[str, str | bytes]:
    with zipfile.ZipFile(paths.sample_docs() / "contract.docx") as archive:
        wanted = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
        return {name: archive.read(name) for name in wanted}


PARTS = sample_parts()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 30), st.binary(max_size=6)),
        min_size=1,
        max_size=8,
    )
)
def test_mutated_documents_load_or_are_refused(changes: list[tuple[int, int, bytes]]) -> None:
    document = bytearray(PARTS["word/document.xml"])  # type: ignore[arg-type]
    for at, length, new in changes:
        start = at % len(document)
        document[start : start + length] = new
    try:
        parse_all(packed(PARTS | {"word/document.xml": bytes(document)}), "a.docx")
    except LoadError as problem:
        assert problem.reason  # noqa: PT017 - both ways are right
