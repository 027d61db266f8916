"""The profile as TOML, and as the command line that gives the same chunks."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from chunkscope.core.chunking.chunks import Chunking
from chunkscope.core.errors import ChunkscopeError
from chunkscope.core.export.base import text_format
from chunkscope.core.job import Job
from chunkscope.core.profile import Profile, presets
from chunkscope.core.text.units import Unit

_DEFAULT_PRESET = "auto-256"  # what the command line takes when nothing is said


@text_format(
    "profile", "Profile", ".toml", "the settings, to use again with --profile",
    needs_documents=False,
)  # fmt: skip
def profile_toml(_chunkings: Iterable[Chunking], profile: Profile, _job: Job) -> Iterator[str]:
    yield profile.to_toml()


@text_format(
    "command", "Command line", ".sh", "the shortest command that gives the same chunks",
    needs_documents=False,
)  # fmt: skip
def profile_command(_chunkings: Iterable[Chunking], profile: Profile, _job: Job) -> Iterator[str]:
    yield as_command(profile) + "\n"


def as_command(profile: Profile, paths: Sequence[str] = ("PATH",)) -> str:
    """The shortest `chunkscope chunk` that reproduces a profile, but for its name.

    What no options can say, another embedder, needs the profile as a file beside it.
    """
    found = [_options(origin, profile) for origin in _origins(profile)]
    lines = [
        shlex.join(["chunkscope", "chunk", *paths, *each]) for each in found if each is not None
    ]
    beside = shlex.join(["chunkscope", "chunk", *paths, "--profile", f"{profile.name}.toml"])
    return min(lines, key=len, default=beside)


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a command line starts from, before values are set."""

    preset: str
    strategy: str

    def profile(self) -> Profile:
        if self.strategy and not self.preset:
            return Profile.of(self.strategy)
        start = Profile.preset(self.preset or _DEFAULT_PRESET)
        is_same = self.strategy in ("", start.strategy)
        return start if is_same else start.with_strategy(self.strategy)

    def options(self) -> list[str]:
        options = ["--preset", self.preset] if self.preset else []
        return options + (["--strategy", self.strategy] if self.strategy else [])


def _origins(profile: Profile) -> Iterator[_Origin]:
    yield _Origin("", "")
    yield _Origin("", profile.strategy)
    for name in presets:
        is_same = presets[name].profile.strategy == profile.strategy
        yield _Origin(name, "" if is_same else profile.strategy)


def _options(origin: _Origin, wanted: Profile) -> list[str] | None:
    """The options that lead from an origin to a profile, or none if none do."""
    try:
        start = origin.profile()
    except ChunkscopeError:  # this strategy does not go with the values of this preset
        return None
    values = _texts(wanted)
    before = _texts(start)
    changed = {name: text for name, text in values.items() if before.get(name) != text}
    if not _gives(start, changed, wanted):
        changed = values  # setting one value may move another that was right
    if not _gives(start, changed, wanted):
        return None
    return [*origin.options(), *_settings(_fewest(start, changed, wanted), wanted)]


def _gives(start: Profile, texts: dict[str, str], wanted: Profile) -> bool:
    try:
        return replace(start.with_texts(texts), name=wanted.name) == wanted
    except ChunkscopeError:
        return False


def _fewest(start: Profile, texts: dict[str, str], wanted: Profile) -> dict[str, str]:
    """Without the values that follow from the others."""
    for name in tuple(texts):
        fewer = {key: text for key, text in texts.items() if key != name}
        if _gives(start, fewer, wanted):
            texts = fewer
    return texts


def _settings(texts: dict[str, str], wanted: Profile) -> list[str]:
    options: list[str] = []
    counts_tokens = wanted.parameters.unit == Unit.TOKENS
    if counts_tokens and not texts.get("tokenizer", "-").startswith("-"):
        options = ["--tokenizer", texts["tokenizer"]]  # it sets the unit too
        texts = {name: text for name, text in texts.items() if name not in ("tokenizer", "unit")}
    for name, text in texts.items():
        options += ["--set", f"{name}={text}"]
    return options


def _texts(profile: Profile) -> dict[str, str]:
    return {name: _text(value) for name, value in profile.parameters.values()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)
