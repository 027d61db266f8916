"""The program: with arguments the command line, without any the window."""

from __future__ import annotations

import os
import sys

from chunkscope import paths


def main() -> int:
    """Run what the arguments ask for."""
    if sys.argv[1:] == ["--worker"]:  # how a bundle starts its own worker processes
        from chunkscope.core.sandbox.worker import main as serve

        return serve()
    if sys.argv[1:2] == ["screenshots"] and not {"-h", "--help"} & set(sys.argv):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from chunkscope.gui.screenshots import run as picture

        return picture(sys.argv[2:])
    if sys.argv[1:] == ["--self-test"]:
        from chunkscope.gui.self_test import run as try_everything

        return try_everything()
    if _wants_window():
        from chunkscope.gui.app import run as show

        named = [each for each in sys.argv[1:] if each != "--debug"]
        return show(named[1:] if named[:1] == ["open"] else named, "--debug" in sys.argv[1:])
    from chunkscope.cli import run

    return run(sys.argv[1:])


def _wants_window() -> bool:
    """No arguments, or `open`; but where there is no display the demo runs in the terminal."""
    if paths.IS_WINDOW_PROGRAM:  # what is dropped onto its icon comes without `open`
        return True
    named = [each for each in sys.argv[1:] if each != "--debug"]
    if named and (named[0] != "open" or {"-h", "--help"} & set(sys.argv)):
        return False
    is_offscreen = "QT_QPA_PLATFORM" in os.environ
    has_display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(sys.platform in ("win32", "darwin") or has_display or is_offscreen)


if __name__ == "__main__":
    sys.exit(main())
