"""Tiny BERT models with random weights, written file by file: no torch needed to make them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

WIDTH = 16
MAX_TOKENS = 24
_SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789:.,!?[]()"
_WORDS = ["the", "a", "of", "and", "sea", "tide", "clock", "query", "passage", "search", "red"]
_PIECES = [*_LETTERS, *(f"##{letter}" for letter in _LETTERS)]
_VOCABULARY = list(dict.fromkeys([*_SPECIAL, *_WORDS, "green", "blue", *_PIECES]))
Floats = NDArray[np.float32]


def write_sentence_model(folder: Path, seed: int = 0) -> Path:
    """A sentence-transformers model: one layer, mean pooling."""
    _write_bert(folder, _bert_weights(seed), {"architectures": ["BertModel"]})
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    _write(folder / "modules.json", [
        {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for at, (path, kind) in enumerate(modules)
    ])  # fmt: skip
    _write(folder / "sentence_bert_config.json", {"max_seq_length": MAX_TOKENS})
    pooling = {"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": True}
    _write(folder / "1_Pooling" / "config.json", pooling)
    return folder


def write_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A model that gives a score, or several, to a pair of texts."""
    random = np.random.default_rng(5)
    weights = {f"bert.{name}": values for name, values in _bert_weights(3, True).items()}
    weights["classifier.weight"] = random.normal(0, 1, (labels, WIDTH)).astype(np.float32)
    weights["classifier.bias"] = np.zeros(labels, np.float32)
    names = {str(number): f"LABEL_{number}" for number in range(labels)}
    kind = {
        "architectures": ["BertForSequenceClassification"],
        "id2label": names,
        "label2id": {name: int(number) for number, name in names.items()},
    }
    _write_bert(folder, weights, kind)
    return folder


def _write_bert(folder: Path, weights: dict[str, Floats], kind: dict[str, object]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    config = {
        "model_type": "bert", "vocab_size": len(_VOCABULARY), "hidden_size": WIDTH,
        "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": 64, "type_vocab_size": 2, "hidden_act": "gelu",
    }  # fmt: skip
    _write(folder / "config.json", config | kind)
    _tokenizer().save(str(folder / "tokenizer.json"))
    named = dict(zip(["pad", "unk", "cls", "sep", "mask"], _SPECIAL, strict=True))
    tokens = {f"{name}_token": token for name, token in named.items()}
    declared = {"tokenizer_class": "BertTokenizer", "model_max_length": 64, **tokens}
    _write(folder / "tokenizer_config.json", declared)
    (folder / "vocab.txt").write_text("\n".join(_VOCABULARY), "utf-8")


def _tokenizer() -> Tokenizer:
    vocabulary = {token: number for number, token in enumerate(_VOCABULARY)}
    made = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    made.add_special_tokens(_SPECIAL)
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    made.post_processor = TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ends)
    return made


def _bert_weights(seed: int, has_pooler: bool = False) -> dict[str, Floats]:
    random = np.random.default_rng(seed)
    layer = "encoder.layer.0"
    shapes = {
        "embeddings.word_embeddings": (len(_VOCABULARY), WIDTH),
        "embeddings.position_embeddings": (64, WIDTH),
        "embeddings.token_type_embeddings": (2, WIDTH),
        f"{layer}.attention.self.query": (WIDTH, WIDTH),
        f"{layer}.attention.self.key": (WIDTH, WIDTH),
        f"{layer}.attention.self.value": (WIDTH, WIDTH),
        f"{layer}.attention.output.dense": (WIDTH, WIDTH),
        f"{layer}.intermediate.dense": (2 * WIDTH, WIDTH),
        f"{layer}.output.dense": (WIDTH, 2 * WIDTH),
        **({"pooler.dense": (WIDTH, WIDTH)} if has_pooler else {}),
    }
    weights: dict[str, Floats] = {}
    for name, shape in shapes.items():
        weights[f"{name}.weight"] = random.normal(0, 0.5, shape).astype(np.float32)
        if not name.startswith("embeddings"):
            weights[f"{name}.bias"] = np.zeros(shape[0], np.float32)
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        weights[f"{name}.LayerNorm.weight"] = np.ones(WIDTH, np.float32)
        weights[f"{name}.LayerNorm.bias"] = np.zeros(WIDTH, np.float32)
    return weights


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")
