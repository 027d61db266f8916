"""Profiles: the same in TOML, in Python and on the command line; wrong ones get a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.core.chunking.strategies import strategies
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.params import declared
from chunkscope.core.profile import BadProfile, Profile, presets

# SPEC 3, value by value.
DESIGNS = {
    "workspace": {"max_size": 800, "overlap_fraction": 0.15, "unit": "estimate"},
    "research-board": {
        "max_size": 400, "target_size": 300, "min_size": 50, "overlap_sentences": 2,
    },
    "chunk-first": {"max_size": 512, "overlap": 128, "tokenizer": "minilm", "unit": "tokens"},
    "token-window": {
        "max_size": 900, "overlap": 100, "single_piece_max": 1200, "tokenizer": "cl100k_base",
    },
    "characters-1200": {"max_size": 1200, "min_size": 100, "unit": "characters"},
    "sentences-1200": {"max_size": 1200, "min_size": 100, "unit": "characters"},
    "paragraphs-1200": {"max_size": 1200, "min_size": 100, "unit": "characters"},
    "auto-256": {"max_size": 256, "overlap": 0, "tokenizer": "minilm", "prepend_headings": True},
}  # fmt: skip


@pytest.mark.parametrize("name", DESIGNS)
def test_presets_have_the_values_of_the_designs(name: str) -> None:
    values = dict(Profile.preset(name).parameters.values())
    assert {key: values[key] for key in DESIGNS[name]} == DESIGNS[name]


def test_every_preset_is_listed() -> None:
    assert set(presets) == set(DESIGNS)


@pytest.mark.parametrize("name", list(presets))
def test_round_trip_through_toml(name: str) -> None:
    profile = Profile.preset(name)
    assert Profile.from_toml(profile.to_toml()) == profile


@given(st.data())
def test_round_trip_of_any_values(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(list(strategies)))
    values: dict[str, object] = {}
    for field, known in declared(strategies[name]).items():
        if known.type is int and field != "max_size":
            values[field] = data.draw(st.integers(int(known.param.low or 0), 20))
        if known.type is bool:
            values[field] = data.draw(st.booleans())
    values["max_size"] = 50
    if "target_size" in values:
        values["target_size"] = 50
    profile = Profile.of(name, **values)
    assert Profile.from_toml(profile.to_toml()) == profile


@pytest.mark.parametrize(
    ("strategy", "values", "sentence"),
    [
        ("sentence", {"max_size": 0}, "max_size must be from 1 to 100,000, not 0"),
        ("sentence", {"overlap": 512}, "overlap must be under max_size (512), but is 512"),
        ("sentence", {"min_size": 513}, "min_size must not be over max_size (512), but is 513"),
        ("structured", {"target_size": 500}, "must not be over max_size (400), but is 500"),
        ("workspace", {"overlap_fraction": 1.5}, "must be from 0.0 to 0.9, not 1.5"),
        ("sentence", {"unit": "bytes"}, "one of tokens, words, characters, estimate, not 'bytes'"),
        ("sentence", {"max_size": "many"}, "max_size must be a whole number, not 'many'"),
        ("sentence", {"max_size": True}, "max_size must be a whole number, not True"),
        ("sentence", {"max_sizes": 3}, "no parameter of sentence; did you mean max_size?"),
        ("sentence", {"tokenizer": "cl100k"}, "no tokenizer is called 'cl100k'; did you mean"),
        ("sentence", {"tokenizer": "minilm", "max_size": 2, "overlap": 0}, "must be over 2"),
        ("sentence", {"language": "xx"}, "xx"),
        ("paragraph", {"skip": ("quotes",)}, "skip must be one of"),
    ],
)
def test_what_cannot_be_gets_one_sentence(
    strategy: str, values: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ChunkscopeError) as caught:
        Profile.of(strategy, **values)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "strategy = 3", "nonsense", "colour = 'red'", "parameters = 1", "strategy = 'sentense'",
        "id_form = 'x'", "embedder = 'x'",
    ],
)  # fmt: skip
def test_files_that_are_no_profiles(tmp_path: Path, text: str) -> None:
    path = tmp_path / "profile.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadProfile, match=r"profile\.toml"):
        Profile.read(path)
    with pytest.raises(BadProfile, match="cannot be read"):
        Profile.read(tmp_path / "none.toml")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadProfile, match="UTF-8"):
        Profile.read(path)


def test_another_strategy_keeps_what_was_changed() -> None:
    profile = Profile.of("sentence", max_size=333, overlap=33).with_strategy("recursive")
    assert profile.strategy == "recursive"
    assert dict(profile.parameters.values())["max_size"] == 333
    assert dict(profile.parameters.values())["overlap"] == 33


@pytest.mark.parametrize("name", list(strategies))
def test_a_small_maximum_lowers_what_nobody_set(name: str) -> None:
    values = dict(Profile.of(name, max_size=20).parameters.values())
    assert values["max_size"] == 20
    for field in ("min_size", "target_size", "overlap"):
        assert int(values.get(field, 0)) <= 20  # type: ignore[call-overload]


@pytest.mark.parametrize("name", list(presets))
def test_presets_can_be_used(name: str) -> None:
    assert Profile.preset(name).checked() is presets[name].profile
