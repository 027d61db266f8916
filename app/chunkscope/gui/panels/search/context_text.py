"""A context as it is shown: its text with the origin of every part, and repeats where wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chunkscope.core.search.context import Context, Repeat
from chunkscope.core.search.model import Hit, SearchResult
from chunkscope.core.search.render import Provenance
from chunkscope.core.search.stitch import part_text
from chunkscope.gui.panels.search.copies import citation_of

REPEATED, HEADING = "repeated", "heading"
_END = -1


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A range of what is shown, and where it comes from."""

    start: int
    end: int
    role: str
    rank: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownContext:
    """Text whose parts tile it."""

    text: str
    parts: tuple[ShownPart, ...]

    def part_at(self, offset: int) -> ShownPart | None:
        return next((each for each in self.parts if each.start <= offset < each.end), None)

    def spans(self, role: str) -> list[tuple[int, int]]:
        return [(each.start, each.end) for each in self.parts if each.role == role]


def shown(context: Context, result: SearchResult, with_repeats: bool = False) -> ShownContext:
    """The exact text; with repeats, what was removed stands where it would have stood."""
    hits = {hit.rank: hit for hit in result.hits}
    places = _places(context) if with_repeats else {}
    writer = _Writer(hits, result.options.boundary_markers)
    for number, part in enumerate(context.rendered.parts):
        for repeat in places.get(number, ()):
            writer.repeat(repeat)
        text = context.text[part.start : part.end]
        writer.write(text, part.role, part.rank, _note(part, hits))
    for repeat in places.get(_END, ()):
        writer.write("\n\n", HEADING)
        writer.repeat(repeat)
    return ShownContext("".join(writer.texts), tuple(writer.parts))


class _Writer:
    """Collects text and parts."""

    def __init__(self, hits: Mapping[int, Hit], with_markers: bool) -> None:
        self.texts: list[str] = []
        self.parts: list[ShownPart] = []
        self._hits = hits
        self._with_markers = with_markers
        self._at = 0

    def write(self, text: str, role: str, rank: int = 0, note: str = "") -> None:
        if text:
            self.texts.append(text)
            self.parts.append(ShownPart(self._at, self._at + len(text), role, rank, note))
            self._at += len(text)

    def repeat(self, repeat: Repeat) -> None:
        hit = self._hits.get(repeat.rank)
        if hit is not None:
            note = f"Removed from result {repeat.rank}: it stands in the context already."
            text = _text_of(hit, repeat, self._with_markers)
            self.write(text, REPEATED, repeat.rank, note)


def _places(context: Context) -> dict[int, list[Repeat]]:
    """Before which part each repeat would stand."""
    found: dict[int, list[Repeat]] = {}
    for repeat in context.repeats:
        number = next(
            (
                number
                for number, part in enumerate(context.rendered.parts)
                if part.rank == repeat.rank
                and part.document_id == repeat.document_id
                and part.document_start >= repeat.end
            ),
            _END,
        )
        found.setdefault(number, []).append(repeat)
    return found


def _text_of(hit: Hit, repeat: Repeat, with_markers: bool) -> str:
    for part in hit.stitched.parts:
        if part.start <= repeat.start and repeat.end <= part.end:
            text = part_text(hit.stitched, part, with_markers)
            return text[repeat.start - part.start : repeat.end - part.start]
    return ""


def _note(part: Provenance, hits: Mapping[int, Hit]) -> str:
    """What to say of a place of the context."""
    if part.role == "attribution":
        return "Attribution: written by the template, from no document."
    if part.role == "separator":
        return "Separator: written by the template, from no document."
    hit = hits.get(part.rank)
    cited = citation_of(hit) if hit else part.document_id
    what = "Result" if part.role == "hit" else "Neighbour of result"
    span = f"characters {part.document_start:,}–{part.document_end:,}"
    return f"{what} {part.rank}: {cited}\n{span} of the document\nchunk {part.chunk_id}"
