"""Writes sample_docs/guide.epub, the same bytes each time: `python tools/make_sample_epub.py`."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "sample_docs" / "guide.epub"
_WHEN = (2023, 4, 1, 12, 0, 0)
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"""
_PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package version="3.0" unique-identifier="id" xmlns="http://www.idpf.org/2007/opf">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:chunkscope:sample:lantern-guide</dc:identifier>
    <dc:title>A Short Guide to Walking by Lantern</dc:title>
    <dc:creator>Marit Osei-Lund</dc:creator>
    <dc:language>en</dc:language>
    <dc:date>2023-04-01</dc:date>
    <meta property="dcterms:modified">2023-04-01T12:00:00Z</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="walk" href="text/walk.xhtml" media-type="application/xhtml+xml"/>
    <item id="lamp" href="text/lamp.xhtml" media-type="application/xhtml+xml"/>
  </manifest>
  <spine>
    <itemref idref="lamp"/>
    <itemref idref="walk"/>
  </spine>
</package>
"""
_PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en">
<head><title>{title}</title></head>
<body>
{body}</body>
</html>
"""
_NAV = """<nav epub:type="toc"><ol>
<li><a href="text/lamp.xhtml">The lamp</a></li>
<li><a href="text/walk.xhtml">The walk</a></li>
</ol></nav>
"""
_LAMP = """<h1>1 The lamp</h1>
<p>A lantern is not a weak torch. A torch shows you one thing and hides all others; a lantern shows
you everything within six steps, and leaves the rest to the night.</p>
<h2>Choosing one</h2>
<p>Buy the smallest that you can bear. What you need is little:</p>
<ul>
<li>a flame that can be lowered without going out;</li>
<li>a handle that stays cool;</li>
<li>glass that you can replace: in Kyoto they still use paper, and call it 提灯 🏮.</li>
</ul>
<h2>Oil and wick</h2>
<table>
<tr><th>Oil</th><th>Hours</th><th>Smell</th></tr>
<tr><td>Rapeseed</td><td>9</td><td>cabbage</td></tr>
<tr><td>Olive</td><td>7</td><td>lunch</td></tr>
</table>
<p>Trim the wick <em>before</em> you set out. Everybody forgets it once.</p>
"""
_WALK = """<h1>2 The walk</h1>
<p>Carry the light low, at the height of your knee. Held high, it blinds you and flatters nobody.</p>
<blockquote><p>Walk as far as you can see. There you will see further.</p></blockquote>
<h2>Meeting others</h2>
<p>Lower the flame, and say something. In the hills above Tétouan the greeting is مساء الخير, good
evening; in ours it is a cough.</p>
<h3>Dogs</h3>
<p>Dogs do not mind lanterns. They mind people who stop.</p>
"""


def book() -> bytes:
    """The whole book; its first member is the media type, unpacked, as the format asks."""
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": _PACKAGE,
        "OEBPS/nav.xhtml": _PAGE.format(title="Contents", body=_NAV),
        "OEBPS/text/lamp.xhtml": _PAGE.format(title="The lamp", body=_LAMP),
        "OEBPS/text/walk.xhtml": _PAGE.format(title="The walk", body=_WALK),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in members.items():
            info = zipfile.ZipInfo(name, _WHEN)
            # Otherwise the bytes tell on which system they were made.
            info.create_system = 3
            info.external_attr = 0o644 << 16
            packing = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, text.encode("utf-8"), packing)
    return stream.getvalue()


if __name__ == "__main__":
    TARGET.write_bytes(book())
