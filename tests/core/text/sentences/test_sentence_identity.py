"""The gated English rules give bare pysbd's sentences; CHUNKSCOPE_CAMPAIGN sets how many to try."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from pysbd.lang.english import English
from pysbd.processor import Processor

from chunkscope import paths
from chunkscope.core.text.sentences.enclosed import LAZY
from chunkscope.core.text.sentences.english import rules
from chunkscope.core.text.sentences.pysbd_rules import REFERENCE, RUN_OF_MARKS
from chunkscope.core.text.sentences.starts import flatten
from core.text.sentences.fragments import pieces, random_paragraph

COUNT = int(os.environ.get("CHUNKSCOPE_CAMPAIGN", "3000"))
SEED = int(os.environ.get("CHUNKSCOPE_SEED", "1"))


def compare(paragraphs: Iterable[str]) -> int:
    count = 0
    for paragraph in paragraphs:
        assert rules().split(paragraph) == Processor(paragraph, English).process(), repr(paragraph)
        count += 1
    return count


def real_paragraphs(files: Iterable[Path]) -> Iterable[str]:
    """What blank lines separate, the lines, and pieces that begin and end anywhere."""
    rng = random.Random(SEED)
    for file in files:
        text = file.read_text(encoding="utf-8")
        for part in [*re.split(r"\n\s*\n", text), *text.splitlines(), *_windows(text, rng)]:
            paragraph = flatten(part).strip()
            if 0 < len(paragraph) <= 5_000:
                yield paragraph


def _windows(text: str, rng: random.Random) -> Iterable[str]:
    for _ in range(COUNT // 10):
        start = rng.randrange(len(text))
        yield text[start : start + rng.randint(1, 300)]


def test_real_paragraphs_of_the_samples() -> None:
    folder = paths.sample_docs()
    assert compare(real_paragraphs([*folder.glob("*.md"), *folder.glob("*.txt")])) > 500


def test_real_paragraphs_of_the_evaluation_texts(shared_data: Path) -> None:
    files = sorted((shared_data / "chunking-eval").glob("*.md"))
    if not files:
        pytest.skip("the evaluation texts are not beside this checkout")
    assert compare(real_paragraphs(files)) > 500


def test_random_strings_of_what_triggers_rules() -> None:
    rng, known = random.Random(SEED), pieces()
    compare(random_paragraph(rng, known) for _ in range(COUNT))


def test_the_patterns_that_replace_slow_ones_match_the_same() -> None:
    rng = random.Random(SEED)
    for _ in range(COUNT):
        ours = "".join(rng.choices(".∯[]0123,- \tAa", k=rng.randint(4, 12)))
        text = f"a{rng.choice('.∯')}[{ours}] {rng.choice(['The', 'the'])}"
        for safe, original in (
            (REFERENCE, English.NUMBERED_REFERENCE_REGEX),
            (RUN_OF_MARKS, English.CONTINUOUS_PUNCTUATION_REGEX),
        ):
            text = text.replace("0", "!") if safe == RUN_OF_MARKS else text
            assert _matches(safe, text) == _matches(original, text), repr(text)


def _matches(pattern: str, text: str) -> list[tuple[str, ...]]:
    groups = (2, 7) if "∯" in pattern else (0,)
    return [tuple(match.group(0, *groups)) for match in re.finditer(pattern, text)]


def test_what_the_gates_take_for_granted() -> None:
    restoring = [*English.SubSymbolsRules.All, *English.ReinsertEllipsisRules.All]
    assert all(re.escape(rule.pattern).replace("\\&", "&") == rule.pattern for rule in restoring)
    # re.IGNORECASE takes no other characters for ASCII letters than those that are left to pysbd.
    odd = {chr(code) for code in range(128, 0x110000) if re.match("[a-z]", chr(code), re.I)}
    assert odd == set("İıſ\u212a")
    assert all(re.fullmatch(r"[a-z.]+", word) for word in English.Abbreviation.ABBREVIATIONS)
    assert LAZY in English.SENTENCE_BOUNDARY_REGEX
