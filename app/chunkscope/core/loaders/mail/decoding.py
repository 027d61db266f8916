"""From the encoded body of a mail part to its bytes, and from bytes to text."""

from __future__ import annotations

import binascii
import codecs
import re

from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.text.decoding import decode

_NOT_BASE64 = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
)
_BROKEN_QP = re.compile(rb"=(?![0-9A-Fa-f]{2}|\r?\n|\Z)")
_SPACED_BREAK = re.compile(rb"=[ \t]+(?=\r?\n)")
_UU_BEGIN = re.compile(rb"(?:\A|\n)begin(?:-base64)? [0-7]{3,4} [^\n]*\n")
# What mailers mean by the names they write: the larger set contains the smaller one.
_ALIASES = {
    "ansi": "cp1252",
    "ansi_x3.4-1968": "ascii",
    "cp-850": "cp850",
    "euc-kr": "cp949",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "iso-8859-1": "cp1252",
    "iso-8859-8-i": "iso-8859-8",
    "iso8859-1": "cp1252",
    "ks_c_5601-1987": "cp949",
    "latin1": "cp1252",
    "macintosh": "mac_roman",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "unicode-1-1-utf-7": "utf-7",
    "unicode-1-1-utf-8": "utf-8",
    "utf8mb4": "utf-8",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "x-gbk": "gb18030",
    "x-mac-roman": "mac_roman",
    "x-sjis": "cp932",
    "x-windows-949": "cp949",
}
# In these a text can look like ASCII or UTF-8 and be something else.
_STRICT = ("iso2022", "hz", "utf-7", "utf_7", "utf-16", "utf-32", "gb", "big5", "euc", "cp9", "sh")


def decode_transfer(data: bytes, encoding: str) -> tuple[bytes, list[str]]:
    """The bytes that were sent, and sentences about what was broken in their wrapping."""
    name = re.sub(r"[^a-z0-9]", "", encoding.lower().partition(";")[0])
    if name.startswith("base64"):
        return _decode_base64(data)
    if name.startswith(("quotedprintable", "quotedprinta", "qp")):
        return _decode_quoted(data)
    if name in ("xuuencode", "uuencode", "xuue", "uue"):
        return _decode_uu(data)
    return data, []


def _decode_base64(data: bytes) -> tuple[bytes, list[str]]:
    packed = data.translate(None, _NOT_BASE64)
    strange = len(data) - len(packed) - sum(data.count(blank) for blank in b" \t\r\n")
    problems = [f"{strange:,} characters that are not base64 were left out"] if strange else []
    # Several encodings in a row: the decoder would stop at the first padding without a word.
    pieces = [piece for piece in packed.split(b"=") if piece]
    if any(len(piece) % 4 == 1 for piece in pieces):
        problems.append("the base64 encoding is broken: up to one byte is lost")
    # One letter over holds six bits, which is no byte.
    whole = [piece[:-1] if len(piece) % 4 == 1 else piece for piece in pieces]
    decoded = [binascii.a2b_base64(piece + b"=" * (-len(piece) % 4)) for piece in whole]
    return b"".join(decoded), problems


def _decode_quoted(data: bytes) -> tuple[bytes, list[str]]:
    data = _SPACED_BREAK.sub(b"=", data)
    broken = sum(1 for _ in _BROKEN_QP.finditer(data))
    places = "place" if broken == 1 else "places"
    problems = [f"broken quoted-printable shown as it stands ({broken:,} {places})"]
    return binascii.a2b_qp(data), problems if broken else []


def _decode_uu(data: bytes) -> tuple[bytes, list[str]]:
    begin = _UU_BEGIN.search(data)
    if not begin:
        return data, ["is not uuencoded although it says so: shown as it stands"]
    decoded: list[bytes] = []
    lost = 0
    for line in data[begin.end() :].splitlines():
        if line.rstrip() == b"end":
            break
        try:
            decoded.append(binascii.a2b_uu(line))
        except binascii.Error:
            # Blanks at the end of a line get lost on the way, or come in addition.
            fixed, is_read = _repair_uu(line)
            decoded.append(fixed)
            lost += not is_read
    return b"".join(decoded), [f"{lost:,} lines are not valid uuencode"] if lost else []


def _repair_uu(line: bytes) -> tuple[bytes, bool]:
    count = (((line[0] - 32) & 63) * 4 + 5) // 3 if line else 0
    try:
        return binascii.a2b_uu(line[:count]), True
    except binascii.Error:
        return b"", False


def codec_name(charset: str) -> str:
    """Python's name for the encoding that a mail names, or nothing."""
    name = charset.strip().strip("\"'").lower()
    name = _ALIASES.get(name, name)
    try:
        info = codecs.lookup(name)
        "".encode(name)  # refuses rot13 and its like
    except (LookupError, ValueError, UnicodeError, AttributeError, TypeError):
        return ""
    return info.name


def decode_text(data: bytes, charset: str, override: str = "") -> tuple[str, list[str]]:
    """Text by what a person said, by the declared charset, or by a guess, with warnings."""
    if override:
        decoded = decode(data, override=override)
        return decoded.text, decoded.warnings
    codec = codec_name(charset) if charset else ""
    if codec.startswith(_STRICT):
        try:
            return data.decode(codec), []
        except (UnicodeError, ValueError):
            pass
    try:
        decoded = decode(data, declared=codec)
    except (ChunkscopeError, UnicodeError, ValueError):
        return data.decode("latin-1"), [f"could not be decoded as {charset[:60]}"]
    unknown = f"unknown charset {charset[:60]!r}: read as {decoded.encoding}"
    warnings = [unknown] if charset and not codec and not data.isascii() else []
    return decoded.text.removeprefix("\ufeff"), [*warnings, *decoded.warnings]


def text_codec(data: bytes, charset: str) -> str:
    """The codec to force on an attached text file, when its charset alone can tell."""
    codec = codec_name(charset) if charset else ""
    if not codec or codec in ("utf-8", "ascii"):
        return ""
    try:
        data.decode(codec)
    except (UnicodeError, ValueError):
        return ""
    return codec if codec.startswith(_STRICT) or not _is_utf8(data) else ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
