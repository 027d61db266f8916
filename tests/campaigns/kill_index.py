"""Kills an indexing process at random instants and looks at what is left behind.

`python tests/campaigns/kill_index.py --kills 200 --seed 1`; the suite runs a short form of it, and
three seeded bugs that it must find (`--bug`). Everything that a child acknowledged must be there,
nothing may be torn, and a run that is let through must end like one that was never disturbed.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

# Threads of the tokenizer must not exist when a child is forked.
os.environ["TOKENIZERS_PARALLELISM"] = "false"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.killing import BUGS, PROFILE, Library, index_all, open_workspace, preload

KILLS_PER_VERSION = 10
MOST_AT_ONCE = 4
MOST_VIOLATIONS = 3


@dataclass
class Child:
    """A forked process that indexes, and what it said."""

    pid: int
    pipe: int
    heard: bytes = b""

    @property
    def lines(self) -> list[str]:
        return self.heard.decode().split("\n")[:-1]  # what follows the last line end is half a line

    @property
    def acknowledged(self) -> list[str]:
        return [line.split()[1] for line in self.lines if line.startswith("ack ")]

    def listen(self, until: float | None) -> bool:
        """Hear one more piece; False at the end of the pipe or of the time."""
        left = None if until is None else max(until - time.monotonic(), 0)
        if not select.select([self.pipe], [], [], left)[0]:
            return False
        piece = os.read(self.pipe, 65536)
        self.heard += piece
        return bool(piece)

    def wait_until_ready(self) -> None:
        while b"ready\n" not in self.heard and self.listen(None):
            pass

    def finish(self) -> int:
        while self.listen(None):
            pass
        os.close(self.pipe)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill_after(self, acknowledgements: int, seconds: float) -> bool:
        """Kill it some time after so many; whether it was still at work then."""
        while len(self.acknowledged) < acknowledgements and self.listen(None):
            pass
        until = time.monotonic() + seconds
        while self.listen(until):
            pass
        os.kill(self.pid, signal.SIGKILL)
        return self.finish() == -signal.SIGKILL


def fork(work) -> Child:  # type: ignore[no-untyped-def]
    here, there = os.pipe()
    pid = os.fork()
    if pid:
        os.close(there)
        return Child(pid, here)
    status = 1
    try:
        os.close(here)
        work(lambda line: os.write(there, f"{line}\n".encode()))
        status = 0
    finally:
        os._exit(status)


@dataclass
class Campaign:
    """A workspace that lives through many killed runs over files that change."""

    root: Path
    seed: int
    bug: str = ""
    kills: int = 0
    late: int = 0
    completions: int = 0
    violations: list[str] = field(default_factory=list)
    gap: float = 0.0
    """Seconds from one acknowledgement to the next, in a run that nobody disturbs."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.library = Library(self.root / "files", self.random)
        self.folder = self.root / "workspace"

    def run(self, kills: int) -> None:
        while self.kills < kills and len(self.violations) < MOST_VIOLATIONS:
            open_files = self.library.write_next_version()
            if not self.gap:
                self._undisturbed(self.root / "fresh")
            for _ in range(KILLS_PER_VERSION):
                open_files -= self._kill_once(open_files)
                if open_files <= 0 or self.kills >= kills:
                    break
            self._complete()

    def _kill_once(self, open_files: int) -> int:
        """Kill a run that has so many files to do; how many it did."""
        child = fork(lambda tell: index_all(self.folder, self.library.folder, tell, self.bug))
        child.wait_until_ready()
        some = self.random.randrange(min(open_files, MOST_AT_ONCE))
        was_killed = child.kill_after(some, self.random.uniform(0, 3 * self.gap))
        self.kills += was_killed
        self.late += not was_killed
        self._look(child.acknowledged)
        return len(child.acknowledged)

    def _look(self, acknowledged: list[str]) -> None:
        """Open what is left, in a process of its own like any other."""
        child = fork(lambda tell: self._examine(acknowledged, tell))
        if child.finish():
            self.violations.append("the workspace cannot be opened or checked")
        self.violations += [line for line in child.lines if line]

    def _examine(self, acknowledged: list[str], tell) -> None:  # type: ignore[no-untyped-def]
        with open_workspace(self.folder) as workspace:
            if workspace.why_read_only:
                tell(f"the lock of a dead process holds: {workspace.why_read_only}")
            report = workspace.check()
            for problem in report.told[:3]:
                tell(f"check: {problem.kind}: {problem.what}")
            indexed = {
                each["document_id"] for each in workspace.export() if each["record"] == "indexed"
            }
            for row in workspace.documents():
                if row.content_hash not in self.library.known_hashes(row.source):
                    tell(f"torn: {row.source} is no version of its file")
                if row.id not in indexed:
                    tell(f"torn: {row.source} is there, but not indexed")
            stored = {row.id: row for row in workspace.documents()}
            for identity in acknowledged:
                row = stored.get(identity)
                if row is None or row.content_hash != self.library.present_hash(row.source):
                    tell(f"lost: {identity} was acknowledged")

    def _complete(self) -> None:
        """Let one run through: it must end as if nothing had ever happened."""
        child = fork(lambda tell: index_all(self.folder, self.library.folder, tell, self.bug))
        if child.finish():
            self.violations.append("a run after kills does not complete")
        self._look(child.acknowledged)
        fresh = self._undisturbed(self.root / "fresh")
        if exported(self.folder) != fresh:
            self.violations.append("the completed workspace differs from an undisturbed one")
        self.completions += 1

    def _undisturbed(self, folder: Path) -> list[str]:
        shutil.rmtree(folder, ignore_errors=True)
        child = fork(lambda tell: index_all(folder, self.library.folder, tell))
        child.wait_until_ready()
        started = time.monotonic()
        assert child.finish() == 0, "an undisturbed run failed"
        self.gap = (time.monotonic() - started) / max(len(child.acknowledged), 1)
        return exported(folder)


def exported(folder: Path) -> list[str]:
    """The export as lines, read in a process of its own."""

    def work(tell) -> None:  # type: ignore[no-untyped-def]
        with open_workspace(folder) as workspace:
            for record in workspace.export():
                tell(json.dumps(record, sort_keys=True))

    child = fork(work)
    assert child.finish() == 0, "an export failed"
    return child.lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bug", choices=sorted(BUGS), default="")
    options = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)  # as on the command line
    preload()
    with tempfile.TemporaryDirectory() as root:
        campaign = Campaign(Path(root), options.seed, options.bug)
        campaign.run(options.kills)
    record = {
        "kills": campaign.kills, "late": campaign.late, "completions": campaign.completions,
        "profile": PROFILE.name, "milliseconds_a_document": round(campaign.gap * 1000, 1),
        "violations": campaign.violations,
    }  # fmt: skip
    sys.stdout.write(json.dumps(record) + "\n")
    return 1 if campaign.violations else 0


if __name__ == "__main__":
    sys.exit(main())
