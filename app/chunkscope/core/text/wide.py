"""UTF-16 and UTF-32 without a byte order mark, told by the columns of their bytes."""

from __future__ import annotations

import unicodedata
from collections import Counter

_SAMPLE = 1 << 16
_MIN_CHARACTERS = 8
_PUNCTUATION = 0x20  # the high byte of dashes and curled quotes
_MIN_SHARE = 0.9
_MAX_LETTERS = 110  # numbers that are no text spread over all 256
_MAX_WORD = 80  # on the average: Thai has spaces between sentences only
_MAX_STRANGE = 0.01
_STRANGE = frozenset(("Cc", "Cn", "Co", "Cs"))
_SPACES = "\t\n\r "


def wide_encoding(data: bytes) -> str:
    """The encoding by where the zero bytes stand, or by the script that one column names."""
    sample = data[:_SAMPLE]
    if len(sample) < 4 or b"\0" not in sample:
        return ""
    if len(data) % 4 == 0:
        share = [sample[i::4].count(0) / max(len(sample[i::4]), 1) for i in range(4)]
        if share[0] > 0.95 and share[1] > 0.95 and share[3] < 0.05:
            return "utf-32-be"
        if share[3] > 0.95 and share[2] > 0.95 and share[0] < 0.05:
            return "utf-32-le"
    even, odd = (sample[i::2].count(0) / max(len(sample[i::2]), 1) for i in range(2))
    if even > 0.3 and odd < 0.02:
        return "utf-16-be"
    if odd > 0.3 and even < 0.02:
        return "utf-16-le"
    return _in_one_script(sample) if len(data) % 2 == 0 else ""


def _in_one_script(sample: bytes) -> str:
    """UTF-16 of a script that is not Latin: one column holds its number, or zero for a space."""
    for encoding, high in (("utf-16-be", 0), ("utf-16-le", 1)):
        script = _script(sample[high::2], sample[1 - high :: 2])
        if script and _reads(sample, encoding, script):
            return encoding
    return ""


def _script(high: bytes, low: bytes) -> int:
    counts = Counter(high)
    if len(high) < _MIN_CHARACTERS or not counts.pop(0, 0) or not counts:
        return 0
    script = max(counts, key=lambda value: counts[value])
    known = high.count(0) + counts[script] + (counts[_PUNCTUATION] if script != _PUNCTUATION else 0)
    is_varied = len(set(low)) >= min(len(low) // 3, 8)
    return (
        script
        if known > _MIN_SHARE * len(high) and is_varied and low.count(0) <= len(low) // 100
        else 0
    )


def _reads(sample: bytes, encoding: str, script: int) -> bool:
    """Whether the bytes are words of a script; 16-bit numbers are letters, too, but no words."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError as problem:
        if problem.start < len(sample) - 2:  # but the sample may end inside a pair
            return False
        text = sample[: problem.start].decode(encoding)
    spaces = sum(map(text.count, _SPACES))
    strange = sum(unicodedata.category(c) in _STRANGE and c not in _SPACES for c in text)
    letters = [c for c in text if ord(c) >> 8 == script and unicodedata.category(c)[0] in "LM"]
    return (
        spaces * _MAX_WORD >= len(text)
        and strange <= _MAX_STRANGE * len(text)
        and len(letters) > len(text) / 2
        and len(set(letters)) <= _MAX_LETTERS
    )
