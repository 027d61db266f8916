"""One copy of the database a day, thinned: the last days, then the last weeks."""

from __future__ import annotations

import logging
import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from chunkscope.core.store.db import make_private, sync_folder

if TYPE_CHECKING:
    import apsw

log = logging.getLogger(__name__)

DAYS, WEEKS = 7, 4
_PAGES = 4_096
_PREFIX = "workspace-"


def back_up(connection: apsw.Connection, database: Path, today: date) -> Path | None:
    """Copy the database unless it was done today; what prevents it costs the copy, not the work."""
    try:
        return _back_up(connection, database, today)
    except OSError as problem:
        log.warning("no backup today: %s", problem)
        return None


def _back_up(connection: apsw.Connection, database: Path, today: date) -> Path | None:
    folder = database.parent / "backups"
    target = folder / f"{_PREFIX}{today.isoformat()}.db"
    if target.exists() or not connection.execute("SELECT EXISTS(SELECT 1 FROM documents)").get:
        return None
    size = int(connection.pragma("page_count")) * int(connection.pragma("page_size"))
    folder.mkdir(mode=0o700, exist_ok=True)
    if shutil.disk_usage(folder).free < 2 * size:
        log.warning("no backup today: the disk has no room for two more copies of %s", database)
        return None
    beside = target.with_suffix(".new")
    if not _copy(connection, beside):
        beside.unlink(missing_ok=True)
        return None
    beside.replace(target)
    sync_folder(folder)
    thin(folder)
    return target


def _copy(connection: apsw.Connection, target: Path) -> bool:
    """A copy that is in order by itself: a damaged one must not push out the good ones."""
    import apsw

    target.unlink(missing_ok=True)
    make_private(target)
    copy = apsw.Connection(str(target))
    try:
        with copy.backup("main", connection, "main") as work:
            while not work.done:
                work.step(_PAGES)
        copy.pragma("journal_mode", "DELETE")  # one file, readable from a read-only place
        return bool(copy.pragma("quick_check", 1) == "ok")
    except apsw.Error as problem:
        log.warning("no backup today: %s", problem)
        return False
    finally:
        copy.close()


def backups(folder: Path) -> list[tuple[date, Path]]:
    """The backups of a folder, newest first."""
    found = []
    for path in folder.glob(f"{_PREFIX}*.db"):
        try:
            found.append((date.fromisoformat(path.stem.removeprefix(_PREFIX)), path))
        except ValueError:
            continue  # not one of ours
    return sorted(found, reverse=True)


def thin(folder: Path) -> None:
    """Keep the newest days, then the newest of each of some weeks before them."""
    found = backups(folder)
    kept = {path for _, path in found[:DAYS]}
    weeks: dict[tuple[int, int], Path] = {}
    for day, path in found[DAYS:]:
        weeks.setdefault(day.isocalendar()[:2], path)
    kept.update(list(weeks.values())[:WEEKS])
    for _, path in found:
        if path not in kept:
            path.unlink(missing_ok=True)
