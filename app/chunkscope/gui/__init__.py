"""The window: the only place that knows the toolkit."""

import builtins

_plain_import = builtins.__import__

import PySide6.QtCore  # noqa: E402, F401

# From here on PySide6 would read the source of whatever is imported, to look for a switch that
# nobody here uses: an eighth of the window's start, and a pause at each first use of a library.
builtins.__import__ = _plain_import
