"""What stands in documents cannot command the terminal: no escape reaches it, and none is lost
where the text itself was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope.cli import run
from chunkscope.cli.output import JOINERS, plain

HOSTILE = "\x1b[31m\x1b]0;owned\x07\x9b2J\x7f\u202e\u2066"
TEXT = f"# The {HOSTILE}mill\n\nAbout {HOSTILE}the mill and its wheel.\n"
COMMANDS = (
    ["load", "FILE"],
    ["chunk", "FILE"],
    ["documents"],
    ["search", "mill"],
    ["search", "mill", "--explain"],
    ["why-not", "mill", "--document", "FILE", "--span", "0:5"],
    ["duplicates", "--threshold", "0.5"],
    ["load", "missing"],
    ["export", "FILE", "--to", "csv", "--output", "OUT"],
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hostile documents in a workspace; their names are hostile where names may be."""
    place = tmp_path_factory.mktemp("hostile")
    for name in ("mill.md", "mill too.md"):
        (place / name.replace(" ", "\u202e")).write_text(TEXT, "utf-8")
    paths = [str(each) for each in place.iterdir()]
    arguments = ["--workspace", str(place / "w"), "--embedder", "instant"]
    assert run(["index", *paths, *arguments]) == 0
    return place


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_no_control_reaches_the_terminal(
    place: Path, tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    names = {
        "FILE": str(place / "mill.md"),
        "OUT": str(tmp_path / "\u202eout"),
        "missing": str(place / "no\u202ene"),
    }
    capsys.readouterr()
    needs_workspace = arguments[0] in ("documents", "search", "why-not", "duplicates")
    where = ["--workspace", str(place / "w")] if needs_workspace else []
    run([*(names.get(each, each) for each in arguments), *where])
    out, err = capsys.readouterr()
    assert "mill" in out or "missing" in arguments or "OUT" in arguments
    assert set(HOSTILE) & set(out + err) <= set("[31m]0;owned2J")


def test_text_and_json_are_exact(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(place / "mill.md")
    run(["load", path, "--text"])
    text = capsys.readouterr().out
    assert HOSTILE in text
    run(["load", path, "--json"])
    (record,) = json.loads(capsys.readouterr().out)
    assert record["text"] == text
    run(["chunk", path, "--format", "marked"])
    assert HOSTILE in capsys.readouterr().out
    run(["context", "mill", "--workspace", str(place / "w")])
    assert HOSTILE in capsys.readouterr().out


@given(st.text())
def test_plain_text_is_one_line_of_what_can_be_seen(text: str) -> None:
    shown = plain(text)
    assert plain(shown) == shown
    assert all(each.isprintable() or each in JOINERS for each in shown)


def test_what_words_and_names_need_is_kept() -> None:
    assert plain("👩\u200d🚀 می\u200cخواهم") == "👩\u200d🚀 می\u200cخواهم"
    assert plain("in\u00adter\u200bna\ufefftional") == "international"
    assert plain("caf\udce9\t.txt") == "caf\\udce9 .txt"
