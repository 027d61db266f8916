"""A monkey at the real window: `python tests/campaigns/monkey.py [--actions 3000] [--seed 1]`.

Random actions of a user, offscreen, the same for the same seed as far as threads allow. An
exception anywhere, a warning of Qt's, an error in the log, a lock left behind, a damaged workspace
or a window that stands still for more than a second of its own work fails it. New actions go into
tests/support/monkey/actions.py. 3,000 actions take about five minutes on 2 cores.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.app import make_app
from support.monkey import actions as _actions  # noqa: F401 - registers them
from support.monkey.dialogs import answered
from support.monkey.faults import collected
from support.monkey.monkey import Monkey

LONGEST_SECONDS = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faulthandler.enable()
    _app = make_app(sys.argv[:1])
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name, collected() as faults, Sandbox(2) as sandbox:
        folder = Path(name)
        os.chdir(folder)  # what is typed into a field for a folder ends up here
        monkey = Monkey(options.seed, folder, sandbox, faults)
        with answered(monkey.random, folder):
            monkey.act(options.actions)
            monkey.settle()
            monkey.close()
        os.chdir("/")
    if monkey.longest_busy > LONGEST_SECONDS:
        worst = max(monkey.blocks, key=lambda block: block.busy)
        faults.append(f"the window stood still for {worst.busy:.1f} s{worst.where}")
    for fault in faults:
        sys.stdout.write(f"FAULT {fault}\n")
    record = {
        "actions": sum(monkey.counts.values()), "seed": options.seed, "faults": len(faults),
        "seconds": round(time.monotonic() - started), "blocks": len(monkey.blocks),
        "longest_busy_milliseconds": round(monkey.longest_busy * 1000),
        "counts": dict(monkey.counts.most_common()),
    }  # fmt: skip
    sys.stdout.write(json.dumps(record) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
