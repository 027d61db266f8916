"""Code points to Qt positions and back: Python counts characters, Qt counts UTF-16 units."""

from __future__ import annotations

import numpy as np

from chunkscope.core.text.codepoints import Offsets

_LAST_OF_ONE_UNIT = 0xFFFF


class TextPositions:
    """The two counts of one string; the same numbers where no character takes two units."""

    __slots__ = ("_lows", "_wide", "length", "pos_length")

    def __init__(self, text: str) -> None:
        self._wide = _wide_characters(text)
        # The position of the second unit of each character that has two.
        self._lows = self._wide + np.arange(1, len(self._wide) + 1)
        self.length = len(text)
        self.pos_length = self.length + len(self._wide)

    @property
    def is_identity(self) -> bool:
        return not len(self._wide)

    def to_pos(self, offset: int) -> int:
        """The Qt position before the character at `offset`."""
        if self.is_identity:
            return offset
        return offset + int(np.searchsorted(self._wide, offset, side="left"))

    def to_offset(self, pos: int) -> int:
        """The offset at a Qt position; inside a pair of units, that of the character."""
        if self.is_identity:
            return pos
        return pos - int(np.searchsorted(self._lows, pos, side="right"))

    def to_positions(self, offsets: Offsets) -> Offsets:
        return offsets + np.searchsorted(self._wide, offsets, side="left")

    def to_offsets(self, positions: Offsets) -> Offsets:
        return positions - np.searchsorted(self._lows, positions, side="right")


def _wide_characters(text: str) -> Offsets:
    if text.isascii():
        return np.zeros(0, np.int64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.flatnonzero(codes > _LAST_OF_ONE_UNIT).astype(np.int64)
