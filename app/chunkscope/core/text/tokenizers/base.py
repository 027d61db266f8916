"""What a tokenizer must tell so that chunks can be counted without encoding them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from chunkscope.core.text.codepoints import Mask, Offsets
from chunkscope.core.text.layout import Layout


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Where the tokens of a text start; the text's length closes the list.

    A token that begins inside a character (a byte of an emoji) starts where that character starts
    and is not `whole`: no cut may be made before it.
    """

    starts: Offsets
    whole: Mask


@dataclass(frozen=True, slots=True)
class SafeTable:
    """Positions where tokens end in every context, and how many tokens lie before each.

    A piece of text between two of them has the same tokens inside the document and alone. The
    beginning and the end of the text are among them.
    """

    positions: Offsets
    counts: Offsets


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

    def tabulate_safe(self, layout: Layout, tokens: Callable[[], TokenTable]) -> SafeTable | None:
        """`tokens` gives the table where it is needed; None: every chunk must be counted."""
        ...
