"""About how long a sweep takes: cutting, embedding every distinct cut once, asking."""

from __future__ import annotations

from collections.abc import Sequence

from chunkscope.core.evaluation.configuration import Configuration
from chunkscope.core.evaluation.plan import SweepPlan
from chunkscope.core.model import Document

# Characters a second, measured on two cores; other models are taken to be as slow as the first.
_EMBEDDING = {"minilm": 26_000.0, "instant": 4_000_000.0}
_CUTTING = 4_000_000.0
_WORDS = 6_000_000.0
_ASKING = 0.0015  # seconds for a question and a channel
_FIXED = 0.03  # of every configuration: bootstrap and figures
_RACED = 0.55  # what a race usually leaves to be done


def estimate(plan: SweepPlan, documents: Sequence[Document], questions: int) -> float:
    """Seconds, without what earlier sweeps have embedded already."""
    characters = sum(len(each.text) for each in documents)
    cuts: dict[str, Configuration] = {}
    embedded: dict[tuple[str, str], Configuration] = {}
    seconds = 0.0
    for each in plan.configurations:
        key = repr(each.profile.parameters) + each.profile.strategy
        cuts.setdefault(key, each)
        channels = 2 if each.options.mode in ("hybrid", "routed") else 1
        seconds += _FIXED + questions * _ASKING * channels
        if each.options.mode != "lexical":
            embedded.setdefault((key, each.profile.embedder), each)
    seconds += len(cuts) * characters * (1 / _CUTTING + 1 / _WORDS)
    for (_, name), each in embedded.items():
        rate = _EMBEDDING.get(name, _EMBEDDING["minilm"])
        seconds += characters * _repeats(each) / rate
    races = plan.settings.racing and questions >= 60 and len(plan.configurations) > 2
    return seconds * (_RACED if races else 1.0)


def _repeats(configuration: Configuration) -> float:
    """How often text is embedded because of overlaps."""
    parameters = configuration.profile.parameters
    size = getattr(parameters, "max_size", 0)
    overlap = getattr(parameters, "overlap", 0)
    return size / (size - overlap) if 0 < overlap < size else 1.0


def told_seconds(seconds: float) -> str:
    """As a person would say it."""
    if seconds < 1.5:
        return "about a second"
    if seconds < 90:
        return f"about {_rounded(seconds)} seconds"
    if seconds < 5400:
        return f"about {_rounded(seconds / 60)} minutes"
    return f"about {_rounded(seconds / 3600)} hours"


def _rounded(value: float) -> int:
    return round(value) if value < 20 else round(value / 5) * 5
