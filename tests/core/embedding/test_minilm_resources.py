"""The built-in model is checked before it is used, and its worker answers at once."""

from __future__ import annotations

import hashlib
import shutil
import time
from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.embedding.minilm import SHA256, MiniLM
from chunkscope.core.errors import DamagedResource, WrongUsage

FOLDER = paths.resources() / "models" / "all-MiniLM-L6-v2"


def test_the_shipped_file_is_the_one_that_was_made() -> None:
    assert hashlib.sha256((FOLDER / "model.onnx").read_bytes()).hexdigest() == SHA256
    assert {"LICENSE", "NOTICE"} <= {path.name for path in FOLDER.iterdir()}


def test_a_damaged_or_missing_file_is_told(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "tokenizer.json", tmp_path)
    model = MiniLM(folder=tmp_path, precision="f32")
    with pytest.raises(DamagedResource, match=r"model\.onnx cannot be read .* install"):
        model.embed_queries(["x"])
    blob = bytearray((FOLDER / "model.onnx").read_bytes())
    blob[20_000_000] ^= 1
    (tmp_path / "model.onnx").write_bytes(blob)
    with pytest.raises(DamagedResource, match="is damaged or altered; install the program again"):
        model.embed_queries(["x"])
    shutil.copy(FOLDER / "model.onnx", tmp_path)
    assert model.embed_queries(["x"]).shape == (1, model.dimensions)
    model.close()


def test_an_unknown_precision_is_told() -> None:
    with pytest.raises(WrongUsage, match="must be one of bf16, f32, not 'int8'"):
        MiniLM(precision="int8")


def test_the_way_through_the_worker_is_short(minilm: MiniLM) -> None:
    minilm.embed_queries(["warm"])

    def round_trip() -> float:
        started = time.perf_counter()
        minilm._host.call("support.mock_model:modules", {"names": []}, {"ids": bytes(1_000)})
        return time.perf_counter() - started

    assert min(round_trip() for _ in range(20)) < 0.015
