"""What a tokenizer must tell so that chunks can be counted without encoding them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from chunkscope.core.text.codepoints import Mask, Offsets, locate
from chunkscope.core.text.layout import Layout


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Where the tokens of a text start; the text's length closes the list.

    A token that begins inside a character (a byte of an emoji) starts where that character starts
    and is not `whole`: no cut may be made before it.
    """

    starts: Offsets
    whole: Mask
    safe: SafePlaces | None = None
    # Which places are safe for what begins or ends right there.
    fair: Mask | None = None


class SafePlaces(Protocol):
    """Positions at which a cut changes no token on either side, and how many lie before each.

    A piece of text between two of them has the same tokens inside the document and alone. The
    beginning and the end of the text are among them.
    """

    def after(self, positions: Offsets) -> tuple[Offsets, Offsets]:
        """The nearest safe places, these or later, and the tokens before them."""
        ...

    def before(self, positions: Offsets) -> tuple[Offsets, Offsets]:
        """The nearest safe places, these or earlier, and the tokens before them."""
        ...

    def beyond(self, counts: Offsets) -> Offsets:
        """About the first places with so many tokens before them."""
        ...


@dataclass(frozen=True, slots=True)
class ListedPlaces:
    """Safe places in a list of their own."""

    positions: Offsets
    counts: Offsets

    def after(self, positions: Offsets) -> tuple[Offsets, Offsets]:
        at = locate(self.positions, positions)
        return self.positions[at], self.counts[at]

    def before(self, positions: Offsets) -> tuple[Offsets, Offsets]:
        at = locate(self.positions, positions, "right") - 1
        return self.positions[at], self.counts[at]

    def beyond(self, counts: Offsets) -> Offsets:
        return self.positions[np.minimum(locate(self.counts, counts), len(self.counts) - 1)]


@dataclass(frozen=True, slots=True)
class TokenPlaces:
    """The starts of tokens: all but some runs of them, given by their numbers, are safe.

    Inside such a run some places are `fair`: safe for what begins or ends right there, while for
    what begins between tokens only the end of the run is.
    """

    starts: Offsets
    fair: Mask
    runs: Offsets
    run_ends: Offsets

    def after(self, positions: Offsets) -> tuple[Offsets, Offsets]:
        at = locate(self.starts, positions)
        return self._after(at, self._are_fair(at, positions))

    def before(self, positions: Offsets) -> tuple[Offsets, Offsets]:
        at = locate(self.starts, positions)
        return self._before(at, self._are_fair(at, positions))

    def beyond(self, counts: Offsets) -> Offsets:
        return self.starts[np.clip(counts, 0, len(self.starts) - 1)]

    def after_tokens(self, numbers: Offsets) -> tuple[Offsets, Offsets]:
        """`after` for the starts of tokens that are whole, given by their numbers."""
        return self._after(numbers, self.fair[numbers])

    def before_tokens(self, numbers: Offsets) -> tuple[Offsets, Offsets]:
        return self._before(numbers, self.fair[numbers])

    def _after(self, at: Offsets, is_fair: Mask) -> tuple[Offsets, Offsets]:
        at = self._moved(at, is_fair, self.run_ends)
        return self.starts[at], at

    def _before(self, at: Offsets, is_fair: Mask) -> tuple[Offsets, Offsets]:
        # One before the run; not `self.runs - 1`, which would be as long as the text at every call.
        at = self._moved(np.where(is_fair, at, at - 1), is_fair, self.runs, -1)
        return self.starts[at], at

    def _are_fair(self, at: Offsets, positions: Offsets) -> Mask:
        fair: Mask = self.fair[at] & (self.starts[at] == positions)
        return fair

    def _moved(self, numbers: Offsets, stay: Mask, to: Offsets, step: int = 0) -> Offsets:
        if not len(self.runs):
            return numbers
        run = np.maximum(locate(self.runs, numbers, "right") - 1, 0)
        inside = ~stay & (numbers >= self.runs[run]) & (numbers < self.run_ends[run])
        return np.where(inside, to[run] + step, numbers)


class Tokenizer(Protocol):
    """A way to count a text in tokens; text is only text, special tokens in it too."""

    @property
    def name(self) -> str: ...

    @property
    def specials(self) -> int:
        """Tokens that a model adds to every text."""
        ...

    def count_each(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text by itself, without the special ones."""
        ...

    def tabulate(self, layout: Layout) -> TokenTable: ...

    def tabulate_safe(self, layout: Layout, tokens: Callable[[], TokenTable]) -> SafePlaces | None:
        """`tokens` gives the table where it is needed; None: every chunk must be counted."""
        ...
