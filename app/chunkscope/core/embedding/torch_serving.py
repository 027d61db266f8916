"""The worker's part of the extra `models`: whatever sentence-transformers can load."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkscope.core.embedding.facts import ModelFolder, needed_folder
from chunkscope.core.embedding.serving import normalised
from chunkscope.core.errors import ChunkscopeError, WrongUsage
from chunkscope.core.sandbox.watch import Watch

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

_HERE = "chunkscope.core.embedding.torch_serving"
DESCRIBE = f"{_HERE}:describe"
DOWNLOAD = f"{_HERE}:download"
EMBED = f"{_HERE}:embed"
EMBED_TOKENS = f"{_HERE}:embed_tokens"
SCORE = f"{_HERE}:score"
# Neither weights that are programs nor code.
_WANTED = ("*.safetensors", "*.json", "*.txt", "*.model")


def describe(args: dict[str, Any], watch: Watch) -> None:
    model = _sentence_model(args["folder"], args["threads"])
    sample = model.encode([""], prompt="", show_progress_bar=False)
    watch.item({"dimensions": sample.shape[1]})


def embed(args: dict[str, Any], watch: Watch) -> None:
    """Normalised vectors, whatever the model's last step is."""
    model = _sentence_model(args["folder"], args["threads"])
    vectors = model.encode(
        args["texts"],
        # Given even when empty: a model may have a prompt by default.
        prompt=args["prefix"],
        batch_size=len(args["texts"]),
        show_progress_bar=False,
        convert_to_numpy=True,
    )
    watch.item({}, [normalised(np.asarray(vectors, np.float32)).tobytes()])


def embed_tokens(args: dict[str, Any], watch: Watch) -> None:
    """The vectors of the texts' own tokens, one text after the other, and their spans."""
    import torch

    model = _sentence_model(args["folder"], args["threads"])
    tokenizer, prefix = model.tokenizer, args["prefix"]
    if not getattr(tokenizer, "is_fast", False):
        raise WrongUsage("this model's tokenizer tells no positions: it has no token vectors")
    features = tokenizer(
        [prefix + text for text in args["texts"]],
        padding=True,
        truncation=True,
        max_length=model.max_seq_length,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        return_tensors="pt",
    )
    spans = features.pop("offset_mapping").numpy().astype(np.int64) - len(prefix)
    # Special tokens, padding, and what stands for the prefix only.
    own = (features.pop("special_tokens_mask").numpy() == 0) & (spans[:, :, 1] > 0)
    own &= features["attention_mask"].numpy() == 1
    with torch.inference_mode():
        vectors = model(dict(features))["token_embeddings"].numpy()
    blobs = [normalised(vectors[own]).tobytes(), np.maximum(spans[own], 0).tobytes()]
    watch.item({"lengths": own.sum(axis=1).tolist(), "dimensions": vectors.shape[2]}, blobs)


def score(args: dict[str, Any], watch: Watch) -> None:
    """How well each text answers the query, by a model that reads both together."""
    model = _cross_encoder(args["folder"], args["threads"])
    pairs = [(args["query"], text) for text in args["texts"]]
    found = model.predict(pairs, batch_size=len(pairs), show_progress_bar=False)
    watch.item({}, [np.asarray(found, np.float32).tobytes()])


def download(args: dict[str, Any], watch: Watch) -> None:
    """Fetch a model because somebody asked for it; the one place that uses the network."""
    from huggingface_hub import snapshot_download

    name = args["model"]
    try:
        snapshot_download(
            name if "/" in name else f"sentence-transformers/{name}", allow_patterns=list(_WANTED)
        )
    except Exception as problem:  # noqa: BLE001 - the library has many kinds of refusals
        reason = str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
        raise ChunkscopeError(f"the model {name!r} cannot be downloaded ({reason})") from None
    watch.item({"folder": str(needed_folder(name).path)})


@cache
def _sentence_model(folder: str, threads: int) -> SentenceTransformer:
    _prepare(folder, threads)
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        folder,
        device="cpu",
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"use_safetensors": True},
    )
    _treat_text_as_text(model.tokenizer)
    return model.float().eval()


@cache
def _cross_encoder(folder: str, threads: int) -> CrossEncoder:
    _prepare(folder, threads)
    from sentence_transformers import CrossEncoder

    model: CrossEncoder = CrossEncoder(
        folder,
        device="cpu",
        local_files_only=True,
        trust_remote_code=False,
        model_kwargs={"use_safetensors": True},
    )
    if model.num_labels != 1:
        raise WrongUsage(
            f"{folder} gives {model.num_labels} scores for a pair; a reranker gives one"
        )
    _treat_text_as_text(model.tokenizer)
    model.float()
    return model


def _prepare(folder: str, threads: int) -> None:
    # Read when the libraries are imported.
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    ModelFolder(needed_folder(folder).path, folder).check()
    import torch

    torch.set_num_threads(threads)


def _treat_text_as_text(tokenizer: Any) -> None:
    """`[SEP]` in a document is five letters, as everywhere else."""
    tokenizer.split_special_tokens = True
