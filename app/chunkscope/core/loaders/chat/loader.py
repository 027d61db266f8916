"""Chat logs in text form: the file as it is, with every speaker's turn as a block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from chunkscope.core.blocks import BlockKind, Blocks, BlockWriter
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.plain import paragraphs
from chunkscope.core.sandbox.watch import Watch

# Marks of direction that exports put before dates and names.
_MARK = "[\u200e\u200f\u202a-\u202e\ufeff]*"
_SECONDS = r"[:.]\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?"
_CLOCK = rf"\d{{1,2}}[:.]\d{{2}}(?:{_SECONDS})?(?:[\s\u202f]?[AaPp]\.?[Mm]\.?)?"
_DATE = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
_STAMP = rf"(?:{_DATE}(?:,|T|,?[\s\u202f])[\s\u202f]?{_CLOCK}|{_CLOCK})"
_NAME = r"(?P<name>[^\s:<>\[\]*][^:<>\[\]\n]{0,60}?)"
_NICK = r"<[ @+%&~!]?(?P<name>[^<>\s][^<>\n]{0,40})>"
_STAMPED = rf"{_MARK}(?:\[{_STAMP}\]|\({_STAMP}\)|{_STAMP}(?:[\s\u202f]-)?)[\s\u202f]*"
# XChat and its heirs: a month without a year, and a tab behind who or what is meant. Not among the
# other stamps, because programs that log begin their lines so, too.
_MONTHLY = rf"[^\W\d]{{3,5}}\.?[ ]{{1,2}}\d{{1,2}}[ ]{_CLOCK}[ ]"
# Tried in this order; a log keeps to one form, bare names are the weakest sign.
_FORMS = (
    re.compile(rf"(?:{_STAMPED}|{_MONTHLY}(?=<[^>\n]*>\t))?{_MARK}{_NICK}(?:[ \t]|$)"),
    re.compile(rf"{_STAMPED}{_MARK}{_NAME}:(?:[ \t\u202f]|$)"),
    re.compile(rf"{_DATE}[ T]{_CLOCK}\t[@+%&~ ]?(?P<name>[^\s<>*=-][^\t\n]{{0,40}})\t"),
    re.compile(rf"{_MARK}{_NAME}:[ \t]\S"),
)
_NICKS, _, _TABBED, _BARE = _FORMS
# A clock without brackets or a dash also stands before programme items and verses.
_WEAK = re.compile(rf"{_MARK}(?>{_STAMP})[\s\u202f]++(?!-)")
_ACTION = re.compile(rf"(?:{_STAMPED}|{_MONTHLY}(?=\*\t))?\*[ \t]+(?P<name>\S+)[ \t]")
_OPENING = re.compile(r"--- Log opened |Session Start: |\*{4} BEGIN LOGGING AT ")
_SYSTEM = re.compile(
    rf"(?:{_STAMPED})?(?:===|\*\*\*|-!-|-->|<--|--\s|!--)[ \t]|---[ \t](?:Log|Day)|{_STAMPED}\S"
    rf"|Session (?:Start|Ident|Time|Close): |\*{{4}} (?:BEGIN|ENDING) LOGGING AT "
    rf"|{_MONTHLY}(?:\*|-\S+-|---)\t"
)
# Who came and went, in a log that sets everything between tabs.
_TABBED_ARROW = re.compile(rf"{_DATE}[ T]{_CLOCK}\t(?:-->|<--)\t\S")
_LEVELS = "TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL"
# Small letters only where they are all of the name: people are called Tracey and Info Desk.
_LEVEL = re.compile(rf"\b(?:{_LEVELS})\b|^(?i:{_LEVELS})$")
_MAX_BARE_NAME_WORDS = 4
_LINES = 400
_EVERY = 4096


def is_chat(sample: str) -> bool:
    """Whether most lines are turns of one form."""
    sample = sample.replace("\r\n", "\n").replace("\r", "\n")
    lines = [line for line in sample.split("\n")[:_LINES] if line.strip()]
    return any(_fits(form, lines) for form in _FORMS)


def _fits(form: re.Pattern[str], lines: list[str]) -> bool:
    matches = [match for line in lines if (match := form.match(line))]
    turns = [match["name"] for match in matches]
    levels = sum(1 for name in turns if _LEVEL.search(name))
    is_opened = form is _NICKS and bool(_OPENING.match(lines[0])) if lines else False
    if len(turns) < (2 if is_opened else 3) or levels >= 0.5 * len(turns):
        return False
    asides = sum(1 for line in lines if not form.match(line) and _is_aside(line))
    if form is _NICKS:
        is_stamped = not matches[0].string.lstrip().startswith("<")
        # Unstamped, one name or many names once each are tags and addresses.
        is_talk = is_stamped or 1 < len(set(turns)) < len(turns)
        return is_talk and len(turns) + asides >= 0.6 * len(lines)
    if form is _TABBED and any(map(_TABBED_ARROW.match, lines)):
        return len(turns) + asides >= 0.9 * len(lines)
    if form in (_BARE, _TABBED) or _WEAK.match(matches[0].string):
        return len(turns) + min(asides, len(turns)) >= 0.7 * len(lines) and _is_talk(matches)
    # Many messages have several lines; a stamp in brackets or before a dash is a strong sign.
    return len(turns) + min(asides, len(turns)) >= 0.3 * len(lines)


def _is_talk(matches: list[re.Match[str]]) -> bool:
    """Bare names are a weak sign: lists of "Key: value" look alike, but people say more."""
    speakers = Counter(match["name"] for match in matches)
    again = [name for name, count in speakers.items() if count > 1]
    return (
        len(again) >= 2
        and len(matches) >= 2 * len(speakers)
        and all(len(name.split()) <= _MAX_BARE_NAME_WORDS for name in speakers)
        and any(" " in match.string[match.end() :].strip() for match in matches)
        and len({match.string for match in matches}) > 0.6 * len(matches)
    )


def _is_aside(line: str) -> bool:
    return bool(_ACTION.match(line) or _SYSTEM.match(line))


@register("chat", "chat log")
def load_chat(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    yield Draft(text, chat_blocks(text, watch), "text/x-chat", warnings=warnings)


def chat_blocks(text: str, watch: Watch) -> Blocks:
    """A turn from the line that names its speaker through the lines that go on."""
    lines = text.split("\n")
    form = _best_form(lines)
    if form is None:
        return paragraphs(text)
    writer = BlockWriter()
    turn: tuple[BlockKind, int, str] | None = None
    at = end = 0
    for number, line in enumerate(lines):
        if number % _EVERY == 0:
            watch.progress(number, len(lines), "turns")
        opened = _opened(line, form)
        if opened and line.strip():
            _close(writer, turn, end)
            turn = (opened[0], at, opened[1])
        elif turn is None and line.strip():
            turn = (BlockKind.PARAGRAPH, at, "")
        if line.strip():
            end = at + len(line.rstrip())
        at += len(line) + 1
    _close(writer, turn, end)
    return writer.finish()


def _opened(line: str, form: re.Pattern[str]) -> tuple[BlockKind, str] | None:
    """What a line begins, if it does not go on with the turn before it."""
    if match := form.match(line) or _ACTION.match(line):
        return BlockKind.TURN, match["name"].strip()
    if form is not _BARE and _SYSTEM.match(line):
        return BlockKind.PARAGRAPH, ""
    return None


def _close(writer: BlockWriter, turn: tuple[BlockKind, int, str] | None, end: int) -> None:
    if turn:
        kind, start, name = turn
        writer.add(kind, start, end, name=name)


def _best_form(lines: list[str]) -> re.Pattern[str] | None:
    sample = [line for line in lines[:_LINES] if line.strip()]
    counts = [sum(1 for line in sample if form.match(line)) for form in _FORMS]
    best = max(counts, default=0)
    return _FORMS[counts.index(best)] if best else None
