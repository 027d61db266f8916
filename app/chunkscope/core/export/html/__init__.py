"""The preview as one HTML page that needs nothing else, to send to a colleague."""

from __future__ import annotations

from chunkscope.core.export.html.page import preview_page

__all__ = ["preview_page"]
