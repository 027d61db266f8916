"""Scripts that are written without spaces, as pairs of letters that full text can find.

FTS5's tokenizer takes a whole run of Chinese or Thai for one word, so that nothing shorter is ever
found. A run `abc` becomes the words `ab bc c`: pairs are found as words, several letters as a
phrase of pairs, and a single letter as the beginning of a word (hence the last letter alone).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

# Han, Kana, Bopomofo, Hangul, Thai, Lao, Myanmar, Khmer: letters, marks and digits.
_RANGES = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0ebd\u0ec0-\u0ece\u0ed0-\u0edf"
    "\u1000-\u1049\u1050-\u109d\u1100-\u11ff\u1780-\u17b3\u17b6-\u17d3\u17d7\u17dc\u17dd\u17e0-\u17e9"
    "\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\ua9e0-\ua9fe"
    "\uaa60-\uaa76\uaa7a-\uaa7f\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufad9\uff66-\uff9f\uffa0-\uffdc"
    "\U00020000-\U000323af"
)
_RUN = re.compile(f"[{_RANGES}]+")
# FTS5 breaks words at marks, but not at letters for private use.
_PRIVATE, _LOW_BITS = 0xE000, 0x1FFF


class Run(NamedTuple):
    """A stretch of letters without spaces: where it stands, and the words made of it."""

    start: int
    letters: tuple[str, ...]
    offsets: tuple[int, ...]  # where each letter (with its marks) starts; the end closes the list

    @property
    def pairs(self) -> tuple[str, ...]:
        """The overlapping pairs; a single letter by itself."""
        letters = self.letters
        return tuple(a + b for a, b in pairwise(letters)) or letters

    @property
    def words(self) -> tuple[str, ...]:
        """What is indexed: the pairs, and the last letter alone."""
        return (*self.pairs, self.letters[-1]) if len(self.letters) > 1 else self.letters


def has_bigrams(text: str) -> bool:
    """Whether some of the text is written in a script without spaces."""
    return not text.isascii() and _RUN.search(text) is not None


def bigrams(text: str) -> str:
    """What full text must hold of a passage so that its scripts without spaces are found."""
    if text.isascii():
        return ""
    return " ".join(word for run in runs(text) for word in run.words)


def without_bigrams(text: str) -> str:
    """The rest of the passage: words of other scripts that stand beside such letters.

    Without it `iPhoneは` is one word, and `iPhone` does not find it.
    """
    return text if text.isascii() else _RUN.sub(lambda run: " " * len(run.group()), text)


def runs(text: str) -> Iterator[Run]:
    """The stretches of letters without spaces, in order."""
    for found in _RUN.finditer(text):
        letters: list[str] = []
        offsets: list[int] = []
        for offset, character in enumerate(found.group(), start=found.start()):
            is_mark = unicodedata.category(character)[0] == "M"
            if is_mark and letters:
                letters[-1] += _private(character)
            else:
                letters.append(_private(character) if is_mark else character)
                offsets.append(offset)
        yield Run(found.start(), tuple(letters), (*offsets, found.end()))


def _private(mark: str) -> str:
    return chr(_PRIVATE + (ord(mark) & _LOW_BITS))
