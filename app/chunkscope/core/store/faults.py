"""What can go wrong with a workspace's files, each told in one sentence with its remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chunkscope.core.errors import ChunkscopeError


class WorkspaceError(ChunkscopeError):
    """The workspace cannot do what was asked; nothing was changed by the attempt."""


class NoWorkspace(WorkspaceError):
    """There is no workspace where one was looked for."""


class ForeignFile(WorkspaceError):
    """The file is no workspace, or one of a newer version."""


class DamagedWorkspace(WorkspaceError):
    """The database cannot be read; the file was left as it is."""


class ReadOnlyWorkspace(WorkspaceError):
    """Something was to be written to a workspace that is open for reading alone."""


class DocumentTooLarge(ChunkscopeError):
    """One document that no database can hold; the others can be indexed."""


class StorageFull(WorkspaceError):
    """The disk is full; the last commit stands."""


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """Faults of SQLite as sentences that name the workspace."""
    import apsw

    try:
        yield
    except apsw.FullError:
        raise _full(folder) from None
    except (apsw.CorruptError, apsw.NotADBError) as problem:
        raise DamagedWorkspace(
            f"{folder}: the database is damaged ({problem}) and was left as it is; "
            f"copy the newest file of {folder / 'backups'} over workspace.db, or index anew "
            "in another folder"
        ) from None
    except apsw.BusyError:
        raise WorkspaceError(
            f"{folder}: another program keeps the database busy; close it and try again"
        ) from None
    except apsw.TooBigError:
        raise DocumentTooLarge(
            "it is larger than a database can hold (1 GB); split the file"
        ) from None
    except apsw.ReadOnlyError:
        raise ReadOnlyWorkspace(f"{folder}: cannot be written to; check its permissions") from None
    except (apsw.CantOpenError, apsw.IOError, apsw.PermissionsError, apsw.AuthError) as problem:
        raise WorkspaceError(
            f"{folder}: the database cannot be used ({problem}); check the disk and permissions"
        ) from None
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _full(folder) from None
        where = problem.filename or folder
        raise WorkspaceError(
            f"{where} cannot be used ({problem.strerror or problem}); check the disk and "
            "permissions"
        ) from None


def _full(folder: Path) -> StorageFull:
    return StorageFull(
        f"{folder}: the disk is full; what was committed before stands. Make room and run it again"
    )
