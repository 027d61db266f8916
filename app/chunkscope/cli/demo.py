"""`chunkscope demo`: the first five minutes in the terminal, on the sample documents."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope import paths
from chunkscope.cli.output import FAILED, complain, say
from chunkscope.cli.page import BOLD, DIM, GREEN, RED, Page, fitted
from chunkscope.cli.progress import visible_job
from chunkscope.core.errors import Cancelled, ChunkscopeError

if TYPE_CHECKING:
    from chunkscope.core.chunking.chunks import Chunking
    from chunkscope.core.evaluation.plan import Settings
    from chunkscope.core.evaluation.sweep import Outcome
    from chunkscope.core.model import Document
    from chunkscope.core.profile import Profile
    from chunkscope.core.search.model import Hit
    from chunkscope.core.workspace import Sandbox, Workspace

STOPPED = 130
QUESTIONS = (
    ("its words stand in the text", "To what is the liability of the Provider limited?"),
    ("no word of it stands there", "Can the supplier blame sea creatures for an outage?"),
    ("nothing here answers it", "What is the boiling point of ethanol?"),
)
# Small enough for a minute: ways to search share the vectors, ways to cut do not.
GRID = (
    {"preset": ["auto-256"], "mode": ["lexical", "semantic", "hybrid"]},
    {"preset": ["characters-1200", "token-window"], "mode": ["hybrid"]},
)
_HEADLINE, _K = "R@500", 3
_HIT, _NEIGHBOUR = "   ┃ ", "   · "
_NEXT = (
    ("chunk FILE", "see how it is cut"),
    ("index FOLDER", "make it searchable"),
    ("search 'QUESTION'", "and ask it"),
    ("tune SWEEP.toml", "measure what answers best"),
    ("", "the window, on a display"),
)
_SECOND = 3  # lines of a result that is not the first
_AROUND = 2  # lines of a neighbour that are shown


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "demo",
        help="load, cut, index, search and measure the sample documents",
        description="The first five minutes: the sample documents are cut, indexed in a folder "
        "that is removed again, searched, and a few ways to cut and search them are measured.",
    )
    parser.set_defaults(command=demo)


def without_display(options: argparse.Namespace) -> int:
    """What runs where the window was wanted and cannot be shown."""
    say("No display was found for the window, so this is the demo in the terminal.")
    return demo(options)


def demo(_: argparse.Namespace) -> int:
    page, began = Page.of(), time.perf_counter()
    try:
        with tempfile.TemporaryDirectory(prefix="chunkscope-demo-") as folder:
            is_clean = _run(page, Path(folder))
    except Cancelled:
        say("stopped; nothing is left behind", sys.stderr)
        return STOPPED
    page.headline("Your turn")
    for arguments, told in _NEXT:
        page.line(f"  {f'{_program()} {arguments}':38} {told}")
    page.line(f"{time.perf_counter() - began:.0f} s; nothing is left behind.", DIM)
    return 0 if is_clean else FAILED


def _program() -> str:
    """What a person types here to start the program."""
    if paths.IS_FROZEN:
        return Path(sys.executable).name
    is_checkout = (paths.checkout() / "start.py").is_file()
    return "python3 start.py" if is_checkout and not shutil.which("chunkscope") else "chunkscope"


def _run(page: Page, folder: Path) -> bool:
    from chunkscope.core.profile import Profile
    from chunkscope.core.workspace import Sandbox, Workspace

    profile = Profile.preset("auto-256")
    with (
        Sandbox(2) as sandbox,
        Workspace.open(folder / "workspace", sandbox=sandbox) as workspace,
    ):
        documents, failures = _load(sandbox)
        _show_chunks(page, documents, profile)
        is_indexed = _index(page, workspace, documents, profile)
        for number, (kind, question) in enumerate(QUESTIONS, start=1):
            page.headline(f"{number + 2}. Ask: {question}")
            page.line(f"({kind})", DIM)
            _ask(page, workspace, question)
        _tune(page, workspace, documents)
    for problem in failures:
        complain(problem)
    return is_indexed and not failures


def _load(sandbox: Sandbox) -> tuple[list[Document], list[ChunkscopeError]]:
    from chunkscope.core.workspace import load_paths

    found: list[Document] = []
    failures: list[ChunkscopeError] = []
    with visible_job() as job:
        for result in load_paths([paths.sample_docs()], sandbox, job=job):
            found += [each for document in result.documents for each in document.with_children()]
            failures += [result.error] if result.error else []
    return found, failures


# ---- Look ----------------------------------------------------------------------------------------


def _show_chunks(page: Page, documents: Sequence[Document], profile: Profile) -> None:
    from chunkscope.core.workspace import chunk

    page.headline(f"1. Look: {len(documents)} documents cut by the preset {profile.name}")
    with visible_job() as job:
        chunkings = [chunk(document, profile, job=job) for document in documents]
    name = max(12, page.width - 46)
    head = f"{'chunks':>7} {'word pieces':>12} {'median':>7}"
    page.line(f"  {'document':{name}} {'file':14}{head}", DIM)
    for each in chunkings:
        _show_chunking(page, each, name)
    if all(_is_proven(each) for each in chunkings):
        page.line("✓ every character of every document is accounted for", GREEN)


def _show_chunking(page: Page, chunking: Chunking, name: int) -> None:
    from chunkscope.core.chunking.statistics import Statistics

    document, sizes = chunking.document, Statistics(chunking).sizes
    file = Path(document.source.partition("#")[0]).name
    spread = f"{sizes.smallest:,}–{sizes.largest:,}"
    is_proven = _is_proven(chunking)
    page.line(
        f"{' ' if is_proven else '✗'} {fitted(document.title, name)} {fitted(file, 14)}"
        f"{len(chunking):7,} {spread:>12} {sizes.median:7,.0f}",
        "" if is_proven else RED,
    )


def _is_proven(chunking: Chunking) -> bool:
    from chunkscope.core.chunking.statistics import Statistics

    return Statistics(chunking).proof.holds


# ---- Index and search ----------------------------------------------------------------------------


def _index(
    page: Page, workspace: Workspace, documents: Sequence[Document], profile: Profile
) -> bool:
    began = time.perf_counter()
    with visible_job() as job:
        report = workspace.index(documents, profile, job)
    page.headline("2. Index: full text and vectors in one folder")
    page.line(
        f"  {report.added:,} documents, {report.chunks:,} chunks, {report.embedded_texts:,} texts "
        f"embedded by {profile.embedder} in {time.perf_counter() - began:.1f} s"
    )
    for failure in report.failures:
        complain(ChunkscopeError(failure.reason))
    return report.is_clean


def _ask(page: Page, workspace: Workspace, question: str) -> None:
    from chunkscope.core.search.options import SearchOptions

    result = workspace.search(question, options=SearchOptions(k=2))
    for note in result.notes:
        page.paragraph(note, "   ")
    for hit in result.hits:
        _show_hit(page, hit, workspace.document(hit.chunk.document_id).text)


def _show_hit(page: Page, hit: Hit, text: str) -> None:
    """The hit whole, of its neighbours the lines next to it, and where it all stands."""
    chunk = hit.chunk
    where = [chunk.title, f"page {chunk.page}" if chunk.page is not None else ""]
    where.append(" > ".join(chunk.heading_chain))
    page.line(f"{hit.rank}. {' · '.join(filter(None, where))}", BOLD)
    ranks = (("words", hit.ranks.lexical), ("meaning", hit.ranks.semantic))
    told = [f"{name} {f'#{rank}' if rank else '–'}" for name, rank in ranks]
    file = Path(chunk.source).name
    page.line(f"   {' · '.join([*told, f'{file} [{chunk.start:,}:{chunk.end:,}]'])}", DIM)
    for part in hit.stitched.parts:
        words = text[part.start : part.end]
        if part.role == "hit":
            page.paragraph(words, _HIT, BOLD, most=0 if hit.rank == 1 else _SECOND)
        else:
            page.paragraph(_near(words, part.start < chunk.start, page.width), _NEIGHBOUR, DIM)


def _near(words: str, is_before: bool, width: int) -> str:
    """The end of the text before a hit, or the beginning of the text after it."""
    flat, most = " ".join(words.split()), _AROUND * (width - len(_NEIGHBOUR) - 8)
    if len(flat) <= most:
        return flat
    return f"… {flat[-most:].partition(' ')[2]}" if is_before else f"{flat[:most]} …"


# ---- Measure -------------------------------------------------------------------------------------


def _tune(page: Page, workspace: Workspace, documents: Sequence[Document]) -> None:
    from chunkscope.core.evaluation.bench import Bench, Caches
    from chunkscope.core.evaluation.corpus import Corpus, gold_of
    from chunkscope.core.evaluation.plan import Settings, configurations_of
    from chunkscope.core.evaluation.query_files import read_queries
    from chunkscope.core.evaluation.sweep import sweep
    from chunkscope.core.workspace import shared_analyses

    corpus = Corpus(list(documents))
    gold = gold_of(read_queries(paths.resources() / "questions" / "sample_docs.jsonl"), corpus)
    bench = Bench(corpus, gold, Caches(workspace.embedders), shared_analyses())
    configurations, _ = configurations_of(list(GRID))
    settings = Settings(k=_K, headline=_HEADLINE, racing=False)
    with visible_job() as job:
        outcome = sweep(bench, configurations, settings, job)
    number = len(QUESTIONS) + 3
    page.headline(f"{number}. Measure: {len(gold)} questions, {len(configurations)} configurations")
    _show_outcome(page, outcome, settings)


def _show_outcome(page: Page, outcome: Outcome, settings: Settings) -> None:
    from chunkscope.core.evaluation.report import told
    from chunkscope.core.evaluation.sweep import conclude

    page.line(f"  {_HEADLINE:>6}  {'95 %':9} {'tokens':>7}", DIM)
    for row in outcome.ranked:
        found = row.intervals[_HEADLINE]
        page.line(
            f"  {found.mean:6.1%}  {f'{found.low:.0%}–{found.high:.0%}':9} "
            f"{row.mean('tokens'):7,.0f}  {row.name}"
        )
    page.paragraph(told(conclude(outcome.ranked, settings), outcome.ranked, _HEADLINE), "  ", GREEN)
    page.line(f"  ({_HEADLINE}: the share of the answers in the first 500 tokens found)", DIM)
