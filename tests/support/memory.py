"""How much memory this process holds, as the system counts it."""

from __future__ import annotations

import gc
from pathlib import Path


def resident_megabytes() -> float:
    """Resident memory now, after what is garbage has gone; Linux only."""
    gc.collect()
    _give_back()
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("the system does not say how much memory a process has")


def _give_back() -> None:
    """Have the C library return what is free: it would be counted as ours."""
    import ctypes

    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):  # another C library
        return


def alive(kind: type) -> int:
    """How many objects of a kind somebody still holds."""
    gc.collect()
    return sum(type(each) is kind for each in gc.get_objects())
