#!/usr/bin/env python3
"""Set up what is missing, then run Chunkscope: `python3 start.py [--with EXTRA] [ARGUMENTS…]`.

`test` runs the test suite. Needs nothing but Python's standard library.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
IS_WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if IS_WINDOWS else "bin/python")
STAMP = VENV / "chunkscope-setup.json"
SUPPORTED = ((3, 11), (3, 12), (3, 13))

# What Qt loads at start, and the Debian package that brings it.
QT_LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def main() -> int:
    arguments = sys.argv[1:]
    extras = set()
    while arguments[:1] == ["--with"]:
        if len(arguments) < 2:
            print("error: --with needs a name, for example: --with models", file=sys.stderr)
            return 2
        extras.update(arguments[1].split(","))
        arguments = arguments[2:]
    is_test = arguments[:1] == ["test"]
    if is_test:
        extras.update(("dev", "models"))
    if sys.version_info[:2] not in SUPPORTED:
        return use_supported_python()
    try:
        set_up(extras)
    except subprocess.CalledProcessError as problem:
        print(f"error: the set-up failed: {problem}", file=sys.stderr)
        return 1
    if is_test:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        return run(["-m", "pytest", "-n", "auto", *arguments[1:]])
    return run(["-m", "chunkscope", *arguments])


def use_supported_python() -> int:
    """Start again with a Python that the program supports, if there is one."""
    for major, minor in reversed(SUPPORTED):
        if found := shutil.which(f"python{major}.{minor}"):
            return subprocess.call([found, __file__, *sys.argv[1:]])
    print("error: Chunkscope needs Python 3.11, 3.12 or 3.13; install one of them", file=sys.stderr)
    return 1


def run(arguments: list[str]) -> int:
    command = [str(PYTHON), *arguments]
    if IS_WINDOWS:  # its exec returns to the shell before the program ends
        return subprocess.call(command)
    return os.execv(command[0], command)


def set_up(extras: set[str]) -> None:
    """Bring the environment up to date; a few milliseconds when it is."""
    wanted = {"inputs": fingerprint(), "extras": sorted(extras)}
    done = read_stamp()
    if done.get("inputs") == wanted["inputs"]:
        if extras <= set(done.get("extras", [])):
            return
        wanted["extras"] = sorted(extras | set(done["extras"]))
    STAMP.unlink(missing_ok=True)  # an interrupted set-up must not pass for a finished one
    print("Setting up Chunkscope (once; this takes a minute) …", file=sys.stderr, flush=True)
    install_system_libraries()
    create_environment()
    if "models" in wanted["extras"]:
        pip("torch==2.13.0")  # first and alone, so that nothing pulls another build
    names = ",".join(wanted["extras"])
    pip("--editable", f"{HERE}[{names}]" if names else str(HERE))
    STAMP.write_text(json.dumps(wanted), encoding="utf-8")


def fingerprint() -> str:
    digest = hashlib.sha256(repr((sys.version_info[:2], str(HERE))).encode())
    for name in ("pyproject.toml", "constraints.txt"):
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()


def read_stamp() -> dict:
    try:
        return json.loads(STAMP.read_text(encoding="utf-8")) if PYTHON.exists() else {}
    except (OSError, ValueError):
        return {}


def create_environment() -> None:
    probe = [str(PYTHON), "-c", "import pip, sys; sys.exit(sys.version_info[:2] != %r)"]
    probe[-1] %= (tuple(sys.version_info[:2]),)
    if PYTHON.exists() and subprocess.call(probe, stderr=subprocess.DEVNULL) == 0:
        return
    shutil.rmtree(VENV, ignore_errors=True)
    try:
        import ensurepip  # noqa: F401 - Debian ships Python without it
    except ImportError:
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        apt([version], "Python's venv module is missing")
    subprocess.check_call([sys.executable, "-m", "venv", str(VENV)])


def pip(*what: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.check_call(
        [*command, "--constraint", str(HERE / "constraints.txt"), *what], stdout=sys.stderr
    )


def install_system_libraries() -> None:
    """On Debian and its relatives, the libraries that Qt's wheels expect."""
    if sys.platform != "linux" or not shutil.which("apt-get"):
        return
    missing = [package for library, package in QT_LIBRARIES.items() if not can_load(library)]
    if missing:
        apt(missing, "the window needs system libraries")


def can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def apt(packages: list[str], why: str) -> None:
    """Install Debian packages when we may, else say how; the command line works without."""
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    if os.geteuid() != 0:
        print(f"{why}; please run:\n  sudo {' '.join(command)}", file=sys.stderr)
        return
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.call(["apt-get", "update"], **quiet)
    if subprocess.call(command, **quiet) != 0:
        print(f"{why}, and installing them failed; try:\n  {' '.join(command)}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
