"""PDF pages become paragraphs; what is lost is told page by page."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
)
from reportlab.pdfgen.canvas import Canvas

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError, PasswordNeeded
from chunkscope.core.loaders.base import Draft, LoadOptions, Source
from chunkscope.core.loaders.pdf.layout import Line, Page
from chunkscope.core.loaders.pdf.loader import IMAGES_ONLY, NO_TEXT_LAYER, load_pdf
from chunkscope.core.loaders.pdf.pages import page_to_json
from chunkscope.core.sandbox.limits import Limits
from chunkscope.core.sandbox.watch import Watch
from support.parsing import block_with, check_draft, parse_one, texts

REPORT = (paths.sample_docs() / "report.pdf").read_bytes()


def pdf(*pages: list[str]) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(72, 780 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def loaded(data: bytes, watch: Watch) -> Draft:
    (draft,) = load_pdf(Source(data, "a.pdf"), watch)
    check_draft(draft)
    return draft


def test_lines_are_joined_and_hyphens_mended() -> None:
    lines = [
        "The quick brown fox jumps over the lazy dog and then it contin-",
        "ues on the next line as if nothing at all had ever happened there,",
        "which is the way of foxes.",
        "",
        "A well-known fox of the north country is not at all a well-",
        "known fox of the south.",
    ]
    draft = parse_one(pdf(lines), "a.pdf")
    assert texts(draft, BlockKind.PARAGRAPH) == [
        "The quick brown fox jumps over the lazy dog and then it continues on the next line as if "
        "nothing at all had ever happened there, which is the way of foxes.",
        "A well-known fox of the north country is not at all a well-known fox of the south.",
    ]


def test_the_sample_report() -> None:
    draft = parse_one(REPORT, "report.pdf")
    assert draft.missing == []
    assert draft.warnings == []
    assert draft.title == "Brennick Town Library: Energy Report 2024"
    headings = [(b.level, b.name, b.page) for b in draft.blocks.of_kind(BlockKind.HEADING)]
    assert headings == [
        (1, "Energy Report 2024", 1),
        (2, "1 Summary", 1),
        (2, "2 The building", 1),
        (2, "3 What we used", 2),
        (3, "3.1 Electricity", 2),
        (3, "3.2 Gas", 2),
        (2, "4 What we did", 3),
        (2, "5 The year ahead", 3),
        (3, "5.1 Plans", 3),
        (3, "5.2 Targets", 4),
    ]
    panels = block_with(draft, "They produced 21,400 kWh")
    assert panels.heading_chain == ("Energy Report 2024", "3 What we used", "3.1 Electricity")
    assert block_with(draft, "4 What we did").heading_chain == ("Energy Report 2024",)


def test_the_edges_of_the_sample_pages() -> None:
    draft = parse_one(REPORT, "report.pdf")
    header = "Brennick Town Library: energy report for the year 2024"
    assert texts(draft, BlockKind.RUNNING_HEADER) == [header] * 4
    footer = "Adopted by the library committee on 12 March 2025"
    assert texts(draft, BlockKind.RUNNING_FOOTER) == [footer] * 4
    numbers = draft.blocks.of_kind(BlockKind.PAGE_NUMBER)
    assert [(draft.text[b.start : b.end], b.page) for b in numbers] == [
        ("1", 1),
        ("2", 2),
        ("3", 3),
        ("4", 4),
    ]


def test_an_item_goes_on_to_the_right_of_its_bullet() -> None:
    items = texts(parse_one(REPORT, "report.pdf"), BlockKind.LIST_ITEM)
    assert len(items) == 4
    assert items[0].startswith("• New lighting with sensors")
    assert items[0].endswith("the old tubes: £11,900.")
    assert items[2].endswith("done by volunteers on two Saturdays: £610.")


def test_a_paragraph_over_a_page_break_is_joined() -> None:
    header = ["Rivers of the county", "", ""]
    pages = [
        [
            *header,
            "There are four rivers in the county, and all but one of them are short.",
            "The river Tarn rises in the hills above the town and runs for sixty kilo-",
        ],
        [
            *header,
            "metres to the sea, past two mills, a ferry and the gasworks of Stour. Its",
            "mouth is wide.",
        ],
        [*header, "The others are brooks that dry up in a hot summer and flood in winter."],
    ]
    draft = parse_one(pdf(*pages), "a.pdf")
    assert "runs for sixty kilometres to the sea" in draft.text
    left, right = (block_with(draft, part) for part in ("sixty kilo", "metres to the sea"))
    assert (left.kind, left.page) == (BlockKind.PARAGRAPH, 1)
    assert (right.kind, right.page) == (BlockKind.PARAGRAPH, 2)
    assert left.end == right.start
    assert texts(draft, BlockKind.RUNNING_HEADER) == ["Rivers of the county"] * 3


def test_cells_at_one_height_are_a_row() -> None:
    draft = parse_one(REPORT, "report.pdf")
    rows = texts(draft, BlockKind.TABLE_ROW)
    assert rows[0] == "Year\tElectricity (kWh)\tGas (kWh)\tSolar (kWh)\tCost (£)"
    assert rows[3].split("\t") == ["2024", "89,600", "162,000", "21,400", "34,722"]


def test_pages_tile_the_text() -> None:
    draft = parse_one(REPORT, "report.pdf")
    pages = draft.blocks.of_kind(BlockKind.PAGE)
    assert [page.page for page in pages] == list(range(1, len(pages) + 1))
    assert pages[0].start == 0
    assert pages[-1].end == len(draft.text)
    assert all(a.end == b.start for a, b in pairwise(pages))
    for block in draft.blocks:
        assert block.page
        page = pages[block.page - 1]
        assert page.start <= block.start < block.end <= page.end


def encrypted(password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(["Secret words here."]))))
    writer.encrypt(password, algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_passwords() -> None:
    data = encrypted("open")
    with pytest.raises(PasswordNeeded, match="--password"):
        parse_one(data, "a.pdf")
    with pytest.raises(PasswordNeeded, match="does not open it"):
        parse_one(data, "a.pdf", LoadOptions(password="wrong"))
    assert parse_one(data, "a.pdf", LoadOptions(password="open")).text == "Secret words here."


def test_a_lost_page_is_told_and_the_others_are_kept() -> None:
    pages = pdf(["First page."], ["Second page."], ["Third page."])
    draft = loaded(pages, Watch(skipped={"page 2": "too slow"}))
    assert texts(draft, BlockKind.PAGE) == ["First page.\n\n", "Third page."]
    assert [page.page for page in draft.blocks.of_kind(BlockKind.PAGE)] == [1, 3]
    assert draft.missing == ["page 2: too slow"]


def test_a_page_kept_from_an_earlier_worker_is_not_read_again() -> None:
    pages = pdf(["First page."], ["Second page."])
    line = Line("Kept page.", 72.0, 60.0, 12.0, right=130.0)
    draft = loaded(pages, Watch(kept={"page 2": page_to_json(Page(2, 842.0, (line,)))}))
    assert draft.text == "First page.\n\nKept page."
    assert block_with(draft, "Kept page.").page == 2
    assert draft.missing == []


def test_pages_over_the_limit_are_told() -> None:
    draft = parse_one(pdf(["One."], ["Two."], ["Three."]), "a.pdf", limits=Limits(pages=1))
    assert draft.text == "One."
    assert draft.missing == ["pages 2-3: over the limit of 1 pages (it can be raised)"]


def scanned(*, has_cover: bool) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    if has_cover:
        canvas.drawString(72, 740, "Scanned letters.")
        canvas.showPage()
    canvas.drawInlineImage(Image.new("L", (8, 8), 128), 72, 300, 400, 400)
    canvas.save()
    return stream.getvalue()


def test_an_image_is_no_text() -> None:
    scan = parse_one(scanned(has_cover=False), "a.pdf")
    assert (scan.text, scan.missing) == ("", [NO_TEXT_LAYER])
    mixed = parse_one(scanned(has_cover=True), "a.pdf")
    assert (mixed.text, mixed.missing) == ("Scanned letters.", [f"page 2: {IMAGES_ONLY}"])


def test_a_file_cut_off_is_partial_or_refused() -> None:
    whole = parse_one(REPORT, "report.pdf").text
    for tenths in range(1, 10):
        try:
            draft = parse_one(REPORT[: len(REPORT) * tenths // 10], "a.pdf")
        except LoadError as problem:
            assert "get a new copy" in problem.reason  # noqa: PT017 - both ways are right
        else:
            assert draft.missing or draft.text == whole


# No hyphens, bullets or digits: those may be mended or make pages and items of a line.
LETTERS = st.text(alphabet="abcXYZäß ,.!?()'/", max_size=70)


@settings(max_examples=60, deadline=None)
@given(st.lists(LETTERS, max_size=12))
def test_every_letter_of_a_page_is_kept_in_order(lines: list[str]) -> None:
    draft = parse_one(pdf(lines), "a.pdf")
    assert "".join(draft.text.split()) == "".join("".join(lines).split())
    assert draft.missing == []


def test_damaged_files_are_read_or_refused() -> None:
    rng = random.Random(4)
    for number in range(40):
        data = bytearray(REPORT)
        for _ in range(rng.randint(1, 10)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        cut = rng.randint(1, len(data)) if number % 3 == 0 else len(data)
        try:
            parse_one(bytes(data[:cut]), "a.pdf")
        except LoadError as problem:
            assert problem.reason  # noqa: PT017 - both ways are right


def test_scans_say_that_they_are(shared_data: Path) -> None:
    path = shared_data / "documents" / "pdf" / "019-grayscale-image__grayscale-image.pdf"
    draft = parse_one(path.read_bytes(), path.name)
    assert draft.text == ""
    assert "no text layer" in draft.missing[0]


PROTECTED = "005-libreoffice-writer-password__libreoffice-writer-password.pdf"


def test_shared_samples(shared_data: Path) -> None:
    folder = shared_data / "documents" / "pdf"
    small = [path for path in sorted(folder.glob("*.pdf")) if path.stat().st_size < 100_000]
    assert len(small) > 20
    for path in small:
        if path.name == PROTECTED:
            with pytest.raises(PasswordNeeded):
                parse_one(path.read_bytes(), path.name)
            draft = parse_one(path.read_bytes(), path.name, LoadOptions(password="openpassword"))
        else:
            draft = parse_one(path.read_bytes(), path.name)
        pages = draft.blocks.of_kind(BlockKind.PAGE)
        assert draft.text == "".join(texts(draft, BlockKind.PAGE)), path.name
        assert draft.text or draft.missing or draft.warnings, path.name
        assert [page.page for page in pages] == sorted({page.page or 0 for page in pages})


def typeset(font: str, codes: list[object], *lines: bytes) -> bytes:
    """A page in a font that says what some of its codes mean, as TeX writes them."""
    writer = PdfWriter()
    page = writer.add_blank_page(612, 792)
    names = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": f"/{font}"}
    described = DictionaryObject({NameObject(k): NameObject(v) for k, v in names.items()})
    if codes:
        meant = [NameObject(c) if isinstance(c, str) else NumberObject(c) for c in codes]
        described[NameObject("/Encoding")] = DictionaryObject(
            {NameObject("/Differences"): ArrayObject(meant)}
        )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(described)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    content = DecodedStreamObject()
    shown = b" ".join(b"(%b) Tj 0 -14 Td" % line for line in lines)
    content.set_data(b"BT /F1 10 Tf 72 700 Td " + shown + b" ET")
    page[NameObject("/Contents")] = writer._add_object(content)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def test_letters_are_spelled_out_whatever_way_they_are_drawn() -> None:
    codes = [16, "/dotlessi", 28, "/fi", "/fl", 127, "/dieresis", 180, "/acute"]
    lines = [b"The mis\x1cts of M\x7foller, a na\x7f\x10ve \x1docks", b"and Jos\xb4e: x ^ y."]
    draft = parse_one(typeset("CMR10", codes, *lines), "a.pdf")
    assert draft.text == "The misfits of Möller, a naïve flocks and José: x ^ y."


def test_the_minus_of_tex_is_no_nul() -> None:
    draft = parse_one(typeset("ABCDEF+CMSY10", [], b"\\0004"), "a.pdf")
    assert draft.text == "\u22124"
    assert draft.warnings == []
    draft = parse_one(typeset("Other", [], b"a\\000b"), "a.pdf")
    assert draft.text == "a\ufffdb"
    assert "1 character" in draft.warnings[0]


def test_words_in_capitals_are_mended_where_they_are_known() -> None:
    lines = [
        "An OPTIONAL element of the structure may be left out, and where it is OP-",
        "TIONAL it has no value of its own; the X-",
        "RAY of the hand, though, stays as it was taken on that day in the month of May.",
    ]
    text = parse_one(pdf(lines), "a.pdf").text
    assert "where it is OPTIONAL it has" in text
    assert "the X-RAY of" in text


def test_entries_of_a_table_of_contents_are_paragraphs_and_no_headings() -> None:
    entries = [f"{n}.{m} About part {m} {'. ' * 30}{n * 10 + m}" for n in (1, 2) for m in (1, 2, 3)]
    draft = parse_one(pdf(entries), "a.pdf")
    assert texts(draft, BlockKind.PARAGRAPH) == entries
    assert not draft.blocks.of_kind(BlockKind.HEADING)


def test_capitals_of_a_program_are_no_headings() -> None:
    words = [
        "The structure of the file is written down here, with the version first of all",
        "and with all that follows it in the order of the bytes on the disk below it.",
    ]
    titles = ["MAJOR_VERSION 1", "BODY ::= SEQUENCE {", "A REAL HEADING"]
    lines = [line for title in titles for line in (title, "", *words, "")]
    draft = parse_one(pdf(lines), "a.pdf")
    assert texts(draft, BlockKind.HEADING) == ["A REAL HEADING"]


def test_after_a_colon_the_next_page_starts_a_paragraph() -> None:
    pages = [
        ["There are three kinds of rivers, and this list of them is complete:"],
        ["short ones, which are the most usual kind in all of the county."],
    ]
    assert parse_one(pdf(*pages), "a.pdf").text.count("\n\n") == 1


def test_a_title_ends_before_its_nul() -> None:
    writer = PdfWriter(clone_from=io.BytesIO(pdf(["Words."])))
    writer.add_metadata({"/Title": "Rivers\0"})
    made = io.BytesIO()
    writer.write(made)
    assert parse_one(made.getvalue(), "a.pdf").title == "Rivers"


def test_numbered_headings_at_the_top_of_their_pages_are_no_running_headers() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    for number in range(1, 6):
        canvas.setFont("Helvetica", 8)
        canvas.drawString(72, 815, f"The annual report, part {number}")
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawString(72, 780, f"Chapter {number}")
        canvas.setFont("Helvetica", 10)
        for line in range(8):
            words = f"words {chr(64 + number * 8 + line)} that go on and on over the whole line "
            canvas.drawString(72, 750 - 12 * line, words * 2)
        canvas.showPage()
    canvas.save()
    draft = parse_one(stream.getvalue(), "a.pdf")
    assert texts(draft, BlockKind.HEADING) == [f"Chapter {number}" for number in range(1, 6)]
    assert len(draft.blocks.of_kind(BlockKind.RUNNING_HEADER)) == 5


def test_a_file_without_its_end_keeps_the_pages_before() -> None:
    data = pdf(*[[f"These are the words of page {number}."] for number in range(1, 5)])
    whole = parse_one(data[: data.rindex(b"xref")], "a.pdf")
    assert [f"page {number}." in whole.text for number in range(1, 5)] == [True] * 4
    assert "cut off" in whole.missing[0]
    third = data.index(b"endstream", data.index(b"endstream", data.index(b"endstream") + 1) + 1)
    cut = parse_one(data[: third - 9], "a.pdf")
    assert "page 1." in cut.text
    assert "page 2." in cut.text
    assert len(cut.missing) > 1


def test_columns_drawn_across_the_page_are_read_one_after_the_other() -> None:
    left = [
        "The river rises in the hills above the",
        "town, where there are many springs, and",
        "runs from there through woods and over",
        "meadows until it comes to the old mill,",
        "which has not ground any corn since the",
        "last miller left for the coast with his",
        "daughter and two of the horses.",
    ]
    right = [
        "Nobody has seen him since, though there",
        "have been letters from a harbour in the",
        "south, written in a hand that is much",
        "like his, about ships and the price of",
        "flour, and about a house with a garden",
        "where the daughter grows lemons in pots",
        "and waits for the winter to end.",
    ]
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    canvas.setFont("Helvetica", 10)
    for number, (first, second) in enumerate(zip(left, right, strict=True)):
        canvas.drawString(60, 750 - 12 * number, first)
        canvas.drawString(320, 750 - 12 * number, second)
    canvas.save()
    draft = parse_one(stream.getvalue(), "a.pdf")
    assert texts(draft, BlockKind.PARAGRAPH) == [" ".join(left), " ".join(right)]
