"""Text to token ids: by gigatoken where its ids are tiktoken's, else by tiktoken itself."""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.codepoints import FIRST_PLANE, Mask, categories, code_blocks, within
from chunkscope.core.text.tokenizers.ranks import encoding, rank_file

if TYPE_CHECKING:
    from gigatoken.gigatoken_rs import BPETokenizer

log = logging.getLogger(__name__)

Tokens = NDArray[np.uint32]

# The digest of tiktoken's own ids for `probe()`.
PROBE_DIGESTS = {
    "cl100k_base": "4be60dbb1092acd74eb0291c2cf33980aed2e2e1ba0bb4fae221761ff7f229e8",
    "o200k_base": "14e8b3a9cb56127d0f9af56aa8327a76aa8de2d6309ecfc7276094420dd37cef",
}
# Beyond the first plane: emoji, which are no letters in any version, mathematical letters and the
# older ideographs.
_FAMILIAR = ((0x1D400, 0x1D7FF), (0x1F000, 0x1FAFF), (0x20000, 0x2A6D6), (0x2A700, 0x2B734))
_SHORT = 1_000
# gigatoken remembers every word that it has seen. After so many characters it starts anew.
_REMEMBERED = 50_000_000


class Encoder(Protocol):
    """What stands in a text is text, special tokens too; lone surrogates count as U+FFFD."""

    def encode(self, text: str) -> Tokens: ...


class TiktokenEncoder:
    """The reference."""

    def __init__(self, name: str) -> None:
        self._encoding = encoding(name)

    def encode(self, text: str) -> Tokens:
        try:
            found: Tokens = self._encoding.encode_to_numpy(text, disallowed_special=())
        except UnicodeEncodeError:
            return self.encode(_without_surrogates(text))
        return found


class GigatokenEncoder:
    """The same ids about twenty times as fast, made from the same rank file.

    It knows a newer Unicode: what is a letter for one of the two only is left to tiktoken.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._seen = 0
        self._tokenizer = self._load()

    def _load(self) -> BPETokenizer:
        from gigatoken.gigatoken_rs import BPETokenizer

        return BPETokenizer.from_tiktoken(rank_file(self._name), self._name.removesuffix("_base"))

    def encode(self, text: str) -> Tokens:
        if not text.isascii() and not is_familiar(text):
            return TiktokenEncoder(self._name).encode(text)
        self._seen += len(text)
        if self._seen > _REMEMBERED:
            self._tokenizer, self._seen = self._load(), len(text)
        return self._tokenizer.encode(text)


def is_familiar(text: str) -> bool:
    """Whether every version of Unicode that is in use takes all of the characters for the same."""
    if len(text) < _SHORT:
        return not _strange().search(text)
    for _, codes in code_blocks(text):
        found = _are_strange().take(codes, mode="clip")
        if found.any() and not within(codes[found], *_FAMILIAR).all():
            return False
    return True


@cache
def _strange() -> re.Pattern[str]:
    """What is not familiar, as a pattern: for short texts the fastest way to look."""
    edges = np.flatnonzero(np.diff(_are_strange()[:FIRST_PLANE], prepend=False, append=False))
    beyond = [FIRST_PLANE, *(edge for low, high in _FAMILIAR for edge in (low, high + 1)), 0x110000]
    spans = [*zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)]
    spans += zip(beyond[::2], beyond[1::2], strict=True)
    return re.compile("[" + "".join(f"{chr(low)}-{chr(high - 1)}" for low, high in spans) + "]")


@cache
def _are_strange() -> Mask:
    """The first plane by code point; the last entry stands for all beyond: look closer."""
    return np.append(np.isin(categories(), ("Cn", "Cs")), True)


@cache
def encoder(name: str) -> Encoder:
    """The fastest encoder whose ids are right."""
    try:
        fast = GigatokenEncoder(name)
    except ImportError as problem:
        log.info("tokens are counted by tiktoken: %s", problem)
        return TiktokenEncoder(name)
    if digest(fast) == PROBE_DIGESTS[name]:
        return fast
    log.warning("gigatoken's %s differs from tiktoken's: tiktoken is used", name)
    return TiktokenEncoder(name)


def digest(used: Encoder) -> str:
    """What an encoder makes of the probe."""
    return hashlib.sha256(used.encode(probe()).astype("<u4").tobytes()).hexdigest()


def probe() -> str:
    """A little of every script and all that patterns of tokenizers treat in a way of their own.

    Only what is old: newer characters would be left to tiktoken, and the probe would prove nothing.
    """
    every = map(chr, [*range(0x20, 0xD800, 29), *range(0xE000, 0x20000, 211)])
    old = unicodedata.ucd_3_2_0.category
    scripts = "".join(each for each in every if old(each) not in ("Cn", "Cs") and is_familiar(each))
    joints = ("'s", "'S", "'ſ", "'ll", "'LL've", "  ", "\n", "\r\n", " \n ", "/", "//\n", "1234567")
    blanks = "\t\x0b\x0c\x1c\x85\xa0\u1680\u180e\u2003\u2028\u200b\u3000\ufeff"
    words = (
        "word",
        "Word",
        "WORD",
        "wORd",
        "漢字",
        "नमस्ते",
        "e\u0301",
        "👩\u200d🔬",
        "_a",
        "İ",
        "ǅ",
    )
    mixed = "".join(
        f"{word}{joint}{blanks[(at + number) % len(blanks)]}{word}"
        for at, word in enumerate(words)
        for number, joint in enumerate(joints)
    )
    return f"{scripts}{mixed}<|endoftext|><|fim_prefix|>{'ab' * 200}{'!?' * 100}{' ' * 100}x"


def _without_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
