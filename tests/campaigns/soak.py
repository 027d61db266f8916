"""Indexing while searching: `python tests/campaigns/soak.py [--minutes 5] [--searchers 3]`.

One thread indexes versions of a folder, removes documents and stops runs in the middle; others
search in every mode, assemble contexts and compare each result with the text it names. Nothing may
fail, memory must not creep, and the workspace must be sound at the end.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chunkscope.core.errors import Cancelled, WrongUsage
from chunkscope.core.job import Job
from chunkscope.core.sandbox import Sandbox
from chunkscope.core.search.options import Mode, SearchOptions
from chunkscope.core.workspace import Workspace
from support.hashing import provide
from support.killing import Library
from support.memory import resident_megabytes
from support.stored import SMALL

QUERIES = (
    "harbour lamp", "the keeper's bell", '"tide" OR stone', "rope NEAR sail", "gull-net",
    "C++ 100%", "", "日本", "lamp " * 40,
)  # fmt: skip
OTHER = SMALL.with_values({"max_size": 80})


@dataclass
class Soak:
    """A workspace that is written to and asked at the same time."""

    workspace: Workspace
    library: Library
    random: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    slowest: float = 0.0
    is_over: threading.Event = field(default_factory=threading.Event)

    def run(self, minutes: float, searchers: int) -> None:
        self._index_once()
        threads = [
            threading.Thread(target=self._keep, args=(self._search_once, random.Random(number)))
            for number in range(searchers)
        ]
        threads.append(threading.Thread(target=self._keep, args=(self._write_once, self.random)))
        for thread in threads:
            thread.start()
        self.is_over.wait(minutes * 60)
        self.is_over.set()
        for thread in threads:
            thread.join()

    def _keep(self, work, chance: random.Random) -> None:  # type: ignore[no-untyped-def]
        while not self.is_over.is_set():
            try:
                work(chance)
            except Exception as problem:  # noqa: BLE001 - the campaign tells of all of them
                self.problems.append(f"{work.__name__}: {problem!r}")
                if len(self.problems) > 20:
                    self.is_over.set()

    # writing

    def _write_once(self, chance: random.Random) -> None:
        kind = chance.choices(("index", "stop", "other", "remove", "rebuild"), (6, 2, 2, 2, 0.2))[0]
        self.counts[kind] += 1
        if kind == "remove":
            rows = self.workspace.documents()
            if rows:
                self.workspace.remove([chance.choice(rows).id])
        elif kind == "rebuild":
            self.workspace.rebuild()
        else:
            self._index_once(kind)

    def _index_once(self, kind: str = "index") -> None:
        self.library.write_next_version()
        job, profile = Job(), OTHER if kind == "other" else SMALL
        stop = (lambda *_: job.cancel()) if kind == "stop" else None
        try:
            report = self.workspace.index(
                [self.library.folder], profile, job, prune=True, acknowledge=stop
            )
        except Cancelled:
            return
        if not report.is_clean:
            self.problems.append(f"not clean: {report.failures[:1]} {report.stopped}")
        self.counts["documents indexed"] += report.added + report.changed

    # searching

    def _search_once(self, chance: random.Random) -> None:
        mode = chance.choice(list(Mode))
        started = time.perf_counter()
        try:
            result = self.workspace.search(
                chance.choice(QUERIES), chance.choice(("", SMALL.name)), SearchOptions(mode=mode)
            )
        except WrongUsage:  # the profile is only just coming
            return
        self.slowest = max(self.slowest, time.perf_counter() - started)
        self.counts["searches"] += 1
        for hit in result.hits:
            if not hit.text.strip():
                self.problems.append(f"an empty hit for {result.query!r}")
        if result.hits and chance.random() < 0.2:
            self.workspace.context(result)
            self.counts["contexts"] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--searchers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with (
        tempfile.TemporaryDirectory() as root,
        Sandbox(workers=1) as sandbox,
        Workspace.open(Path(root, "w"), embedders=provide, sandbox=sandbox) as workspace,
    ):
        soak = Soak(workspace, Library(Path(root, "files"), chance), chance)
        soak.run(min(0.5, options.minutes / 5), options.searchers)  # warm-up
        soak.is_over.clear()
        before = resident_megabytes()
        soak.run(options.minutes, options.searchers)
        grown = resident_megabytes() - before
        report = workspace.check()
        soak.problems += [f"check: {each.kind}: {each.what}" for each in report.told[:5]]
    record = {
        **soak.counts, "slowest_search_seconds": round(soak.slowest, 2),
        "megabytes_grown": round(grown, 1), "is_sound": report.is_sound, "problems": soak.problems,
    }  # fmt: skip
    sys.stdout.write(json.dumps(record) + "\n")
    return 1 if soak.problems or not report.is_sound else 0


if __name__ == "__main__":
    sys.exit(main())
