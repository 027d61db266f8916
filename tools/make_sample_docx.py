"""Makes sample_docs/contract.docx: `python tools/make_sample_docx.py`."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path

from docx import Document

TARGET = Path(__file__).resolve().parents[1] / "sample_docs" / "contract.docx"
MOMENT = datetime(2024, 3, 1, 9, 0, 0)

CLAUSES = {
    "1 Services": [
        "The Provider measures the water level at the three piers named in the Annex every ten "
        "minutes and delivers the readings to the Client within five minutes.",
        "The Provider repairs a failed gauge within two working days of the report. Crabs, barnacles "
        "and other animals are no force majeure.",
    ],
    "2 Fees": [
        "The Client pays the fees of the table below, plus the statutory value added tax, within "
        "thirty days of the invoice.",
    ],
    "3 Term and termination": [
        "This contract begins on 1 April 2024 and runs for three years. It is prolonged by one year "
        "unless a party gives notice three months before its end.",
        "Each party may terminate for cause. A cause is, in particular, an availability of the "
        "readings below 90 per cent in two consecutive months.",
    ],
    "4 Liability": [
        "The liability of the Provider is limited to the fees of one year, except for intent and "
        "gross negligence.",
    ],
    "5 Data": [
        "The readings belong to the Client. The Provider may use them without the name of the "
        "Client for research, and names 潮位観測株式会社 as the maker of the sensors.",
    ],
}
FEES = [
    ("Service", "Unit", "Fee in euros"),
    ("Measurement, pier 1 to 3", "month", "1,240.00"),
    ("Emergency repair", "call", "380.00"),
    ("Yearly calibration", "pier", "215.50"),
]
DEFINITIONS = [
    "“Reading” means one water level with its time in UTC.",
    "“Availability” means the share of readings delivered in time.",
    "“Working day” means Monday to Friday, except public holidays in Brennick.",
]


def build() -> bytes:
    document = Document()
    properties = document.core_properties
    properties.title, properties.author = "Contract for tide gauge services", "Legal office"
    properties.created = properties.modified = MOMENT
    section = document.sections[0]
    section.header.paragraphs[0].text = "Contract No. 2024/17"
    section.footer.paragraphs[0].text = "Confidential between the parties"
    document.add_heading("Contract for tide gauge services", level=0)
    document.add_paragraph(
        "between the Port of Brennick, represented by its harbour master Rene\u0301e Ko\u030bszegi "
        "(the “Client”), and Tidewatch Ltd., represented by Ines Okafor (the “Provider”)."
    )
    document.add_heading("Definitions", level=1)
    for definition in DEFINITIONS:
        document.add_paragraph(definition, style="List Bullet")
    for title, paragraphs in CLAUSES.items():
        document.add_heading(title, level=1)
        for number, paragraph in enumerate(paragraphs, start=1):
            document.add_heading(f"{title.split()[0]}.{number}", level=2)
            document.add_paragraph(paragraph)
        if title == "2 Fees":
            table = document.add_table(rows=0, cols=3)
            for row in FEES:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
    document.add_heading("Signatures", level=1)
    document.add_paragraph("Brennick, 1 March 2024")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def with_fixed_times(data: bytes) -> bytes:
    """The same archive with one date for all members, so that each run gives the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            info = zipfile.ZipInfo(name, (2024, 3, 1, 9, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return stream.getvalue()


if __name__ == "__main__":
    TARGET.write_bytes(with_fixed_times(build()))
