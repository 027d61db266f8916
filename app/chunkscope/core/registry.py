"""A table of named parts: loaders, strategies, tokenizers, embedders."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from chunkscope.core.errors import WrongUsage

T = TypeVar("T")


class Registry(Generic[T]):
    """Names to parts, in the order of registration."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._parts: dict[str, T] = {}

    def register(self, name: str) -> Callable[[T], T]:
        def add(part: T) -> T:
            if name in self._parts:
                raise ValueError(f"{self._noun} {name!r} is registered twice")
            self._parts[name] = part
            return part

        return add

    def arrange(self, *names: str) -> None:
        """List the parts in this order, all of them named."""
        if set(names) != set(self._parts):
            raise ValueError(f"not every {self._noun} is named: {set(names) ^ set(self._parts)}")
        self._parts = {name: self._parts[name] for name in names}

    def __getitem__(self, name: str) -> T:
        try:
            return self._parts[name]
        except KeyError:
            near = difflib.get_close_matches(name, self._parts, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(self._parts)}"
            raise WrongUsage(f"no {self._noun} is called {name!r}; {hint}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)
