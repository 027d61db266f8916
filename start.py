#!/usr/bin/env python3
"""Set up what is missing, then run Chunkscope: `python3 start.py [--with EXTRA] [ARGUMENTS…]`.

`test` runs the test suite, `bundle` builds a folder that runs without Python. Needs nothing but
Python's standard library. Python 3.6 can parse this file, so that it can say which one is needed:
no `:=`, no `list[str]`.
"""

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

# For those who work on the program: what must be installed, and what Python is then given.
SUBCOMMANDS = {
    "test": (("dev", "models"), ["-m", "pytest", "-n", "auto"]),
    "bundle": (
        ("bundle",),
        ["-m", "PyInstaller", "--noconfirm", "--log-level", "WARN",
         "--distpath", str(HERE / "dist"), "--workpath", str(HERE / "build"),
         str(HERE / "build.spec")],
    ),
}  # fmt: skip

APT = ("apt-get", "install", "--yes", "--no-install-recommends")
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

# What the wheels of Qt and OpenVINO bring and no part of the program ever loads: 175 MB.
NEVER_LOADED = (
    "PySide6/Qt/qml", "PySide6/Qt/metatypes", "PySide6/Qt/libexec", "PySide6/qml",
    "PySide6/qmlls*", "PySide6/qmlformat*", "PySide6/qmllint*",
    "PySide6/assistant*", "PySide6/designer*", "PySide6/linguist*",
    "PySide6/Qt/lib/*Qt*Quick*", "PySide6/Qt/lib/*Qt*Qml*", "PySide6/Qt/lib/*Qt*Designer*",
    "PySide6/Qt/lib/*Qt*Labs*", "PySide6/Qt/lib/*Qt*Lottie*", "PySide6/Qt/lib/*WaylandCompositor*",
    "PySide6/Qt6Quick*", "PySide6/Qt6Qml*", "PySide6/Qt6Designer*", "PySide6/Qt6Labs*",
    "openvino/include", "openvino/libs/cache.json",
    "openvino/libs/*intel_gpu*", "openvino/libs/*intel_npu*", "openvino/libs/*tensorflow*",
    "openvino/libs/*pytorch*", "openvino/libs/*paddle*", "openvino/libs/*gguf*",
    "openvino/libs/*jax*",
)  # fmt: skip

# What every day needs is compiled at once, in three seconds; all would take a third of the set-up.
# Where Python may not write what it compiles, each start would do so again.
COMPILED = (
    "apsw", "charset_normalizer", "faiss", "filelock", "lxml", "markdown_it", "numpy", "openvino",
    "packaging", "platformdirs", "puremagic", "pypdf", "pyqtgraph", "pysbd", "PySide6", "regex",
    "tiktoken", "tokenizers", "tomli_w", "wordllama",
)  # fmt: skip


class SetUpError(Exception):
    """Why the program cannot be set up, in a sentence."""


def main() -> int:
    arguments = sys.argv[1:]
    extras = set()
    while arguments[:1] == ["--with"]:
        if len(arguments) < 2:
            print("error: --with needs a name, for example: --with models", file=sys.stderr)
            return 2
        extras.update(arguments[1].split(","))
        arguments = arguments[2:]
    needed, command = SUBCOMMANDS.get(arguments[0] if arguments else "", ((), None))
    extras.update(needed)
    if sys.version_info[:2] not in SUPPORTED:
        return use_supported_python()
    try:
        is_new = set_up(extras)
    except (subprocess.CalledProcessError, SetUpError, OSError) as problem:
        print(f"error: the set-up failed: {told(problem)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped; the next start goes on from here", file=sys.stderr)
        return 130
    if not arguments and not is_new and missing_libraries():
        tell_apt(missing_libraries(), "the window needs system libraries")
    if command:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        return run([*command, *arguments[1:]])
    # -P: the folder that this is called in may hold a random.py of somebody else's.
    return run(["-P", "-m", "chunkscope", *arguments])


def told(problem: Exception) -> str:
    if isinstance(problem, PermissionError):
        return (
            f"{problem.filename} cannot be written; run this as the owner of {HERE}, "
            "or copy that folder to a place of your own"
        )
    return str(problem)


