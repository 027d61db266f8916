"""How much a single source may cost before its worker is stopped."""

from __future__ import annotations

from dataclasses import asdict, dataclass

MEGABYTE = 1_000_000

# Tells a worker the process that it must not outlive.
OWNER_VARIABLE = "CHUNKSCOPE_OWNER"


@dataclass(frozen=True, slots=True)
class Limits:
    """Settable bounds; each one that is hit is told in a sentence that names it."""

    stall_seconds: float = 20.0
    total_seconds: float = 300.0
    memory_bytes: int = 1_500 * MEGABYTE
    file_bytes: int = 512 * MEGABYTE
    markup_bytes: int = 64 * MEGABYTE
    text_characters: int = 256 * MEGABYTE
    output_ratio: int = 100
    pages: int = 50_000
    # What a worker may compute with; only a worker that is trusted with a model gets several.
    threads: int = 1
    # A worker that stays larger than this is replaced, so that its fragments do not count against
    # the next document's memory limit.
    retire_bytes: int = 400 * MEGABYTE

    def to_json(self) -> dict[str, float]:
        return asdict(self)

    def allowed_characters(self, source_bytes: int) -> int:
        """How much text a source of this size may unfold into."""
        return min(self.text_characters, max(MEGABYTE, source_bytes * self.output_ratio))
