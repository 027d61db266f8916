"""Clusters are those of Unicode, found without looking at every character."""

from __future__ import annotations

import numpy as np
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkscope.core.text.graphemes import find_clusters
from support.nasty import nasty_texts

JOINING = (
    "ae\u0301\u0300\u200d👩🔬🏽🇫🇷©®\ufe0f\u1100\u1161\u11a8가각\u0e33\u0915\u094d\u0937"
    "\u0600\u06dd1 \n漢か\u3099"
)


@settings(max_examples=500)
@given(nasty_texts | st.text(st.sampled_from(JOINING), max_size=30))
def test_clusters_are_those_of_unicode(text: str) -> None:
    expected = [m.span() for m in regex.finditer(r"\X", text) if m.end() - m.start() > 1]
    found = find_clusters(text)
    assert list(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) == expected


@given(nasty_texts)
def test_positions_move_to_the_edges(text: str) -> None:
    edges = np.array(sorted({0, len(text)} | {m.end() for m in regex.finditer(r"\X", text)}))
    found = find_clusters(text)
    positions = np.arange(len(text) + 1)
    below = edges[np.searchsorted(edges, positions, side="right") - 1]
    above = edges[np.searchsorted(edges, positions)]
    assert (found.floor(positions) == below).all()
    assert (found.ceil(positions) == above).all()


def test_a_very_long_cluster_is_one() -> None:
    text = "x" + "\u0301" * 100_000 + "y"
    assert find_clusters(text).floor_one(50_000) == 0
    assert find_clusters(text).ceil_one(50_000) == 100_001
