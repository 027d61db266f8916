"""PDF pages become paragraphs; what is lost is told page by page."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from chunkscope import paths
from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError, PasswordNeeded
from chunkscope.core.loaders.base import LoadOptions, Source
from chunkscope.core.loaders.pdf import load_pdf
from chunkscope.core.sandbox.watch import Watch
from support.parsing import parse_one, texts

REPORT = (paths.sample_docs() / "report.pdf").read_bytes()


def pdf(*pages: list[str]) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1)
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(72, 740 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def test_lines_are_joined_and_hyphens_mended() -> None:
    lines = [
        "The quick brown fox jumps over the lazy dog and then it contin-",
        "ues on the next line as if nothing at all had ever happened there,",
        "which is the way of foxes.",
    ]
    draft = parse_one(pdf(lines), "a.pdf")
    assert "continues on the next line" in draft.text
    assert "\n" not in draft.text.strip()


def test_the_sample_report() -> None:
    draft = parse_one(REPORT, "report.pdf")
    assert draft.missing == []
    assert len(texts(draft, BlockKind.RUNNING_HEADER)) >= 3
    assert texts(draft, BlockKind.PAGE_NUMBER)[:3] == ["1", "2", "3"]
    chains = {block.heading_chain for block in draft.blocks}
    assert ("Energy Report 2024", "3 What we used", "3.1 Electricity") in chains


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
    with pytest.raises(PasswordNeeded):
        parse_one(data, "a.pdf", LoadOptions(password="wrong"))
    assert parse_one(data, "a.pdf", LoadOptions(password="open")).text == "Secret words here."


def test_a_lost_page_is_told_and_the_others_are_kept() -> None:
    pages = pdf(["First page."], ["Second page."], ["Third page."])
    watch = Watch(skipped={"page 2": "too slow"})
    (draft,) = load_pdf(Source(pages, "a.pdf"), watch)
    assert "First page." in draft.text
    assert "Second" not in draft.text
    assert "Third page." in draft.text
    assert draft.missing == ["page 2: too slow"]


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
