"""Formulas in MathML, written in one line: (a+b)/2, x^2, √(n)."""

from __future__ import annotations

from chunkscope.core.loaders.html.elements import Element

_MAX_DEPTH = 50
_UNSEEN = dict.fromkeys((0x2061, 0x2062, 0x2063, 0x2064))  # "apply", "times", … without a sign
_SCRIPTS = {
    "msup": "^",
    "msub": "_",
    "msubsup": "_^",
    "mover": "^",
    "munder": "_",
    "munderover": "_^",
}


def formula(element: Element, depth: int = 0) -> str:
    """The text of a math element and of all in it."""
    tag = _local_name(element)
    if depth > _MAX_DEPTH:
        return "".join("".join(element.itertext()).split())
    if tag in ("annotation", "annotation-xml", "mphantom"):
        return ""
    if tag == "mspace":
        return " "
    parts = [formula(child, depth + 1) for child in element]
    if tag == "semantics":
        return next((part for part in parts if part), "")
    if tag == "mfrac" and len(parts) == 2:
        return f"{_bracketed(parts[0])}/{_bracketed(parts[1])}"
    if tag in _SCRIPTS and len(parts) == len(_SCRIPTS[tag]) + 1:
        return parts[0] + "".join(
            _script(mark, part) for mark, part in zip(_SCRIPTS[tag], parts[1:], strict=True)
        )
    if tag == "mroot" and len(parts) == 2:
        return f"{parts[1]}√({parts[0]})"
    if tag == "mtable":
        return "; ".join(part for part in parts if part)
    if tag in ("mtr", "mlabeledtr"):
        return " ".join(parts)
    text = _token(element.text) + "".join(
        part + _token(child.tail) for part, child in zip(parts, element, strict=True)
    )
    if tag == "msqrt":
        return f"√({text})"
    if tag == "mfenced":
        return (element.get("open") or "(") + ", ".join(parts) + (element.get("close") or ")")
    return text


def _local_name(element: Element) -> str:
    """The name of an element without the prefix that books give it."""
    return str(element.tag).rpartition(":")[2]


def is_math_twice(element: Element) -> bool:
    """Whether what is hidden from screen readers draws the formula beside it (KaTeX, MathJax)."""
    near = (element.getprevious(), element.getnext())
    return any(e is not None and next(e.iter("math"), None) is not None for e in near)


def _token(text: str | None) -> str:
    if not text or not text.strip():
        return ""
    return " ".join(text.translate(_UNSEEN).split())


def _bracketed(text: str) -> str:
    return text if text.isalnum() or len(text) == 1 else f"({text})"


def _script(mark: str, text: str) -> str:
    """An exponent or an index; an accent such as a bar or a vector's arrow stands as it is."""
    if not text or (len(text) == 1 and mark == "^" and text in "¯^~→˙¨‾ˉ˜ˆ⃗"):
        return text
    return mark + _bracketed(text)
