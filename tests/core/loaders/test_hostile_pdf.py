"""A PDF with a page that takes minutes: the others are read, and the lost one is told."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject
from reportlab.pdfgen.canvas import Canvas

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.files import load_file
from chunkscope.core.model import Document
from chunkscope.core.sandbox import Limits, Sandbox

PAGES = 5
STALL = 3  # seconds; a worker starts several times within it even on a busy machine
# pypdf limits each stream and the number of forms, but not their product: this takes minutes.
COMMANDS_IN_FORM, FORMS = 100_000, 200


def pdf_with_slow_pages(*slow: int) -> bytes:
    drawn = io.BytesIO()
    canvas = Canvas(drawn, invariant=1)
    for number in range(1, PAGES + 1):
        canvas.drawString(72, 700, f"These are the words of page {number}.")
        canvas.showPage()
    canvas.save()
    writer = PdfWriter(clone_from=drawn)
    form = DecodedStreamObject()
    form.set_data(b"BT /F1 12 Tf " + b"(a) Tj " * COMMANDS_IN_FORM + b"ET")
    packed = form.flate_encode()
    packed[NameObject("/Subtype")] = NameObject("/Form")
    packed[NameObject("/Resources")] = DictionaryObject(writer.pages[0]["/Resources"])
    shown = DictionaryObject({NameObject("/Slow"): writer._add_object(packed)})
    for number in slow:
        content = DecodedStreamObject()
        content.set_data(b"/Slow Do " * FORMS)
        page = writer.pages[number - 1]
        page[NameObject("/Contents")] = writer._add_object(content)
        page["/Resources"][NameObject("/XObject")] = shown
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def loaded(tmp_path: Path, limits: Limits, *slow: int) -> Document:
    path = tmp_path / "slow.pdf"
    path.write_bytes(pdf_with_slow_pages(*slow))
    assert path.stat().st_size < 100_000
    with Sandbox(1, limits) as sandbox:
        result = load_file(path, sandbox)
    assert result.error is None
    (document,) = result.documents
    return document


def check_pages(document: Document, *numbers: int) -> None:
    """Just these pages are there, whole, and the document says that it is not."""
    expected = [f"These are the words of page {number}." for number in numbers]
    assert document.text == "\n\n".join(expected)
    assert [block.page for block in document.blocks.of_kind(BlockKind.PAGE)] == list(numbers)
    assert document.state == "partial"


def test_a_page_that_stalls_costs_that_page(tmp_path: Path) -> None:
    document = loaded(tmp_path, Limits(stall_seconds=STALL), 3)
    check_pages(document, 1, 2, 4, 5)
    assert document.missing == (
        f"page 3: stopped after {STALL} s without progress (the stall limit can be raised)",
    )


def test_two_pages_that_stall_are_told_together(tmp_path: Path) -> None:
    document = loaded(tmp_path, Limits(stall_seconds=STALL), 3, 4)
    check_pages(document, 1, 2, 5)
    assert document.missing == (
        f"pages 3-4: stopped after {STALL} s without progress (the stall limit can be raised)",
    )


def test_when_the_time_is_up_the_pages_before_are_kept(tmp_path: Path) -> None:
    started = time.monotonic()
    document = loaded(tmp_path, Limits(stall_seconds=60, total_seconds=3), 4)
    assert time.monotonic() - started < 20
    check_pages(document, 1, 2, 3)
    assert document.missing == ("pages 4-5: stopped after 3 s (the time limit can be raised)",)


@pytest.mark.parametrize("slow", [1, PAGES])
def test_a_slow_page_at_either_end(tmp_path: Path, slow: int) -> None:
    document = loaded(tmp_path, Limits(stall_seconds=STALL), slow)
    check_pages(document, *(number for number in range(1, PAGES + 1) if number != slow))
    assert document.missing[0].startswith(f"page {slow}: stopped after {STALL} s")
