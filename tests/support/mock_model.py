"""Tasks for a model's worker that do on demand what a model does only when all goes wrong."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any

from chunkscope.core.errors import DamagedResource
from chunkscope.core.sandbox.watch import Watch


def obey(args: dict[str, Any], watch: Watch) -> None:
    """Follow the next order in a file; each attempt uses one up, an empty file means success."""
    path = Path(args["orders"])
    order, _, rest = path.read_text("utf-8").partition("\n")
    path.write_text(rest, "utf-8")
    if order == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif order == "exit":
        os._exit(3)
    elif order == "hang":
        time.sleep(600)
    elif order == "raise":
        raise KeyError("weights")
    elif order == "damaged":
        raise DamagedResource("the model is damaged")
    watch.item({"pid": os.getpid()})


def modules(args: dict[str, Any], watch: Watch) -> None:
    """Which modules this worker has loaded, of those asked for."""
    watch.item({"loaded": [name for name in args["names"] if sys.modules.get(name) is not None]})


def reach_out(_: dict[str, Any], watch: Watch) -> None:
    socket.create_connection(("127.0.0.1", 9), timeout=1)
    watch.item({})
