"""The tree of MIME parts of a message, walked within bounds and without copying."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chunkscope.core.loaders.mail.decoding import decode_text, decode_transfer
from chunkscope.core.loaders.mail.headers import Headers, read_headers
from chunkscope.core.sandbox.watch import Watch

MAX_DEPTH = 50
MAX_PARTS = 10_000
_SOME_BOUNDARY = re.compile(rb"\n--([^\r\n]{1,200}?)[ \t]*\r?\nContent-", re.IGNORECASE)
_LOOK_AHEAD = 1 << 16
_META_CHARSET = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?([\w.:-]{1,60})", re.IGNORECASE)


@dataclass(slots=True)
class Part:
    """One node: a multipart has children, a leaf has a body `[start, end)` in the message."""

    data: bytes
    headers: Headers
    type: str
    start: int
    end: int
    children: list[Part] = field(default_factory=list)

    @property
    def is_multipart(self) -> bool:
        return bool(self.children)

    def content(self) -> tuple[bytes, list[str]]:
        """The body as it was before it was wrapped for the journey, and what was broken."""
        encoding = self.headers.raw("content-transfer-encoding")
        return decode_transfer(self.data[self.start : self.end], encoding)

    def text(self, override: str = "") -> tuple[str, list[str], list[str]]:
        """The body as text, warnings about its charset, and what of it is lost."""
        data, problems = self.content()
        charset = self.headers.param("charset")
        if self.type == "text/html" and not charset:
            found = _META_CHARSET.search(data[:8192])
            charset = found.group(1).decode("ascii", "replace") if found else ""
        text, warnings = decode_text(data, charset, override)
        return text, warnings, problems


class PartReader:
    """Builds the tree; `missing` and `warnings` tell what did not go into it."""

    def __init__(self, data: bytes, watch: Watch) -> None:
        self.missing: list[str] = []
        self.warnings: list[str] = []
        self._data = data
        self._watch = watch
        self._count = 0

    def read(self) -> Part:
        return self._read(0, len(self._data), 0, "text/plain", "")

    def _read(self, start: int, end: int, depth: int, default: str, charset: str) -> Part:
        self._count += 1
        self._watch.progress(start, len(self._data), "parts of the message")
        headers = read_headers(self._data, start, end, charset)
        kind = headers.content_type(default)
        part = Part(self._data, headers, kind, headers.body_start, end)
        if kind.startswith("multipart/"):
            self._read_children(part, depth)
        return part

    def _read_children(self, part: Part, depth: int) -> None:
        sections = self._sections(part)
        if not sections:
            if self._data[part.start : part.end].strip():
                self._warn("its parts cannot be told apart (the boundary is missing)")
            part.type = "text/plain"
            return
        if depth >= MAX_DEPTH:
            self._miss(f"parts nested deeper than {MAX_DEPTH} levels were left out")
            part.type, part.end = "text/plain", part.start
            return
        default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
        for start, end in sections:
            if self._count >= MAX_PARTS:
                self._miss(f"more than {MAX_PARTS:,} parts: the rest was left out")
                break
            # A guess for each of thousands of parts would take minutes.
            part.children.append(self._read(start, end, depth + 1, default, "cp1252"))

    def _sections(self, part: Part) -> list[tuple[int, int]]:
        declared = part.headers.param("boundary").encode("utf-8", "replace")
        sections = self._split(part, declared) if declared else []
        if sections:
            return sections
        stop = min(part.end, part.start + _LOOK_AHEAD)
        guess = _SOME_BOUNDARY.search(self._data, part.start - 1, stop)
        if not guess:
            return []
        self._warn("the boundary between its parts is not the declared one")
        return self._split(part, guess.group(1))

    def _split(self, part: Part, boundary: bytes) -> list[tuple[int, int]]:
        """The ranges between boundary lines; what stands before the first is for old mailers."""
        data, sections, opened = self._data, [], -1
        for line_start, after, is_closing in self._boundary_lines(part, b"--" + boundary):
            if opened >= 0:
                sections.append((opened, _before_newline(data, opened, line_start)))
            opened = -1 if is_closing else after
            if is_closing or len(sections) > MAX_PARTS:
                break
        if opened >= 0 and len(sections) <= MAX_PARTS:
            sections.append((opened, part.end))
            self._warn("the end of its parts is not marked: the message may be cut off")
        return sections

    def _boundary_lines(self, part: Part, marker: bytes) -> list[tuple[int, int, bool]]:
        """Where each boundary line starts, what follows it, and whether it is the last."""
        data, end, needle = self._data, part.end, b"\n" + marker
        lines: list[tuple[int, int, bool]] = []
        at, tries = part.start - 1, 0  # the newline before the body
        while len(lines) <= MAX_PARTS + 1 and (found := data.find(needle, at, end)) >= 0:
            at = found + len(needle)
            newline = data.find(b"\n", at, end)
            tail = data[at : min(end if newline < 0 else newline, at + 100)].strip()
            if tail in (b"", b"--"):
                lines.append((found + 1, end if newline < 0 else newline + 1, tail == b"--"))
            tries += 1
            if tries % 4096 == 0:
                self._watch.progress(at, len(data), "parts of the message")
        return lines

    def _miss(self, sentence: str) -> None:
        if sentence not in self.missing:
            self.missing.append(sentence)

    def _warn(self, sentence: str) -> None:
        if sentence not in self.warnings:
            self.warnings.append(sentence)


def _before_newline(data: bytes, start: int, line_start: int) -> int:
    """The line end before a boundary belongs to the boundary."""
    end = line_start - 1
    if end > start and data[end - 1 : end] == b"\r":
        end -= 1
    return max(end, start)
