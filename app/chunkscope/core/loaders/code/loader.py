"""Source code: the file as it is, its functions and classes as blocks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.blocks import BlockKind, Blocks, BlockWriter
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.code.symbols import GRAMMARS, Grammar, Outline, Range, outline
from chunkscope.core.loaders.plain import paragraphs
from chunkscope.core.sandbox.watch import Watch

# A syntax tree takes up to ninety times the text; above this it would not fit into the memory
# that a worker has.
_MAX_PARSED = 10_000_000
_MAX_DEPTH = 8
_LOOK = 400  # how far white space is followed, so that no line however long is read twice
_PART = "syntax"
_CPP = re.compile(r"^[ \t]*(?:class\s+\w|namespace\b|template\s*<)", re.MULTILINE)
_SHEBANG = re.compile(r"#!.*\b(python|node|deno|bun)")
_TAIL = re.compile(r"[\w\s,*\[\]]*;?\s*")  # struct point {…} origin, *p;
_END = re.compile(r"[^\S\n]*;")
_LANGUAGES = {
    "python": (".py", ".pyi"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "typescript": (".ts",),
    "tsx": (".tsx",),
    "java": (".java",),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hpp", ".hh"),
    "go": (".go",),
    "rust": (".rs",),
}
_BY_EXTENSION = {suffix: name for name, suffixes in _LANGUAGES.items() for suffix in suffixes}


@register("code", "source code", *_BY_EXTENSION)
def load_code(source: Source, watch: Watch) -> Iterable[Draft]:
    text, warnings = source.text()
    grammar = _grammar(source.name, text)
    if grammar is None:
        warnings.append("the programming language is not known from the name of the file")
        yield Draft(text, _runs(text), "text/x-code", warnings=warnings)
        return
    draft = Draft(text, Blocks.of_spans(BlockKind.CODE, *_NO_SPANS), grammar.media_type)
    draft.metadata["language"] = grammar.label
    draft.warnings = warnings
    draft.blocks = _blocks(text, grammar, draft, watch)
    yield draft


_NO_SPANS = (np.empty(0, np.int64), np.empty(0, np.int64))


def _grammar(name: str, text: str) -> Grammar | None:
    suffix = PurePath(name.rpartition("#")[2] or name).suffix.lower()
    language = _BY_EXTENSION.get(suffix, "")
    if suffix == ".h" and _CPP.search(text):
        language = "cpp"
    if not language and (shebang := _SHEBANG.match(text)):
        language = "python" if shebang[1] == "python" else "javascript"
    return GRAMMARS.get(language)


def _runs(text: str) -> Blocks:
    """Code whose structure is not known: what stands between blank lines."""
    found = paragraphs(text)
    return Blocks.of_spans(BlockKind.CODE, found.start, found.end)


def _blocks(text: str, grammar: Grammar, draft: Draft, watch: Watch) -> Blocks:
    data = text.encode("utf-8")
    reason = watch.skipped(_PART)
    if reason is None and len(data) > _MAX_PARSED:
        reason = f"{len(data) / 1e6:,.0f} MB, the limit is {_MAX_PARSED / 1e6:,.0f} MB"
    if reason is not None:
        draft.warnings.append(f"functions and classes were not looked for ({reason})")
        return _runs(text)
    watch.begin(_PART)  # some texts that are no code keep the parser busy for ever
    watch.progress(0, 2, "syntax")
    found = outline(data, grammar)
    watch.progress(1, 2, "symbols")
    if found.errors:
        draft.warnings.append(_error_warning(found, data))
    return _Layout(text, found, _Offsets(data)).blocks(watch)


def _error_warning(found: Outline, data: bytes) -> str:
    line = data.count(b"\n", 0, found.first_error) + 1
    if found.errors == 1:
        return f"1 syntax error, at line {line}"
    return f"{found.errors:,} syntax errors, first at line {line}"


class _Offsets:
    """From bytes of UTF-8 to code points."""

    def __init__(self, data: bytes) -> None:
        self._starts: NDArray[np.intp] | None = None
        if not data.isascii():
            self._starts = np.flatnonzero((np.frombuffer(data, np.uint8) & 0xC0) != 0x80)

    def __call__(self, offsets: Sequence[int]) -> list[int]:
        if self._starts is None:
            return list(offsets)
        found: list[int] = np.searchsorted(self._starts, np.array(offsets, np.int64)).tolist()
        return found

    def ranges(self, ranges: Sequence[Range]) -> list[Range]:
        starts = self([start for start, _ in ranges])
        return list(zip(starts, self([end for _, end in ranges]), strict=True))


@dataclass(slots=True)
class _Open:
    """A symbol that what follows may lie in."""

    start: int
    end: int
    kind: str
    path: str
    floor: int  # where the last symbol inside ended: nothing before it can be taken


class _Layout:
    """Turns the outline of a text into blocks that hold all of it."""

    def __init__(self, text: str, found: Outline, offsets: _Offsets) -> None:
        self._text = text
        self._symbols = found.symbols
        self._spans = offsets.ranges([(symbol.start, symbol.end) for symbol in found.symbols])
        self._extras = [self._trimmed(span) for span in offsets.ranges(found.extras)]
        self._extra_starts = [start for start, _ in self._extras]
        self._head = [self._trimmed(span) for span in offsets.ranges(found.head)]
        self._wrapped = self._unwrap(offsets.ranges(found.wrappers))

    def _trimmed(self, span: Range) -> Range:
        start, end = span
        while end > start and self._text[end - 1].isspace():
            end -= 1
        return start, end

    def _unwrap(self, wrappers: list[Range]) -> list[Range]:
        """Each symbol's span, or that of the statement which holds nothing else."""
        result = []
        around: list[Range] = []
        at = 0
        for start, end in self._spans:
            while at < len(wrappers) and wrappers[at][0] <= start:
                while around and around[-1][1] <= wrappers[at][0]:
                    around.pop()
                around.append(wrappers[at])
                at += 1
            outer = next((span for span in around if self._is_around(span, start, end)), None)
            result.append(outer or (start, end))
            around.clear()  # a statement belongs to the first symbol in it
        return result

    def _is_around(self, span: Range, start: int, end: int) -> bool:
        if not span[0] <= start <= end <= span[1] <= end + _LOOK:
            return False
        return _TAIL.fullmatch(self._text, end, span[1]) is not None

    def blocks(self, watch: Watch) -> Blocks:
        writer = BlockWriter()
        at = 0
        for number, (start, end, level, path) in enumerate(self._named()):
            if level == 1:
                self._fill(writer, at, start)
                at = end
            writer.add(BlockKind.CODE, start, end, level=level, name=path)
            if number % 4096 == 0:
                watch.progress(end, len(self._text), "symbols")
        self._fill(writer, at, len(self._text))
        return writer.finish()

    def _named(self) -> Iterator[tuple[int, int, int, str]]:
        """Span, nesting depth and path of every symbol that is not too deep inside others."""
        stack = [_Open(0, len(self._text), "", "", 0)]
        for symbol, inner, span in zip(self._symbols, self._spans, self._wrapped, strict=True):
            while len(stack) > 1 and inner[0] >= stack[-1].end:
                stack.pop()
            parent = stack[-1]
            is_same = parent.kind == "type_definition"  # typedef struct Node {…} Node;
            if len(stack) > _MAX_DEPTH or is_same or inner[1] > parent.end:
                continue
            start, end = self._extended(self._trimmed(span), parent)
            if start >= end:
                continue
            parent.floor = end
            prefix = f"{parent.path}." if parent.path else ""
            yield start, end, len(stack), prefix + symbol.label
            stack.append(_Open(inner[0], inner[1], symbol.kind, prefix + symbol.scope, start))

    def _extended(self, span: Range, parent: _Open) -> Range:
        """The span with the comments and attributes above it, and the rest of its last line."""
        start, end = span
        before = bisect_left(self._extra_starts, start) - 1
        while before >= 0:
            extra_start, extra_end = self._extras[before]
            if extra_start < max(parent.floor, parent.start) or not self._touches(extra_end, start):
                break
            # Decorators may share a line; a comment behind other code belongs to that code.
            is_attribute = self._text.startswith(("@", "#["), extra_start)
            if not (is_attribute or self._starts_line(extra_start)):
                break
            if extra_start == 0 and self._text.startswith("#!"):
                break
            start = extra_start
            before -= 1
        if semicolon := _END.match(self._text, end, min(end + _LOOK, parent.end)):
            end = semicolon.end()
        after = bisect_left(self._extra_starts, end)
        if after < len(self._extras) and self._extras[after][1] <= parent.end:
            gap = self._text[end : min(self._extras[after][0], end + _LOOK)]
            if len(gap) < _LOOK and not gap.strip(" \t"):
                end = self._extras[after][1]
        return max(start, parent.floor), end

    def _touches(self, end: int, start: int) -> bool:
        gap = self._text[end : min(start, end + _LOOK)]
        return end <= start < end + _LOOK and not gap.strip() and gap.count("\n") <= 1

    def _starts_line(self, at: int) -> bool:
        line = self._text[max(0, at - _LOOK) : at].rpartition("\n")
        return not line[2].strip() and (bool(line[1]) or at < _LOOK)

    def _fill(self, writer: BlockWriter, start: int, end: int) -> None:
        """Blocks without a name for what lies between the outermost symbols."""
        for cut in [*(self._head_ends(end) if start == 0 else ()), end]:
            piece = self._text[start:cut]
            lead = len(piece) - len(piece.lstrip())
            writer.add(BlockKind.CODE, start + lead, start + len(piece.rstrip()))
            start = cut

    def _head_ends(self, limit: int) -> list[int]:
        """Where the first comment ends, and where a docstring starts and ends."""
        cuts = []
        comments = [span for span in self._head if self._text[span[0]] in "#/"]
        for number, (_, end) in enumerate(comments):
            is_last = number + 1 == len(comments)
            if is_last or not self._touches(end, comments[number + 1][0]):
                cuts.append(end)
                break
        if len(comments) < len(self._head):
            cuts.extend(self._head[-1])
        return [cut for cut in cuts if cut <= limit]
