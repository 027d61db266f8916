"""`chunkscope chunk`, `strategies` and `presets`: how documents are cut."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from chunkscope.cli.load import add_loading, documents, loaded
from chunkscope.cli.output import FAILED, say, tell
from chunkscope.core.errors import ChunkscopeError, WrongUsage

if TYPE_CHECKING:
    from chunkscope.core.chunking.chunks import Chunking
    from chunkscope.core.chunking.statistics import Statistics
    from chunkscope.core.params import Declared
    from chunkscope.core.profile import Profile
    from chunkscope.core.workspace import Loaded

Commands = argparse._SubParsersAction
_PREVIEW = 48


def add(commands: Commands[argparse.ArgumentParser]) -> None:
    _add_chunk(commands)
    for name, help_text, command in (
        ("strategies", "list the strategies and their parameters", _strategies),
        ("presets", "list the profiles that come with the program", _presets),
    ):
        parser = commands.add_parser(name, help=help_text)
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.set_defaults(command=command)
    parser = commands.add_parser("open", help="show documents in the window")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file or a folder")
    parser.add_argument(
        "--debug",
        action="store_true",
        help="tell on stderr when the window stands still, and where",
    )
    parser.set_defaults(command=_no_window)
    parser = commands.add_parser("screenshots", help="picture the window with the samples")
    parser.set_defaults(command=_no_window)


def _add_chunk(commands: Commands[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "chunk",
        help="cut documents into chunks",
        description="Cut documents into chunks. Without options: by the preset auto-256.",
    )
    add_loading(parser)
    add_profile(parser)
    parser.add_argument(
        "--format",
        choices=tuple(_FORMATS),
        default="table",
        help="a table (default), one JSON object a chunk, the text with cut marks, or statistics",
    )
    parser.set_defaults(command=_chunk)


def add_profile(parser: argparse.ArgumentParser) -> None:
    """The options that choose a profile."""
    origin = parser.add_mutually_exclusive_group()
    origin.add_argument("--preset", metavar="NAME", help="start from a preset")
    origin.add_argument("--profile", metavar="FILE.toml", help="start from a saved profile")
    parser.add_argument("--strategy", metavar="NAME", help="cut by this strategy")
    parser.add_argument("--tokenizer", metavar="NAME", help="count tokens by this tokenizer")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        dest="values",
        help="set a parameter; may be repeated",
    )


def chosen_profile(options: argparse.Namespace) -> Profile:
    """The profile that the options describe."""
    from chunkscope.core.profile import Profile

    if options.profile:
        profile = Profile.read(options.profile)
    elif options.preset or not options.strategy:
        profile = Profile.preset(options.preset or "auto-256")
    else:
        profile = Profile.of(options.strategy)
    if options.strategy and options.strategy != profile.strategy:
        profile = profile.with_strategy(options.strategy)
    values = dict(_pair(text) for text in options.values)
    if options.tokenizer:
        values.setdefault("unit", "tokens")
        values["tokenizer"] = options.tokenizer
    return profile.with_texts(values)


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise WrongUsage(f"--set wants KEY=VALUE, not {text!r}")
    return name.strip(), value


def _chunk(options: argparse.Namespace) -> int:
    profile = chosen_profile(options)
    failures: list[ChunkscopeError] = []
    show = _FORMATS[options.format]
    with closing(loaded(options.paths, options)) as results:
        for chunking in _chunkings(results, profile, failures):
            show(chunking)
    return FAILED if failures else 0


def _chunkings(
    results: Iterator[Loaded], profile: Profile, failures: list[ChunkscopeError]
) -> Iterator[Chunking]:
    from chunkscope.core.workspace import chunk

    for document in documents(results, failures):
        yield chunk(document, profile)


def _show_lines(chunking: Chunking) -> None:
    from chunkscope.core.export.tables import json_line

    for each in chunking:
        say(json_line(each, chunking.document))


def _show_marked(chunking: Chunking) -> None:
    from chunkscope.core.chunking.marks import marked_text

    text = marked_text(chunking)
    say(text, end="" if text.endswith("\n") else "\n")


def _show_statistics(chunking: Chunking) -> None:
    from chunkscope.core.chunking.statistics import Statistics, as_record

    record = {"title": chunking.document.title, **as_record(Statistics(chunking))}
    say(json.dumps(record, ensure_ascii=False))


def _show_table(chunking: Chunking) -> None:
    document = chunking.document
    _show_summary(chunking)
    for line in document.missing:
        tell(f"  missing: {line}")
    unit = chunking.strategy.unit
    head = f"  {'':4} {'start':>9} {'end':>9} {'overlap':>7} {unit:>10} {'model':>6}"
    tell(f"{head}  {'begins at':10} text")
    for chunk in chunking:
        sign = "!" if chunk.oversize else "✂" if chunk.truncated_by_model else " "
        preview = " ".join(document.text[chunk.fresh.start : chunk.fresh.start + 200].split())
        tell(
            f" {sign}{chunk.index:4} {chunk.start:9,} {chunk.end:9,} {chunk.overlap:7,} "
            f"{chunk.size:10,} {chunk.model_tokens:6,}  {chunk.boundary:10} {preview[:_PREVIEW]}"
        )


def _show_summary(chunking: Chunking) -> None:
    from chunkscope.core.chunking.statistics import Statistics

    statistics = Statistics(chunking)
    sizes, proof = statistics.sizes, statistics.proof
    document = chunking.document
    tell(f"{document.title} ({document.source})" if document.source else document.title)
    tell(
        f"  {len(chunking):,} chunks by {chunking.strategy_name} · "
        f"{sizes.smallest:,}–{sizes.largest:,} {chunking.strategy.unit}, "
        f"median {sizes.median:,.0f} · "
        f"{statistics.repeated_share:.0%} repeated · "
        f"{_over_model(statistics)} · "
        + ("✓ every character accounted for" if proof.holds else "✗ text is lost")
    )


def _over_model(statistics: Statistics) -> str:
    model = statistics.chunking.model
    if model.reads_everything:
        return "the model reads everything"
    return f"{len(statistics.over_model):,} over the model's {model.max_tokens:,} tokens"


_FORMATS: dict[str, Callable[[Chunking], None]] = {
    "table": _show_table,
    "jsonl": _show_lines,
    "marked": _show_marked,
    "stats": _show_statistics,
}


def _strategies(options: argparse.Namespace) -> int:
    from chunkscope.core.chunking.strategies import strategies
    from chunkscope.core.params import declared

    records = [
        {
            "name": name,
            "help": summary(strategies[name]),
            "parameters": [
                parameter_record(known) for known in declared(strategies[name]).values()
            ],
        }
        for name in strategies
    ]
    if options.json:
        say(json.dumps(records, ensure_ascii=False, indent=1))
        return 0
    for record in records:
        say(f"{record['name']}: {record['help']}")
        for known in declared(strategies[str(record["name"])]).values():
            say(f"    {known.name:18} {_bounds(known):28} {known.param.help}")
    return 0


def summary(part: type) -> str:
    """The first line of a class's docstring."""
    return (part.__doc__ or "").strip().splitlines()[0]


