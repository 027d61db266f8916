"""No model reaches for the network, and what nobody asked for is not even imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from chunkscope import paths
from chunkscope.core.embedding.base import EmbeddingFailed
from chunkscope.core.embedding.host import ModelHost
from chunkscope.core.embedding.minilm import MiniLM
from chunkscope.core.sandbox import Limits

HEAVY = ["openvino", "openvino_telemetry", "onnx", "torch", "transformers", "wordllama"]


def test_the_runtime_has_no_telemetry(minilm: MiniLM) -> None:
    minilm.embed_queries(["anything"])
    names = [*HEAVY, "openvino.tools.ovc", "requests", "urllib3"]
    found = minilm._host.call("support.mock_model:modules", {"names": names})
    assert found.head["loaded"] == ["openvino"]


def test_the_guard_in_the_worker_can_fail() -> None:
    host = ModelHost("the mock model", Limits(), ["support.no_network"])
    with pytest.raises(EmbeddingFailed, match="tried to reach the network"):
        host.call("support.mock_model:reach_out", {})
    host.close()


@pytest.mark.parametrize("arguments", [["--version"], ["chunk", "story.txt"]])
def test_commands_that_embed_nothing_import_no_model(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from chunkscope.cli import run\n"
        "try:\n"
        "    run(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    pass\n"
        f"names = {[*HEAVY, 'chunkscope.core.embedding.host']!r}\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, encoding="utf-8", check=True, cwd=paths.sample_docs(),
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"
