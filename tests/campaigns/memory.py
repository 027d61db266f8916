"""Many large documents in one window: `python tests/campaigns/memory.py [--documents 50] [--mb 5]`.

Each is opened, cut, shown and removed again. After a warm-up of ten the memory of the process must
not grow by more than a little for each further one (`--most`, in MB), and at most the last one may
still be held by a thread that is about to end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PySide6.QtCore import QSettings

from chunkscope.core.model import Document
from chunkscope.core.sandbox import Sandbox
from chunkscope.gui.app import make_app
from chunkscope.gui.main_window import MainWindow
from chunkscope.gui.preferences import Preferences
from chunkscope.gui.self_test import wait
from chunkscope.gui.settings import Settings
from support.memory import alive, resident_megabytes

WARM_UP = 10
_WORDS = ("harbour", "lamp", "keeper", "gull", "tide", "stone", "bell", "rope", "and", "the", "of")


def write(path: Path, megabytes: float, seed: int) -> None:
    """Prose of its own for each seed, in paragraphs and sections."""
    chance, size = random.Random(seed), int(megabytes * 1_000_000)
    with path.open("w", encoding="utf-8") as file:
        written = 0
        while written < size:
            words = " ".join(chance.choices(_WORDS, k=chance.randrange(6, 30)))
            end = chance.choice((" ", " ", " ", "\n\n", f"\n\n## Part {written}\n\n"))
            written += file.write(f"{words.capitalize()} {chance.random():.6f}.{end}")


def open_and_close(window: MainWindow, path: Path) -> None:
    state = window.state
    state.open_paths([str(path)])
    wait(
        lambda: state.preview is not None and not window.tasks.is_busy, f"showing {path.name}", 300
    )
    window.preview.view.verticalScrollBar().setValue(10_000)
    state.select_chunk(3)
    state.remove([entry.key for entry in state.entries])
    wait(lambda: not window.tasks.is_busy, "coming to rest", 300)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--mb", type=float, default=5.0)
    parser.add_argument("--most", type=float, default=2.0, help="MB for each document")
    options = parser.parse_args()
    _app = make_app(sys.argv[:1])
    sizes: list[float] = []
    with tempfile.TemporaryDirectory() as name, Sandbox(1) as sandbox:
        settings = Settings(QSettings(f"{name}/s.ini", QSettings.Format.IniFormat))
        settings.set_preferences(Preferences(workspace_folder=f"{name}/workspace"))
        window = MainWindow(sandbox, settings)
        window.show()
        for number in range(options.documents):
            path = Path(name, f"text{number}.md")
            write(path, options.mb, number)
            open_and_close(window, path)
            path.unlink()
            sizes.append(resident_megabytes())
            sys.stderr.write(f"{number + 1}: {sizes[-1]:.0f} MB, {alive(Document)} documents\n")
        left = alive(Document)
        window.close()
    start = min(WARM_UP, len(sizes) - 1)
    each = (sizes[-1] - sizes[start - 1]) / max(1, len(sizes) - start)
    record = {
        "documents": options.documents, "megabytes": options.mb,
        "after_warm_up": round(sizes[start - 1]), "at_the_end": round(sizes[-1]),
        "highest": round(max(sizes)), "growth_a_document": round(each, 2), "documents_left": left,
    }  # fmt: skip
    sys.stdout.write(json.dumps(record) + "\n")
    return 1 if each > options.most or left > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
