"""
What is packed as a stream of bytes that goes only forward: gz, bz2, zst and xz, within limits.

A few bytes can unpack to any number, and a stranger may mean it: how much comes out is counted as it comes, and what is
too much ends there. Nothing is written to a disk.
"""

from __future__ import annotations

import io
import lzma
from typing import TYPE_CHECKING, Literal, Protocol

from ioledger.model import Refusal
from ioledger.readers.detect import MAX_FILE_BYTES, too_large

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES, MAX_MEMBERS = 2 << 30, 100_000
"""What one container, with those in it, is read for."""
MAX_RATIO, FREE_BYTES = 200, 8 << 20
"""How many times its size a container may unpack to, once it has unpacked to so much; the most of real ones is 28."""
_PIECE, _XZ_MEMORY = 1 << 20, 256 << 20
CODECS: dict[str, Literal["gzip", "bz2", "zstd"]] = {"gz": "gzip", "bz2": "bz2", "zst": "zstd"}
"""Packings that pyarrow unpacks, and its words for them."""


class RefusedError(Exception):
    """A container, or a member, that is not read on, with the reason."""

    def __init__(self, what: str, remedy: str, rule: str) -> None:
        """Keep the reason as a refusal of the container as a whole."""
        super().__init__(what)
        self.refusal = Refusal("", what, remedy, rule)


class Budget:
    """How much has come out of one container, and of those in it, and the end of it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.size = 0
        self.members = 0

    def take(self, size: int, members: int = 0) -> None:
        """Count bytes and members that come out; raise RefusedError when it is more than a container may hold."""
        self.size += size
        self.members += members
        if self.size > MAX_BYTES or self.members > MAX_MEMBERS:
            what = f"it holds more than the {MAX_MEMBERS:,} members or the {MAX_BYTES:,} bytes that are read"
            raise RefusedError(what, "Split it.", "R-CONTAINER-2")


def refuse_inflated(size: int, packed: int) -> None:
    """Raise RefusedError when so many bytes came out of so few."""
    if size > FREE_BYTES and size > MAX_RATIO * packed:
        what = f"it unpacks to more than {MAX_RATIO} times its size"
        raise RefusedError(what, "Unpack it yourself if you trust it.", "R-CONTAINER-3")


def refuse_large(size: int) -> None:
    """Raise RefusedError for a member that is larger than a file may be."""
    if (refusal := too_large(size)) is not None:
        raise RefusedError(refusal.what, refusal.remedy, refusal.rule)


class Reads(Protocol):
    """What gives bytes one after the other; fewer than were asked for are not yet the end."""

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes; none at the end."""


class Forward:
    """A stream that is read once, from its start to its end, as ``tarfile`` needs it: seeking skips."""

    def __init__(self, raw: Reads, packed: Callable[[], int] | None = None) -> None:
        """Read from ``raw``; ``packed`` tells how many bytes went in so far, where it unpacks."""
        self._raw, self._packed, self._at = raw, packed, 0

    def tell(self) -> int:
        """Return how many bytes have come out."""
        return self._at

    def seek(self, place: int, _: int = 0, /) -> int:
        """Skip to a place that is not behind."""
        while (ahead := place - self._at) > 0 and self.some(ahead):
            pass
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        """
        Return so many bytes, fewer only at the end; by default what is left.

        Raises RefusedError where more are asked for, or come out, than may.
        """
        if not size:  # which a library may not be asked for
            return b""
        refuse_large(size)
        wanted = size if size >= 0 else MAX_FILE_BYTES
        first = self.some(wanted)
        if not first or len(first) == wanted:
            return first
        pieces, wanted = [first], wanted - len(first)
        while wanted and (piece := self.some(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def some(self, size: int) -> bytes:
        """Return up to so many bytes; none at the end. Raises RefusedError where more come out than may."""
        piece = self._raw.read(min(size, _PIECE))
        self._at += len(piece)
        if self._at > FREE_BYTES and self._packed is not None:
            refuse_inflated(self._at, self._packed())
        return piece


def unpacked(stream: io.BufferedIOBase, form: str) -> Forward:
    """Return what a stream unpacks to; ``form`` is gz, bz2, zst or xz."""
    if form == "xz":
        return Forward(_Xz(stream), stream.tell)
    import pyarrow as pa  # noqa: PLC0415  (only where something is packed)

    packed = pa.PythonFile(stream, mode="r")
    return Forward(pa.CompressedInputStream(packed, CODECS[form]), stream.tell)


class _Xz:
    """
    The streams of an xz file, one after the other, within a bound of memory.

    ``lzma.LZMAFile`` has none, and a header may ask for 4 GiB.
    """

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._decoder: lzma.LZMADecompressor | None = None

    def read(self, size: int, /) -> bytes:
        """Return up to so many bytes; none at the end. Raises EOFError where the file is cut."""
        rest = b""
        while True:
            if self._decoder is None or self._decoder.eof:
                rest = self._next_stream()
                if not rest:
                    return b""
                self._decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
            elif self._decoder.needs_input and not (rest := self._stream.read(io.DEFAULT_BUFFER_SIZE)):
                raise EOFError
            if found := self._decoder.decompress(rest, size):
                return found
            rest = b""

    def _next_stream(self) -> bytes:
        """Return how the next stream begins, behind zeros that fill up; nothing at the end."""
        rest = self._decoder.unused_data if self._decoder is not None else b""
        while not (begun := rest.lstrip(b"\0")) and (rest := self._stream.read(io.DEFAULT_BUFFER_SIZE)):
            pass
        return begun
