"""`chunkscope index`, `documents`, `remove`, `check`, `rebuild`, `duplicates`: the workspace."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from chunkscope.cli.chunk import add_profile, chosen_profile
from chunkscope.cli.load import add_loading, load_options, new_sandbox
from chunkscope.cli.output import FAILED, complain, say, tell
from chunkscope.cli.place import add_workspace, opened
from chunkscope.cli.progress import visible_job
from chunkscope.core.errors import Cancelled, ChunkscopeError, WrongUsage

if TYPE_CHECKING:
    from chunkscope.core.profile import Profile
    from chunkscope.core.workspace import CheckReport, IndexReport, Workspace

Commands = argparse._SubParsersAction
STOPPED = 130


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    _add_index(commands)
    _add(commands, "documents", "list what is indexed, and what waits", _documents)
    remove = _add(commands, "remove", "remove documents or a profile with every trace", _remove)
    remove.add_argument(
        "names", nargs="*", metavar="NAME", help="id, source, file or folder of documents"
    )
    remove.add_argument("--profile", metavar="NAME", default="", help="remove this profile")
    _add(commands, "check", "verify everything in a workspace", _check)
    _add(commands, "rebuild", "make full text and vector files anew; embeds nothing", _rebuild)
    duplicates = _add(
        commands, "duplicates", "find documents that are nearly the same", _duplicates
    )
    duplicates.add_argument(
        "--threshold", type=float, default=0.95, metavar="X", help="least similarity (default 0.95)"
    )
    duplicates.add_argument(
        "--profile", metavar="NAME", default="", help="by the vectors of this profile"
    )


def _add(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    help: str,
    command: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=help)
    add_workspace(parser)
    parser.set_defaults(command=command)
    return parser


def _add_index(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = _add(commands, "index", "make documents searchable", _index)
    parser.description = (
        "Cut documents by a profile, embed the chunks and keep them in a workspace. "
        "Files that did not change cost a hash. Without PATH: what failed before and is due."
    )
    add_loading(parser, "*")
    add_profile(parser)
    parser.add_argument("--embedder", metavar="NAME", default="", help="embed with this model")
    parser.add_argument("--name", metavar="NAME", default="", help="of the profile")
    parser.add_argument("--retry", action="store_true", help="try again what failed, due or not")
    parser.add_argument(
        "--prune", action="store_true", help="remove documents whose files have gone"
    )


def _profile(options: argparse.Namespace) -> Profile:
    profile = chosen_profile(options)
    if options.embedder:
        profile = replace(profile, embedder=options.embedder).checked()
    return replace(profile, name=options.name) if options.name else profile


def _index(options: argparse.Namespace) -> int:
    profile, how = _profile(options), load_options(options)
    with (
        new_sandbox(options) as sandbox,
        opened(options, create=bool(options.paths), to_write=True, sandbox=sandbox) as workspace,
    ):
        acknowledged: list[str] = []
        try:
            with visible_job() as job:
                report = workspace.index(
                    options.paths,
                    profile,
                    job,
                    options=how,
                    retry=options.retry,
                    prune=options.prune,
                    acknowledge=lambda identity, _: acknowledged.append(identity),
                )
        except Cancelled:
            tell(
                f"stopped; {len(acknowledged):,} documents were indexed, the rest is as it was",
                sys.stderr,
            )
            return STOPPED
        _tell(report, options.json)
    return 0 if report.is_clean else FAILED


def _tell(report: IndexReport, as_json: bool) -> None:
    for failure in report.failures:
        complain(ChunkscopeError(failure.reason))
    for work in report.waiting:
        complain(ChunkscopeError(f"{work.last_error} (tried {work.attempts} times; --retry)"))
    if report.stopped:
        complain(ChunkscopeError(f"stopped: {report.stopped}"))
    if as_json:
        say(json.dumps(asdict(report), ensure_ascii=False))
        return
    tell(
        f"{report.profile_name}: {report.added:,} added, {report.changed:,} changed, "
        f"{report.unchanged:,} unchanged, {report.removed:,} removed · {report.chunks:,} chunks, "
        f"{report.embedded_texts:,} texts embedded"
    )
    if report.truncated:
        tell(f"note: the model does not read all of {report.truncated:,} chunks; lower max_size")
    if report.gone:
        tell(f"note: {len(report.gone):,} indexed files are no longer there; --prune removes them")
    for note in report.notes:
        tell(f"note: {note}")


def _documents(options: argparse.Namespace) -> int:
    with opened(options, read_only=True) as workspace:
        rows, profiles = workspace.documents(), workspace.profiles()
        waiting = workspace.waiting()
    if options.json:
        record = {
            "documents": [asdict(row) for row in rows],
            "profiles": [asdict(each) for each in profiles],
            "waiting": [asdict(each) for each in waiting],
        }
        say(json.dumps(record, ensure_ascii=False))
        return 0
    for row in rows:
        tell(f"{row.id}  {row.characters:11,}  {row.state:8}  {row.title}")
        tell(f"    {row.source}")
    for each in profiles:
        tell(
            f"profile {each.name}: {each.documents:,} documents, {each.chunks:,} chunks ({each.id})"
        )
    for work in waiting:
        tell(f"waiting: {work.last_error or work.source} (tried {work.attempts} times)")
    return 0


def _remove(options: argparse.Namespace) -> int:
    if bool(options.names) == bool(options.profile):
        raise WrongUsage("name documents, or a profile with --profile")
    with opened(options, to_write=True) as workspace:
        if options.profile:
            found = workspace.remove_profile(options.profile)
            record: dict[str, Any] = {"profile": found.id, "chunks": found.chunks}
            sentence = f"removed profile {found.name} with {found.chunks:,} chunks"
        else:
            count = workspace.remove(options.names)
            record, sentence = {"documents": count}, f"removed {count:,} documents"
    if options.json:
        say(json.dumps({"removed": record}))
    else:
        tell(sentence)
    return 0


def _check(options: argparse.Namespace) -> int:
    # To read alone, so that a workspace in use can be checked too.
    with opened(options, read_only=True) as workspace:
        report = _watched(lambda job: workspace.check(job))
    if options.json:
        say(
            json.dumps(
                {
                    "is_sound": report.is_sound, "documents": report.documents,
                    "chunks": report.chunks, "vectors": report.vectors, "counts": report.counts,
                    "problems": [asdict(problem) for problem in report.told],
                }
            )
        )  # fmt: skip
    else:
        _tell_check(report)
    return 0 if report.is_sound else FAILED


def _tell_check(report: CheckReport) -> None:
    size = f"{report.documents:,} documents, {report.chunks:,} chunks, {report.vectors:,} vectors"
    if report.is_sound:
        tell(f"✓ all is well: {size}")
        return
    tell(f"✗ problems were found: {size}")
    for kind, count in report.counts.items():
        tell(f"  {kind}: {count:,}")
    for problem in report.told:
        tell(f"    {problem.kind}: {problem.what}")
    remedy = (
        "`chunkscope rebuild` mends this"
        if report.is_only_derived
        else "copy the newest good file of backups/ over workspace.db, or index anew"
    )
    tell(remedy)


def _watched(work: Callable[[Any], Any]) -> Any:
    try:
        with visible_job() as job:
            return work(job)
    except Cancelled:
        raise KeyboardInterrupt from None


def _rebuild(options: argparse.Namespace) -> int:
    with opened(options, to_write=True) as workspace:
        done = _watched(lambda job: workspace.rebuild(job))
    if options.json:
        say(json.dumps(asdict(done)))
        return 0
    tell(
        f"made anew: full text of {done.documents:,} documents and {done.chunks:,} chunks of "
        f"{done.profiles:,} profiles, and their vector files"
    )
    return 0


def _duplicates(options: argparse.Namespace) -> int:
    with opened(options, read_only=True) as workspace:
        return _tell_duplicates(workspace, options)


def _tell_duplicates(workspace: Workspace, options: argparse.Namespace) -> int:
    pairs = _watched(lambda job: workspace.duplicates(options.profile, options.threshold, job))
    if options.json:
        records = [
            {
                "similarity": round(pair.similarity, 6),
                "is_same_text": pair.is_same_text,
                "first": {"id": pair.first.id, "source": pair.first.source},
                "second": {"id": pair.second.id, "source": pair.second.source},
            }
            for pair in pairs
        ]
        say(json.dumps(records, ensure_ascii=False))
        return 0
    for pair in pairs:
        same = "  the same text" if pair.is_same_text else ""
        tell(f"{pair.similarity:.4f}{same}")
        tell(f"  {pair.first.source}")
        tell(f"  {pair.second.source}")
    tell(f"{len(pairs):,} pairs at or above {options.threshold:g}")
    return 0
