"""Damaged copies of every sample document: kept promises or a sentence, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.workspace import Workspace
from support.bad_input import Shelf, Tally, try_mutant
from support.hashing import provide

SAMPLES = sorted(path for path in paths.sample_docs().iterdir() if path.is_file())
SEEDS = 12


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_damaged_samples(sample: Path, tmp_path: Path, sandbox: Sandbox) -> None:
    tally, files = Tally(), tmp_path / "files"
    files.mkdir()
    with Workspace.open(tmp_path / "workspace", embedders=provide, sandbox=sandbox) as workspace:
        shelf = Shelf(workspace, most=4)
        shelf.put([try_mutant(sample, seed, files, sandbox, tally) for seed in range(SEEDS)])
        shelf.check()
    assert tally.complete + tally.partial + tally.refused == SEEDS
    assert shelf.indexed or tally.refused == SEEDS
