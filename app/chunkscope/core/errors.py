"""The one family of errors that a person can act on; anything else is a bug."""

from __future__ import annotations


class ChunkscopeError(Exception):
    """A problem told in one sentence with its remedy."""


class WrongUsage(ChunkscopeError):
    """A name or a value that the caller gave cannot be."""


class LoadError(ChunkscopeError):
    """A source could not be read as a document."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}" if source else reason)
        self.source = source
        self.reason = reason


class PasswordNeeded(LoadError):
    """The source is encrypted and no password, or a wrong one, was given."""


class MissingDependency(ChunkscopeError):
    """A part that is not installed is needed."""

    def __init__(self, package: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package {package}: pip install {package}")
        self.package = package


class DamagedResource(ChunkscopeError):
    """A file that comes with the program is missing or altered."""


class Cancelled(Exception):
    """Work was stopped because somebody asked for it; never shown as an error."""
