"""`chunkscope demo`: the whole way in the terminal, readable, and gone without a trace."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkscope import paths
from chunkscope.cli.output import JOINERS
from chunkscope.cli.page import BOLD, Page, columns, fitted

WIDTH = 72


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run once, with no display, in folders of its own."""
    home = tmp_path_factory.mktemp("home")
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "CHUNKSCOPE_WORKSPACE")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    places = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), str(home))
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "chunkscope"],
        capture_output=True, encoding="utf-8", check=False, cwd=home,
        env={**kept, **places, "COLUMNS": str(WIDTH), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    return ran, home


pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere there is always a display"
)


def test_it_runs_where_there_is_no_display(
    done: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    ran, _ = done
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    assert "No display was found" in ran.stdout


def test_every_sample_is_cut_and_no_character_lost(
    done: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    table = done[0].stdout.partition("2. Index")[0]
    for path in paths.sample_docs().iterdir():
        assert path.name in table
    assert "✓ every character" in table
    assert "✗" not in table


def test_questions_are_answered_or_refused(
    done: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    """By words, by meaning alone, and not at all; hit and neighbours are told apart."""
    _, keyword, paraphrase, negative = re.split(r"\d\. Ask: ", done[0].stdout)
    assert re.search(r"┃ .*the fees of one", keyword)
    assert "words #1" in keyword
    assert re.search(r"┃ .*Crabs, barnacles", paraphrase)
    assert re.search(r"words – · meaning #1 · contract\.docx \[\d+:\d+\]", paraphrase)
    assert re.search(r"· .*three piers", paraphrase), "its neighbour"
    refused = negative.partition("6. Measure")[0]
    assert "Nothing here fits" in refused
    assert "┃" not in refused


def test_a_small_sweep_ends_with_a_verdict(
    done: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    measured = done[0].stdout.partition("6. Measure")[2]
    rows = re.findall(r"^ +\d+\.\d% .* (?:lexical|semantic|hybrid)$", measured, re.MULTILINE)
    assert len(rows) == 5
    assert re.search(r"wins by R@500|No winner by R@500", measured)


def test_it_fits_the_terminal_without_colours(
    done: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    assert "\033" not in done[0].stdout
    assert max(map(columns, done[0].stdout.splitlines()[1:])) <= WIDTH


def test_nothing_is_left_behind(done: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    assert list(done[1].rglob("*")) == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal, pipe, refused = Terminal(), io.StringIO(), Terminal()
    Page.of(terminal).line("Hit", BOLD)
    Page.of(pipe).line("Hit", BOLD)
    monkeypatch.setenv("NO_COLOR", "1")
    Page.of(refused).line("Hit", BOLD)
    assert terminal.getvalue() == f"{BOLD}Hit\033[0m\n"
    assert pipe.getvalue() == refused.getvalue() == "Hit\n"


@given(st.text(), st.integers(2, 90))
def test_cells_are_as_wide_as_asked(text: str, width: int) -> None:
    shown = fitted(text, width)
    assert columns(shown) == width
    assert all(each.isprintable() or each in JOINERS for each in shown.rstrip())


@given(st.text(max_size=300), st.integers(40, 90))
def test_no_text_can_leave_the_page(text: str, width: int) -> None:
    """Not by length, wide letters or control characters."""
    page = Page(io.StringIO(), width, has_colours=False)
    page.paragraph(text, "   ┃ ")
    written = page.stream.getvalue()  # type: ignore[attr-defined]
    assert all(columns(line) <= width for line in written.split("\n"))
    assert "\033" not in written
