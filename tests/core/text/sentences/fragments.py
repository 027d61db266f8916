"""Texts for the tests of sentences: paragraphs, and strings of all that pysbd's rules react to."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chunkscope.core.text.sentences.languages import language_module

_TRIGGERS = r"""
. ! ? .. ... .... . . . !! ?? !? ?! !!! ??? ?!! .) .] ." 。 ． ！ ？ （ ）
「 」 … : ; , - --
– — ⁃ _ & \ / ° N°. § { } {mr} {is} {p} ' " ‘ ’ “ ” « » 's .'s '' ( ) [ ] (a) (b) (ii) (iv)
(xx) (mm) a) b) c) i) ii) iii) a. b. c. i. ii. v. x. 1. 2. 3. 9. 0. 10. 11. 12. 1) 2) 3) 1.)
2.) -1. ⁃2. s-3.) 100. 2012. 3.5 .5 5. $5.00 [1] [12] [1,2] [1, 2] [3-5] .[4] 7 12 123 a b i v
x A B I Z I'm I'll U.S. U.S U.K. E.U. U.S.A. i.v. I.V. a.m. p.m. A.M. P.M. e.g. i.e. E.G. eag.
Ph.D. d.phil. Mr. mr. MR. Dr. St. st. vs. v. No. no. Nos. p. pp. Fig. fig. etc. Inc. Co. KG
is. Is. may. Jan. Art. Gen. www.x.org a@b.com x.y 1.a a.1 file.txt .txt .pdf .jpg .cpp .b .js
Yahoo! Y!J Yum! !Kung !Xũ ǃXo The He I In It However Where There hello World to for 1 2 É. Ä é
ß Σ İ ı ſ st K 中 文 ا ب ๅ ก́ 👩‍🚀
"""
# What is rare among all the others: lists, and quirks that need several of their kind.
_FAMILIES = (
    ("1)", "2)", "3)", "coil", "The rope.", "9)", "10)"),
    ("a)", "b)", "(b)", "c)", "(d)", "coil", "The rope."),
    ("i.", "ii.", "v.", "a.", "b.", "c.", "(i)", "(ii)", "The rope."),
    ("1.", "2.", "3.", "- 4.", "⁃5.", "for 1. x", "The rope.", "1.)", "2.)"),
    ('" (', ') "', ") “", "” (", "Look.", "(so)", '"'),
    ("{mr} A", "{is} b", "{no} C", "mr. x", "is. x", "No. 1", "no. b", "Is. It"),
    (
        "ſt. b",
        " st ",
        "st. b",
        "mıss. x",
        "miss x",
        "\u212ay. x",
        "ky x",
        "İll. x",
        "ill x",
        "ı.ı.",
    ),
    (". . .", ". . . .", "x. . . .", " . ", "...", "....", "The", "a"),
    ("!", "?", "!!", "?!", "'", '"', "’", " 'so", "The", "a"),
    (".[1]", ".[2, 3]", ".12", ". 5", "The", "a", ".[4-5] It", "Mr.[1] A"),
)
_BLANKS = (" ", " ", " ", " ", "", "", "  ", "\t", "\u00a0", "\u3000", "   ")
# Bare pysbd hangs on these.
_HANGING = re.compile(r"\[[\d,\s-]{12,}")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")


def spans(text: str) -> NDArray[np.int64]:
    """The paragraphs between blank lines, trimmed."""
    found: list[tuple[int, int]] = []
    start = 0
    for end, after in [*(match.span() for match in _PARAGRAPH.finditer(text)), (len(text), 0)]:
        part = text[start:end]
        if part.strip():
            first = start + len(part) - len(part.lstrip())
            found.append((first, first + len(part.strip())))
        start = after
    return np.array(found, np.int64).reshape(-1, 2)


def sentences(text: str, paragraphs: NDArray[np.int64], starts: NDArray[np.int64]) -> list[str]:
    """The sentences that the starts stand for, without white space around them."""
    ends = np.union1d(starts[1:], paragraphs[:, 1])
    return [text[start : ends[np.searchsorted(ends, start, "right")]].strip() for start in starts]


def pieces() -> list[str]:
    abbreviations = language_module("en").Abbreviation.ABBREVIATIONS
    return [*_TRIGGERS.split(), *(f"{word}." for word in abbreviations[::7])]


def random_paragraph(rng: random.Random, known: list[str]) -> str:
    """A flat paragraph; a few fragments each time, so that they meet again and form lists."""
    while True:
        chosen: Sequence[str] = rng.sample(known, rng.randint(2, 14))
        if rng.random() < 0.4:
            chosen = rng.choice(_FAMILIES)
        parts = [rng.choice(chosen) + rng.choice(_BLANKS) for _ in range(rng.randint(1, 30))]
        paragraph = "".join(parts).strip()
        if paragraph and not _HANGING.search(paragraph):
            return paragraph
