"""Members of a zip archive, read within bounds: the container of EPUB, DOCX and ODT."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from chunkscope.core.errors import LoadError
from chunkscope.core.sandbox.limits import MEGABYTE, Limits

MAX_MEMBERS = 5_000
MAX_MEMBER_BYTES = 256 * MEGABYTE
MAX_RATIO = 200
RATIO_FREE_BYTES = 10 * MEGABYTE
_DIRECTORY_ENTRY = b"PK\x01\x02"
_PIECE = 1 << 20
_IS_ENCRYPTED = 0x1
# The formats that we read allow no others, and LZMA lets a file ask for gigabytes of memory.
_KNOWN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


class Archive:
    """A zip archive in memory. Nothing is ever unpacked into a file."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._member_bytes = min(MAX_MEMBER_BYTES, limits.file_bytes)
        # The standard library makes an object of each entry first, so a huge directory is met here;
        # an archive inside the archive may add to the count, hence the wide margin.
        if data.count(_DIRECTORY_ENTRY) > 20 * MAX_MEMBERS:
            raise _too_many()
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as problem:
            raise LoadError("", f"is a damaged zip archive ({_told(problem)})") from None
        found = self._zip.infolist()
        if len(found) > MAX_MEMBERS:
            raise _too_many()
        self._members = {
            name: info for info in found if _is_inside(name := info.filename.replace("\\", "/"))
        }

    @property
    def names(self) -> list[str]:
        """The members in the order of the directory; names that lead outside are left out."""
        return list(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def read(self, name: str) -> bytes:
        """All bytes of a member; LoadError when it is absent, damaged, encrypted or too large."""
        info = self._readable(name)
        try:
            return self._inflate(info, name)
        except _DAMAGE as problem:
            raise _damaged(name, problem) from None

    def read_start(self, name: str, length: int) -> bytes:
        """The first bytes of a member, without unfolding the rest of it."""
        info = self._readable(name)
        try:
            with self._zip.open(info) as stream:
                return stream.read(length)
        except _DAMAGE as problem:
            raise _damaged(name, problem) from None

    def _readable(self, name: str) -> zipfile.ZipInfo:
        info = self._members.get(name)
        if info is None:
            raise LoadError("", f"lacks its part {name}; it may be damaged")
        if info.flag_bits & _IS_ENCRYPTED:
            raise LoadError("", f"its part {name} is encrypted; save a copy without protection")
        if info.compress_type not in _KNOWN_METHODS:
            raise LoadError("", f"its part {name} is packed in an unknown way; save a fresh copy")
        return info

    def _inflate(self, info: zipfile.ZipInfo, name: str) -> bytes:
        pieces: list[bytes] = []
        done = 0
        # What the directory says about the size may be a lie, so it is counted.
        with self._zip.open(info) as stream:
            while piece := stream.read(_PIECE):
                pieces.append(piece)
                done += len(piece)
                if done > self._member_bytes:
                    limit = self._member_bytes / MEGABYTE
                    raise LoadError("", f"its part {name} is larger than {limit:,.0f} MB")
                if done > RATIO_FREE_BYTES and done > MAX_RATIO * info.compress_size:
                    raise LoadError(
                        "",
                        f"its part {name} unfolds to more than {MAX_RATIO} times its size, "
                        "as zip bombs do; it was not read",
                    )
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _is_inside(name: str) -> bool:
    """Whether this is the name of a file that stands inside; a folder's ends with a slash."""
    has_drive = name[1:2] == ":"
    if not name or name.endswith("/"):
        return False
    return not name.startswith("/") and not has_drive and ".." not in name.split("/")


def _too_many() -> LoadError:
    return LoadError("", f"is an archive of more than {MAX_MEMBERS:,} parts, which is refused")


def _damaged(name: str, problem: BaseException) -> LoadError:
    return LoadError("", f"its part {name} is damaged ({_told(problem)})")


def _told(problem: BaseException) -> str:
    return str(problem).strip() or type(problem).__name__
