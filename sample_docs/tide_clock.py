"""A small tide clock: harmonic constituents in, heights and turning points out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

MEAN_LEVEL = 3.2  # metres above chart datum
GREETING = "Guten Tag, 潮汐 🌊"


@dataclass(frozen=True)
class Constituent:
    """One cosine of the tide."""

    name: str
    amplitude: float
    period: float
    phase: float = 0.0

    def height(self, hour: float) -> float:
        """The part of the height that this constituent gives at an hour."""
        angle = 2 * math.pi * (hour - self.phase) / self.period
        return self.amplitude * math.cos(angle)

    @property
    def is_diurnal(self) -> bool:
        return self.period > 18


class TideClock:
    """Adds constituents up and finds high and low water."""

    step = 0.1

    def __init__(self, constituents: list[Constituent]) -> None:
        self._constituents = constituents

    @cached_property
    def range(self) -> float:
        """The largest difference that is possible at all."""
        return 2 * sum(part.amplitude for part in self._constituents)

    def height(self, hour: float) -> float:
        return MEAN_LEVEL + sum(part.height(hour) for part in self._constituents)

    def turning_points(self, start: float, end: float) -> Iterator[tuple[float, float, str]]:
        """Every high and low water between two hours."""

        def slope(hour: float) -> float:
            return self.height(hour + self.step) - self.height(hour)

        hour = start
        rising = slope(hour) > 0
        while hour < end:
            hour += self.step
            now_rising = slope(hour) > 0
            if now_rising != rising:
                yield hour, self.height(hour), "low" if now_rising else "high"
                rising = now_rising


def hours_of_power(clock: TideClock, start: float, end: float, head: float = 1.2) -> float:
    """How long a mill could run: the pond keeps the last high water, the sea goes down."""
    pond = clock.height(start)
    hours, hour = 0.0, start
    while hour < end:
        sea = clock.height(hour)
        pond = max(pond, sea)
        if pond - sea >= head:
            hours += clock.step
        hour += clock.step
    return hours


def main() -> None:
    clock = TideClock([Constituent("M2", 1.7, 12.4206), Constituent("S2", 0.6, 12.0, 1.5)])
    print(GREETING)
    for hour, height, kind in clock.turning_points(0, 48):
        print(f"{hour:5.1f} h  {height:4.2f} m  {kind} water")
    print(f"{hours_of_power(clock, 0, 24):.1f} hours of power today")


if __name__ == "__main__":
    main()
