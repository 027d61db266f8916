"""Text for people: as wide as the terminal, with colours only where it is one."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import unicodedata
from dataclasses import dataclass
from typing import TextIO

from chunkscope.cli.output import plain, say

BOLD, DIM, GREEN, RED, CYAN = "\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[36m"
_PLAIN = "\033[0m"
_NARROWEST, _WIDEST = 40, 110


@dataclass(frozen=True, slots=True)
class Page:
    """Where commands write what is to be read, not parsed."""

    stream: TextIO
    width: int
    has_colours: bool

    @classmethod
    def of(cls, stream: TextIO | None = None) -> Page:
        stream = stream or sys.stdout
        columns = shutil.get_terminal_size().columns
        has_colours = stream.isatty() and "NO_COLOR" not in os.environ
        return cls(stream, max(_NARROWEST, min(columns, _WIDEST)), has_colours)

    def styled(self, text: str, style: str) -> str:
        return f"{style}{text}{_PLAIN}" if self.has_colours and style else text

    def line(self, text: str = "", style: str = "") -> None:
        """One line, cut off where the page ends."""
        say(self.styled(fitted(text, self.width).rstrip(), style), self.stream)

    def headline(self, text: str) -> None:
        self.line()
        self.line(text, BOLD + CYAN)

    def paragraph(self, text: str, margin: str = "", style: str = "", most: int = 0) -> None:
        """Wrapped text behind a margin; at most so many lines, where a number is given."""
        lines = textwrap.wrap(
            " ".join(plain(text).split()),
            self.width - len(margin),
            max_lines=most or None,
            placeholder=" …",
        )
        for each in lines:
            self.line(margin + each, style)


def fitted(text: str, width: int) -> str:
    """A text cut off, or filled up with blanks, to so many columns."""
    shown = plain(text)
    if columns(shown) > width:
        while columns(shown) > width - 1:
            shown = shown[:-1]
        shown += "…"
    return shown + " " * (width - columns(shown))


def columns(text: str) -> int:
    """How many columns a terminal gives a text: two for wide letters, none for marks."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
