"""From a file to a Document: one module for each format."""

# Named one by one: PyInstaller does not see a scanned folder.
from chunkscope.core.loaders import (
    chat,
    code,
    data,
    docx,
    epub,
    html,
    mail,
    mailbox,
    markdown,
    odt,
    pdf,
    plain,
    rtf,
)

__all__ = [
    "chat",
    "code",
    "data",
    "docx",
    "epub",
    "html",
    "mail",
    "mailbox",
    "markdown",
    "odt",
    "pdf",
    "plain",
    "rtf",
]
