"""Large blobs from a worker to its owner: files without a name, handed over by descriptor."""

from __future__ import annotations

import codecs
import contextlib
import mmap
import os
import socket
import sys
import tempfile
import weakref

LARGE_BYTES = 1_000_000
# Tells a worker the socket that its large blobs go through.
EXCHANGE_VARIABLE = "CHUNKSCOPE_EXCHANGE"
IS_SUPPORTED = hasattr(socket, "send_fds")
# A descriptor is sent before the frame that speaks of it, so it is never waited for.
_RECEIVE_SECONDS = 5.0
_PIECE = 1 << 20


class SharedBlob:
    """Bytes in a file without a name: they vanish with the last process that holds them."""

    def __init__(self, descriptor: int, size: int) -> None:
        self._descriptor, self._size = descriptor, size
        self._close = weakref.finalize(self, os.close, descriptor)

    def __len__(self) -> int:
        return self._size

    def take_bytes(self) -> bytearray:
        """All bytes; the file is given up."""
        blob = bytearray(self._size)
        for at in range(0, self._size, _PIECE):
            blob[at : at + _PIECE] = self._read(at)
        self._close()
        return blob

    def take_text(self) -> str:
        """The bytes as UTF-8; the file is given up piece by piece as the text grows."""
        text = ""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with mmap.mmap(self._descriptor, self._size) as pages:
            # In a `for` loop CPython lets a string grow in place (in a `while` loop 3.11 does not):
            # it never exists twice, and its bytes are gone when it has four of them a character.
            for at in range(0, self._size, _PIECE):
                text += decoder.decode(self._read(at), at + _PIECE >= self._size)
                _free(pages, at, min(_PIECE, self._size - at))
        self._close()
        return text

    def _read(self, at: int) -> bytes:
        # Not through the mapping: should the worker cut the file off, that would be a crash.
        length = min(_PIECE, self._size - at)
        piece = os.pread(self._descriptor, length, at)
        if len(piece) != length:
            raise OSError("a blob is shorter than it was said to be")
        return piece


def _free(pages: mmap.mmap, start: int, length: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # all of it is freed in the end
            pages.madvise(mmap.MADV_REMOVE, start, length)


class Outbox:
    """The worker's end of the exchange."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)

    def send(self, blob: bytes | bytearray) -> bool:
        """Hand the blob over in a file without a name; False where none can be had."""
        try:
            descriptor = _fill_nameless_file(blob)
        except OSError:  # no room, or too many open files
            return False
        try:
            socket.send_fds(self._socket, [b"\0"], [descriptor])
        finally:
            os.close(descriptor)
        return True

    def close(self) -> None:
        self._socket.close()


class Inbox:
    """The owner's end of the exchange."""

    def __init__(self) -> None:
        self._socket, self._far = socket.socketpair()
        self._socket.settimeout(_RECEIVE_SECONDS)

    @property
    def far_descriptor(self) -> int:
        """What a worker inherits."""
        return self._far.fileno()

    def release_far_end(self) -> None:
        """Once the worker has it, so that its death is noticed here."""
        self._far.close()

    def receive(self, size: int) -> SharedBlob:
        _, descriptors, _, _ = socket.recv_fds(self._socket, 1, 1)
        if not descriptors:
            raise OSError("a blob was announced and did not come")
        return SharedBlob(descriptors[0], size)

    def close(self) -> None:
        self._far.close()
        self._socket.close()


def as_bytes(blob: bytearray | SharedBlob) -> bytearray:
    return blob.take_bytes() if isinstance(blob, SharedBlob) else blob


def as_text(blob: bytearray | SharedBlob) -> str:
    return blob.take_text() if isinstance(blob, SharedBlob) else str(blob, "utf-8")


def _fill_nameless_file(blob: bytes | bytearray) -> int:
    descriptor = _nameless_file()
    try:
        view, done = memoryview(blob), 0
        while done < len(view):
            done += os.write(descriptor, view[done:])
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _nameless_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("chunkscope")
    with tempfile.TemporaryFile(buffering=0) as stream:
        return os.dup(stream.fileno())
