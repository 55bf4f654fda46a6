"""
fio: the logs of a run (``write_bw_log``, ``write_iops_log``, ``write_lat_log``, ``write_hist_log``).

Claims  lines of whole numbers, separated by a comma and a space, whose third or fourth is a direction; also compressed.
Emits   rows of the table ``samples``; histogram logs give one result per direction with latency bins.
Units   milliseconds; throughput in KiB/s; latency in microseconds before fio 2.99, in nanoseconds since.
Source  fio's HOWTO, "Log File Formats"; ``iolog.c``.

A log does not say what it measures: only its name does (``_bw``, ``_iops``, ``_lat``, ``_clat``, ``_slat``). It does
not say the unit of latencies either. Nanoseconds are proven by a column that fio has only since 3.18, by a binary
record of 3.x, or by the version of fio that the manifest tells; otherwise latencies stay null and a finding says so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding, Reading, Refusal, Result
from ioledger.readers.fio import log_histogram, log_packed
from ioledger.readers.fio.log_packed import LATEST_MS
from ioledger.readers.fio.log_text import Columns, columns, lines, numbers
from ioledger.readers.units import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.base import Source

MAX_ROWS = 250_000
_NAME = re.compile(r"_(bw|iops|lat|clat|slat)(?:\.\d{1,9})?\.log(?:\.[^/]*)?$")
_QUANTITIES = {
    "bw": ("throughput", "throughput_bytes_per_second"),
    "iops": ("operations", "operations_per_second"),
    "lat": ("total_latency", "latency_seconds"),
    "clat": ("completion_latency", "latency_seconds"),
    "slat": ("submission_latency", "latency_seconds"),
}
_VERSION = re.compile(r"fio[- ](\d{1,3})\.(\d{1,3})")
_FIRST_WITH_NS = (2, 99)
_EPOCH_MS = 10**11
"""Times above this (1973 as Unix time) are dates, not offsets: ``log_unix_epoch``."""
_KIB, _MILLI = 1024, 1000

Row = tuple[int, int, int, int]


def find(data: bytes) -> bool:
    """Say whether these bytes are a log, plain or compressed."""
    return log_packed.is_packed(data) or columns(data) is not None


def read(source: Source) -> Reading:
    """Read one log into rows of ``samples``, results with bins, or a refusal; its fio is the source's tool version."""
    reading = Reading(tool="fio", source_format="log", document_count=1, results=[], warnings=[], refusals=[])
    packed = log_packed.is_packed(source.data)
    found = None if packed else columns(source.data)
    if not packed and source.data.count(b"\n") > MAX_ROWS:
        reading.refusals.append(_too_long())
    elif found and found.bin_count:
        _read_histogram(source.data, found, reading)
    elif packed or found:
        _read_samples(source, found, reading)
    else:
        remedy = "Submit the log as fio wrote it."
        reading.refusals.append(Refusal("line 1", "the columns are not those of a fio log", remedy, "R-FIO-LOG-1"))
    return reading


def _read_histogram(data: bytes, found: Columns, reading: Reading) -> None:
    reading.source_format = "histogram log"
    for item in log_histogram.results(_rows(data, found, reading), found.bin_count or 0):
        if isinstance(item, Result):
            reading.results.append(item)
        else:
            reading.refusals.append(item)


def _read_samples(source: Source, found: Columns | None, reading: Reading) -> None:
    name = _NAME.search(source.name)
    if not name:
        what = "a log does not say what it measures, and this name does not either"
        remedy = "Keep the name that fio gave the log: it ends in _bw, _iops, _lat, _clat or _slat, then .log."
        reading.refusals.append(Refusal("", what, remedy, "R-FIO-LOG-2"))
        return
    rows = log_packed.rows(source.data) if found is None else _sample_rows(source.data, found, reading)
    if isinstance(rows, Refusal):
        reading.refusals.append(rows)
        return
    if len(rows) > MAX_ROWS:
        reading.refusals.append(_too_long())
        return
    ticks = _ticks(found, source.tool_version)
    quantity, column = _QUANTITIES[name[1]]
    if column == "latency_seconds" and ticks is None:
        what = "the log proves no unit for its latencies (µs before fio 2.99, ns since), so they are left out"
        reading.warnings.append(Finding("R-FIO-LOG-7", what))
    factors = {"throughput": float(_KIB), "operations": 1.0}
    factor = factors.get(quantity)
    reading.rows = {"samples": list(_samples(rows, quantity, column, factor, ticks))}


def _samples(
    rows: list[Row], quantity: str, column: str, factor: float | None, ticks: float | None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table; times of day become offsets from the first sample."""
    start = rows[0][0] if rows and rows[0][0] >= _EPOCH_MS else 0
    empty = {"throughput_bytes_per_second": None, "operations_per_second": None, "latency_seconds": None}
    for index, (time, value, direction, block) in enumerate(rows, 1):
        scaled = value * factor if factor is not None else (value / ticks if ticks else None)
        yield {
            "sample_index": index,
            "operation": log_histogram.OPERATIONS[direction],
            "quantity": quantity,
            "offset_seconds": (time - start) / _MILLI,
            **empty,
            column: scaled,
            "block_size_bytes": block or None,
        }


def _sample_rows(data: bytes, found: Columns, reading: Reading) -> list[Row]:
    at = found.direction
    return [(row[0], row[1], row[at], row[at + 1]) for _, row in _rows(data, found, reading)]


def _rows(data: bytes, found: Columns, reading: Reading) -> Iterator[tuple[int, list[int]]]:
    """Yield the lines that have the log's columns; the others are counted in one finding."""
    bad: list[int] = []
    for number, line in lines(data):
        row = numbers(line)
        if row and len(row) == found.width and _is_sound(row, found.direction):
            yield number, row
        elif line.strip():
            bad.append(number)
    if bad:
        what = f"{len(bad)} lines do not have the {found.width} columns of this log and are left out"
        reading.warnings.append(Finding("R-FIO-LOG-3", what, f"line {bad[0]}"))


def _is_sound(row: list[int], direction: int) -> bool:
    """Say whether time, direction and block size can be those of a sample."""
    return row[0] < LATEST_MS and row[direction] < len(log_histogram.OPERATIONS) and row[direction + 1] <= LARGEST


def _ticks(found: Columns | None, tool_version: str | None) -> float | None:
    """Return the ticks per second of latencies, or null when nothing proves them."""
    version = _VERSION.match(tool_version or "")
    if version:
        return 1e9 if (int(version[1]), int(version[2])) >= _FIRST_WITH_NS else 1e6
    return 1e9 if found is None or found.is_recent else None


def _too_long() -> Refusal:
    what = f"the log has more than {MAX_ROWS:,} samples"
    return Refusal("", what, "Average the log with log_avg_msec.", "R-FIO-LOG-4")
