"""Any model by its folder: prefixes of its family, safetensors only, no code, no download."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from chunkscope.core.embedding.base import Embedder, embedder
from chunkscope.core.embedding.cross_encoder import CrossEncoder
from chunkscope.core.embedding.facts import FAMILIES, Prefixes, family_of, model_folder
from chunkscope.core.embedding.host import ModelHost
from chunkscope.core.errors import MissingDependency, WrongUsage
from support import tiny_models

NO_NETWORK = ["support.no_network"]
TEXTS = ["the tide clock", "", "red, green and blue!", "sea " * 100, "[SEP] of the sea", "a 😀 b"]


def of_folder(path: Path, host: ModelHost | None = None) -> Embedder:
    return embedder(f"sentence-transformers:{path}", plugins=NO_NETWORK, host=host)


@pytest.fixture(scope="module")
def plain_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.write_sentence_model(tmp_path_factory.mktemp("models") / "plain")


@pytest.fixture(scope="module")
def plain(plain_folder: Path, torch_host: ModelHost) -> Embedder:
    return of_folder(plain_folder, torch_host)


def test_a_tiny_model(plain: Embedder) -> None:
    found = plain.embed_passages(TEXTS)
    assert (plain.dimensions, plain.max_tokens) == (tiny_models.WIDTH, tiny_models.MAX_TOKENS)
    assert found.shape == (len(TEXTS), tiny_models.WIDTH)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    alone = np.concatenate([plain.embed_queries([text]) for text in TEXTS])
    np.testing.assert_allclose(found, alone, atol=1e-4)
    assert plain.embed_passages([]).shape == (0, tiny_models.WIDTH)


def test_its_token_vectors(plain: Embedder) -> None:
    text = "the [SEP] sea"
    tokens, nothing, cut = plain.token_vectors([text, "", "sea " * 100])
    words = [text[start:end] for start, end in tokens.spans.tolist()]
    assert words == ["the", "[", "S", "E", "P", "]", "sea"]
    np.testing.assert_allclose(np.linalg.norm(tokens.vectors, axis=1), 1, atol=1e-5)
    assert nothing.vectors.shape == (0, tiny_models.WIDTH)
    assert len(cut.spans) == tiny_models.MAX_TOKENS - 2


def test_prefixes_of_a_family_and_of_the_model_itself(
    plain: Embedder, plain_folder: Path, torch_host: ModelHost, tmp_path: Path
) -> None:
    e5 = of_folder(shutil.copytree(plain_folder, tmp_path / "e5-tiny"), torch_host)
    np.testing.assert_allclose(
        e5.embed_queries(["the sea"]), plain.embed_queries(["query: the sea"]), atol=1e-5
    )
    np.testing.assert_allclose(
        e5.embed_passages(["the sea"]), plain.embed_passages(["passage: the sea"]), atol=1e-5
    )
    (tokens,) = e5.token_vectors(["the sea"], is_query=True)
    assert tokens.spans.tolist() == [[0, 3], [4, 7]]
    (whole,) = plain.token_vectors(["query: the sea"])
    np.testing.assert_allclose(tokens.vectors, whole.vectors[-2:], atol=1e-5)
    own = shutil.copytree(plain_folder, tmp_path / "e5-own")
    prompts = {"prompts": {"query": "search: ", "document": ""}, "default_prompt_name": "query"}
    (own / "config_sentence_transformers.json").write_text(json.dumps(prompts), "utf-8")
    model = of_folder(own, torch_host)
    np.testing.assert_allclose(
        model.embed_passages(["the sea"]), plain.embed_passages(["the sea"]), atol=1e-5
    )
    assert len({e5.version, model.version, plain.version}) == 3


def test_other_weights_are_another_version(plain: Embedder, tmp_path: Path) -> None:
    same, other = of_folder(plain.folder.path), tmp_path / "plain"  # type: ignore[attr-defined]
    assert same.version == plain.version
    assert of_folder(tiny_models.write_sentence_model(other)).version == plain.version
    assert of_folder(tiny_models.write_sentence_model(other, seed=1)).version != plain.version


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("intfloat/multilingual-e5-small", Prefixes("query: ", "passage: ")),
        ("intfloat/e5-base-v2", Prefixes("query: ", "passage: ")),
        ("BAAI/bge-m3", Prefixes()),
        ("nomic-ai/nomic-embed-text-v1.5", Prefixes("search_query: ", "search_document: ")),
        ("thenlper/gte-small", Prefixes()),
        ("all-MiniLM-L6-v2", Prefixes()),
        ("Snowflake/snowflake-arctic-embed-m-v2.0", Prefixes("query: ")),
        ("some_e5_model", Prefixes("query: ", "passage: ")),
        ("made5-up", Prefixes()),
    ],
)
def test_the_table_of_families(name: str, expected: Prefixes) -> None:
    assert family_of(name) == expected


def test_questions_to_instructed_families_say_what_is_wanted() -> None:
    assert family_of("BAAI/bge-small-en-v1.5").query.startswith("Represent this sentence")
    assert family_of("BAAI/bge-base-zh-v1.5").query.endswith("：")
    assert family_of("intfloat/multilingual-e5-large-instruct").query.startswith("Instruct: ")
    assert all(pattern for pattern, _ in FAMILIES)


def test_weights_that_may_run_code_are_refused(plain_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(plain_folder, tmp_path / "pickled")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(WrongUsage, match=r"pytorch_model\.bin may run code when it is read"):
        of_folder(folder).embed_passages(["x"])
    (folder / "pytorch_model.bin").unlink()
    with pytest.raises(WrongUsage, match="there is no safetensors file"):
        of_folder(folder).embed_passages(["x"])


def test_code_of_a_model_is_refused(plain_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(plain_folder, tmp_path / "coded")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'proof')!r}, 'w')", "utf-8")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "evil.Module"}]
    (folder / "modules.json").write_text(json.dumps(modules), "utf-8")
    with pytest.raises(WrongUsage, match=r"wants to run code of its own \(evil\.Module\)"):
        of_folder(folder).embed_passages(["x"])
    assert not (tmp_path / "proof").exists()


def test_a_name_that_is_not_here_is_not_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    model = embedder("sentence-transformers:intfloat/e5-small", plugins=NO_NETWORK)
    with pytest.raises(WrongUsage, match="neither a folder nor on this computer already"):
        model.embed_queries(["x"])


def test_a_download_that_was_allowed_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    name = "sentence-transformers:intfloat/e5-small"
    model = embedder(name, allow_download=True, plugins=NO_NETWORK)
    with pytest.raises(Exception, match="'intfloat/e5-small' cannot be downloaded"):
        model.embed_queries(["x"])


def test_a_name_is_found_in_the_shared_cache(
    plain_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    repository = tmp_path / "models--intfloat--e5-small"
    shutil.copytree(plain_folder, repository / "snapshots" / "abc")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc", "utf-8")
    found = model_folder("intfloat/e5-small")
    assert found is not None
    assert found.label == "intfloat/e5-small"
    assert found.prefixes.passage == "passage: "
    assert model_folder(str(found.path)) == found
    assert model_folder("../e5-small") is None


def test_without_the_extra_it_says_what_to_install(
    plain_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingDependency, match="pip install sentence-transformers"):
        of_folder(plain_folder)
    with pytest.raises(MissingDependency, match="a cross-encoder needs the package"):
        CrossEncoder(plain_folder)
