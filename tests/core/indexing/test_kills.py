"""Killed at any instant, a workspace has all that was acknowledged and nothing torn.

The long form is `python tests/campaigns/kill_index.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).resolve().parents[2] / "campaigns" / "kill_index.py"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")


def campaign(*arguments: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, str(CAMPAIGN), *arguments],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.stderr == ""
    found: dict[str, object] = json.loads(done.stdout)
    assert done.returncode == bool(found["violations"])
    return found


def test_thirty_kills_lose_nothing() -> None:
    found = campaign("--kills", "30", "--seed", "7")
    assert found["violations"] == []
    assert found["kills"] == 30


@pytest.mark.parametrize(
    "bug", ["commit-before-chunks", "acknowledge-before-commit", "vectors-before-commit"]
)
def test_the_campaign_finds_a_seeded_bug(bug: str) -> None:
    assert campaign("--kills", "30", "--seed", "7", "--bug", bug)["violations"]
