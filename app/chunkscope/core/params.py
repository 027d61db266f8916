"""A parameter is declared once: form, option, TOML check and documentation are made from it."""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass
from typing import Any

from chunkscope.core.errors import WrongUsage

_KEY = "chunkscope.param"


class BadParameter(WrongUsage):
    """A value that a parameter does not take; the sentence names field, bounds and value."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field} {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Param:
    """What is known of a parameter beside its type and default."""

    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as found on a dataclass."""

    name: str
    type: type
    default: Any
    param: Param


_known: dict[type, dict[str, Declared]] = {}


def param(
    default: Any,
    *,
    help: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field with bounds and help."""
    declared = Param(help, low, high, choices)
    return dataclasses.field(default=default, metadata={_KEY: declared})


def declared(owner: type) -> dict[str, Declared]:
    """The parameters of a dataclass, in order; asked for at every move of a slider."""
    if owner not in _known:
        _known[owner] = _declared(owner)
    return _known[owner]


def _declared(owner: type) -> dict[str, Declared]:
    hints = typing.get_type_hints(owner)
    return {
        field.name: Declared(
            field.name, _plain_type(hints[field.name]), field.default, field.metadata[_KEY]
        )
        for field in dataclasses.fields(owner)
        if _KEY in field.metadata
    }


def check(owner: Any) -> None:
    """Complain of the first value that is out of its bounds."""
    for name, known in declared(type(owner)).items():
        _check_value(known, getattr(owner, name))


def parse(known: Declared, text: str) -> Any:
    """A value given as text, on the command line."""
    text = text.strip()
    if known.type is bool:
        words = {"true": True, "yes": True, "on": True, "1": True}
        words |= {"false": False, "no": False, "off": False, "0": False}
        if text.lower() not in words:
            raise BadParameter(known.name, f"must be true or false, not {text!r}")
        return words[text.lower()]
    if known.type is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    try:
        return known.type(text)
    except ValueError:
        noun = "a whole number" if known.type is int else "a number"
        raise BadParameter(known.name, f"must be {noun}, not {text!r}") from None


def convert(known: Declared, value: Any) -> Any:
    """A value from TOML or JSON, as the field wants it."""
    if known.type is tuple and isinstance(value, list):
        value = tuple(value)
    if known.type is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    is_mixed_up = isinstance(value, bool) != (known.type is bool)
    if not isinstance(value, known.type) or is_mixed_up:
        raise BadParameter(known.name, f"must be {_noun(known.type)}, not {value!r}")
    return value


def _check_value(known: Declared, value: Any) -> None:
    rule = known.param
    convert(known, value)
    if rule.choices:
        for choice in value if isinstance(value, tuple) else (value,):
            if choice not in rule.choices:
                allowed = ", ".join(rule.choices)
                raise BadParameter(known.name, f"must be one of {allowed}, not {choice!r}")
    is_low = rule.low is not None and value < rule.low
    is_high = rule.high is not None and value > rule.high
    if is_low or is_high or value != value:
        raise BadParameter(known.name, f"must be from {rule.low:,} to {rule.high:,}, not {value:,}")


def _plain_type(hint: Any) -> type:
    """`tuple[str, ...]` is a tuple, an enumeration is a str."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        raise TypeError(f"a parameter has one type, not {hint}")
    found = origin or hint
    return str if issubclass(found, str) else found


def _noun(kind: type) -> str:
    nouns = {int: "a whole number", float: "a number", bool: "true or false", tuple: "a list"}
    return nouns.get(kind, "text")
