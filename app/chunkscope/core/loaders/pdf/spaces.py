"""How wide a space is: what pypdf 7 gets wrong, so that words of many TeX files run together."""

from __future__ import annotations

from functools import cache
from typing import Any

_USUAL = 200  # thousandths of the size; pypdf's own guess where a font has no space


@cache
def mend_spaces() -> None:
    """Have pypdf ask whether a font's space is one.

    It takes the character with a space's number for it. In composite fonts that is any character,
    in TeX's own encodings a visible sign: where it is wide, gaps between words are not seen.
    """
    from pypdf.generic import _font

    font: Any = getattr(_font, "Font", None)
    read = getattr(font, "from_font_resource", None)
    if read is None:  # another version, which has its fonts elsewhere
        return

    def from_font_resource(resource: Any, *others: Any, **named: Any) -> Any:
        found = read(resource, *others, **named)
        if not _has_space(found, resource):
            found.space_width = _USUAL
        return found

    font.from_font_resource = staticmethod(from_font_resource)


def _has_space(font: Any, resource: Any) -> bool:
    shown = font.character_map.get(font.space_char)
    if shown is None and isinstance(font.encoding, dict):
        shown = font.encoding.get(ord(font.space_char[:1] or " "))
    if shown is None:
        return not str(resource.get("/Encoding", "")).startswith("/Identity")
    return shown in (" ", "\xa0")
