"""`chunkscope profile save|show|check`: profiles as files."""

from __future__ import annotations

import argparse

from chunkscope.cli.chunk import add_profile, chosen_profile
from chunkscope.cli.output import FAILED, complain, say, tell
from chunkscope.core.errors import ChunkscopeError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("profile", help="save, show or check profiles")
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    save = actions.add_parser("save", help="write a profile to a file")
    save.add_argument("path", metavar="FILE.toml")
    save.add_argument("--name", default="", help="of the profile (default: of its origin)")
    add_profile(save)
    save.set_defaults(command=_save)
    show = actions.add_parser("show", help="print a profile as TOML")
    add_profile(show)
    show.set_defaults(command=_show)
    check = actions.add_parser("check", help="say whether profiles can be used")
    check.add_argument("paths", nargs="+", metavar="FILE.toml")
    check.set_defaults(command=_check)


def _save(options: argparse.Namespace) -> int:
    from dataclasses import replace

    profile = chosen_profile(options)
    replace(profile, name=options.name or profile.name).save(options.path)
    tell(f"saved {options.path}")
    return 0


def _show(options: argparse.Namespace) -> int:
    say(chosen_profile(options).to_toml(), end="")
    return 0


def _check(options: argparse.Namespace) -> int:
    from chunkscope.core.profile import Profile

    failed = False
    for path in options.paths:
        try:
            profile = Profile.read(path)
        except ChunkscopeError as problem:
            complain(problem)
            failed = True
        else:
            tell(f"{path}: {profile.name} is in order ({profile.strategy})")
    return FAILED if failed else 0
