"""The plain text of a mail as paragraphs, quoted replies and a signature."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chunkscope.core.blocks import BlockKind
from chunkscope.core.loaders.builder import LINE_BREAK, PARAGRAPH_BREAK, TextBuilder
from chunkscope.core.sandbox.watch import Watch
from chunkscope.core.text.canonical import fold_newlines

MAX_LEVEL = 50
_PROGRESS_LINES = 4096
_QUOTED = re.compile(r" ?(?:>[ \t]?)+")
_RULE = re.compile(r"\s*[_]{20,}\s*$")
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(?:begin )?(?:original|forwarded|urspr|weitergeleitet|message d.origine"
    r"|message (?:transf|initial)|mensaje|mensagem|messaggio|oorspronkelijk|doorgestuurd"
    r"|ursprungligt|vidarebefordrat|opprinnelig|oprindelig|alkuper|пересыла|исходное|原始|转发"
    r"|元の|転送)[^-\n]{0,60}-{2,}\s*$|\s*begin forwarded message:\s*$",
    re.IGNORECASE,
)
_OUTLOOK_FROM = re.compile(
    r"\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От|发件人|差出人|보낸 사람)\s?[:：]\*?\s*\S"
)
_OUTLOOK_FIELD = re.compile(
    r"\*?(?:Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado(?: el)?|Fecha"
    r"|Para|Asunto|Assunto|Inviato|Data|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt"
    r"|Til|Emne|Дата|Кому|Тема|发送时间|收件人|主题|送信日時|宛先|件名)\s?[:：]\*?",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"\b(?:wrote|writes|said|schrieb|schreibt|a écrit|écrivait|escribió|escreveu|ha scritto"
    r"|scrisse|schreef|skrev|kirjoitti|napisał|napsal|írta|написал|пишет)\b|写道|書きました|wrote",
    re.IGNORECASE,
)
_WHO_OR_WHEN = re.compile(r"@|\b\d{4}\b|\d{1,2}[:.h]\d{2}")
_ATTRIBUTION_LINES = 4
_SIGN_OFF_LINES = 10
_FOOTER_LINES = 8


@dataclass(slots=True)
class _Piece:
    """Lines that belong together; `gap` says that a blank line stands before them."""

    level: int
    gap: bool
    is_signature: bool = False
    lines: list[str] = field(default_factory=list)


def write_plain(text: str, builder: TextBuilder, watch: Watch, flowed: str = "") -> None:
    """Append the body; `flowed` is "" for fixed lines, else "yes" or "no": its DelSp parameter."""
    # Runs of blank lines mean no more than one does, and cost memory.
    text = re.sub(r"\n{3,}", "\n\n", fold_newlines(text))
    lines = text.split("\n")
    if flowed:
        lines = unfold(lines, deletes_space=flowed == "yes")
    _emit(_Reader(lines, watch).read(), builder)


def unfold(lines: list[str], deletes_space: bool) -> list[str]:
    """Lines of format=flowed (RFC 3676) joined to paragraphs again, quote marks kept."""
    joined: list[str] = []
    pieces: list[str] = []
    open_level = -1
    for line in lines:
        content = line.lstrip(">")
        level = len(line) - len(content)
        content = content.removeprefix(" ")
        is_signature = content == "-- "
        if pieces and (level != open_level or is_signature):
            joined.append(_quoted("".join(pieces), open_level))
            pieces = []
        is_open = content.endswith(" ") and not is_signature
        pieces.append(content[:-1] if is_open and deletes_space else content)
        open_level = level
        if not is_open:
            joined.append(_quoted("".join(pieces), level))
            pieces = []
    if pieces:
        joined.append(_quoted("".join(pieces), open_level))
    return joined


def _quoted(text: str, level: int) -> str:
    return f"{'>' * level} {text}" if level else text


class _Reader:
    """Goes through the lines once and groups them."""

    def __init__(self, lines: list[str], watch: Watch) -> None:
        self._lines = lines
        self._watch = watch
        self._pieces: list[_Piece] = []
        self._below = 0  # how many "Original Message" lines stand above: all below is quoted
        self._gap = False
        self._is_signing = False
        self._marked_at = -10

    def read(self) -> list[_Piece]:
        for number, line in enumerate(self._lines):
            if number % _PROGRESS_LINES == 0:
                self._watch.progress(number, len(self._lines), "lines of the message")
            self._take(number, line)
        return self._pieces

    def _take(self, number: int, line: str) -> None:
        found = _QUOTED.match(line)
        marks = found.group().count(">") if found else 0
        if not line[found.end() if found else 0 :].strip():
            self._gap = True
            return
        if not marks:
            self._mark(number, line)
        level = min(self._below + marks, MAX_LEVEL)
        if marks:
            self._is_signing = False
            self._claim_attribution(level)
        self._add(level, line.rstrip())

    def _mark(self, number: int, line: str) -> None:
        """Note what this unquoted line begins, if anything."""
        if _ORIGINAL.match(line) or self._starts_outlook(number, line):
            if number - self._marked_at > 3:
                self._below += 1
            self._marked_at = number
            self._is_signing = False
            if self._pieces and _RULE.match(self._pieces[-1].lines[-1]):
                self._move_last_lines(1, min(self._below, MAX_LEVEL))
        elif not self._below and not self._is_signing and self._starts_signature(number, line):
            self._is_signing = True
            self._pieces.append(_Piece(0, self._gap, is_signature=True))
            self._gap = False

    def _starts_outlook(self, number: int, line: str) -> bool:
        if not _OUTLOOK_FROM.match(line):
            return False
        before = self._lines[number - 1] if number else ""
        is_apart = not before.strip() or _RULE.match(before) or _ORIGINAL.match(before)
        following = [text for text in self._lines[number + 1 : number + 9] if text.strip()]
        return bool(is_apart) and sum(1 for text in following if _OUTLOOK_FIELD.match(text)) >= 2

    def _starts_signature(self, number: int, line: str) -> bool:
        if line == "-- ":
            return True
        if line.rstrip() == "--":
            return self._rest_is_short(number, _SIGN_OFF_LINES)
        return bool(_RULE.match(line)) and self._rest_is_short(number, _FOOTER_LINES)

    def _rest_is_short(self, number: int, most: int) -> bool:
        """Whether few lines follow, up to the end or to the next quote."""
        count = 0
        for line in self._lines[number + 1 : number + 4 * most]:
            if line.lstrip().startswith(">") or _ORIGINAL.match(line) or _OUTLOOK_FROM.match(line):
                return count > 0
            count += bool(line.strip())
        return 0 < count <= most and number + 4 * most >= len(self._lines)

    def _add(self, level: int, line: str) -> None:
        last = self._pieces[-1] if self._pieces else None
        if last and self._is_signing:
            last.lines.extend([""] * bool(self._gap and last.lines))
            last.lines.append(line)
        elif last and last.level == level and not self._gap and not last.is_signature:
            last.lines.append(line)
        else:
            self._pieces.append(_Piece(level, self._gap, lines=[line]))
        self._gap = False

    def _claim_attribution(self, level: int) -> None:
        """The line that says who wrote the quote belongs to the quote."""
        last = self._pieces[-1] if self._pieces else None
        if not last or last.level >= level:
            return
        for count in range(1, min(len(last.lines), _ATTRIBUTION_LINES) + 1):
            if is_attribution(" ".join(last.lines[-count:])):
                self._move_last_lines(count, last.level + 1)
                return

    def _move_last_lines(self, count: int, level: int) -> None:
        last = self._pieces[-1]
        moved = last.lines[-count:]
        del last.lines[-count:]
        gap = last.gap
        if last.lines:
            gap = not last.lines[-1]
        else:
            self._pieces.pop()
        self._pieces.append(_Piece(level, gap, lines=moved))


def is_attribution(text: str) -> bool:
    """Whether a line introduces a quote: "On Monday, Ada Byron wrote:"."""
    text = text.strip(" >*\t")
    if len(text) > 400 or not text.endswith((":", "：")):
        return False
    if _WROTE.search(text):
        return bool(re.match(r"[^\W\d_]", text)) or bool(_WHO_OR_WHEN.search(text))
    return bool(re.match(r"(?:On|Am|Le|El|Il|Op|Den|Em)\b", text) and _WHO_OR_WHEN.search(text))


def _emit(pieces: list[_Piece], builder: TextBuilder) -> None:
    """Append the pieces, and the quotes around those that are quoted."""
    opened: list[tuple[int, int]] = []  # level and start of the quotes that go on
    last_end = builder.length
    for piece in pieces:
        text = "\n".join(piece.lines).strip("\n")
        is_paragraph = not piece.is_signature
        kind = BlockKind.PARAGRAPH if is_paragraph else BlockKind.SIGNATURE
        separator = PARAGRAPH_BREAK if piece.gap or piece is pieces[0] else LINE_BREAK
        start, end = builder.add(kind, text, separator=separator)
        if end == start:
            continue
        lowest = _close_above(piece.level, opened, last_end, builder)
        if piece.level and (not opened or opened[-1][0] < piece.level):
            opened.append((piece.level, start if lowest is None else lowest))
        last_end = end
    _close_above(0, opened, last_end, builder)


def _close_above(
    level: int, opened: list[tuple[int, int]], end: int, builder: TextBuilder
) -> int | None:
    """Close deeper quotes; the start of the outermost one, which a shallower one includes."""
    lowest = None
    while opened and opened[-1][0] > level:
        quote_level, lowest = opened.pop()
        builder.mark(BlockKind.QUOTE, lowest, end, level=quote_level)
    return lowest
