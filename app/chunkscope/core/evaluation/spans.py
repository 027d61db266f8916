"""Character spans in numbered groups, and the lengths of their unions, all groups at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import Offsets

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Half-open spans `[start, end)`, each belonging to a group: the question it is about."""

    group: Offsets
    starts: Offsets
    ends: Offsets

    @classmethod
    def of(cls, *spans: tuple[int, int, int]) -> Spans:
        """From (group, start, end), for the few."""
        table = np.array(spans, np.int64).reshape(-1, 3)
        return cls(table[:, 0], table[:, 1], table[:, 2])

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, chosen: NDArray[np.bool_] | Offsets) -> Spans:
        return Spans(self.group[chosen], self.starts[chosen], self.ends[chosen])

    def joined(self, other: Spans) -> Spans:
        return Spans(
            np.concatenate((self.group, other.group)),
            np.concatenate((self.starts, other.starts)),
            np.concatenate((self.ends, other.ends)),
        )

    def united(self) -> Spans:
        """Each group's union as disjoint spans, in order."""
        if not len(self):
            return self
        # Groups laid end to end: one sweep along the line unites all of them.
        shift = self.group * (int(self.ends.max()) + 2)
        order = np.argsort(shift + self.starts, kind="stable")
        starts, reach = (shift + self.starts)[order], (shift + self.ends)[order]
        reach = np.maximum.accumulate(reach)
        is_first = np.concatenate(([True], starts[1:] > reach[:-1]))
        first = np.flatnonzero(is_first)
        last = np.append(first[1:], len(starts)) - 1
        group, shift = self.group[order][first], shift[order][first]
        return Spans(group, starts[first] - shift, reach[last] - shift)

    def total(self, groups: int) -> Offsets:
        """The sum of lengths in each group, repeats counted each time."""
        sums = np.bincount(self.group, self.ends - self.starts, groups)
        return np.asarray(sums, np.int64)

    def covered(self, groups: int) -> Offsets:
        """How many characters each group's union holds."""
        return self.united().total(groups)


def shared(one: Spans, other: Spans, groups: int) -> Offsets:
    """|A ∩ B| in each group: |A| + |B| − |A ∪ B|."""
    return one.covered(groups) + other.covered(groups) - one.joined(other).covered(groups)


def share(part: Offsets | Floats, whole: Offsets | Floats) -> Floats:
    """part / whole, and 0 where the whole is nothing."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
