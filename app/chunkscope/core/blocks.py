"""Structural spans of a document, stored as columns so that a million of them stay cheap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

import numpy as np
from numpy.typing import NDArray


class BlockKind(StrEnum):
    """What a block is; the values are the names used in JSON, TOML and `skip`."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    TABLE_ROW = "table_row"
    CODE = "code"
    QUOTE = "quote"
    FRONT_MATTER = "front_matter"
    FOOTNOTE = "footnote"
    COMMENT = "comment"
    MESSAGE = "message"
    MAIL_HEADER = "mail_header"
    SIGNATURE = "signature"
    ATTACHMENTS = "attachments"
    TURN = "turn"
    PAGE = "page"
    RUNNING_HEADER = "running_header"
    RUNNING_FOOTER = "running_footer"
    PAGE_NUMBER = "page_number"


KINDS = tuple(BlockKind)
_KIND_CODE = {kind: code for code, kind in enumerate(KINDS)}


# Where spans are equal these stand outside: a quote around its one paragraph.
_CONTAINERS = {
    BlockKind.PAGE,
    BlockKind.MESSAGE,
    BlockKind.QUOTE,
    BlockKind.TABLE,
    BlockKind.LIST_ITEM,
}
_MANY = 1 << 60


@dataclass(frozen=True, slots=True)
class Block:
    """A structural span `[start, end)` of the canonical text.

    `name` is the title of a heading, the symbol path of code, the speaker of a turn, the sender of
    a message. `heading_chain` holds the headings above the block, never the block's own.
    """

    kind: BlockKind
    start: int
    end: int
    level: int | None = None
    heading_chain: tuple[str, ...] = ()
    page: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks(Sequence[Block]):
    """An immutable sequence of blocks ordered by start, outer before inner.

    The columns are public: whoever needs speed searches in them instead of in Block objects.
    Zero in `level` and `page` means none; `chain` and `name` index the tables beside them.
    """

    kind: NDArray[np.uint8]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    level: NDArray[np.int32]
    page: NDArray[np.int32]
    chain: NDArray[np.int32]
    name: NDArray[np.int32]
    chains: tuple[tuple[str, ...], ...] = ((),)
    names: tuple[str, ...] = ("",)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, index: int | slice) -> Block | tuple[Block, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return Block(
            KINDS[self.kind[index]],
            int(self.start[index]),
            int(self.end[index]),
            int(self.level[index]) or None,
            self.chains[self.chain[index]],
            int(self.page[index]) or None,
            self.names[self.name[index]],
        )

    def __len__(self) -> int:
        return len(self.start)

    def __iter__(self) -> Iterator[Block]:
        columns = (self.kind, self.start, self.end, self.level, self.chain, self.page, self.name)
        for kind, start, end, level, chain, page, name in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            yield Block(
                KINDS[kind],
                start,
                end,
                level or None,
                self.chains[chain],
                page or None,
                self.names[name],
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blocks) and len(self) == len(other) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((self.start.tobytes(), self.end.tobytes(), self.kind.tobytes()))

    def where(self, kind: BlockKind) -> NDArray[np.intp]:
        """The indexes of the blocks of one kind."""
        return np.flatnonzero(self.kind == _KIND_CODE[kind])

    def are(self, *kinds: BlockKind) -> NDArray[np.bool_]:
        """Which blocks are of one of the given kinds."""
        return np.isin(self.kind, [_KIND_CODE[kind] for kind in kinds])

    def of_kind(self, *kinds: BlockKind) -> list[Block]:
        """The blocks of the given kinds, in order."""
        return [self[i] for i in np.flatnonzero(self.are(*kinds)).tolist()]

    def columns(self) -> list[bytes]:
        """The columns as raw bytes, in the order that `from_columns` takes."""
        return [column.tobytes() for column in self._arrays()]

    def _arrays(self) -> tuple[NDArray[np.generic], ...]:
        return (self.kind, self.start, self.end, self.level, self.page, self.chain, self.name)

    @classmethod
    def from_columns(
        cls,
        columns: Sequence[bytes | bytearray],
        chains: tuple[tuple[str, ...], ...],
        names: tuple[str, ...],
    ) -> Blocks:
        kind, start, end, level, page, chain, name = columns
        return cls(
            np.frombuffer(kind, np.uint8),
            np.frombuffer(start, np.int64),
            np.frombuffer(end, np.int64),
            np.frombuffer(level, np.int32),
            np.frombuffer(page, np.int32),
            np.frombuffer(chain, np.int32),
            np.frombuffer(name, np.int32),
            chains,
            names,
        )

    @classmethod
    def of_spans(
        cls, kind: BlockKind, starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> Blocks:
        """Blocks of one kind with nothing but their spans: the fast way for plain text."""
        none = np.zeros(len(starts), np.int32)
        kinds = np.full(len(starts), _KIND_CODE[kind], np.uint8)
        return cls(kinds, starts.astype(np.int64), ends.astype(np.int64), none, none, none, none)


class BlockWriter:
    """Collects blocks in any order and works out their heading chains."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, int, int, BlockKind, int, int, str]] = []

    def add(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        *,
        level: int | None = None,
        page: int | None = None,
        name: str = "",
    ) -> None:
        """Note a block; empty ones are not kept."""
        if end > start:
            order = len(self._rows) - (_MANY if kind in _CONTAINERS else 0)
            self._rows.append((start, -end, order, kind, level or 0, page or 0, name))

    def finish(self) -> Blocks:
        """The blocks in reading order, outer before inner, each with its heading chain."""
        self._rows.sort()
        chains = _ChainTracker()
        names: dict[str, int] = {"": 0}
        kinds, chain_ids, name_ids = [], [], []
        for start, negative_end, _, kind, level, _, name in self._rows:
            kinds.append(_KIND_CODE[kind])
            chain_ids.append(chains.visit(kind, start, -negative_end, level, name))
            name_ids.append(names.setdefault(name, len(names)))
        columns = list(zip(*self._rows, strict=True)) or [()] * 7
        return Blocks(
            np.array(kinds, np.uint8),
            np.array(columns[0], np.int64),
            -np.array(columns[1], np.int64),
            np.array(columns[4], np.int32),
            np.array(columns[5], np.int32),
            np.array(chain_ids, np.int32),
            np.array(name_ids, np.int32),
            chains.table(),
            tuple(names),
        )


class _ChainTracker:
    """Follows headings in reading order; those inside a container end with it."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, ...], int] = {(): 0}
        self._headings: list[tuple[int, str]] = []
        self._outer: list[tuple[int, list[tuple[int, str]]]] = []
        self._current = 0

    def visit(self, kind: BlockKind, start: int, end: int, level: int, name: str) -> int:
        """The id of the chain above this block, which is entered if it is a heading."""
        while self._outer and start >= self._outer[-1][0]:
            self._set(self._outer.pop()[1])
        if kind is BlockKind.HEADING:
            above = [entry for entry in self._headings if entry[0] < max(level, 1)]
            self._set(above)
            chain = self._current
            self._set([*above, (max(level, 1), name)])
            return chain
        if kind is not BlockKind.PAGE:  # pages lie across the structure, all else encloses it
            self._outer.append((end, self._headings))
        return self._current

    def _set(self, headings: list[tuple[int, str]]) -> None:
        if headings is not self._headings:
            self._headings = headings
            chain = tuple(name for _, name in headings)
            self._current = self._ids.setdefault(chain, len(self._ids))

    def table(self) -> tuple[tuple[str, ...], ...]:
        return tuple(self._ids)
