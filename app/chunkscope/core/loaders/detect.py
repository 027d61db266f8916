"""Which format a source has: by its content first, by its name second."""

from __future__ import annotations

import re
from pathlib import PurePath

from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.archive import Archive
from chunkscope.core.loaders.base import Source
from chunkscope.core.loaders.chat.loader import is_chat
from chunkscope.core.loaders.every import formats
from chunkscope.core.loaders.mail.loader import is_mailbox, is_message
from chunkscope.core.text.decoding import decode

# Formats that are told by their first bytes: a name alone does not make them.
CONTAINERS = ("pdf", "docx", "epub", "odt", "rtf")
_SAMPLE = 1 << 16
_KIND_BYTES = 100
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKED = {
    b"\x1f\x8b\x08": "gzip",
    **{b"BZh%d1AY&SY" % level: "bzip2" for level in range(1, 10)},
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
}
# A few kilobytes of these may hold no control character at all.
_BINARY = (
    *(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"\x7fELF"),
    *(
        b"SQLite format 3\0",
        b"OggS\0",
        b"fLaC\0",
        b"ID3\x02",
        b"ID3\x03",
        b"ID3\x04",
        b"wOFF",
        b"wOF2",
    ),
)
_HTML = re.compile(
    r"(?:\s|<\?xml[^>]*>|<!--.*?-->)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL
)
# Control characters that no text has, NUL aside: it is told as a warning.
_CONTROL = re.compile("[\x01-\x06\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROL_SHARE = 0.05


def detect(source: Source) -> str:
    """The name of the format, or a LoadError that says what the content is instead."""
    data = source.data
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(_ZIP):
        return _in_zip(source)
    if data.startswith(_OLE):
        raise _ole_error(data)
    if data.lstrip()[:5] == b"{\\rtf":
        return "rtf"
    if packed := next((_PACKED[mark] for mark in _PACKED if data.startswith(mark)), ""):
        raise LoadError("", f"is packed with {packed}; unpack it first")
    return _among_text(source)


def by_extension(name: str) -> str:
    """The format that the name of a source promises, or nothing."""
    suffix = PurePath(name.rpartition("#")[2] or name).suffix.lower()
    return next((known for known in formats if suffix in formats[known].extensions), "")


def _in_zip(source: Source) -> str:
    archive = Archive(source.data, source.limits)
    names = archive.names
    kind = archive.read_start("mimetype", _KIND_BYTES) if "mimetype" in archive else b""
    if kind.startswith(b"application/epub+zip"):
        return "epub"
    if kind.startswith(b"application/vnd.oasis.opendocument.text"):
        return "odt"
    if "[Content_Types].xml" in names or any(name.startswith("word/") for name in names):
        if any(name.startswith(("xl/", "ppt/")) for name in names):
            raise LoadError("", "is a spreadsheet or presentation; save it as CSV, HTML or PDF")
        return "docx"
    raise LoadError("", "is a zip archive; unpack it and load the folder")


def _ole_error(data: bytes) -> LoadError:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return LoadError("", "is an encrypted Office file; save a copy without its password")
    return LoadError("", "is a file of an old Office version; save it as DOCX or PDF")


def _among_text(source: Source) -> str:
    promised = by_extension(source.name)
    sample = decode(source.data[:_SAMPLE], override=source.options.encoding).text
    if source.data.startswith(_BINARY):
        raise LoadError("", f"is not text: {_binary_name(source)}")
    if len(_CONTROL.findall(sample)) > _MAX_CONTROL_SHARE * max(len(sample), 1):
        raise LoadError("", f"is not text: {_binary_name(source)}{_remedy(source)}")
    if promised == "mail":
        return "mail"
    if promised == "mbox" or is_mailbox(source.data[:_SAMPLE]):
        return "mbox"
    if is_message(source.data[:_SAMPLE]):
        return "mail"
    if _HTML.match(sample):
        return "html"
    if promised in CONTAINERS:
        return "text"
    if promised and promised != "text":
        return promised
    if sample.startswith("#!") and (language := _shebang(sample)):
        return language
    return "chat" if is_chat(sample) else "text"


def _shebang(sample: str) -> str:
    line = sample.split("\n", 1)[0]
    return "code" if re.search(r"\b(?:python|node)", line) else ""


def _remedy(source: Source) -> str:
    # An encoding that a person names does not bind what is inside a source.
    if source.options.encoding or source.depth:
        return ""
    return "; if it is text, name its encoding with --encoding NAME (encoding= in scripts)"


def _binary_name(source: Source) -> str:
    import puremagic

    try:
        found = puremagic.from_string(source.data[:_SAMPLE], mime=True)
    except (puremagic.PureError, ValueError):
        return "its content has no known format"
    return f"its content looks like {found}" if found else "its content has no known format"
