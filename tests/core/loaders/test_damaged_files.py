"""Damaged copies of every sample document: kept promises or a sentence, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.sandbox import Sandbox
from support.bad_input import Tally, try_mutant

SAMPLES = sorted(path for path in paths.sample_docs().iterdir() if path.is_file())
SEEDS = 12


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_damaged_samples(sample: Path, tmp_path: Path, sandbox: Sandbox) -> None:
    tally = Tally()
    for seed in range(SEEDS):
        try_mutant(sample, seed, tmp_path, sandbox, tally)
    assert tally.complete + tally.partial + tally.refused == SEEDS
