"""Thousands of damaged sample documents: `python tests/campaigns/damaged_files.py [CASES]`.

Each is loaded, chunked and indexed into one workspace, which must be sound at the end; a crash, a
broken promise or a hang over the limit is told with the file's name and seed, from which
tests/support/mutants.py makes the same file again. 5,000 cases take about ten minutes on 2 cores.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chunkscope import paths
from chunkscope.core.loaders.files import Loaded
from chunkscope.core.sandbox import Limits, Sandbox
from chunkscope.core.workspace import Workspace
from support.bad_input import Shelf, Tally, try_mutant
from support.hashing import provide

BATCH = 50
CHECK_EVERY = 20  # batches


@dataclass
class Campaign:
    """The cases, and what became of them."""

    folder: Path
    sandbox: Sandbox
    shelf: Shelf
    tally: Tally = field(default_factory=Tally)
    slowest: tuple[float, str] = (0.0, "")
    failures: int = 0

    def run(self, cases: int) -> None:
        samples = sorted(path for path in paths.sample_docs().iterdir() if path.is_file())
        for number, first in enumerate(range(0, cases, BATCH), start=1):
            seeds = range(first, min(first + BATCH, cases))
            batch = [self._load(samples[seed % len(samples)], seed) for seed in seeds]
            self._index([loaded for loaded in batch if loaded], f"seeds {seeds}")
            if number % CHECK_EVERY == 0 or seeds.stop == cases:
                self._guarded(self.shelf.check, f"check after seed {seeds.stop}")
                _say(f"{seeds.stop:,} cases, {self.failures} failed")

    def _load(self, sample: Path, seed: int) -> Loaded | None:
        name, started = f"{sample.name} seed {seed}", time.monotonic()
        found: list[Loaded] = []
        self._guarded(
            lambda: found.append(try_mutant(sample, seed, self.folder, self.sandbox, self.tally)),
            name,
        )
        took = time.monotonic() - started
        self.slowest = max(self.slowest, (took, name))
        if took > Limits().stall_seconds:
            self._failed(name, f"took {took:.0f} s")
        return found[0] if found else None

    def _index(self, batch: list[Loaded], name: str) -> None:
        self._guarded(lambda: self.shelf.put(batch), f"index {name}")
        for path in self.folder.iterdir():
            path.unlink()

    def _guarded(self, work, name: str) -> None:  # type: ignore[no-untyped-def]
        try:
            work()
        except Exception as problem:  # noqa: BLE001 - the campaign tells of all of them
            self._failed(name, repr(problem))

    def _failed(self, name: str, what: str) -> None:
        self.failures += 1
        _say(f"FAILED {name}: {what[:500]}")


def main() -> int:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as place,
        Sandbox(workers=1) as sandbox,
        Workspace.open(place, embedders=provide, sandbox=sandbox) as workspace,
    ):
        campaign = Campaign(Path(folder), sandbox, Shelf(workspace))
        campaign.run(cases)
    tally, shelf = campaign.tally, campaign.shelf
    _say(f"{tally.complete} complete, {tally.partial} partial, {tally.refused} refused")
    _say(
        f"{shelf.indexed:,} documents indexed in {shelf.chunks:,} chunks, {shelf.removed:,} removed"
    )
    _say(f"{len(tally.sentences)} different sentences; slowest {campaign.slowest}")
    _say(f"{cases:,} cases, {campaign.failures} failures")
    return 1 if campaign.failures else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
