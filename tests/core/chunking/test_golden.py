"""Golden files: every preset over the sample documents, as text with visible cut marks.

They guard judgement, where the invariants guard truth: a change is looked at as a diff.
`pytest --update-golden` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkscope import chunk, load, paths
from chunkscope.core.chunking.marks import marked_text
from chunkscope.core.profile import Profile, presets

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
SAMPLES = sorted(path.name for path in paths.sample_docs().iterdir())


@pytest.mark.parametrize("preset", list(presets))
@pytest.mark.parametrize("sample", SAMPLES)
def test_cuts_are_as_they_were_judged(
    sample: str, preset: str, request: pytest.FixtureRequest
) -> None:
    found = marked_text(chunk(load(paths.sample_docs() / sample), Profile.preset(preset)))
    path = GOLDEN / f"{sample}.{preset}.txt"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8", newline="\n")
    assert found == path.read_text(encoding="utf-8")
