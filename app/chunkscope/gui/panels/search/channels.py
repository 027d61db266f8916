"""What each channel said of a result: score, rank, a bar, and how far it moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from chunkscope.core.search.model import Candidate, Hit, SearchResult
from chunkscope.gui.theme import Theme, mixed

BAR = 4.0
Scored = Hit | Candidate


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel's word on one result; `share` is the length of its bar."""

    name: str
    score: float | None
    rank: int | None
    share: float
    moved: int | None = None  # ranks won since the stage before

    @property
    def figure(self) -> str:
        if self.score is None:
            return "–"
        return f"{self.score:.1f}" if self.name == "BM25" else f"{self.score:.3f}"

    @property
    def place(self) -> str:
        return f"#{self.rank}" if self.rank else ""

    @property
    def arrow(self) -> str:
        if not self.moved:
            return ""
        return f"▲{self.moved}" if self.moved > 0 else f"▼{-self.moved}"

    @property
    def spoken(self) -> str:
        moved = f", moved {'up' if (self.moved or 0) > 0 else 'down'} {abs(self.moved or 0)}"
        rank = f" rank {self.rank}" if self.rank else ""
        return f"{self.name} {self.figure}{rank}{moved if self.moved else ''}"


@dataclass(frozen=True, slots=True)
class Scales:
    """The best of each channel, which has the whole bar."""

    bm25: float = 1.0
    rrf: float = 1.0
    low_rerank: float = 0.0
    high_rerank: float = 1.0

    @classmethod
    def of(cls, result: SearchResult | None) -> Scales:
        every: Sequence[Scored] = result.waterfall.candidates if result else ()
        rerank = [each.scores.rerank for each in every if each.scores.rerank is not None]
        return cls(
            max((each.scores.bm25 or 0.0 for each in every), default=0.0) or 1.0,
            max((each.scores.rrf or 0.0 for each in every), default=0.0) or 1.0,
            min([*rerank, 0.0]),
            max(rerank, default=1.0),
        )


def channels_of(row: Scored, scales: Scales) -> tuple[Channel, ...]:
    """The channels that have something to say, in the order in which they work."""
    scores, ranks = row.scores, row.ranks
    best = min((rank for rank in (ranks.lexical, ranks.semantic) if rank), default=None)
    width = (scales.high_rerank - scales.low_rerank) or 1.0
    found = [
        Channel("BM25", scores.bm25, ranks.lexical, (scores.bm25 or 0.0) / scales.bm25),
        Channel("cosine", scores.cosine, ranks.semantic, scores.cosine or 0.0),
    ]
    if scores.rrf is not None or ranks.fused:
        moved = best - ranks.fused if best and ranks.fused else None
        found.append(
            Channel("fused", scores.rrf, ranks.fused, (scores.rrf or 0.0) / scales.rrf, moved)
        )
    if scores.rerank is not None:
        moved = ranks.fused - ranks.reranked if ranks.fused and ranks.reranked else None
        share = (scores.rerank - scales.low_rerank) / width
        found.append(Channel("rerank", scores.rerank, ranks.reranked, share, moved))
    return tuple(found)


def colour_of(name: str, theme: Theme) -> QColor:
    """The same hue for a channel everywhere."""
    blue, orange, green = theme.band_edges
    return {"BM25": orange, "cosine": blue, "fused": green}.get(name, theme.accent)


def paint_channel(
    painter: QPainter, box: QRectF, channel: Channel, theme: Theme, font: QFont
) -> None:
    """Name, rank and movement over a bar, with the score at its right."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    top = QRectF(box.left(), box.top(), box.width(), metrics.height())
    is_silent = channel.score is None
    painter.setPen(theme.muted)
    left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
    painter.drawText(top, left, channel.name)
    at = top.left() + metrics.horizontalAdvance(channel.name + " ")
    painter.setPen(theme.muted if is_silent else theme.text)
    painter.drawText(top.adjusted(at - top.left(), 0, 0, 0), left, channel.place)
    if channel.arrow:
        at += metrics.horizontalAdvance(channel.place + " ")
        painter.setPen(theme.good if (channel.moved or 0) > 0 else theme.error)
        painter.drawText(top.adjusted(at - top.left(), 0, 0, 0), left, channel.arrow)
    painter.setPen(theme.muted if is_silent else theme.text)
    painter.drawText(top, right, channel.figure)
    bar = QRectF(box.left(), top.bottom() + 2, box.width(), BAR)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(mixed(theme.base, theme.text, 0.12))
    painter.drawRoundedRect(bar, BAR / 2, BAR / 2)
    share = max(0.0, min(channel.share, 1.0))
    if share and not is_silent:
        painter.setBrush(colour_of(channel.name, theme))
        filled = QRectF(bar.left(), bar.top(), max(bar.width() * share, BAR), BAR)
        painter.drawRoundedRect(filled, BAR / 2, BAR / 2)
