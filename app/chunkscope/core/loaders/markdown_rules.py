"""markdown-it's block rules, each tried only on lines that it can fit.

Imported only where Markdown is parsed. What comes out is what markdown-it itself finds, except for
the cells of tables, which nobody here asks for; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from markdown_it import MarkdownIt  # noqa: TID253
from markdown_it.ruler import Ruler  # noqa: TID253
from markdown_it.rules_block import StateBlock  # noqa: TID253
from markdown_it.token import Token  # noqa: TID253

from chunkscope.core.sandbox.watch import Watch

BlockRule = Callable[[StateBlock, int, int, bool], bool]

# Each rule but these begins by looking at the first character of its line.
_FIRST_CHARACTERS = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
_ANY_LINE = ("lheading", "paragraph")
_CHAINS = ("", "paragraph", "reference", "blockquote", "list")
# A table shows in the first character of the line below.
_TABLE_MARKS = frozenset("|-:")
# A line of a paragraph that starts otherwise neither ends it nor makes a heading of it.
_NOTABLE = frozenset("".join(_FIRST_CHARACTERS.values())) - {"["} | _TABLE_MARKS | {"="}
_CODE_INDENT = 4


def plain_parser() -> MarkdownIt:
    """CommonMark and tables, blocks only."""
    parser = MarkdownIt("commonmark").enable("table")
    # Inline markup moves no block; leaving it out is half of the time.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def block_tokens(text: str, watch: Watch) -> tuple[list[Token], MarkdownIt]:
    """The block tokens of a canonical text, and the parser for what stands inside of them."""
    parser = plain_parser()
    parser.block.ruler = _Chains(parser.block.ruler, watch)
    state = _State(text, parser, {}, [])
    parser.block.tokenize(state, 0, state.lineMax)
    return state.tokens, parser


class _LightToken(Token):
    """A token with what the rules and we look at; making the usual one is a fifth of the time."""

    __slots__ = ()

    def __init__(self, kind: str, tag: str, nesting: Literal[-1, 0, 1], level: int) -> None:
        self.type = kind
        self.tag = tag
        self.nesting = nesting
        self.level = level
        self.map = None
        self.content = self.info = ""
        self.hidden = False


class _State(StateBlock):
    """The parser's state, which keeps no cells of tables."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        if nesting < 0:
            self.level -= 1
        token = _LightToken(ttype, tag, nesting, self.level)
        if nesting > 0:
            self.level += 1
        if self.parentType != "table" or ttype in ("table_open", "tr_open"):
            self.tokens.append(token)
        return token


class _Chains(Ruler[BlockRule]):
    """Gives the parser one rule for each chain of rules: it picks those that fit the line."""

    def __init__(self, ruler: Ruler[BlockRule], watch: Watch) -> None:
        super().__init__()
        self._active = ruler.get_active_rules()
        rules = dict(zip(self._active, ruler.getRules(""), strict=True))
        self._lists: dict[str, list[BlockRule]] = {}
        for chain in _CHAINS:
            members = {name: rule for name, rule in rules.items() if rule in ruler.getRules(chain)}
            picker = _Picker(members)
            self._lists[chain] = [picker if chain else _Opener(picker, watch)]

    def getRules(self, chainName: str = "") -> list[BlockRule]:
        return self._lists[chainName]

    def get_active_rules(self) -> list[str]:
        return self._active


class _Picker:
    """Tries those rules of a chain that fit the first character of a line."""

    def __init__(self, members: dict[str, BlockRule]) -> None:
        self._all = tuple(members.values())
        self._table = (members["table"],) if "table" in members else ()
        self._usual = tuple(members[name] for name in _ANY_LINE if name in members)
        marks = {mark for name in members for mark in _FIRST_CHARACTERS.get(name, "")}
        self._by_mark: dict[str, Sequence[BlockRule]] = {
            mark: tuple(rule for name, rule in members.items() if _fits(name, mark))
            for mark in marks
        }

    def __call__(self, state: StateBlock, line: int, end: int, silent: bool) -> bool:
        rules: Sequence[BlockRule]
        first = state.bMarks[line] + state.tShift[line]
        # An indented line is left to the rules themselves.
        if state.sCount[line] - state.blkIndent >= _CODE_INDENT or first >= len(state.src):
            rules = self._all
        else:
            if (
                self._table
                and line + 1 < end
                and _is_under_table_head(state, line + 1)
                and self._table[0](state, line, end, silent)
            ):
                return True
            rules = self._by_mark.get(state.src[first], self._usual)
        for rule in rules:  # noqa: SIM110 - any() makes a generator for each line
            if rule(state, line, end, silent):
                return True
        return False


def _is_under_table_head(state: StateBlock, line: int) -> bool:
    first = state.bMarks[line] + state.tShift[line]
    mark = state.src[first : first + 1]
    return mark in _TABLE_MARKS and (mark != "-" or state.src[first + 1 : first + 2] != " ")


def _fits(name: str, mark: str) -> bool:
    return name in _ANY_LINE or mark in _FIRST_CHARACTERS.get(name, "")


class _Opener:
    """Starts a block; a paragraph of prose, the most usual one, without asking any rule."""

    def __init__(self, picker: _Picker, watch: Watch) -> None:
        self._picker = picker
        self._watch = watch

    def __call__(self, state: StateBlock, line: int, end: int, silent: bool) -> bool:
        self._watch.progress(line, end, "structure")
        return _is_paragraph(state, line) or self._picker(state, line, end, silent)


def _is_paragraph(state: StateBlock, line: int) -> bool:
    """Take the paragraph that starts here if none of its lines could be anything else."""
    source, starts, shifts, ends = state.src, state.bMarks, state.tShift, state.eMarks
    first = starts[line] + shifts[line]
    if state.sCount[line] - state.blkIndent >= _CODE_INDENT or source[first] in "[":
        return False
    after = line
    while after < state.lineMax and (first := starts[after] + shifts[after]) < ends[after]:
        if source[first] in _NOTABLE:
            if after > line and _is_next_item(state, after, first):
                break
            return False
        after += 1
    state.parentType = "paragraph"  # markdown-it's own rule for headings leaves it so
    state.line = after
    state.push("paragraph_open", "p", 1).map = [line, after]
    state.push("inline", "", 0).map = [line, after]
    state.push("paragraph_close", "p", -1)
    return True


def _is_next_item(state: StateBlock, line: int, first: int) -> bool:
    """Whether, seen from inside a list item, this line surely starts another one."""
    indent = state.sCount[line]
    return (
        0 <= indent < state.blkIndent
        and state.src[first] in "-+*"
        and state.src[first + 1 : first + 2] == " "
        and (state.listIndent < 0 or indent - state.listIndent < _CODE_INDENT)
    )
