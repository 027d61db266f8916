"""What all strategies share: their common parameters, and what they hand back."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from chunkscope.core import params
from chunkscope.core.blocks import KINDS
from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.budget import Budget
from chunkscope.core.chunking.packed import Packed
from chunkscope.core.params import BadParameter, param
from chunkscope.core.registry import Registry
from chunkscope.core.text.codepoints import Offsets
from chunkscope.core.text.sentences import segmenters
from chunkscope.core.text.tokenizers import tokenizer
from chunkscope.core.text.units import Ruler, Unit

UNITS = tuple(unit.value for unit in Unit)
LARGEST = 100_000


class Boundary:
    """What kind of place a chunk's fresh part begins at."""

    PAGE = "page"
    SECTION = "section"
    TURN = "turn"
    SYMBOL = "symbol"
    PARAGRAPH = "paragraph"
    SENTENCE = "sentence"
    TOKEN = "token"
    CHARACTER = "character"


def counted_in(default: Unit) -> Any:
    return param(default, choices=UNITS, help="what sizes are counted in")


def headings(default: bool) -> Any:
    return param(
        default, help="put the heading chain before the text when embedding; tokens count it"
    )


def size(default: int, help: str = "the most that a chunk may hold, in units") -> Any:
    return param(default, low=1, high=LARGEST, help=help)


def least(default: int = 0) -> Any:
    return param(
        default, low=0, high=LARGEST, help="smaller chunks join a neighbour where they fit"
    )


def overlap(default: int = 0) -> Any:
    return param(
        default, low=0, high=LARGEST, help="units repeated from the end of the chunk before"
    )


def _no_offsets() -> tuple[Offsets, Offsets]:
    none = np.zeros(0, np.int64)
    return none, none


@dataclass(frozen=True, slots=True)
class Cut:
    """The spans that a strategy chose, and what it knows about them."""

    packed: Packed
    left_out: tuple[Offsets, Offsets] = field(default_factory=_no_offsets)
    sections: tuple[Offsets, tuple[str, ...]] | None = None  # headings found by rule
    shows_table_header: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """Parameters that every strategy has; each adds its own."""

    unit: Unit = counted_in(Unit.TOKENS)
    tokenizer: str = param(
        "cl100k_base", help="counts tokens: a name, or the path of a tokenizer.json"
    )
    segmenter: str = param(
        "pysbd",
        choices=("pysbd", "unicode"),
        help="finds sentences: by rules of the language, or fast",
    )
    language: str = param("en", help="of the text, for finding sentences (two letters)")
    prepend_headings: bool = headings(False)
    skip: tuple[str, ...] = param(
        (), choices=tuple(kind.value for kind in KINDS), help="kinds of blocks that are left out"
    )

    boundaries: ClassVar[tuple[str, ...]] = (
        Boundary.SECTION,
        Boundary.PARAGRAPH,
        Boundary.SENTENCE,
    )
    oversize_stands_alone: ClassVar[bool] = False

    def check(self) -> None:
        """One sentence about the first value that cannot be."""
        params.check(self)
        if self.unit == Unit.TOKENS:
            tokenizer(self.tokenizer)
        known = segmenters[self.segmenter].languages
        if known and self.language not in known:
            raise BadParameter(
                "language", f"must be one of {', '.join(known)}, not {self.language!r}"
            )
        _check_sizes(self)

    def adapted(self, given: Collection[str]) -> Strategy:
        """With the sizes that were not given lowered to what the others allow."""
        largest = max(self._value("max_size"), 1)
        limits = [
            ("target_size", largest, largest),
            ("min_size", largest, largest // 4),
            ("overlap", largest - 1, largest // 4),
        ]
        # Who asks for smaller windows than the design's wants them in small documents too.
        if "max_size" in given and largest < params.declared(type(self))["max_size"].default:
            limits.append(("single_piece_max", largest, largest))
        lowered: dict[str, Any] = {
            name: share
            for name, most, share in limits
            if name not in given and self._value(name) > most
        }
        return replace(self, **lowered) if lowered else self

    def values(self) -> tuple[tuple[str, object], ...]:
        """The parameters by name, in order."""
        return tuple((name, getattr(self, name)) for name in params.declared(type(self)))

    def ruler(self, analysis: Analysis) -> Ruler:
        return analysis.ruler(Unit(self.unit), self.tokenizer)

    def cut(self, analysis: Analysis, ruler: Ruler) -> Cut:
        raise NotImplementedError

    def budget(self, ruler: Ruler) -> Budget:
        """The sizes that the strategy declares, as raw lengths."""
        get = self._value
        return Budget.of(
            ruler,
            get("max_size"),
            target_size=get("target_size"),
            min_size=get("min_size"),
            overlap=self.overlap_size,
            overlap_sentences=get("overlap_sentences"),
        )

    @property
    def overlap_size(self) -> int:
        """The overlap in units."""
        fraction = getattr(self, "overlap_fraction", 0.0)
        return int(self._value("overlap") or fraction * self._value("max_size"))

    def _value(self, name: str) -> int:
        return int(getattr(self, name, 0))


strategies: Registry[type[Strategy]] = Registry("strategy")


def _check_sizes(strategy: Strategy) -> None:
    largest = getattr(strategy, "max_size", None)
    if largest is None:
        return
    for name in ("min_size", "target_size"):
        value = getattr(strategy, name, 0)
        if value > largest:
            raise BadParameter(name, f"must not be over max_size ({largest:,}), but is {value:,}")
    if getattr(strategy, "overlap", 0) >= largest:
        raise BadParameter(
            "overlap",
            f"must be under max_size ({largest:,}), but is {strategy._value('overlap'):,}",
        )
    target = getattr(strategy, "target_size", 0)
    least_size = getattr(strategy, "min_size", 0)
    if target and least_size > target:
        raise BadParameter(
            "min_size", f"must not be over target_size ({target:,}), but is {least_size:,}"
        )
    if strategy.unit == Unit.TOKENS and largest <= tokenizer(strategy.tokenizer).specials:
        added = tokenizer(strategy.tokenizer).specials
        raise BadParameter(
            "max_size",
            f"must be over {added}, the special tokens that the model adds to each chunk, "
            f"but is {largest:,}",
        )
