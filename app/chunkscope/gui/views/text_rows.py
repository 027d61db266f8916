"""A text as rows: its lines, and the segments of lines too long to be laid out at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from chunkscope.core.text.codepoints import Offsets, code_points
from chunkscope.core.text.graphemes import find_clusters

SEGMENT = 2000
_PIECE = 4_000_000  # a text is searched in pieces, so that its copies stay small
_NEAR = 100  # characters looked at, on both sides of a cut, to keep clusters whole
_NEWLINE = 10


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the rows of a text begin; `continued` are the rows that go on with a line."""

    starts: Offsets  # one more than there are rows: the last is where a next row would begin
    continued: Offsets
    _runs: Offsets = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_runs", self.continued - np.arange(len(self.continued)))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def start(self, row: int) -> int:
        return int(self.starts[row])

    def end(self, row: int) -> int:
        """Where the row's text ends, before its newline."""
        after = int(self.starts[row + 1])
        return after if self.is_continued(row + 1) else after - 1

    def row_of(self, offset: int) -> int:
        found = int(np.searchsorted(self.starts, offset, side="right")) - 1
        return min(max(found, 0), len(self) - 1)

    def is_continued(self, row: int) -> bool:
        found = int(np.searchsorted(self.continued, row))
        return found < len(self.continued) and int(self.continued[found]) == row

    def line_of(self, row: int) -> int:
        """The number, from 1, of the line that the row belongs to."""
        return row + 1 - int(np.searchsorted(self.continued, row, side="right"))

    def first_of_line(self, row: int) -> int:
        """The row that begins the line of this one."""
        found = int(np.searchsorted(self.continued, row))
        if found == len(self.continued) or int(self.continued[found]) != row:
            return row
        # Within one line, row minus rank stays the same.
        first = int(np.searchsorted(self._runs, self._runs[found]))
        return int(self.continued[first]) - 1

    def longest(self) -> int:
        return int(np.argmax(np.diff(self.starts)))


def build_rows(text: str) -> Rows:
    """The rows of a text; touches no window, so a worker may call it."""
    starts = np.concatenate(([0], _newlines(text) + 1, [len(text) + 1]))
    long = np.flatnonzero(np.diff(starts) - 1 > SEGMENT)
    if not len(long):
        return Rows(starts, np.zeros(0, np.int64))
    cuts = [
        cut
        for start, end in zip(starts[long].tolist(), starts[long + 1].tolist(), strict=True)
        for cut in _cuts(text, start, end - 1)
    ]
    extra = np.array(cuts, np.int64)
    starts = np.sort(np.concatenate((starts, extra)))
    return Rows(starts, np.searchsorted(starts, extra))


def _newlines(text: str) -> Offsets:
    found = [np.zeros(0, np.int64)]
    for base in range(0, len(text), _PIECE):
        codes = code_points(text[base : base + _PIECE])
        found.append(np.flatnonzero(codes == _NEWLINE) + base)
    return np.concatenate(found)


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    while end - start > SEGMENT:
        start = _cut(text, start)
        yield start


def _cut(text: str, start: int) -> int:
    """After a blank if there is one in the segment's second half; never inside a cluster."""
    limit = start + SEGMENT
    blank = max(text.rfind(sign, start + SEGMENT // 2, limit) for sign in " \t\u3000")
    cut = limit if blank < 0 else blank + 1
    near = find_clusters(text[cut - _NEAR : cut + _NEAR])
    moved = near.floor_one(_NEAR)
    return cut - _NEAR + moved if moved else cut
