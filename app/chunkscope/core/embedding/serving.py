"""The worker's part of the built-in model: word pieces in, vectors out."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.errors import DamagedResource, WrongUsage
from chunkscope.core.sandbox.watch import Watch

if TYPE_CHECKING:
    import openvino  # type: ignore[import-untyped]

_HERE = "chunkscope.core.embedding.serving"
TELL_PRECISION = f"{_HERE}:tell_precision"
EMBED = f"{_HERE}:embed"
EMBED_TOKENS = f"{_HERE}:embed_tokens"

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


def tell_precision(_: dict[str, Any], watch: Watch) -> None:
    """The fastest precision that is faithful enough and that this processor computes in."""
    capabilities = _runtime().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    watch.item({"precision": "bf16" if "BF16" in capabilities else "f32"})


def embed(args: dict[str, Any], watch: Watch) -> None:
    """The normalised mean of each text's token vectors."""
    tokens, mask = _infer(args, watch)
    weights = mask.astype(np.float32)
    # In float32 whatever the model was computed in.
    means = np.matmul(weights[:, None, :], tokens)[:, 0] / weights.sum(axis=1, keepdims=True)
    watch.item({}, [normalised(means).tobytes()])


def embed_tokens(args: dict[str, Any], watch: Watch) -> None:
    """The normalised vectors of all tokens but the first and the last, text after text."""
    tokens, mask = _infer(args, watch)
    lengths = mask.sum(axis=1).tolist()
    inner = [row[1 : length - 1] for row, length in zip(tokens, lengths, strict=True)]
    watch.item({}, [normalised(np.concatenate(inner)).tobytes()])


def normalised(rows: Floats) -> Floats:
    """Rows of length one; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return found


def _infer(args: dict[str, Any], watch: Watch) -> tuple[Floats, Integers]:
    request = _model(args["path"], args["sha256"], args["precision"], args["threads"])
    lengths = np.array(args["lengths"], np.int64)
    flat = np.frombuffer(watch.kept("ids") or b"", np.int32)
    inside = np.arange(lengths.max(initial=0)) < lengths[:, None]
    ids = np.zeros(inside.shape, np.int64)
    ids[inside] = flat
    mask = inside.astype(np.int64)
    found: Floats = request.infer([ids, mask])[0]
    return found, mask


@cache
def _model(path: str, sha256: str, precision: str, threads: int) -> openvino.InferRequest:
    core = _runtime()
    model = core.read_model(_checked(path, sha256))
    compiled = core.compile_model(
        model,
        "CPU",
        {
            "INFERENCE_PRECISION_HINT": precision,
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
        },
    )
    used = compiled.get_property("INFERENCE_PRECISION_HINT").to_string()
    if used != precision:
        raise WrongUsage(
            f"this processor cannot compute in {precision} (it would use {used}); "
            "leave the precision out"
        )
    return compiled.create_infer_request()


def _checked(path: str, sha256: str) -> bytes:
    """The very bytes that are loaded are the ones that were checked."""
    try:
        blob = Path(path).read_bytes()
    except OSError as problem:
        raise DamagedResource(
            f"the embedding model {path} cannot be read ({problem.strerror}); "
            "install the program again"
        ) from None
    if hashlib.sha256(blob).hexdigest() != sha256:
        raise DamagedResource(
            f"the embedding model {path} is damaged or altered; install the program again"
        )
    return blob


@cache
def _runtime() -> openvino.Core:
    # Its tools to convert models are not needed, and would count their use over the network.
    for name in ("openvino_telemetry", "openvino.tools"):
        sys.modules[name] = None  # type: ignore[assignment]
    import openvino

    return openvino.Core()
