"""Text that has broken splitters before."""

from __future__ import annotations

from hypothesis import strategies as st

NASTY = [
    "👩‍🔬", "👨‍👩‍👧‍👦", "🇫🇷🇯🇵", "e\u0301\u0323\u0304",
    "नमस्ते", "กำลังทดสอบ", "漢字かな交じり文。", "한국어 문장。",
    "العربية نص.", "<|endoftext|>", "<|fim_prefix|>", "[SEP]", "[CLS] [PAD]",
    "A sentence. Another one! A third?", "Dr. Smith et al. (2020) said so.", "supercalifragilistic",
    "a" * 60, "1234567890" * 5, "    ", "\t", "\n", "\n\n", "\n\n\n", "\u00a0", "\u2028", "\u3000",
    "\u200b", "\u0085", "\x0b", "\x1c", "# Heading\n", "## Sub\n\n", "- item\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode\n\nmore\n```\n", "> quote\n", "don't", "it's",
    "x/y\n/z", "...", "!!!", "…", "word", " word", " the", "The", " \u0301", "\u0301", "ﷺ",
    "\ufffd", "ǆ", "İ", "\u0600 a", "\u0602.b", "\U000110bd\u2003c",
]  # fmt: skip


def _canonical(text: str) -> str:
    text = text.replace("\x00", "\ufffd").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode()


# As canonical text is: no NUL, no carriage return, no lone surrogate.
nasty_texts = (
    st.lists(st.sampled_from(NASTY) | st.text(max_size=6), max_size=40).map("".join).map(_canonical)
)
