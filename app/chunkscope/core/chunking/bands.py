"""What a view must know of a chunking to draw it: columns, computed off the window's thread."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.text.codepoints import Mask, Offsets, locate_one

OVERSIZE = 1
TRUNCATED = 2
BELOW_MINIMUM = 4


def _none() -> Offsets:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Bands:
    """The chunks of a document as columns, in order."""

    starts: Offsets = field(default_factory=_none)
    ends: Offsets = field(default_factory=_none)
    overlaps: Offsets = field(default_factory=_none)
    sizes: Offsets = field(default_factory=_none)
    flags: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    boundaries: tuple[str, ...] = ()
    unit: str = ""
    max_size: int = 0
    min_size: int = 0
    left_out: tuple[tuple[int, int, str], ...] = ()

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """The chunk whose fresh part holds the offset, or that begins after it; -1 if none."""
        if not len(self.starts):
            return -1
        fresh = self.starts + self.overlaps
        found = locate_one(fresh, offset, "right") - 1
        return max(found, 0)


def bands_of(chunking: Chunking, *, with_model: bool = True) -> Bands:
    """The columns of a chunking; `with_model` also marks what the embedding model would cut off."""
    least = int(getattr(chunking.strategy, "min_size", 0))
    flags = chunking.oversize.astype(np.uint8) * OVERSIZE
    flags |= _flag(chunking.sizes < least, BELOW_MINIMUM)
    if with_model:
        flags |= _flag(chunking.truncated, TRUNCATED)
    return Bands(
        chunking.starts,
        chunking.ends,
        chunking.overlaps,
        chunking.sizes,
        flags,
        tuple(chunking.boundaries),
        str(chunking.strategy.unit),
        chunking.max_size,
        least,
        tuple((span.start, span.end, reason) for span, reason in chunking.left_out),
    )


def _flag(mask: Mask, flag: int) -> NDArray[np.uint8]:
    return mask.astype(np.uint8) * np.uint8(flag)
