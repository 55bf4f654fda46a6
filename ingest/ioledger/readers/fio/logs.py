"""
fio: the logs of a run (``write_bw_log``, ``write_iops_log``, ``write_lat_log``, ``write_hist_log``).

Claims  lines of whole numbers, separated by a comma and a space, whose third or fourth is a direction; also compressed.
Emits   rows of the table ``samples``; histogram logs give one result per direction with latency bins.
Units   milliseconds; throughput in KiB/s; latency in microseconds before fio 2.99, in nanoseconds since.
Source  fio's HOWTO, "Log File Formats"; ``iolog.c``: ``flush_samples()``, ``flush_hist_samples()``,
        ``iolog_file_inflate()``; ``iolog.h``; ``stat.h`` ("Aggregate clat samples"); ``stat.c``, ``plat_idx_to_val()``.

A log does not say what it measures: only its name does (``_bw``, ``_iops``, ``_lat``, ``_clat``, ``_slat``). It does
not say the unit of latencies either. Nanoseconds are proven by a column that fio has only since 3.18, by a binary
record of 3.x, or by the version of fio that the manifest tells; otherwise latencies stay null and a finding says so.

A name without a number is that of a file to which every thread of the run appended (``per_job_logs=0``): the samples
carry the number of the part they stand in, which is no number of a thread, because threads end in any order.

Columns of text are ``time, value, direction, block size`` up to 3.17 (and an offset with ``log_offset``); a priority
follows from 3.18 on, so six columns and more are of 3.18 or later; ``log_window_value=both`` (3.42) puts the maximum
after the value. Five columns are ambiguous: the last may be an offset or a priority.

Compressed logs (``.log.fz``) are zlib streams one after another, holding ``struct io_sample`` of the machine that ran
fio. Two layouts are known from real files, both little endian and both of fio 3.x: 32 bytes (3.33; 40 with an offset,
which bit 31 of the direction announces) and 40 bytes (3.42, with a second value). Any other layout is refused:
``fio --inflate-log`` turns it into text.

Histogram logs have one line per interval and direction with the counts of all bins in it. fio 2.x has 19 groups of 64
bins in microseconds, fio 3.x 29 groups in nanoseconds; ``log_hist_coarseness`` joins neighbours by powers of two. The
number of bins therefore tells the unit.
"""

from __future__ import annotations

import re
import struct
import zlib
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.model import Bins, Finding, Reading, Refusal, Result
from ioledger.readers import KIBI, LARGEST, MICRO, MILLI, NANO
from ioledger.readers.fio.decoding import version_of
from ioledger.readers.fio.json_result import bin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Source

MAX_ROWS = 250_000
_OPERATIONS = ("read", "write", "trim")
_NAME = re.compile(r"_(bw|iops|lat|clat|slat)(\.\d{1,9})?\.log(?:\.[^/]*)?$")
_QUANTITIES = {
    "bw": ("throughput", "throughput_bytes_per_second"),
    "iops": ("operations", "operations_per_second"),
    "lat": ("total_latency", "latency_seconds"),
    "clat": ("completion_latency", "latency_seconds"),
    "slat": ("submission_latency", "latency_seconds"),
}
_FIRST_WITH_NS = (2, 99)
_EPOCH_MS, _LATEST_MS = 10**11, 1 << 42
"""Times above this (1973 as Unix time) are dates, not offsets: ``log_unix_epoch``; later than 2109 stand in no log."""

_LINE = re.compile(rb"\d{1,18}, \d{1,20}(?:, \d{1,20}|, 0x[0-9a-f]{1,8}){2,2000}\r?")
_FALLS_BACK_SECONDS = 1.0
"""Samples of one thread are written out of order by less."""
_LONGEST_LINE, _HEAD_LINES = 1 << 16, 1000
_FEWEST, _MOST, _WITH_PRIORITY = 4, 8, 6
_AFTER_VALUE, _BEFORE_BINS = 2, 3

_MAX_INFLATED_BYTES, _MAX_STREAMS, _HEAD_BYTES = 16 << 20, 100_000, 4096
_ZLIB_METHOD, _ZLIB_CHECK = 0x78, 31
"""First byte of fio's streams, and what the first two are a multiple of (RFC 1950, section 2.2)."""
_WITH_OFFSET, _PRIORITY_BIT = 1 << 31, 1 << 30
_LARGEST_BLOCK = 1 << 40

