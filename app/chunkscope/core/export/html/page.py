"""The page around the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from chunkscope import __version__
from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.export.base import text_format
from chunkscope.core.export.html.bands import bands
from chunkscope.core.export.html.markup import element, opened
from chunkscope.core.export.html.style import STYLE
from chunkscope.core.export.html.summary import summary
from chunkscope.core.export.settings import as_command
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile

# Nothing is fetched and nothing runs, whatever a document holds.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_LEGEND = (
    '<ul class="legend">'
    '<li><i class="t0"></i><i class="t1"></i><i class="t2"></i>chunks, by turns</li>'
    '<li><i class="t0 r"></i>repeated in the next chunk</li>'
    '<li><i class="o"></i>in no chunk</li>'
    '<li><i class="cut"></i>cut</li>'
    '<li><i class="cut inside"></i>cut inside a sentence</li>'
    "</ul>"
)


@text_format(
    "html", "Web page", ".html", "the preview as one page, to send to somebody or to print"
)
def preview_page(chunkings: Iterable[Chunking], profile: Profile, job: Job) -> Iterator[str]:
    """Documents one below the other, without scripts and without anything from elsewhere."""
    remaining = iter(chunkings)
    first = list(islice(remaining, 1))
    title = " · ".join([*(each.document.title for each in first), profile.name])
    yield from _head(title)
    yield from _introduction(profile)
    yield _LEGEND
    for number, chunking in enumerate(chain(first, remaining)):
        yield "\n<article>"
        yield from summary(chunking, number)
        yield opened("div", class_="text code" if _is_code(chunking) else "text")
        yield from bands(chunking, number, job)
        yield "</div></article>"
    yield f"\n<footer>Made with Chunkscope {__version__}</footer>\n</body>\n</html>\n"


def _head(title: str) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n'
    yield f"{element('title', title)}\n<style>{STYLE}</style>\n</head>\n<body>\n"


def _introduction(profile: Profile) -> Iterator[str]:
    cut_by = f"Cut by the strategy {profile.strategy}"
    yield f"<header>{element('h1', profile.name)}{element('p', cut_by, class_='muted')}"
    yield "<details><summary>How to get the same chunks</summary>"
    yield element("p", as_command(profile), class_="command")
    yield element("p", profile.to_toml(), class_="toml")
    yield "</details></header>"


def _is_code(chunking: Chunking) -> bool:
    kind = chunking.document.media_type
    return kind.startswith("text/x-") or kind == "text/javascript"
