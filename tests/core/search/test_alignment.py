"""Two answers side by side: the same passage, only one, inside another, another rank."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.search.alignment import Aligned, Found, Place, align, common_share


def places(*spans: tuple[str, int, int]) -> list[Place]:
    return [Place(rank, *span) for rank, span in enumerate(spans, start=1)]


def test_same_passage_only_one_and_another_rank() -> None:
    left = places(("a", 0, 100), ("b", 0, 50), ("a", 300, 400))
    right = places(("b", 5, 60), ("a", 10, 90), ("c", 0, 10))
    assert align(left, right) == (
        Aligned(Found.BOTH, 1, 2),
        Aligned(Found.BOTH, 2, 1),
        Aligned(Found.LEFT, 3, None),
        Aligned(Found.RIGHT, None, 3),
    )
    assert [line.change for line in align(left, right)] == [-1, 1, None, None]


def test_small_chunks_inside_a_large_one_are_told() -> None:
    left = places(("a", 0, 1000))
    right = places(("a", 0, 300), ("a", 300, 600), ("a", 2000, 2100))
    lines = align(left, right)
    assert lines[0] == Aligned(Found.BOTH, 1, 1)
    assert lines[1] == Aligned(Found.IN_LEFT, None, 2, 1)
    assert lines[2] == Aligned(Found.RIGHT, None, 3)


def test_a_touch_is_not_the_same_passage() -> None:
    one, other = places(("a", 0, 100), ("a", 95, 200))
    assert common_share(one, other) < 0.5
    assert [line.found for line in align([one], [Place(1, "a", 95, 200)])] == [
        Found.LEFT,
        Found.RIGHT,
    ]


SPANS = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 50), st.integers(1, 40)).map(
        lambda each: (each[0], each[1], each[1] + each[2])
    ),
    max_size=8,
)


@given(SPANS, SPANS)
def test_every_hit_stands_in_exactly_one_line(
    left: list[tuple[str, int, int]], right: list[tuple[str, int, int]]
) -> None:
    lines = align(places(*left), places(*right))
    assert sorted(line.left for line in lines if line.left) == list(range(1, len(left) + 1))
    assert sorted(line.right for line in lines if line.right) == list(range(1, len(right) + 1))


@given(SPANS)
def test_an_answer_aligned_with_itself_changes_nothing(spans: list[tuple[str, int, int]]) -> None:
    unique = list(dict.fromkeys(spans))
    lines = align(places(*unique), places(*unique))
    assert {line.found for line in lines} <= {Found.BOTH}
    assert not any(line.change for line in lines)
