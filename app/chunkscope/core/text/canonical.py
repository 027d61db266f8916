"""The canonical form of a text: what SPEC calls the text that every offset refers to."""

from __future__ import annotations

import re

_BROKEN = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def fold_newlines(text: str) -> str:
    """Every line end as a line feed."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def replace_broken(text: str) -> tuple[str, int]:
    """NUL and lone surrogates as U+FFFD, one for one so that offsets stay; and how many."""
    # A search over the whole text per class is several times faster than one regular expression.
    if "\x00" not in text and _is_encodable(text):
        return text, 0
    return _BROKEN.subn(REPLACEMENT, text)


def _is_encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def canonical(text: str, is_well_formed: bool = False) -> tuple[str, list[str]]:
    """The canonical form of a decoded text, with warnings about what was replaced.

    A text that is canonical already comes back as the same object. One that is known to hold no
    surrogates is not searched for them.
    """
    text = fold_newlines(text.removeprefix("\ufeff"))
    if is_well_formed and "\x00" not in text:
        return text, []
    text, count = replace_broken(text)
    return text, [broken_warning(count)] if count else []


def broken_warning(count: int) -> str:
    noun = "character" if count == 1 else "characters"
    return f"{count} {noun} (NUL or lone surrogates) shown as U+FFFD"
