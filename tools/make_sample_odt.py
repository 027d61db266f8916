"""Makes sample_docs/minutes.odt: the same bytes at every run."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

TARGET = Path(__file__).resolve().parent.parent / "sample_docs" / "minutes.odt"
MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{uri}:1.0"'
    for name, uri in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("meta", "meta"),
        ("manifest", "manifest"),
    )
)
TITLE = "Minutes of the Reading Room Committee"
ATTENDANCE = ("Ingrid Solberg (chair)", "Tomás Herrera", "陳美玲", "Abiola Adeyemi (minutes)")
TASKS = (
    ("Task", "Who", "Until"),
    ("Ask three firms for the price of the lamps", "Tomás Herrera", "2 May"),
    ("Write to the neighbours about the evening hours", "Ingrid Solberg", "26 April"),
    ("Label the shelves in Chinese and English", "陳美玲", "10 May"),
)


def make_minutes() -> bytes:
    """The minutes as the bytes of a file."""
    parts = {
        "mimetype": MEDIA_TYPE,
        "content.xml": f"{_open('document-content')}<office:body><office:text>{_body()}"
        "</office:text></office:body></office:document-content>",
        "meta.xml": _open("document-meta", 'xmlns:dc="http://purl.org/dc/elements/1.1/"')
        + f"<office:meta><dc:title>{TITLE}</dc:title><dc:creator>Abiola Adeyemi</dc:creator>"
        "<dc:language>en</dc:language></office:meta></office:document-meta>",
        "META-INF/manifest.xml": _manifest(),
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in parts.items():
            info = zipfile.ZipInfo(name, (2024, 4, 16, 18, 0, 0))
            # The type comes first and unpacked, so that it can be read off the file.
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, text.encode())
    return held.getvalue()


def _open(element: str, more: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<office:{element} {SPACES} {more} office:version="1.3">'
    )


def _manifest() -> str:
    entries = (("/", MEDIA_TYPE), ("content.xml", "text/xml"), ("meta.xml", "text/xml"))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest {SPACES}>'
        + "".join(
            f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>'
            for path, kind in entries
        )
        + "</manifest:manifest>"
    )


def _body() -> str:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Two members were on the late train and came at half past six."
        "</text:p></text:note-body></text:note>"
    )
    return "".join(
        (
            _heading(1, TITLE),
            _paragraph("Tuesday, 16 April 2024, six o’clock in the reading room."),
            _heading(2, "Present"),
            f"<text:list>{''.join(_item(name) for name in ATTENDANCE)}</text:list>",
            f"<text:p>The committee had a quorum from the start.{note}</text:p>",
            _heading(2, "Lamps"),
            _paragraph(
                "The lamps above the long table flicker. The chair proposed to replace all "
                "twelve at once instead of one by one; the proposal was carried with three votes "
                "to one."
            ),
            _heading(2, "Opening hours"),
            _paragraph(
                "From June on the room will stay open until nine on Thursdays, on trial for a "
                "year. Visitors leave by the garden gate, which closes by itself."
            ),
            _heading(2, "Tasks"),
            _table(),
            _paragraph("The meeting closed at ten minutes to eight."),
        )
    )


def _heading(level: int, text: str) -> str:
    return f'<text:h text:outline-level="{level}">{escape(text)}</text:h>'


def _paragraph(text: str) -> str:
    return f"<text:p>{escape(text)}</text:p>"


def _item(text: str) -> str:
    return f"<text:list-item>{_paragraph(text)}</text:list-item>"


def _table() -> str:
    rows = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell>{_paragraph(cell)}</table:table-cell>" for cell in row)
        + "</table:table-row>"
        for row in TASKS
    )
    column = f'<table:table-column table:number-columns-repeated="{len(TASKS[0])}"/>'
    return f'<table:table table:name="Tasks">{column}{rows}</table:table>'


if __name__ == "__main__":
    TARGET.write_bytes(make_minutes())
    sys.stdout.write(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes\n")
