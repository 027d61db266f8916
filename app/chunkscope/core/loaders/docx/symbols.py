"""Glyphs of the Symbol and Wingdings fonts as the characters that a reader takes them for."""

from __future__ import annotations

UNKNOWN = "□"

_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
)
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑"
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x3E: "✇", 0x3F: "✍", 0x41: "✌",
    0x43: "👍", 0x44: "👎", 0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐",
    0x4C: "☹", 0x4D: "💣", 0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x54: "❄", 0x6C: "●", 0x6D: "❍",
    0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑", 0x72: "❒", 0x74: "◆", 0x75: "◆", 0x76: "❖",
    0x77: "◆", 0x78: "☒", 0x9F: "•", 0xA1: "○", 0xA7: "▪", 0xA8: "□", 0xAB: "★", 0xD5: "⌫",
    0xD6: "⌦", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔",
    0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⇔", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"}
_WEBDINGS = {0x61: "✔", 0x63: "□", 0x67: "■", 0x72: "✖"}


def symbol(font: str, code: str) -> str:
    """The character for a hexadecimal code of a font; a box where nobody can tell."""
    try:
        value = int(code, 16)
    except ValueError:
        return UNKNOWN
    font = font.strip().lower()
    # Word keeps the codes of symbol fonts in the private use area from F000 on.
    is_private = 0xF000 <= value <= 0xF0FF
    low = value - 0xF000 if is_private else value
    table = {"wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "webdings": _WEBDINGS}.get(font)
    if table is not None and low < 0x100:
        return table.get(low, UNKNOWN)
    if font == "symbol" and low < 0x100:
        return _in_symbol(low)
    if is_private:
        return chr(low) if 0x20 < low < 0x7F else UNKNOWN
    is_valid = 0x20 <= value < 0xD800 or 0xF8FF < value <= 0x10FFFF
    return chr(value) if is_valid else UNKNOWN


def _in_symbol(low: int) -> str:
    if 0x20 <= low < 0x20 + len(_SYMBOL):
        return _SYMBOL[low - 0x20]
    if 0xA0 <= low < 0xA0 + len(_SYMBOL_HIGH):
        return _SYMBOL_HIGH[low - 0xA0]
    return UNKNOWN
