"""Nothing reaches for the network: the main job runs with every socket closed."""

from __future__ import annotations

import subprocess
import sys

from chunkscope import paths


def test_the_main_job_with_sockets_closed() -> None:
    code = (
        "import support.no_network, sys\n"
        "from chunkscope.core.loaders.files import load_paths\n"
        "from chunkscope.core.sandbox import Sandbox\n"
        "from chunkscope.core.text.tokenizers import RANK_FILES, encoding\n"
        "with Sandbox(1, plugins=['support.no_network']) as sandbox:\n"
        f"    for loaded in load_paths([{str(paths.sample_docs())!r}], sandbox):\n"
        "        assert not loaded.error, loaded.error\n"
        "        for document in loaded.documents:\n"
        "            for name in RANK_FILES:\n"
        "                encoding(name).encode_ordinary(document.text)\n"
        "print('done')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_the_guard_can_fail() -> None:
    code = "import support.no_network, socket; socket.create_connection(('127.0.0.1', 9))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"tried to reach the network" in done.stderr