def parameter_record(known: Declared) -> dict[str, Any]:
    default = list(known.default) if isinstance(known.default, tuple) else known.default
    return {
        "name": known.name,
        "type": known.type.__name__,
        "default": default,
        "low": known.param.low,
        "high": known.param.high,
        "choices": list(known.param.choices),
        "help": known.param.help,
    }


def _bounds(known: Declared) -> str:
    rule = known.param
    bounds = f" ({rule.low:g}–{rule.high:g})" if rule.low is not None else ""
    default = ",".join(known.default) if isinstance(known.default, tuple) else str(known.default)
    return f"{default or '-'}{bounds}"


def _presets(options: argparse.Namespace) -> int:
    from chunkscope.core.profile import presets

    if options.json:
        say(json.dumps([preset_record(name) for name in presets], ensure_ascii=False, indent=1))
        return 0
    for name in presets:
        say(f"{name:16} {presets[name].help}")
    return 0


def preset_record(name: str) -> dict[str, Any]:
    from chunkscope.core.profile import presets

    preset = presets[name]
    profile = preset.profile
    values = dict(profile.parameters.values())
    return {
        "name": name,
        "help": preset.help,
        "strategy": profile.strategy,
        "embedder": profile.embedder,
        "id_form": profile.id_form,
        "parameters": {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()},
    }


def _no_window(options: argparse.Namespace) -> int:
    """Reached only where no window can be opened."""
    raise ChunkscopeError(
        "no display was found, so the window cannot be shown; try `demo` or `chunk`"
    )
