"""Stitched text repeats nothing, loses nothing, and never shows what the index left out."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.model import Span
from chunkscope.core.search.stitch import BOUNDARY, GAP, same_section, stitch, subtract, united


@dataclass(frozen=True)
class Placed:
    key: int
    index: int
    start: int
    end: int
    heading_chain: tuple[str, ...] = ()


TEXT = "Alpha one. Beta two. Gamma three. Delta four."


def test_overlap_is_never_repeated() -> None:
    before, hit, after = Placed(1, 0, 0, 20), Placed(2, 1, 11, 33), Placed(3, 2, 21, 45)
    found = stitch(TEXT, hit, [before, hit, after])
    assert found.text == TEXT
    assert [(part.start, part.end, part.role) for part in found.parts] == [
        (0, 11, "neighbour"), (11, 33, "hit"), (33, 45, "neighbour"),
    ]  # fmt: skip
    assert found.cut_points == (11, 33)


def test_blank_between_chunks_is_kept_and_markers_show_the_cuts() -> None:
    hit, after = Placed(1, 0, 0, 10), Placed(2, 1, 11, 20)
    assert stitch(TEXT, hit, [hit, after]).text == "Alpha one. Beta two."
    marked = stitch(TEXT, hit, [hit, after], with_markers=True)
    assert marked.text == f"Alpha one.{BOUNDARY}Beta two."


def test_what_the_index_left_out_shows_as_a_gap() -> None:
    hit, after = Placed(1, 0, 0, 10), Placed(2, 1, 21, 33)
    found = stitch(TEXT, hit, [hit, after])
    assert found.text == f"Alpha one.{GAP}Gamma three."
    assert "Beta" not in found.text
    assert found.runs == (Span(0, 10), Span(21, 33))


def test_chunks_that_do_not_follow_are_no_neighbours() -> None:
    hit, far = Placed(1, 0, 0, 10), Placed(3, 2, 21, 33)
    assert stitch(TEXT, hit, [hit, far]).text == "Alpha one."


def test_the_section_bounds_neighbours() -> None:
    chunks = [
        Placed(n, n, n * 10, n * 10 + 10, ("A",) if n in (1, 2, 4) else ("B",)) for n in range(5)
    ]
    assert [each.key for each in same_section(chunks[2], chunks)] == [1, 2]


@st.composite
def _documents(draw: st.DrawFn) -> tuple[str, list[Placed], int]:
    """Chunks that tile a text with overlaps, some with left-out blocks between them."""
    text = draw(st.text("ab \n", min_size=1, max_size=80))
    at, chunks = 0, []
    while at < len(text):
        gap = draw(st.sampled_from((0, 0, 0, 1, 3)))
        fresh = min(at + gap, len(text) - 1)
        end = min(len(text), fresh + draw(st.integers(1, 15)))
        overlap = min(draw(st.integers(0, 6)), fresh - (chunks[-1].start if chunks else fresh))
        start = fresh - max(0, overlap) if chunks and not gap else fresh
        chunks.append(Placed(len(chunks) + 1, len(chunks), start, end))
        at = end
    return text, chunks, draw(st.integers(0, len(chunks) - 1))


@given(_documents())
def test_parts_are_apart_in_order_and_hold_the_hit_whole(
    case: tuple[str, list[Placed], int],
) -> None:
    text, chunks, number = case
    hit = chunks[number]
    found = stitch(text, hit, chunks)
    ends = 0
    for part in found.parts:
        assert ends <= part.start < part.end <= len(text)
        ends = part.end
    assert [(p.start, p.end) for p in found.parts if p.role == "hit"] == [(hit.start, hit.end)]
    covered = {at for part in found.parts for at in range(part.start, part.end)}
    assert covered == {at for chunk in chunks for at in range(chunk.start, chunk.end)}
    shown = "".join(found.text.replace(GAP, "").split())
    assert shown == "".join("".join(text[at] for at in sorted(covered)).split())


spans = st.builds(lambda a, b: Span(min(a, b), max(a, b)), st.integers(0, 40), st.integers(0, 40))


@given(spans, st.lists(spans, max_size=6))
def test_arithmetic_of_spans_is_that_of_sets(span: Span, others: list[Span]) -> None:
    taken = united(others)
    held = {at for other in others for at in range(*other)}
    assert {at for other in taken for at in range(*other)} == held
    left = subtract(span, taken)
    assert {at for other in left for at in range(*other)} == set(range(*span)) - held
    assert left == sorted(left)
