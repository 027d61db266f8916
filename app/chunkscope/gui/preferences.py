"""What a person sets once and for all: declared here, edited in the settings, kept by QSettings."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from chunkscope.core import params
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.params import param
from chunkscope.core.profile import Profile
from chunkscope.core.sandbox import Limits
from chunkscope.core.sandbox.limits import MEGABYTE
from chunkscope.core.workspace import default_folder

THEMES = ("system", "light", "dark", "contrast")
_MOST_WORKERS = 4  # more, and they wait for the disk or for each other


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of the program. What changes results stands in the profile; these start new ones."""

    theme: str = param(
        "system", choices=THEMES, help="Colours of the window; system follows the desktop"
    )
    reading_font: str = param("", help="Typeface of documents; empty is the one of the window")
    reading_size: float = param(11.0, low=6, high=40, help="Size of documents, in points")
    window_size: float = param(
        0.0, low=0, high=32, help="Size of everything else, in points; 0 is the desktop's choice"
    )
    tokenizer: str = param(
        "minilm", help="Counts tokens in new profiles: a name, or the path of a tokenizer.json"
    )
    language: str = param("en", help="Whose rules end a sentence in new profiles")
    embedder: str = param(
        "minilm",
        help="Makes the vectors in new profiles: a name, or sentence-transformers:FOLDER for a "
        "model of your own",
    )
    workspace_folder: str = param("", help="Where the index is kept; empty is your data folder")
    workers: int = param(
        0, low=0, high=16, help="Processes that read documents; 0 is one a core, at most four"
    )
    memory_limit: int = param(
        1500, low=300, high=64_000, help="Memory that one document may need, in megabytes"
    )
    stall_limit: float = param(
        20.0, low=1, high=600, help="Seconds without progress after which a document is given up"
    )
    time_limit: float = param(
        300.0, low=5, high=7200, help="Seconds that one document may take in all"
    )

    def limits(self) -> Limits:
        return replace(
            Limits(),
            stall_seconds=self.stall_limit,
            total_seconds=self.time_limit,
            memory_bytes=self.memory_limit * MEGABYTE,
        )

    def worker_count(self) -> int:
        return self.workers or min(os.cpu_count() or 1, _MOST_WORKERS)

    def workspace(self) -> Path:
        """The folder of the workspace."""
        chosen = self.workspace_folder
        return Path(chosen).expanduser() if chosen else default_folder()

    def first_profile(self) -> Profile:
        """What the window starts with when nothing was kept."""
        first = self.new_profile()
        usual = Profile.preset("auto-256")
        return usual if replace(first, name=usual.name) == usual else first

    def new_profile(self) -> Profile:
        """What a new profile starts from."""
        base = Profile.preset("auto-256")
        try:
            wanted = base.with_values({"tokenizer": self.tokenizer, "language": self.language})
            return replace(wanted, name="new", embedder=self.embedder).checked()
        except ChunkscopeError:  # a file or a model that has gone meanwhile
            return base


GROUPS = {
    "Look": ("theme", "reading_font", "reading_size", "window_size"),
    "New profiles": ("tokenizer", "language", "embedder"),
    "Index": ("workspace_folder",),
    "Reading documents": ("workers", "memory_limit", "stall_limit", "time_limit"),
}
DECLARED = params.declared(Preferences)


def from_texts(texts: dict[str, str]) -> Preferences:
    """Preferences as they were kept; what no longer fits is left at its default."""
    found = Preferences()
    for name, text in texts.items():
        if name not in DECLARED:
            continue
        try:
            changed = replace(found, **{name: params.parse(DECLARED[name], text)})
            params.check(changed)
        except ChunkscopeError:
            continue
        found = changed
    return found
