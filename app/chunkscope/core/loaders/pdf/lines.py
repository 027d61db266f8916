"""Lines of print, made of the pieces of text that pypdf hands out."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from chunkscope.core.loaders.pdf.layout import CELL_GAP, LONE_BULLET, Line

_BOLD = re.compile(r"bold|black|heavy|demi|-medi\b|[-,]bd\b|(?:cm|sf|ec)(?:ss)?[bs]x\d", re.I)
# Its words stand one below the other by chance.
_FIXED_PITCH = re.compile(r"courier|mono(?!type)|monaco|consol|menlo|typewriter|tt\d|code", re.I)
_CELL_DISTANCE = 2.0  # times the size: a wider gap in a line separates cells
FURTHEST_INDENT = 2.5  # times the size: where the first line of a paragraph may start
SAME_PLACE = 0.5  # points: how exactly lines of a column start where the others do
WIDTH_ERROR = 0.1  # of a text's estimated width


class _Run(NamedTuple):
    """Text that pypdf shows in one go, and the direction it runs in."""

    text: str
    x: float
    y: float
    run_x: float
    run_y: float
    size: float
    font: Any


_SPACE = _Run(" ", 0.0, 0.0, 0.0, 0.0, 0.0, None)


class LineCollector:
    """Makes lines of the pieces that pypdf hands out."""

    def __init__(self, box: tuple[float, float, float, float]) -> None:
        self.lines: list[Line] = []
        self._box = box
        self._runs: list[_Run] = []
        self._pieces: list[list[_Run]] = []  # of each line
        self._is_filled = False
        self._bold: dict[int, tuple[Any, bool]] = {}

    def visit(self, text: str, cm: list[float], tm: list[float], font: Any, size: float) -> None:
        if not text:
            return
        if text != "\n":
            # pypdf goes on changing the matrices, so they are used at once.
            self._is_filled = self._is_filled or not text.isspace()
            self._runs.append(
                _Run(
                    text,
                    tm[4] * cm[0] + tm[5] * cm[2] + cm[4],
                    tm[4] * cm[1] + tm[5] * cm[3] + cm[5],
                    tm[0] * cm[0] + tm[1] * cm[2],
                    tm[0] * cm[1] + tm[1] * cm[3],
                    abs(size)
                    * math.hypot(
                        tm[2] * cm[0] + tm[3] * cm[2],
                        tm[2] * cm[1] + tm[3] * cm[3],
                    ),
                    font,
                )
            )
        if text[-1] == "\n":
            self.flush()

    def flush(self) -> None:
        runs, self._runs = self._runs, []
        if not self._is_filled:
            return
        self._is_filled = False
        if (line := self._line(runs)).text:
            self._append(line, runs)

    def _line(self, runs: list[_Run]) -> Line:
        # Most lines are shown in one go.
        filled = runs if len(runs) == 1 else [run for run in runs if not run.text.isspace()]
        turn = _turn_of(filled[0])
        main = filled[0] if len(filled) == 1 else max(filled, key=lambda run: len(run.text))
        size, is_bold = self._usual_style(filled)
        text, left, right, cells = self._text(runs, turn, size)
        if not text.isascii() and _DRAWN.search(text):
            text = _spelled(text)
        y = self._as_read(main, turn)[1]
        return Line(text, _tenth(left), _tenth(y), size, is_bold, right, turn, cells)

    def _usual_style(self, filled: list[_Run]) -> tuple[float, bool]:
        if len(filled) == 1:
            return _tenth(filled[0].size), self._is_bold(filled[0].font)
        counts: dict[tuple[float, bool], int] = {}
        for run in filled:
            style = _tenth(run.size), self._is_bold(run.font)
            counts[style] = counts.get(style, 0) + len(run.text)
        return max(counts, key=counts.__getitem__)

    def _append(self, line: Line, runs: list[_Run]) -> None:
        """Add a line; what stands to the right of the last one, at its height, goes on with it."""
        last = self.lines[-1] if self.lines else None
        gap = line.x - last.right if last else 0.0
        if (
            last is None
            or last.turn != line.turn
            or abs(last.y - line.y) > 0.3 * line.size
            or gap < 0.2 * line.size
        ):
            self.lines.append(line)
            self._pieces.append(runs)
            return
        is_cell = gap > _CELL_DISTANCE * line.size and not LONE_BULLET.match(last.text)
        text = f"{last.text}{CELL_GAP if is_cell else ' '}{line.text}"
        cells = (*last.cells, line.x, *line.cells) if is_cell else last.cells + line.cells
        is_bold = last.is_bold and line.is_bold
        self.lines[-1] = line._replace(text=text, x=last.x, is_bold=is_bold, cells=cells)
        self._pieces[-1] += [_SPACE, *runs]

    def _text(
        self, runs: list[_Run], turn: int, size: float
    ) -> tuple[str, float, float, tuple[float, ...]]:
        """The line's text, where it starts, ends and its cells start, as far as can be told."""
        if len(runs) == 1:
            text, left = _as_text(runs[0]), self._as_read(runs[0], turn)[0]
            return " ".join(text.split()), left, round(left + width(text, runs[0].size), 1), ()
        parts: list[str] = []
        starts: list[float] = []
        left, pen = math.inf, -math.inf
        for run in runs:
            text = _as_text(run)
            if not text.isspace():
                x = self._as_read(run, turn)[0]
                if parts and x > pen + _CELL_DISTANCE * size:
                    parts.append(CELL_GAP)
                    starts.append(_tenth(x))
                # pypdf does not move on after text: a run may seem to start where the last did.
                pen = max(pen, x) + width(text, run.size)
                left = min(left, x)
            parts.append(text)
        cells = [" ".join(cell.split()) for cell in "".join(parts).split(CELL_GAP)]
        return CELL_GAP.join(filter(None, cells)), left, round(pen, 1), tuple(starts)

    def starts(self, least: int) -> Iterator[float]:
        """Where pieces start that stand behind so much text, and before so much, in their lines."""
        for line, runs in zip(self.lines, self._pieces, strict=True):
            if len(runs) == 1 or len(line.text) < 2 * least or len(line.cells) > 1:
                continue
            before, last = 0, len(line.text) - least
            for run in runs:
                if least <= before <= last and not run.text.isspace():
                    yield _tenth(self._as_read(run, line.turn)[0])
                before += len(run.text)

    def halves(self, index: int, gutter: float) -> tuple[Line, Line] | None:
        """The parts of a line before and behind a gutter; None if nothing starts there."""
        if not (at := self._behind(gutter, self._pieces[index], self.lines[index])):
            return None
        runs = self._pieces[index]
        return self._line(runs[:at]), self._line(runs[at:])

    def _behind(self, gutter: float, runs: list[_Run], line: Line) -> int:
        """The first of a line's runs that stands behind the gutter; 0 if there is none."""
        left, end = -math.inf, math.inf
        for at, run in enumerate(runs):
            if run.text.isspace():
                continue
            x = self._as_read(run, line.turn)[0]
            is_near = len(line.cells) <= 1 and x <= gutter + FURTHEST_INDENT * line.size
            is_behind = abs(x - gutter) <= SAME_PLACE
            if x > end + _CELL_DISTANCE * line.size:
                is_behind = is_behind or (is_near and x >= gutter - line.size)
            else:
                is_clear = end - WIDTH_ERROR * (end - left) <= gutter < x
                is_behind = is_behind or (is_near and is_clear)
                is_behind = is_behind and not _FIXED_PITCH.search(_font_name(run.font))
            if is_behind and left > -math.inf:
                return at
            left, end = x, x + width(_as_text(run), run.size)
        return 0

    def _as_read(self, run: _Run, turn: int) -> tuple[float, float]:
        """The place of a run, right and down from the corner where reading starts."""
        left, bottom, right, top = self._box
        if turn == 0:
            return run.x - left, top - run.y
        if turn == 90:
            return run.y - bottom, run.x - left
        if turn == 180:
            return right - run.x, run.y - bottom
        return top - run.y, right - run.x

    def _is_bold(self, font: Any) -> bool:
        # The font is kept beside the answer so that its id stays its own.
        if id(font) not in self._bold:
            self._bold[id(font)] = font, _BOLD.search(_font_name(font)) is not None
        return self._bold[id(font)][1]


