"""
fio logs stored compressed (``.log.fz``): zlib streams one after another, holding binary records.

The records are ``struct io_sample`` of the machine that ran fio. Two layouts are known from real files, both little
endian and both of fio 3.x: 32 bytes (3.33; 40 with an offset, which bit 31 of the direction announces) and 40 bytes
(3.42, with a second value). Any other layout is refused: ``fio --inflate-log`` turns it into text.
Source: fio's ``iolog.c``, ``iolog_file_inflate()``, and ``iolog.h``.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.base import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

LATEST_MS = 1 << 42
"""Later times (2109 as Unix time) stand in no log."""
MAX_INFLATED_BYTES = 16 << 20
_MAX_STREAMS = 100_000
_HEAD_BYTES = 4096
_ZLIB_METHOD, _ZLIB_CHECK = 0x78, 31
"""First byte of fio's streams, and what the first two are a multiple of (RFC 1950, section 2.2)."""
_WITH_OFFSET, _WITH_PRIORITY = 1 << 31, 1 << 30
_LARGEST_BLOCK, _LAST_DIRECTION = 1 << 40, 2


class _Layout(NamedTuple):
    """A record: its format, where direction and block size stand in it, and the bits beside the direction."""

    record: struct.Struct
    direction: int
    block: int
    flags: frozenset[int]


_LAYOUTS = (
    _Layout(struct.Struct("<QQI4xQ"), 2, 3, frozenset({0, _WITH_PRIORITY})),
    _Layout(struct.Struct("<QQI4xQ8x"), 2, 3, frozenset({_WITH_OFFSET, _WITH_OFFSET | _WITH_PRIORITY})),
    _Layout(struct.Struct("<QQQI4xQ"), 3, 4, frozenset({0})),
)


def is_packed(head: bytes) -> bool:
    """Say whether bytes begin with a zlib stream that inflates to log records of a known layout."""
    if head[:1] != bytes([_ZLIB_METHOD]) or int.from_bytes(head[:2], "big") % _ZLIB_CHECK:
        return False
    try:
        start = zlib.decompressobj().decompress(head, _HEAD_BYTES)
    except zlib.error:
        return False
    return any(_fits(layout, start) for layout in _LAYOUTS)


def rows(data: bytes) -> list[tuple[int, int, int, int]] | Refusal:
    """Return (milliseconds, value, direction, block size) of every record, or say why that is impossible."""
    inflated = _inflate(data)
    if isinstance(inflated, Refusal):
        return inflated
    for layout in _LAYOUTS:
        if len(inflated) % layout.record.size == 0 and _fits(layout, inflated):
            direction, block = layout.direction, layout.block
            return [(row[0], row[1], row[direction] & 0xFF, row[block]) for row in _records(layout, inflated)]
    what = "the records of this compressed log have a layout that is not known"
    return Refusal("", what, "Run `fio --inflate-log=FILE > FILE.log` and submit the text too.", "R-FIO-LOG-5")


def _inflate(data: bytes) -> bytes | Refusal:
    """Inflate every stream of the file, up to a limit."""
    parts, total, streams, rest = [], 0, 0, data
    while rest and streams < _MAX_STREAMS:
        stream = zlib.decompressobj()
        try:
            part = stream.decompress(rest, MAX_INFLATED_BYTES - total + 1)
        except zlib.error as error:
            return _broken(len(data) - len(rest), str(error))
        total += len(part)
        if total > MAX_INFLATED_BYTES:
            what = f"the log inflates to more than {MAX_INFLATED_BYTES:,} bytes"
            return Refusal("", what, "Average the log with log_avg_msec.", "R-FIO-LOG-4")
        if not stream.eof:
            return _broken(len(data) - len(rest), "the stream is cut off")
        parts.append(part)
        rest, streams = stream.unused_data, streams + 1
    return b"".join(parts)


def _broken(at: int, why: str) -> Refusal:
    what = f"the compressed stream that starts here cannot be inflated: {why}"
    return Refusal(f"byte {at}", what, "Submit the whole file as fio wrote it.", "R-FIO-LOG-6")


def _records(layout: _Layout, data: bytes) -> Iterator[tuple[int, ...]]:
    return layout.record.iter_unpack(data[: len(data) // layout.record.size * layout.record.size])


def _fits(layout: _Layout, data: bytes) -> bool:
    """Say whether every record makes sense in a layout."""
    return len(data) >= layout.record.size and all(
        row[0] < LATEST_MS
        and row[layout.block] < _LARGEST_BLOCK
        and (row[layout.direction] & 0xFF) <= _LAST_DIRECTION
        and row[layout.direction] & ~0xFF in layout.flags
        for row in _records(layout, data)
    )
