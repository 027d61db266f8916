"""Makes a PDF whose end was lost readable again: its pages are listed anew."""

from __future__ import annotations

import re

_PAGE = re.compile(
    rb"(?:^|[\r\n])\s*(\d{1,9})\s+(\d{1,5})\s+obj\b(?:(?!endobj)[\s\S]){0,4000}?/Type\s*/Page(?![A-Za-z])"
)
_OBJECT = re.compile(rb"(?:^|[\r\n])\s*(\d{1,9})\s+\d{1,5}\s+obj\b")
_ENCRYPTED = re.compile(rb"/Encrypt\b")
_MOST_PAGES = 50_000


def mend(data: bytes) -> bytes | None:
    """The file with a list of the pages that are still in it; None if there are none.

    Files with packed objects keep their pages there, and encrypted ones their key at the end.
    """
    if _ENCRYPTED.search(data):
        return None
    pages = dict.fromkeys(match.groups() for match in _PAGE.finditer(data))
    if not pages or len(pages) > _MOST_PAGES:
        return None
    first = max(int(match[1]) for match in _OBJECT.finditer(data)) + 1
    kids = b" ".join(b"%b %b R" % page for page in pages)
    end = b"\nendstream\nendobj\n" if data.rfind(b"stream") > data.rfind(b"endstream") else b"\n"
    return (
        data
        + end
        + (
            b"%d 0 obj\n<< /Type /Pages /Kids [%b] /Count %d >>\nendobj\n"
            % (first, kids, len(pages))
            + b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (first + 1, first)
            + b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n0\n%%%%EOF\n"
            % (first + 2, first + 1)
        )
    )
