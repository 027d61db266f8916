"""Words exactly as the full text sees them: split and stemmed by FTS5's own tokenizer."""

from __future__ import annotations

import threading
from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    import apsw

_ALONE = threading.local()


class Word(NamedTuple):
    """A word's stem, and its span in the text."""

    stem: str
    start: int
    end: int


# By stem, then by number: the first word of a text is number 0.
Places = dict[str, dict[int, Word]]


def words(text: str) -> list[Word]:
    """The words of a text in order, as `porter unicode61` finds them."""
    data, found = _tokens(text)
    if text.isascii():
        return [Word(stem, start, end) for start, end, stem in found]
    return _in_code_points(data, found)


def find_words(text: str, stems: Container[str]) -> tuple[int, Places]:
    """How many words a text has, and where those with certain stems stand."""
    data, found = _tokens(text)
    numbers = [number for number, token in enumerate(found) if token[2] in stems]
    chosen = [found[number] for number in numbers]
    if text.isascii():
        held = [Word(stem, start, end) for start, end, stem in chosen]
    else:
        held = _in_code_points(data, chosen)
    places: Places = {}
    for number, word in zip(numbers, held, strict=True):
        places.setdefault(word.stem, {})[number] = word
    return len(found), places


def _tokens(text: str) -> tuple[bytes, list[tuple[int, int, str]]]:
    """Start and end in bytes, and the stem."""
    import apsw

    data = text.encode("utf-8", "replace").replace(b"\0", b" ")
    found = _tokenizer()(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    return data, cast("list[tuple[int, int, str]]", found)


def _in_code_points(data: bytes, found: list[tuple[int, int, str]]) -> list[Word]:
    """Byte offsets as code points, counted once from the beginning to the end."""
    result: list[Word] = []
    at_byte = at = 0
    for start, end, stem in found:
        at += len(data[at_byte:start].decode("utf-8", "replace"))
        length = len(data[start:end].decode("utf-8", "replace"))
        result.append(Word(stem, at, at + length))
        at_byte, at = end, at + length
    return result


def _tokenizer() -> apsw.FTS5Tokenizer:
    """One for each thread: a tokenizer belongs to a connection."""
    import apsw

    if not hasattr(_ALONE, "tokenizer"):
        _ALONE.tokenizer = apsw.Connection(":memory:").fts5_tokenizer("porter", ["unicode61"])
    found: apsw.FTS5Tokenizer = _ALONE.tokenizer
    return found
