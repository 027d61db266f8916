"""Text inside HTML, always escaped."""

from __future__ import annotations

from html import escape

# Raw they would become line feeds, or a blank in an attribute's value.
_IN_TEXT = str.maketrans({"\r": "&#13;"})
_IN_VALUE = str.maketrans({"\r": "&#13;", "\n": "&#10;"})


def shown(text: str) -> str:
    """Text between tags, exactly."""
    return escape(text, quote=False).translate(_IN_TEXT) if text else ""


def element(tag: str, text: str, **attributes: str) -> str:
    """An element that holds text; attributes without a value are left out."""
    return f"{opened(tag, **attributes)}{shown(text)}</{tag}>"


def opened(tag: str, **attributes: str) -> str:
    """A start tag; `class_` is `class`, `data_n` is `data-n`."""
    values = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value).translate(_IN_VALUE)}"'
        for name, value in attributes.items()
        if value
    )
    return f"<{tag}{values}>"