def use_supported_python() -> int:
    """Start again with a Python that the program supports, if there is one."""
    for major, minor in reversed(SUPPORTED):
        found = shutil.which(f"python{major}.{minor}")
        if found and is_running(found):
            return subprocess.call([found, __file__, *sys.argv[1:]])
    print("error: Chunkscope needs Python 3.11, 3.12 or 3.13; install one of them", file=sys.stderr)
    return 1


def is_running(python: str) -> bool:
    """Whether a command is a Python; pyenv has commands for versions that are switched off."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.call([python, "-c", ""], **quiet) == 0


def run(arguments: list) -> int:
    command = [str(PYTHON), *arguments]
    if IS_WINDOWS:  # its exec returns to the shell before the program ends
        return subprocess.call(command)
    return os.execv(command[0], command)


def set_up(extras: set) -> bool:
    """Bring the environment up to date; a few milliseconds and False when it is."""
    wanted = {"inputs": fingerprint(), "extras": sorted(extras)}
    done = read_stamp()
    if done.get("inputs") == wanted["inputs"]:
        if extras <= set(done.get("extras", [])):
            return False
        wanted["extras"] = sorted(extras | set(done["extras"]))
    check_writable()
    STAMP.unlink(missing_ok=True)  # an interrupted set-up must not pass for a finished one
    print("Setting up Chunkscope (once; this takes a minute) …", file=sys.stderr, flush=True)
    install_system_libraries()
    create_environment()
    if "models" in wanted["extras"]:
        pip("torch==2.13.0")  # first and alone, so that nothing pulls another build
    names = ",".join(wanted["extras"])
    pip("--editable", f"{HERE}[{names}]" if names else str(HERE))
    trim()
    compile_ahead()
    STAMP.write_text(json.dumps(wanted), encoding="utf-8")
    return True


def check_writable() -> None:
    """venv and pip would say this in many lines, or after minutes."""
    folder = VENV if VENV.exists() else HERE
    if not os.access(str(folder), os.W_OK):
        raise PermissionError(13, "cannot be written", str(folder))


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
        if os.geteuid() != 0:
            raise SetUpError("it needs Python's venv module") from None
    subprocess.check_call([sys.executable, "-m", "venv", str(VENV)])
    pip("pip")  # the one that Python brings may be years old, and takes half as long again


def pip(*what: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-compile", "--constraint", str(HERE / "constraints.txt")]
    subprocess.check_call([*command, *options, *what], stdout=sys.stderr)


def trim() -> None:
    """Remove what is never loaded; pip counts a package as installed without it."""
    for pattern in NEVER_LOADED:
        for found in installed(pattern):
            if found.is_dir():
                shutil.rmtree(str(found), ignore_errors=True)
            else:
                found.unlink()


def compile_ahead() -> None:
    """Failing is no harm: Python compiles what it imports."""
    folders = [str(found) for name in COMPILED for found in installed(name) if found.is_dir()]
    command = [str(PYTHON), "-m", "compileall", "-qq", "-j", "0", str(HERE / "app"), *folders]
    subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def installed(pattern: str) -> list:
    """The files and folders of packages that a pattern names."""
    packages = "Lib/site-packages" if IS_WINDOWS else "lib/python*/site-packages"
    return list(VENV.glob(f"{packages}/{pattern}"))


def install_system_libraries() -> None:
    missing = missing_libraries()
    if missing:
        apt(missing, "the window needs system libraries")


def missing_libraries() -> list:
    """On Debian and its relatives, packages with libraries that Qt's wheels expect."""
    if sys.platform != "linux" or not shutil.which("apt-get"):
        return []
    return [package for library, package in QT_LIBRARIES.items() if not can_load(library)]


def can_load(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def tell_apt(packages: list, why: str) -> None:
    print(f"{why}; please run:\n  sudo {' '.join([*APT, *packages])}", file=sys.stderr)


def apt(packages: list, why: str) -> None:
    """Install Debian packages when we may, else say how; the command line works without."""
    command = [*APT, *packages]
    if os.geteuid() != 0:
        tell_apt(packages, why)
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
