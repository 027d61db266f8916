"""A chunk that takes from the one before, to be large enough, leaves it something of its own."""

from __future__ import annotations

from chunkscope.core.chunking.analysis import Analysis
from chunkscope.core.chunking.engine import chunk_analysed
from chunkscope.core.chunking.models import reading_model
from chunkscope.core.chunking.strategies import strategies
from support.chunk_invariants import check_chunking
from support.documents import document_of

MAIL = """\
Subject: Redacted
From: redacted@example.com
To: redacted@example.com
Date: Tue, 22 Jan 2002 14:35:28 UT
Content-Type: image/jpg
Content-Transfer-Encoding: base64

AAAA
"""


def test_borrowing_leaves_more_than_what_is_repeated() -> None:
    document = document_of(MAIL, "a.eml")
    for largest in range(20, 40):
        strategy = strategies["structured"](
            segmenter="unicode", unit="tokens", max_size=largest, target_size=largest, min_size=7
        )
        analysis = Analysis(document, segmenter="unicode")
        check_chunking(chunk_analysed(analysis, "structured", strategy, reading_model("minilm")))
