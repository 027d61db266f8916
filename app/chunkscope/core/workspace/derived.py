"""Files that are made from the database and can always be made again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from chunkscope.core.job import NO_JOB, Job
from chunkscope.core.store import profiles
from chunkscope.core.store.check_documents import Problem
from chunkscope.core.store.store import Store

FOLDER = "derived"
# What a process that was killed left behind; the writer's own files are never among them.
_LEFTOVERS = ("*.new", "backups/*.new", "derived/*.new")


def remove(folder: Path, profile_id: str) -> int:
    """Remove the files of one profile; how many there were."""
    found = list((folder / FOLDER).glob(f"{profile_id}.*"))
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


def problems(store: Store) -> Iterator[Problem]:
    """Files of profiles that are gone, and leftovers."""
    known = {stored.id for stored in profiles.rows(store.reader())}
    for path in sorted((store.folder / FOLDER).glob("*")):
        if path.name.split(".")[0] not in known:
            yield Problem("derived file", f"{path.name} belongs to no profile")
    for pattern in _LEFTOVERS:
        for path in sorted(store.folder.glob(pattern)):
            yield Problem("derived file", f"{path.name} was left behind by a process that ended")


def remake(store: Store, job: Job = NO_JOB) -> int:
    """Remove all derived files and leftovers; search makes what it needs. How many there were."""
    job.check()
    patterns = (f"{FOLDER}/*", *_LEFTOVERS)
    found = {path for pattern in patterns for path in store.folder.glob(pattern)}
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)
