"""`search`, `context` and `why-not` on the command line: JSON as promised, sentences for people."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chunkscope.cli import run
from chunkscope.core.profile import Profile
from chunkscope.core.workspace import Workspace

HIT = {
    "rank", "chunk_id", "document_id", "title", "source", "heading_chain", "page", "start", "end",
    "text", "stitched", "scores", "ranks", "matched_terms",
}  # fmt: skip
TEXT = (
    "# Harbour\n\nThe tide clock shows when high water comes, twice a day.\n\n"
    "# Bakery\n\nFlour, water and salt make bread; the dough must rest for some hours.\n\n"
    "# Library\n\nBooks are lent for three weeks; whoever is late pays a small fine.\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the embedder that needs no model."""
    place = tmp_path_factory.mktemp("commands")
    (place / "town.md").write_text(TEXT, "utf-8")
    (place / "empty.txt").write_text("Nothing of interest.", "utf-8")
    profile = Profile.of("structured", unit="words", max_size=20, min_size=0, overlap_sentences=0)
    with Workspace.open(place / "workspace") as workspace:
        workspace.index(
            [place / "town.md", place / "empty.txt"], replace(profile, embedder="instant")
        )
    return place / "workspace"


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run(arguments) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid", "routed"])
def test_json_of_a_hit(folder: Path, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(
        capsys, "search", "tide clock high water", "--workspace", str(folder), "--mode", mode,
        "-k", "2", "--json", "--set", "similarity_floor=0",
    )  # fmt: skip
    hits = found["hits"]
    assert isinstance(hits, list)
    assert 0 < len(hits) <= 2
    hit = hits[0]
    assert set(hit) == HIT
    assert hit["rank"] == 1
    assert hit["text"] == TEXT[hit["start"] : hit["end"]]
    assert "tide clock" in hit["text"]
    assert set(hit["stitched"]) == {"start", "end", "text"}
    assert set(hit["scores"]) == {"bm25", "cosine", "rrf", "rerank"}
    assert set(hit["ranks"]) == {"lexical", "semantic"}
    if mode == "lexical":
        spans = {term["term"]: term["spans"] for term in hit["matched_terms"]}
        ((start, end),) = spans["clock"]
        assert TEXT[start:end] == "clock"


def test_explain_tells_every_candidate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(
        capsys, "search", "water", "--workspace", str(folder), "--mode", "lexical", "--json",
        "--explain", "-k", "1", "--rerank", "bi-encoder", "--set", "lexical_floor=0",
    )  # fmt: skip
    explained = found["explain"]
    assert isinstance(explained, dict)
    assert [stage["name"] for stage in explained["stages"]] == [
        "lexical", "fusion", "floor", "rerank", "dedup", "limit", "stitching",
    ]  # fmt: skip
    assert {each["dropped_at"] for each in explained["candidates"]} == {None, "limit"}
    assert run(["search", "water", "--workspace", str(folder), "--explain"]) == 0
    assert "stage" in capsys.readouterr().out


def test_people_read_titles_scores_and_places(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "tide clock", "--workspace", str(folder), "--mode", "lexical"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("1. ")
    assert "matched" in shown
    assert "town.md" in shown


def test_a_query_that_nothing_fits_is_no_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _json(
        capsys, "search", "zzzqqq", "--workspace", str(folder), "--mode", "lexical", "--json"
    )
    assert found["hits"] == []
    assert "Nothing here fits" in str(found["notes"])


def test_context_is_text_on_stdout_and_figures_on_stderr(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["context", "tide clock", "--workspace", str(folder), "--mode", "lexical"]
    assert run([*arguments, "--budget", "60", "--neighbours", "0"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith('[Source: "')
    assert "of 60 cl100k_base tokens" in err
    found = _json(capsys, *arguments, "--budget", "60", "--json", "--template", "xml")
    assert isinstance(found["tokens"], int)
    assert found["tokens"] <= 60
    assert found["parts"]


def test_why_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = TEXT.index("Books")
    arguments = [
        "why-not", "tide clock", "--workspace", str(folder),
        "--document", str(folder.parent / "town.md"), "--span", f"{start}:{start + 5}", "-k", "1",
    ]  # fmt: skip
    found = _json(capsys, *arguments, "--json")
    assert found["is_shown"] is False
    chunks = found["chunks"]
    assert isinstance(chunks, list)
    assert chunks[0]["ranks"]["lexical"] is None
    assert chunks[0]["ranks"]["semantic"] >= 1
    assert found["advice"]
    assert run(arguments) == 0
    assert "beaten by" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["search", "x", "--mode", "psychic"], 2, "mode must be one of"),
        (["search", "x", "-k", "0"], 2, "k must be from 1"),
        (["search", "x", "--set", "nothing=1"], 2, "is no setting of a search"),
        (["search", "x", "--set", "k"], 2, "KEY=VALUE"),
        (["search", "x", "--rerank", "cross-encoder"], 2, "must name the folder"),
        (["search", "x", "--profile", "unknown"], 2, "no profile is called"),
        (["context", "x", "--budget", "0"], 2, "--budget must be at least 1"),
        (["why-not", "x", "--document", "nowhere", "--span", "1:2"], 2, "no document is called"),
        (["why-not", "", "--document", "town.md", "--span", "1:2"], 2, "the query is empty"),
        (["why-not", " ", "--document", "town.md", "--span", "1:2"], 2, "the query is empty"),
        (["why-not", "x", "--document", "y", "--span", "12"], 2, "--span wants two numbers"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(
    folder: Path, arguments: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, "--workspace", str(folder)]) == code
    out, err = capsys.readouterr()
    assert sentence in err
    assert out == ""


def test_a_search_makes_no_workspace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "x", "--workspace", str(tmp_path / "none")]) == 1
    assert "there is no workspace" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    "query", ["AND OR NOT", '"', "*", "NEAR(", "'; DROP TABLE chunks; --", "😀"]
)
def test_hostile_queries(folder: Path, query: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", query, "--workspace", str(folder)]) == 0
    assert not capsys.readouterr().err
