"""A cross-encoder's folder gives scores in the order of the texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chunkscope.core.embedding.cross_encoder import CrossEncoder
from chunkscope.core.embedding.host import ModelHost
from chunkscope.core.errors import Cancelled, WrongUsage
from chunkscope.core.job import Job
from support import tiny_models

TEXTS = ["the sea", "the tide of the sea", "", "red " * 500, "green 😀", "blue [SEP] sea"] * 12


def test_scores(tmp_path: Path, torch_host: ModelHost) -> None:
    model = CrossEncoder(tiny_models.write_cross_encoder(tmp_path / "ranker"), host=torch_host)
    steps: list[int] = []
    found = model.scores("the tide", TEXTS, Job(lambda done, *_: steps.append(done)))
    assert found.shape == (len(TEXTS),)
    np.testing.assert_allclose(found[:6], found[6:12], atol=1e-5)
    assert len(set(found[:6].round(6).tolist())) == 6
    alone = [model.scores("the tide", [text])[0] for text in TEXTS[:6]]
    np.testing.assert_allclose(found[:6], alone, atol=1e-5)
    other = model.scores("a red clock", TEXTS[:6])
    assert np.abs(other - found[:6]).max() > 1e-3
    assert steps[0] == 0
    assert steps[-1] == len(TEXTS)
    assert model.scores("anything", []).shape == (0,)
    stopped = Job()
    stopped.cancel()
    with pytest.raises(Cancelled):
        model.scores("the tide", TEXTS, stopped)
    assert model.version.startswith("ranker-")


def test_what_is_no_reranker_is_told(tmp_path: Path, torch_host: ModelHost) -> None:
    with pytest.raises(WrongUsage, match="is no folder"):
        CrossEncoder(tmp_path / "missing").scores("q", ["x"])
    model = CrossEncoder(
        tiny_models.write_cross_encoder(tmp_path / "classes", labels=3), host=torch_host
    )
    with pytest.raises(WrongUsage, match="gives 3 scores for a pair"):
        model.scores("q", ["x"])
