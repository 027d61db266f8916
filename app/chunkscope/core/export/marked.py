"""Documents as Markdown that shows where they are cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.chunking.marks import marked_text
from chunkscope.core.chunking.statistics import Statistics
from chunkscope.core.export.base import text_format
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile

_FENCE = re.compile("^ {0,3}(~{3,})", re.MULTILINE)
_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&])")


@text_format(
    "markdown", "Markdown with cut marks", ".md", "the text with ⟦marks⟧ where it is cut: for notes"
)
def marked_markdown(chunkings: Iterable[Chunking], _profile: Profile, job: Job) -> Iterator[str]:
    """Each document in a fence: marks before a line would spoil headings, lists and tables."""
    for number, chunking in enumerate(chunkings):
        job.step(0, 1, chunking.document.title)
        text = marked_text(chunking)
        fence = "~" * max((len(run) + 1 for run in _FENCE.findall(text)), default=3)
        yield "\n" if number else ""
        yield f"# {escaped(chunking.document.title)}\n\n{_summary(chunking)}\n\n{fence}text\n"
        yield text
        yield ("" if text.endswith("\n") else "\n") + fence + "\n"


def escaped(line: str) -> str:
    """A line of text as Markdown that shows it."""
    return _SIGNS.sub(r"\\\1", " ".join(line.split()))


def _summary(chunking: Chunking) -> str:
    statistics = Statistics(chunking)
    sizes, unit = statistics.sizes, chunking.strategy.unit
    return (
        f"{len(chunking):,} chunks by {chunking.strategy_name} · "
        f"{sizes.smallest:,}–{sizes.largest:,} {unit}, median {sizes.median:,.0f} · "
        f"{statistics.repeated_share:.0%} repeated.\n"
        "`⟦3 · 212 tokens · paragraph⟧` opens chunk 3, `⟦↷3⟧` what it repeats, "
        "`⟦∅⟧` what is in no chunk."
    )
