"""Which workspace a command works on."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from chunkscope.cli.output import tell

if TYPE_CHECKING:
    from chunkscope.core.workspace import Sandbox, Workspace


def add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        default="",
        help="folder of the index (default: $CHUNKSCOPE_WORKSPACE, else the user's data folder)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def opened(
    options: argparse.Namespace,
    *,
    create: bool = False,
    read_only: bool = False,
    to_write: bool = False,
    sandbox: Sandbox | None = None,
) -> Workspace:
    """The workspace that the options name; where it can only be read although more was hoped for,
    that is said. A command that has `to_write` fails over it and says so itself."""
    from chunkscope.core.workspace import Workspace

    found = Workspace.open(
        options.workspace or None, create=create, read_only=read_only, sandbox=sandbox
    )
    if found.why_read_only and not (read_only or to_write):
        tell(f"note: {found.folder} is open to read only: {found.why_read_only}", sys.stderr)
    return found