_GROUP_BITS, _GROUP = 6, 64
_MOST_PER_SECOND = 10**9
"""No thread completes an operation per nanosecond; larger counts are uninitialised memory."""
_SHAPES = {
    groups * _GROUP >> coarse: (groups * _GROUP, coarse, unit)
    for groups, unit in ((19, MICRO), (29, NANO))
    for coarse in range(_GROUP_BITS + 1)
}
"""Number of bins → number of fine bins, coarseness, ticks per second."""

Row = tuple[int, int, int, int]
"""A sample: milliseconds, value, direction, block size."""


class _Columns(NamedTuple):
    """Where the columns of a log stand, and whether their number proves fio 3.18 or later."""

    width: int
    direction: int
    is_recent: bool
    bin_count: int | None


class _Layout(NamedTuple):
    """A record: its format, where direction and block size stand in it, and the bits beside the direction."""

    record: struct.Struct
    direction: int
    block: int
    flags: frozenset[int]

    def records(self, data: bytes) -> Iterator[tuple[int, ...]]:
        """Return the whole records of some bytes."""
        return self.record.iter_unpack(data[: len(data) // self.record.size * self.record.size])

    def fits(self, data: bytes) -> bool:
        """Say whether every record makes sense."""
        return len(data) >= self.record.size and all(
            row[0] < _LATEST_MS
            and row[self.block] < _LARGEST_BLOCK
            and (row[self.direction] & 0xFF) < len(_OPERATIONS)
            and row[self.direction] & ~0xFF in self.flags
            for row in self.records(data)
        )


_LAYOUTS = (
    _Layout(struct.Struct("<QQI4xQ"), 2, 3, frozenset({0, _PRIORITY_BIT})),
    _Layout(struct.Struct("<QQI4xQ8x"), 2, 3, frozenset({_WITH_OFFSET, _WITH_OFFSET | _PRIORITY_BIT})),
    _Layout(struct.Struct("<QQQI4xQ"), 3, 4, frozenset({0})),
)


def find(data: bytes) -> bool:
    """Say whether these bytes are a log, plain or compressed."""
    return _is_packed(data) or _columns(data) is not None


def read(source: Source) -> Reading:
    """Read one log into rows of ``samples``, results with bins, or a refusal; its fio is the source's tool version."""
    reading = Reading(tool="fio", source_format="log", document_count=1, results=[], warnings=[], refusals=[])
    packed = _is_packed(source.data)
    found = None if packed else _columns(source.data)
    if not packed and source.data.count(b"\n") > MAX_ROWS:
        reading.refusals.append(_too_long())
    elif found and found.bin_count:
        reading.source_format = "histogram log"
        _read_histogram(_rows(source.data, found, reading), found.bin_count, reading)
    elif packed or found:
        _read_samples(source, found, reading)
    else:
        remedy = "Submit the log as fio wrote it."
        reading.refusals.append(Refusal("line 1", "the columns are not those of a fio log", remedy, "R-FIO-LINE-1"))
    return reading


def _too_long() -> Refusal:
    what = f"the log has more than {MAX_ROWS:,} samples"
    return Refusal("", what, "Average the log with log_avg_msec.", "R-FIO-LIMIT-1")


def kind(name: str) -> str | None:
    """Return what a log of this name records (bw, iops, lat, clat, slat); null where the name does not say it."""
    found = _NAME.search(name)
    return found[1] if found else None


def _read_samples(source: Source, found: _Columns | None, reading: Reading) -> None:
    name = _NAME.search(source.name)
    if not name:
        what = "neither the log nor its name states what it measures"
        remedy = "Keep the name that fio gave the log: it ends in _bw, _iops, _lat, _clat or _slat, then .log."
        reading.refusals.append(Refusal("", what, remedy, "R-FIO-LINE-1"))
        return
    if found is None:
        rows = unpack_rows(source.data)
    else:
        at = found.direction
        rows = [(row[0], row[1], row[at], row[at + 1]) for _, row in _rows(source.data, found, reading)]
    if isinstance(rows, Refusal) or len(rows) > MAX_ROWS:
        reading.refusals.append(rows if isinstance(rows, Refusal) else _too_long())
        return
    ticks = NANO if found is None or found.is_recent else None
    if version := version_of(source.tool_version):
        ticks = NANO if version >= _FIRST_WITH_NS else MICRO
    quantity, column = _QUANTITIES[name[1]]
    if column == "latency_seconds" and ticks is None:
        what = "the log does not show the unit of its latencies (µs before fio 2.99, ns since), so they are excluded"
        reading.warnings.append(Finding("R-FIO-FORMAT-2", what))
    reading.rows = {"samples": list(_samples(rows, quantity, column, ticks))}
    if name[2] is not None:
        return
    segment, latest = 1, 0.0
    for sample in reading.rows["samples"]:  # where threads appended one after the other, time falls back
        if latest - sample["offset_seconds"] > _FALLS_BACK_SECONDS:
            segment, latest = segment + 1, 0.0
        latest = max(latest, sample["offset_seconds"])
        sample["segment_index"] = segment


def _samples(rows: list[Row], quantity: str, column: str, ticks: float | None) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table; times of day become offsets from the first sample."""
    start = rows[0][0] if rows and rows[0][0] >= _EPOCH_MS else 0
    factor = {"throughput": float(KIBI), "operations": 1.0}.get(quantity)
    empty = {"throughput_bytes_per_second": None, "operations_per_second": None, "latency_seconds": None}
    for index, (time, value, direction, block) in enumerate(rows, 1):
        scaled = value * factor if factor is not None else (value / ticks if ticks else None)
        yield {
            "sample_index": index,
            "operation": _OPERATIONS[direction],
            "quantity": quantity,
            "offset_seconds": (time - start) / MILLI,
            **empty,
            column: scaled,
            "block_size_bytes": block or None,
        }


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, without cutting out any that is too long."""
    start, number = 0, 1
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield number, data[start:end] if end - start <= _LONGEST_LINE else b"?"
        start, number = end + 1, number + 1


def _columns(data: bytes) -> _Columns | None:
    """Tell the columns from the first lines; null when they are not a log's."""
    heads = (_numbers(line) for _, line in islice(_lines(data), _HEAD_LINES) if line.strip())
    first = next(heads, None)
    if not first:
        return None
    width = len(first)
    if width - _BEFORE_BINS in _SHAPES:
        return _Columns(width, 1, is_recent=False, bin_count=width - _BEFORE_BINS)
    rows = [first, *(row for row in heads if row and len(row) == width)]
    is_recent = width >= _WITH_PRIORITY or b", 0x" in data[:_LONGEST_LINE]
    for place in (_AFTER_VALUE, _AFTER_VALUE + 1) if width >= _WITH_PRIORITY else (_AFTER_VALUE,):
        if _FEWEST <= width <= _MOST and all(row[place] < len(_OPERATIONS) for row in rows):
            return _Columns(width, place, is_recent, bin_count=None)
    return None


def _numbers(line: bytes) -> list[int] | None:
    if not _LINE.fullmatch(line):
        return None
    return [int(field, 16) if field.startswith(b"0x") else int(field) for field in line.rstrip(b"\r").split(b", ")]


def _rows(data: bytes, found: _Columns, reading: Reading) -> Iterator[tuple[int, list[int]]]:
    """Yield the lines that have the log's columns; the others are counted in one finding."""
    bad: list[int] = []
    for number, line in _lines(data):
        row = _numbers(line)
        at = found.direction
        is_sample = row and len(row) == found.width and row[0] < _LATEST_MS and row[at] < len(_OPERATIONS)
        if row and is_sample and row[at + 1] <= LARGEST:
            yield number, row
        elif line.strip():
            bad.append(number)
    if bad:
        what = f"{len(bad)} lines do not have the {found.width} columns of this log and are excluded"
        reading.warnings.append(Finding("R-FIO-LINE-2", what, f"line {bad[0]}"))


def _is_packed(head: bytes) -> bool:
    """Say whether bytes begin with a zlib stream that inflates to log records of a known layout."""
    if head[:1] != bytes([_ZLIB_METHOD]) or int.from_bytes(head[:2], "big") % _ZLIB_CHECK:
        return False
    try:
        start = zlib.decompressobj().decompress(head, _HEAD_BYTES)
    except zlib.error:
        return False
    return any(layout.fits(start) for layout in _LAYOUTS)


def unpack_rows(data: bytes) -> list[Row] | Refusal:
    """Return the sample of every record, or say why that is impossible."""
    inflated = _inflate(data)
    if isinstance(inflated, Refusal):
        return inflated
    for layout in _LAYOUTS:
        if len(inflated) % layout.record.size == 0 and layout.fits(inflated):
            direction, block = layout.direction, layout.block
            return [(row[0], row[1], row[direction] & 0xFF, row[block]) for row in layout.records(inflated)]
    what = "the records of this compressed log have a layout that is not known"
    return Refusal("", what, "Run `fio --inflate-log=FILE > FILE.log` and submit the text too.", "R-FIO-LINE-1")


def _inflate(data: bytes) -> bytes | Refusal:
    parts, total, streams, rest = [], 0, 0, data
    while rest and streams < _MAX_STREAMS:
        stream = zlib.decompressobj()
        try:
            part = stream.decompress(rest, _MAX_INFLATED_BYTES - total + 1)
        except zlib.error as error:
            return _refuse_stream(len(data) - len(rest), str(error))
        total += len(part)
        if total > _MAX_INFLATED_BYTES:
            what = f"the log inflates to more than {_MAX_INFLATED_BYTES:,} bytes"
            return Refusal("", what, "Average the log with log_avg_msec.", "R-FIO-LIMIT-1")
        if not stream.eof:
            return _refuse_stream(len(data) - len(rest), "the stream is cut off")
        parts.append(part)
        rest, streams = stream.unused_data, streams + 1
    return b"".join(parts)


def _refuse_stream(at: int, why: str) -> Refusal:
    what = f"the compressed stream that starts here cannot be inflated: {why}"
    return Refusal(f"byte {at}", what, "Submit the whole file as fio wrote it.", "R-FIO-LINE-1")


def _read_histogram(rows: Iterable[tuple[int, list[int]]], bin_count: int, reading: Reading) -> None:
    """Sum the intervals of each direction, rows of line number and milliseconds, direction, block size and bins."""
    totals: dict[int, list[int]] = {}
    first: dict[int, int] = {}
    spoilt: dict[int, int] = {}
    lasts: dict[int, int] = {}
    for line, (time, direction, _, *counts) in rows:
        elapsed = max(time - lasts.get(direction, 0), 1)
        if sum(counts) * MILLI > _MOST_PER_SECOND * elapsed:
            spoilt.setdefault(direction, line)
        total = totals.setdefault(direction, [0] * bin_count)
        totals[direction] = [a + b for a, b in zip(total, counts, strict=True)]
        first.setdefault(direction, line)
        lasts[direction] = max(time, lasts.get(direction, 0))
    for direction in sorted(totals):
        if direction in spoilt:
            what = f"the {_OPERATIONS[direction]} histogram contains counts that no run can reach"
            what += " (uninitialised memory)"
            remedy = "Leave the log out, or repeat the run with a fio that does not write it so"
            remedy += " (see its changes to hist logs)."
            reading.refusals.append(Refusal(f"line {spoilt[direction]}", what, remedy, "R-FIO-LINE-1"))
        elif any(totals[direction]):
            reading.results.append(_result(direction, first[direction], lasts[direction], totals[direction]))


def _result(direction: int, line: int, last: int, counts: list[int]) -> Result:
    fine, coarse, unit = _SHAPES[len(counts)]
    middles = map(bin_of, range(0, fine, 1 << coarse))
    lows = [(middle - width // 2) / unit for middle, width in middles]
    rows = zip(lows, [*lows[1:], None], counts, strict=True)  # the last bin is open
    return Result(
        pointer=f"line {line}, {_OPERATIONS[direction]}",
        repetition=f"line {line}",
        source_format="histogram log",
        operation=_OPERATIONS[direction],
        is_canonical=False,
        duration_seconds=last / MILLI or None,
        latency_sample_count=sum(counts),
        latency_resolution_seconds=1 / unit,
        bins={"completion": Bins.of(row for row in rows if row[2])},
    )
