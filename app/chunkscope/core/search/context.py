"""The context that a language model would get: best first, nothing twice, within its budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chunkscope.core.model import Span
from chunkscope.core.search.model import Hit
from chunkscope.core.search.render import Piece, Rendered, render
from chunkscope.core.search.stitch import HIT, is_blank, subtract, united
from chunkscope.core.search.templates import DEFAULT_TEMPLATE, Template, templates
from chunkscope.core.store.model import StoredChunk

DEFAULT_BUDGET = 8_000
Counter = Callable[[str], int]
# Below this share of the budget the sum of the pieces decides, above it the text as a whole.
_SURE = 0.8


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What did not come into the context, and by which rule."""

    rank: int
    chunk_id: str
    document_id: str
    what: str  # hit or neighbours
    rule: str
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Repeat:
    """Text that stood there already."""

    rank: int
    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Context:
    """The text with its proof of origin."""

    text: str
    tokens: int
    budget: int
    tokenizer: str
    template: str
    rendered: Rendered
    included: tuple[int, ...]  # ranks
    left_out: tuple[LeftOut, ...]
    repeats: tuple[Repeat, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """The documents' texts and the chunks that hits and neighbours name, by key."""

    texts: Mapping[int, str]
    chunks: Mapping[int, StoredChunk]


def assemble(
    hits: Sequence[Hit],
    sources: Sources,
    count: Counter,
    *,
    budget: int = DEFAULT_BUDGET,
    tokenizer: str = "",
    template: str = DEFAULT_TEMPLATE,
) -> Context:
    """Pack hits, best first, as long as the whole text keeps within the budget.

    A hit that does not fit with its neighbours is tried alone; one that does not fit alone is
    left out, and smaller ones after it are still tried.
    """
    packing = _Packing(sources, count, budget, templates[template])
    for hit in hits:
        packing.add(hit)
    packing.shrink()
    rendered = render(packing.pieces, sources.texts, packing.template)
    return Context(
        text=rendered.text,
        tokens=count(rendered.text) if rendered.text else 0,
        budget=budget,
        tokenizer=tokenizer,
        template=template,
        rendered=rendered,
        included=tuple(dict.fromkeys(piece.rank for piece in packing.pieces)),
        left_out=tuple(packing.left_out),
        repeats=tuple(packing.repeats),
    )


class _Packing:
    """What has been taken so far."""

    def __init__(self, sources: Sources, count: Counter, budget: int, template: Template) -> None:
        self.template = template
        self.pieces: list[Piece] = []
        self.left_out: list[LeftOut] = []
        self.repeats: list[Repeat] = []
        self._sources = sources
        self._count = count
        self._budget = budget
        self._taken: dict[int, list[Span]] = {}
        self._seen: dict[str, tuple[int, int]] = {}  # hash of a whole text: chunk and rank
        self._estimate = 0

    def add(self, hit: Hit) -> None:
        known = self._seen.get(hit.chunk.content_hash)
        if known is not None and known[0] != hit.chunk.key:
            self._leave_out(hit, "hit", f"has the same text as a part of result {known[1]}")
            return
        every = self._pieces(hit)
        fresh = self._fresh(every)
        if not fresh:
            self._note_repeats(hit, every, fresh)
            self._leave_out(hit, "hit", "stands in the context already, within better results")
        elif self._fits(fresh):
            self._take(hit, every, fresh)
        else:
            self._add_alone(hit, every)

    def _add_alone(self, hit: Hit, every: list[Piece]) -> None:
        own = [piece for piece in every if piece.role == HIT]
        fresh = self._fresh(own)
        if len(own) < len(every) and fresh and self._fits(fresh):
            self._take(hit, own, fresh)
            self._leave_out(hit, "neighbours", f"the budget of {self._budget:,} tokens")
            return
        tokens = self._tokens(self._fresh(every))
        self._leave_out(hit, "hit", f"the budget of {self._budget:,} tokens", tokens)

    def shrink(self) -> None:
        """Drop the last ones while the whole is above the budget: sums are estimates."""
        while self.pieces and self._tokens(self.pieces) > self._budget:
            rank = self.pieces[-1].rank
            gone = [piece for piece in self.pieces if piece.rank == rank]
            self.pieces = [piece for piece in self.pieces if piece.rank != rank]
            chunk = gone[0].chunk
            rule = f"the budget of {self._budget:,} tokens"
            self.left_out.append(
                LeftOut(rank, chunk.id, chunk.document_id, "hit", rule, self._tokens(gone))
            )

    def _pieces(self, hit: Hit) -> list[Piece]:
        """The hit's own text first: what repeats is taken from its neighbours."""
        chunks = self._sources.chunks
        found = [
            Piece(chunks[part.chunk], part.start, part.end, part.role, hit.rank)
            for part in hit.stitched.parts
        ]
        return sorted(found, key=lambda piece: piece.role != HIT)

    def _fresh(self, pieces: Iterable[Piece]) -> list[Piece]:
        """What of the pieces is not in the context yet, and visible."""
        found: list[Piece] = []
        for piece in pieces:
            known = self._seen.get(piece.chunk.content_hash)
            if piece.role != HIT and known is not None and known[0] != piece.chunk.key:
                continue
            key = piece.chunk.document
            found += [
                replace(piece, start=span.start, end=span.end)
                for span in subtract(Span(piece.start, piece.end), self._taken.get(key, []))
                if not is_blank(self._sources.texts[key], span.start, span.end)
            ]
        return found

    def _fits(self, fresh: list[Piece]) -> bool:
        if self._estimate + self._tokens(fresh) <= self._budget * _SURE:
            return True
        return self._tokens([*self.pieces, *fresh]) <= self._budget

    def _tokens(self, pieces: list[Piece]) -> int:
        return self._count(render(pieces, self._sources.texts, self.template).text)

    def _take(self, hit: Hit, every: list[Piece], fresh: list[Piece]) -> None:
        self._note_repeats(hit, every, fresh)
        self._estimate += self._tokens(fresh) + self._count(self.template.separator)
        self.pieces += fresh
        for piece in every:
            taken = self._taken.setdefault(piece.chunk.document, [])
            taken[:] = united([*taken, Span(piece.start, piece.end)])
            if (piece.start, piece.end) == (piece.chunk.start, piece.chunk.end):
                self._seen.setdefault(piece.chunk.content_hash, (piece.chunk.key, hit.rank))

    def _note_repeats(self, hit: Hit, every: list[Piece], fresh: list[Piece]) -> None:
        kept = united(Span(piece.start, piece.end) for piece in fresh)
        for piece in every:
            for span in subtract(Span(piece.start, piece.end), kept):
                if not is_blank(self._sources.texts[piece.chunk.document], span.start, span.end):
                    self.repeats.append(
                        Repeat(hit.rank, piece.chunk.document_id, span.start, span.end)
                    )

    def _leave_out(self, hit: Hit, what: str, rule: str, tokens: int = 0) -> None:
        chunk = hit.chunk
        self.left_out.append(LeftOut(hit.rank, chunk.id, chunk.document_id, what, rule, tokens))
