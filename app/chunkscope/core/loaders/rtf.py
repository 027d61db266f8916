"""RTF: its text by striprtf, paragraphs by line."""

from __future__ import annotations

from collections.abc import Iterable

from chunkscope.core.blocks import BlockKind
from chunkscope.core.errors import LoadError
from chunkscope.core.loaders.base import Draft, Source, register
from chunkscope.core.loaders.builder import TextBuilder
from chunkscope.core.sandbox.watch import Watch

_MAX_BYTES = 64_000_000


@register("rtf", "RTF", ".rtf")
def load_rtf(source: Source, watch: Watch) -> Iterable[Draft]:
    from striprtf.striprtf import rtf_to_text

    if len(source.data) > _MAX_BYTES:
        raise LoadError("", "is over the limit of 64 MB for one RTF file; save it as DOCX")
    watch.progress(0, 1, "reading")
    # RTF is ASCII with escapes; stray bytes mean what its code page says, mostly this one.
    text: str = rtf_to_text(  # type: ignore[no-untyped-call]
        source.data.decode("cp1252", "replace"), errors="replace"
    )
    builder = TextBuilder(source.limits.allowed_characters(len(source.data)))
    for line in text.split("\n"):
        builder.add(BlockKind.PARAGRAPH, line.strip())
    body, blocks, warnings = builder.finish()
    missing = [] if body or len(source.data) < 1000 else ["no text was found in it"]
    yield Draft(body, blocks, "application/rtf", warnings=warnings, missing=missing)
