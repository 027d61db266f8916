"""One registered class for each way of cutting."""

# Named one by one: PyInstaller does not see a scanned folder.
import chunkscope.core.chunking.strategies.auto
import chunkscope.core.chunking.strategies.code
import chunkscope.core.chunking.strategies.prose
import chunkscope.core.chunking.strategies.recursive
import chunkscope.core.chunking.strategies.structure
import chunkscope.core.chunking.strategies.talk
import chunkscope.core.chunking.strategies.windows  # noqa: F401
from chunkscope.core.chunking.strategies.base import Boundary, Cut, Strategy, strategies

__all__ = ["Boundary", "Cut", "Strategy", "strategies"]

strategies.arrange(
    "auto", "sentence", "paragraph", "recursive", "token-window", "character", "workspace",
    "structured", "flat", "markdown", "html", "email", "chat", "code", "page",
)  # fmt: skip
