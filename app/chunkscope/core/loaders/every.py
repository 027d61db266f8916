"""The table of formats with every loader in it; only workers need them, and they take a while."""

# Named one by one: PyInstaller does not see a scanned folder.
import chunkscope.core.loaders.chat.loader
import chunkscope.core.loaders.code.loader
import chunkscope.core.loaders.data
import chunkscope.core.loaders.docx.loader
import chunkscope.core.loaders.epub
import chunkscope.core.loaders.html.loader
import chunkscope.core.loaders.mail.loader
import chunkscope.core.loaders.mail.mailbox
import chunkscope.core.loaders.markdown
import chunkscope.core.loaders.odt
import chunkscope.core.loaders.pdf.loader
import chunkscope.core.loaders.plain
import chunkscope.core.loaders.rtf  # noqa: F401 - they register themselves
from chunkscope.core.loaders.base import formats

__all__ = ["formats"]
