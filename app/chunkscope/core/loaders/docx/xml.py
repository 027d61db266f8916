"""The XML parts of office documents, read as a stream of events that never becomes a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from chunkscope.core.errors import LoadError
from chunkscope.core.sandbox.watch import Watch

_PIECE = 1 << 16
_PROLOG = re.compile(rb"(?>\s|<\?(?>.*?\?>)|<!--(?>.*?-->))*+<!DOCTYPE", re.DOTALL)
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,40})")
_DECLARATION = re.compile(rb"\s*<\?xml[^>]{0,200}\?>")
# Any other might hide a DOCTYPE from the search above (UTF-7 does).
_ENCODINGS = {"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"}
_UTF_16 = {
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"<\x00": "utf-16-le",
    b"\x00<": "utf-16-be",
}

PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
    "http://schemas.openxmlformats.org/package/2006/content-types": "ct",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "office",
    "urn:oasis:names:tc:opendocument:xmlns:text:1.0": "text",
    "urn:oasis:names:tc:opendocument:xmlns:table:1.0": "table",
    "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0": "draw",
    "urn:oasis:names:tc:opendocument:xmlns:style:1.0": "style",
    "urn:oasis:names:tc:opendocument:xmlns:meta:1.0": "meta",
    "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0": "manifest",
    "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0": "presentation",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/1998/Math/MathML": "math",
}


class Names(dict[str, str]):
    """Qualified names (`{uri}local`) to short ones (`w:p`), each worked out once."""

    def __missing__(self, name: str) -> str:
        uri, _, local = name[1:].rpartition("}") if name.startswith("{") else ("", "", name)
        prefix = PREFIXES.get(uri, "?") if uri else ""
        # A hostile part may hold a million names.
        if len(self) > 10_000:
            self.clear()
        short = self[name] = f"{prefix}:{local}" if prefix else local
        return short


class Attributes:
    """The attributes of one element by their short names."""

    __slots__ = ("_names", "_raw")

    def __init__(self, raw: Mapping[str, str], names: Names) -> None:
        self._raw = raw
        self._names = names

    def get(self, *names: str) -> str:
        """The first attribute with one of these names; empty when there is none."""
        if self._raw:
            for raw, value in self._raw.items():
                if self._names[raw] in names:
                    return value
        return ""

    def is_on(self, name: str = "w:val") -> bool:
        """What a switch such as `<w:vanish/>` says: on, unless it says otherwise."""
        return self.get(name).lower() not in ("0", "false", "off", "none")


class Handler(Protocol):
    """What takes the events of a part; names are short."""

    def start(self, name: str, attributes: Attributes) -> None: ...
    def end(self, name: str) -> None: ...
    def data(self, text: str) -> None: ...


class _Target:
    """Hands lxml's events on with short names."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._names = Names()
        self.data: Callable[[str], None] = handler.data

    def start(self, tag: str, attrib: Mapping[str, str]) -> None:
        self._handler.start(self._names[tag], Attributes(attrib, self._names))

    def end(self, tag: str) -> None:
        self._handler.end(self._names[tag])

    def doctype(self, *_: object) -> None:
        raise _doctype_error()

    def close(self) -> None:
        pass


def read_xml(data: bytes, handler: Handler, watch: Watch, note: str) -> str:
    """Send a part through a handler; what comes back says why reading stopped early, if it did.

    A DOCTYPE is refused: no office program writes one, and it is where entity bombs live.
    """
    from lxml import etree

    data, encoding = _decoded(data)
    options: Any = {"huge_tree": True, "resolve_entities": False, "no_network": True}
    target: Any = _Target(handler)  # events that we do not want need no method
    parser: Any = etree.XMLParser(
        target=target, encoding=encoding, load_dtd=False, remove_pis=True, **options
    )
    try:
        for at in range(0, len(data), _PIECE):
            parser.feed(data[at : at + _PIECE])
            watch.progress(at, len(data), note)
        parser.close()
    except etree.XMLSyntaxError as problem:
        return f"line {problem.lineno}: {str(problem.msg or 'not XML')[:200]}"
    return ""


def without_utf_16(data: bytes) -> bytes:
    """A part in an encoding that agrees with ASCII."""
    if wide := _UTF_16.get(data[:2]):
        text = data.decode(wide, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
        return _DECLARATION.sub(b"", text, count=1)
    return data.removeprefix(b"\xef\xbb\xbf")


def _decoded(data: bytes) -> tuple[bytes, str]:
    data = without_utf_16(data)
    declared = _DECLARED.match(data)
    encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
    if _PROLOG.match(data):
        raise _doctype_error()
    if encoding not in _ENCODINGS:
        raise LoadError("", f"has a part in the unusual encoding {encoding}; save a fresh copy")
    return data, encoding


def _doctype_error() -> LoadError:
    return LoadError(
        "", "holds XML with a DOCTYPE, which office programs never write; save a fresh copy"
    )
