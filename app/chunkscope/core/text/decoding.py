"""From bytes to text: byte order marks, declared and guessed encodings, nothing lost silently."""

from __future__ import annotations

import codecs
import difflib
import re
from dataclasses import dataclass, field, replace
from encodings.aliases import aliases

from chunkscope.core.errors import WrongUsage
from chunkscope.core.text.wide import wide_encoding

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
# Bytes that are not valid UTF-8 are taken for damage, and not for another encoding, while at least
# this many valid sequences stand against each of them.
_DAMAGE_RATIO = 20
_FEW_ACCENTS = 12
_WESTERN_SHARE = 0.08
_WESTERN = frozenset(
    "àâäáãåæçèéêëìíîïñòóôöõøœùúûüýÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜÝŸ"
    "\u2018\u2019\u201c\u201d\u201e\u2013\u2014\u2026\u2022\u20ac\xa0«»°§©®™¡¿ªº·£²½×÷±µ¶"
)
# The detector takes French accents for noise: within these bounds common use decides.
_CHAOS_TOLERANCE = 0.1
_COHERENCE_TOLERANCE = 0.02
_TYPOGRAPHY = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u2022\u20ac\xa0«»°§©®™"
# In order of use, for texts that several of them read equally well.
_COMMON = (
    "cp1252", "cp1251", "cp1250", "koi8_r", "cp866", "cp1253", "cp1254", "cp1255", "cp1256",
    "cp932", "shift_jis", "euc_jp", "gb18030", "gbk", "big5", "euc_kr", "cp949", "cp500", "cp437",
    "cp850", "cp037", "mac_roman",
)  # fmt: skip
_SURROGATE = b"\xed"
_HIGH = re.compile(rb"([\x00-\x7f]?)([\x80-\xff]+)(?=([\x00-\x7f]?))")
_UNUSED = b"\x81\x8d\x8f\x90\x9d"
_NEVER_TEXT = b"\xff\xfe"
_INSIDE_WORDS = b"\x91\x92\x93\x94\x96\x97\x85\xa0\xad\xb7\x8a\x8c\x8e\x9a\x9c\x9e\x9f"
_CUT_SEQUENCE = re.compile(rb"[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2}")
_NEVER_ALONE = b"\xd0\xd7\xde\xf0\xf7\xfe"
_MULTIBYTE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded text, the encoding used, and what a person should know about it."""

    text: str
    encoding: str
    warnings: list[str] = field(default_factory=list)
    skipped: int = 0  # bytes of the mark before the text


def decode(data: bytes, declared: str = "", override: str = "") -> Decoded:
    """Decode by what a person said, the byte order mark, UTF-8, the declaration, or a guess."""
    if override:
        return _decode_as(data, known_encoding(override), "")
    for mark, encoding in _MARKS:
        if data.startswith(mark) and _is_plausible_mark(data, mark):
            return replace(_decode_as(data[len(mark) :], encoding, ""), skipped=len(mark))
    wide = wide_encoding(data)
    if wide:
        return _decode_as(data, wide, "")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as problem:
        first_bad = problem.start
    if (text := _with_surrogates(data, first_bad)) is not None:
        return Decoded(text, "cesu-8")
    if declared and (name := _lookup(declared)) and name not in ("utf-8", "ascii"):
        return _decode_as(data, name, "")
    if _is_damaged_utf8(data, first_bad) or _is_damaged_ascii(data, first_bad):
        return _decode_as(data, "utf-8", "")
    guess = _guess(data, first_bad)
    return _decode_as(data, guess, f"encoding guessed as {guess}; name another if it reads wrong")


def _is_plausible_mark(data: bytes, mark: bytes) -> bool:
    # FF FE 00 00 is UTF-32, but also UTF-16 that starts with NUL: only whole units count.
    return mark is not codecs.BOM_UTF32_LE or len(data) % 4 == 0


def _decode_as(data: bytes, encoding: str, warning: str) -> Decoded:
    warnings = [warning] if warning else []
    try:
        return Decoded(data.decode(encoding), encoding, warnings)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    count = text.count("\ufffd") - data.count("\ufffd".encode()) * (encoding == "utf-8")
    noun = "place" if count == 1 else "places"
    return Decoded(
        text, encoding, [*warnings, f"not valid {encoding} at {count} {noun}, shown as U+FFFD"]
    )


def known_encoding(encoding: str) -> str:
    """Python's name for an encoding that a person named; unknown ones suggest the nearest."""
    name = _lookup(encoding)
    if not name:
        texts = [each for each in {*aliases, *aliases.values()} if _lookup(each)]
        near = difflib.get_close_matches(encoding.lower().replace("-", "_"), sorted(texts), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "try utf-8 or windows-1252"
        raise WrongUsage(f"no encoding is called {encoding!r}; {hint}")
    return name


def _lookup(encoding: str) -> str:
    """Python's name for a text encoding that somebody wrote down, or nothing."""
    try:
        info = codecs.lookup(encoding.strip().strip("\"'"))
    except (LookupError, ValueError, UnicodeError):
        return ""
    # codecs like rot13 or base64 are no text encodings; the marker is private but stable since 3.4.
    return info.name if getattr(info, "_is_text_encoding", True) else ""


def _is_damaged_utf8(data: bytes, first_bad: int) -> bool:
    """Whether the text is UTF-8 with a few broken bytes rather than something else."""
    sample = data[: max(_SAMPLE, first_bad + _SAMPLE)]
    bad = sample.decode("utf-8", "replace").count("\ufffd")
    good = sum(1 for _ in _MULTIBYTE.finditer(sample))
    return good >= _DAMAGE_RATIO * bad


def _with_surrogates(data: bytes, first_bad: int) -> str | None:
    """UTF-8 by a program that wrote each half of a pair for itself; lone halves stay such."""
    if data[first_bad : first_bad + 1] != _SURROGATE:
        return None
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _is_damaged_ascii(data: bytes, first_bad: int) -> bool:
    """Whether a few bytes stand in plain text where no Western text has a letter or sign."""
    start = max(0, first_bad - _SAMPLE // 2)
    sample = data[start : start + _SAMPLE]
    runs = list(_HIGH.finditer(sample))
    count = sum(len(run[2]) for run in runs)
    if count > max(min(_FEW_ACCENTS, len(sample) // 2), _WESTERN_SHARE * len(sample)):
        return False
    return sum(map(_is_stray, runs)) > len(runs) / 2


def _is_stray(run: re.Match[bytes]) -> bool:
    """Whether bytes above ASCII are neither letters of a word nor signs in their usual places."""
    before, high, after = run.groups()
    if len(high) > 1:
        is_cut = _CUT_SEQUENCE.fullmatch(high) is not None
        return high == _NEVER_TEXT or (is_cut and not before.isalpha())
    if high in _UNUSED:
        return not after.isalpha()  # in Asian encodings it goes on there
    if high < b"\xc0":
        return before.isalpha() and after.isalpha() and high not in _INSIDE_WORDS
    is_capital = high < b"\xe0" and high != b"\xdf"
    is_alone = not before.isalpha() and not after.isalpha()
    return (
        (is_capital and before.islower()) or (is_alone and high in _NEVER_ALONE) or high == b"\xff"
    )


def _guess(data: bytes, first_bad: int) -> str:
    """The likeliest encoding; where several read equally well, the one in commoner use."""
    from charset_normalizer import from_bytes

    start = max(0, first_bad - _SAMPLE // 2)
    sample = data[start : start + _SAMPLE]
    if _is_western(sample):
        return "cp1252"
    matches = from_bytes(sample)
    best = matches.best()
    if best is None:
        return "cp1252"
    candidates = [
        (_strangeness(str(match), name), _rank(name), name)
        for match in matches
        if match.chaos <= best.chaos + _CHAOS_TOLERANCE
        if match.coherence >= best.coherence - _COHERENCE_TOLERANCE
        for name in match.could_be_from_charset
    ]
    return min(candidates)[2]


def _is_western(sample: bytes) -> bool:
    """Mostly ASCII, and the rest are accents of Western languages: no need to guess.

    The detector is worst just here. Czech or Polish has more accents, and some that are no Western
    letters; so has Croatian, with fewer.
    """
    accents = len(sample.translate(None, bytes(range(0x80))))
    few = min(_FEW_ACCENTS, len(sample) // 4)
    if accents > max(few, _WESTERN_SHARE * len(sample)):
        return False
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    return all(char.isascii() or char in _WESTERN for char in set(text))


def _strangeness(text: str, encoding: str) -> int:
    """How many characters prose would not have under this encoding."""
    # Code pages of one family differ in symbols.
    count = sum(text.count(symbol) for symbol in "|¬¢^~{}")
    if encoding == "cp1252":
        count += sum(not char.isascii() and char not in _WESTERN for char in text)
    return count


def _rank(encoding: str) -> int:
    return _COMMON.index(encoding) if encoding in _COMMON else len(_COMMON)
