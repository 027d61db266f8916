"""Which page headers and footers a DOCX file really shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chunkscope.core.loaders.docx.xml import Attributes

_SECTION = re.compile(rb"<(?:[\w.-]+:)?sectPr[\s>]")
_REFERENCE = re.compile(rb"<(?:[\w.-]+:)?(header|footer)Reference\s([^<>]{0,2000})>")
_TYPE = re.compile(rb"\btype\s*=\s*[\"'](\w+)")
_ID = re.compile(rb":id\s*=\s*[\"']([^\"']+)")
_TITLE_PAGE = re.compile(rb"<(?:[\w.-]+:)?titlePg(?!\s[^<>]*[\"'](?:0|false|off)[\"'])")
_MAX_SECTIONS = 5_000
_MAX_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class Running:
    """The relation ids of the headers and footers, in the order of their first use."""

    headers: tuple[str, ...]
    footers: tuple[str, ...]


class SettingsReader:
    """Takes the events of settings.xml."""

    def __init__(self) -> None:
        self.has_even_pages = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "w:evenAndOddHeaders":
            self.has_even_pages = attributes.is_on()

    def end(self, name: str) -> None: ...
    def data(self, text: str) -> None: ...


def running_parts(document: bytes, has_even_pages: bool) -> Running:
    """Find the references before the text is read: sections come last, headers are shown first."""
    found: dict[bytes, dict[str, None]] = {b"header": {}, b"footer": {}}
    for count, section in enumerate(_SECTION.finditer(document)):
        if count >= _MAX_SECTIONS:
            break
        limit = section.end() + _MAX_LENGTH
        end = document.find(b"sectPr>", section.end(), limit)
        body = document[section.end() : end if end >= 0 else limit]
        kinds = {b"default"}
        kinds |= {b"first"} if _TITLE_PAGE.search(body) else set()
        kinds |= {b"even"} if has_even_pages else set()
        for what, attributes in _REFERENCE.findall(body):
            kind, target = _TYPE.search(attributes), _ID.search(attributes)
            if target and (kind[1] if kind else b"default") in kinds:
                found[what][target[1].decode("utf-8", "replace")] = None
    return Running(tuple(found[b"header"]), tuple(found[b"footer"]))
