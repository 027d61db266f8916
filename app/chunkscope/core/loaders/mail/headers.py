"""The header fields of a message or of one of its parts, read within bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import collapse_rfc2231_value, parsedate_to_datetime

from chunkscope.core.loaders.mail.decoding import decode_text
from chunkscope.core.text.canonical import replace_broken
from chunkscope.core.text.decoding import decode

MAX_FIELD = 10_000
MAX_BLOCK = 256_000
FIELD = re.compile(rb"[!-9;-~]{1,200}[ \t]*:")
_ENVELOPE = re.compile(rb">?From ")
_CHARSET = re.compile(rb"charset[ \t]*=[ \t]*\"?([\w.:-]{1,60})", re.IGNORECASE)
# Question marks inside a word are wrong but common; their number is bounded to stay linear.
_WORD = r"=\?[^?\s]{1,80}\?[bBqQ]\?[^?]*(?:\?(?!=)[^?]*){0,8}\?="
_WORDS = re.compile(rf"{_WORD}(?:\s*{_WORD})*")
_ONE_WORD = re.compile(_WORD)
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+")


@dataclass(frozen=True, slots=True)
class Headers:
    """Fields with real characters in them; encoded words are still encoded.

    `shortened` names the fields that were too long; `is_cut` says that some were not read at all.
    """

    fields: Message
    body_start: int
    shortened: tuple[str, ...] = ()
    is_cut: bool = False

    def raw(self, name: str) -> str:
        """The first value that is not blank."""
        return next((str(value) for value in self.fields.get_all(name, []) if value.strip()), "")

    def text(self, name: str) -> str:
        """The value as a reader sees it; repeated fields are joined."""
        values = [decode_words(str(value)) for value in self.fields.get_all(name, [])]
        return ", ".join(value for value in values if value)

    def first_text(self, name: str) -> str:
        return decode_words(self.raw(name))

    def content_type(self, default: str) -> str:
        """The type and subtype in small letters, or the default when there is none."""
        found = _TYPE.match(self.raw("content-type").strip())
        return found.group().lower() if found else default

    def disposition(self) -> str:
        return self.raw("content-disposition").partition(";")[0].strip().lower()

    def param(self, name: str, header: str = "content-type") -> str:
        """A parameter of a field, RFC 2231 pieces put together; nothing if it is beyond repair."""
        try:
            value = self.fields.get_param(name, "", header)
            return collapse_rfc2231_value(value).strip() if value else ""
        except (ValueError, LookupError, TypeError, AttributeError):
            return ""


def read_headers(data: bytes, start: int, end: int, charset: str = "") -> Headers:
    """The fields at `start`, and where the body begins.

    Raw 8-bit values that are not UTF-8 are read as `charset`, as the declared one, or guessed.
    """
    scan = _Scan(data, start, end)
    scan.run()
    for name, value in scan.fields:
        if not charset and name.lower() == b"content-type" and (found := _CHARSET.search(value)):
            charset = found.group(1).decode("ascii", "replace")
    fields = Message()
    for name, value in scan.fields:
        fields[name.decode("ascii")] = _characters(value, charset)
    shortened = dict.fromkeys(name.decode("ascii") for name in scan.shortened)
    return Headers(fields, scan.body_start, tuple(shortened), scan.is_cut)


class _Scan:
    """Walks over the lines of a header block, never further than its bound."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self.fields: list[tuple[bytes, bytes]] = []
        self.shortened: list[bytes] = []
        self.body_start = end
        self.is_cut = False
        self._data, self._at, self._end = data, start, end
        self._limit = min(end, start + MAX_BLOCK)
        self._name = b""
        self._lines: list[bytes] = []
        self._size = 0

    def run(self) -> None:
        while self._at < self._limit:
            newline = self._data.find(b"\n", self._at, self._end)
            following = self._end if newline < 0 else newline + 1
            if not self._take(following):
                break
            self._at = following
        else:
            self.is_cut = self._at < self._end
            self.body_start = self._after_blank_line() if self.is_cut else self._end
        self._finish_field()

    def _take(self, following: int) -> bool:
        """Use one line; False when it is not part of the headers."""
        at = self._at
        stop = min(following, at + MAX_FIELD + 2)
        line = self._data[at:stop].rstrip(b"\r\n")
        is_long = stop < following
        if not line or (not line.strip() and not self._is_header(following)):
            self.body_start = following
            return False
        if line[:1] in b" \t" and self._name:
            self._extend(line, is_long)
        elif found := FIELD.match(line):
            self._finish_field()
            self._name = found.group()[:-1].rstrip()
            self._size = 0
            self._extend(line[found.end() :], is_long)
        elif not _ENVELOPE.match(line) and not FIELD.match(self._data, following, self._end):
            self.body_start = at
            return False
        return True

    def _is_header(self, at: int) -> bool:
        is_folded = self._data[at : at + 1] in (b" ", b"\t")
        return is_folded or bool(FIELD.match(self._data, at, self._end))

    def _extend(self, line: bytes, is_long: bool) -> None:
        room = MAX_FIELD - self._size
        if (is_long or len(line) > room) and self._name not in self.shortened[-1:]:
            self.shortened.append(self._name)
        self._lines.append(line[: max(room, 0)])
        self._size += len(line)

    def _finish_field(self) -> None:
        if self._name:
            self.fields.append((self._name, b" ".join(line.strip() for line in self._lines)))
        self._name, self._lines = b"", []

    def _after_blank_line(self) -> int:
        ends = [
            found + len(mark)
            for mark in (b"\n\n", b"\n\r\n")
            if (found := self._data.find(mark, self._at - 1, self._end)) >= 0
        ]
        return min(ends, default=self._end)


def _characters(value: bytes, charset: str) -> str:
    # A bare carriage return inside a field is no line end.
    value = value.replace(b"\r", b" ")
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return decode(value, declared=charset).text


def decode_words(value: str) -> str:
    """A field with its encoded words decoded (broken ones as they stand), on one line."""
    value = " ".join(value.split())
    if "=?" in value:
        value = " ".join(_WORDS.sub(lambda found: _decode_run(found.group()), value).split())
    return replace_broken(value)[0]


def _decode_run(words: str) -> str:
    """Neighbouring words together: a character may begin in one and end in the next."""
    try:
        return _decode(words)
    except (HeaderParseError, ValueError, LookupError):
        return _ONE_WORD.sub(lambda found: _decode_alone(found.group()), words)


def _decode_alone(word: str) -> str:
    try:
        return _decode(word)
    except (HeaderParseError, ValueError, LookupError):
        return word


def _decode(words: str) -> str:
    decoded = []
    for piece, charset in decode_header(words):
        if isinstance(piece, str):
            decoded.append(piece)
        else:
            decoded.append(decode_text(piece, charset or "utf-8")[0])
    return "".join(decoded)


def parse_date(value: str) -> datetime | None:
    """The moment that a Date field names, if it names one."""
    try:
        return parsedate_to_datetime(value[:200])
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None


def sender_name(value: str) -> str:
    """The display name in a From field, else the address."""
    name, bracket, rest = value.partition("<")
    name = name.strip(" \"'\t")
    if bracket and name:
        return name
    if bracket:
        return rest.partition(">")[0].strip()
    comment = re.search(r"\(([^()]+)\)\s*$", value)
    return (comment.group(1) if comment else value).strip()
