"""Formulas of a DOCX paragraph, written in one line: (a+b)/2, x^2, √(n)."""

from __future__ import annotations

from dataclasses import dataclass

from chunkscope.core.loaders.docx.inline import End, Inline, Start
from chunkscope.core.loaders.docx.xml import Attributes

_MAX_DEPTH = 50  # each level copies its text once
_MARKS = {"m:num": "", "m:den": "/", "m:sub": "_", "m:sup": "^", "m:deg": "", "m:lim": "_"}


@dataclass(slots=True)
class _Brackets:
    opening: str = "("
    closing: str = ")"
    is_open: bool = False


class Math:
    """Adds to an Inline what the structure of a formula says."""

    def __init__(self, inline: Inline) -> None:
        self._inline = inline
        self._marks: list[tuple[list[str], int]] = []
        self._brackets: list[_Brackets] = []
        self._operator: str | None = None
        self.starts: dict[str, Start] = dict.fromkeys(_MARKS, self._start_mark)
        self.starts |= {
            "m:d": lambda _: self._brackets.append(_Brackets()),
            "m:begChr": self._take_opening,
            "m:endChr": self._take_closing,
            "m:e": self._start_element,
            "m:rad": lambda _: self._inline.emit("√"),
            "m:naryPr": self._start_operator,
            "m:chr": self._take_operator,
        }
        self.ends: dict[str, End] = {name: self._end_mark(_MARKS[name]) for name in _MARKS}
        self.ends |= {
            "m:d": self._end_brackets,
            "m:naryPr": self._end_operator,
            "m:fName": lambda: self._inline.emit(" "),
            "m:mr": lambda: self._inline.emit("; "),
        }

    def _start_mark(self, attributes: Attributes) -> None:
        self._marks.append((self._inline.pieces, len(self._inline.pieces)))

    def _end_mark(self, mark: str) -> End:
        def end() -> None:
            if not self._marks:
                return
            pieces, at = self._marks.pop()
            if pieces is not self._inline.pieces or len(self._marks) >= _MAX_DEPTH:
                return
            text = "".join(pieces[at:]).strip()
            del pieces[at:]
            if text:
                is_simple = text.isalnum() or len(text) == 1
                pieces.append(f"{mark}{text}" if is_simple else f"{mark}({text})")

        return end

    def _start_element(self, attributes: Attributes) -> None:
        if self._brackets and not self._brackets[-1].is_open:
            self._brackets[-1].is_open = True
            self._inline.emit(self._brackets[-1].opening)

    def _take_opening(self, attributes: Attributes) -> None:
        if self._brackets:
            self._brackets[-1].opening = attributes.get("m:val")[:1]

    def _take_closing(self, attributes: Attributes) -> None:
        if self._brackets:
            self._brackets[-1].closing = attributes.get("m:val")[:1]

    def _end_brackets(self) -> None:
        if self._brackets and (brackets := self._brackets.pop()).is_open:
            self._inline.emit(brackets.closing)

    def _start_operator(self, attributes: Attributes) -> None:
        self._operator = "∫"

    def _take_operator(self, attributes: Attributes) -> None:
        if self._operator is not None:
            self._operator = attributes.get("m:val")[:1]

    def _end_operator(self) -> None:
        if self._operator:
            self._inline.emit(self._operator)
        self._operator = None