class _Widths(dict[str, float]):
    """Rough widths of characters, as parts of the size; those asked for are kept."""

    def __missing__(self, character: str) -> float:
        width = 1.0 if character >= "\u2e80" else 0.65 if character.isupper() else 0.5
        self[character] = width
        return width


# Codes that WinAnsi leaves unused are bullets (PDF 32000, annex D).
_READABLE = str.maketrans({"\n": " ", "\t": " ", "\x7f": "•"})
_WIDTHS = _Widths(
    dict.fromkeys("ijl.,:;'|!`", 0.27)
    | dict.fromkeys(" tfrI()[]/-", 0.33)
    | dict.fromkeys("mwMW%@—…", 0.85)
)

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile(f"[{''.join(_LIGATURES)}]")
# Older TeX draws an accent and then the letter below it. The signs that stand for themselves in
# program text, circumflex and grave, are left alone.
_ACCENTS = {"¨": "\u0308", "´": "\u0301", "˝": "\u030b", "ˇ": "\u030c", "˘": "\u0306"}
_DRAWN = re.compile(f"[{''.join(_LIGATURES)}{''.join(_ACCENTS)}]")
_ACCENTED = re.compile(f"([{''.join(_ACCENTS)}])([A-Za-zıȷ])")


@lru_cache(maxsize=4096)
def _tenth(number: float) -> float:
    """Rounded; margins, heights and sizes come again and again, and rounding is slow."""
    return round(number, 1)


def _font_name(font: Any) -> str:
    return str(font.get("/BaseFont", "")) if hasattr(font, "get") else ""


def _as_text(run: _Run) -> str:
    text = run.text.removesuffix("\n")
    if text.isprintable():
        return text
    if "\0" in text and "CMSY" in str(run.font.get("/BaseFont", "")):
        text = text.replace("\0", "\u2212")  # TeX's own place for the minus sign
    return text.translate(_READABLE)


def _spelled(text: str) -> str:
    """Letters as they are written, not as they are drawn: ligatures, accents set beside."""
    text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)
    return _ACCENTED.sub(_accented, text)


def _accented(match: re.Match[str]) -> str:
    letter = {"ı": "i", "ȷ": "j"}.get(match[2], match[2])
    joined = unicodedata.normalize("NFC", letter + _ACCENTS[match[1]])
    return joined if len(joined) == 1 else match[0]


def width(text: str, size: float) -> float:
    """About how wide a text is set."""
    return sum(map(_WIDTHS.__getitem__, text.rstrip())) * size


def _turn_of(run: _Run) -> int:
    if abs(run.run_x) >= abs(run.run_y):
        return 0 if run.run_x >= 0 else 180
    return 90 if run.run_y > 0 else 270
