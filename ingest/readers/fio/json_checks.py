"""
What a direction of a JSON report must satisfy; what it does not is a finding, and nothing is mended.

fio computes its rates from the same counters that it prints, so they agree to the last digit unless a file was edited,
damaged or read in the wrong unit. Source: fio's ``stat.c``, ``add_ddir_status_json()``.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from ingest.readers.fio import json_latency, json_result
from ingest.readers.fio.json_latency import NANO
from ingest.record import Finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.readers.fio.json_shape import Direction
    from ingest.record import Result

_KIB = 1024
_MILLI = 1000
_ROUNDING = 1e-3
_LOOSE = 0.01
_BIN_WIDTH = 1 / 64
_ABOVE = 1 + 1e-6
_TICKS = 2
_COUNT = itemgetter(2)
Said = list[tuple[str, str]]
_NOTHING: Said = []


def of_result(result: Result, direction: Direction) -> list[Finding]:
    """Return what is odd about one result."""
    return [Finding(rule, text, result.pointer) for check in CHECKS for rule, text in check(result, direction)]


def _differ(value: float, other: float, share: float, slack: float = 0.0) -> bool:
    return abs(value - other) > share * max(value, other) + slack


def _throughput(result: Result, direction: Direction) -> Said:
    """Expect that bytes over time is the printed throughput."""
    throughput, printed = result.throughput_bytes_per_second, result.printed_value
    if not (throughput and result.transferred_bytes and direction.runtime) or printed is None:
        return _NOTHING
    step = _KIB if direction.bw_bytes is None else 1
    if not _differ(throughput, printed * step, _ROUNDING, step + _KIB * _MILLI / direction.runtime):
        return _NOTHING
    text = f"{printed:,.0f} {result.printed_unit} are printed, bytes over time give {throughput / step:,.0f}"
    return [("R-FIO-RATE-1", text)]


def _operations(_: Result, direction: Direction) -> Said:
    """Expect that operations over time is the printed IOPS."""
    if not (direction.iops and direction.total_ios and direction.runtime):
        return _NOTHING
    computed = direction.total_ios * _MILLI / direction.runtime
    if not _differ(computed, direction.iops, _ROUNDING, 1):
        return _NOTHING
    return [("R-FIO-RATE-2", f"{direction.iops:,.0f} IOPS are printed, operations over time give {computed:,.0f}")]


def _units(result: Result, direction: Direction) -> Said:
    """Expect io_bytes and io_kbytes to be the same quantity, and io_bytes in the unit of its era."""
    if direction.io_kbytes is not None:
        if not direction.io_bytes or abs(direction.io_bytes / _KIB - direction.io_kbytes) <= 1:
            return _NOTHING
        return [("R-FIO-UNIT-1", f"io_bytes is {direction.io_bytes:,}, but io_kbytes is {direction.io_kbytes:,}")]
    if not json_result.is_unit_odd(direction):
        return _NOTHING
    unit = "bytes" if result.transferred_bytes == direction.io_bytes else "KiB"
    return [
        ("R-FIO-UNIT-2", f"io_bytes is taken in {unit}, as its rate demands; reports with these keys use the other")
    ]


def _rate_units(_: Result, direction: Direction) -> Said:
    """Expect bw and bw_bytes to be the same rate, in KiB and in bytes per second."""
    kib, whole = direction.bw, direction.bw_bytes
    if not kib or not whole or not _differ(kib * _KIB, whole, _LOOSE, _KIB):
        return _NOTHING
    return [("R-FIO-UNIT-3", f"bw is {kib:,.0f} KiB/s, but bw_bytes is {whole:,} B/s")]


def _blocks(result: Result, _: Direction) -> Said:
    """Expect bytes to be operations times the block size."""
    count, moved = result.operation_count, result.transferred_bytes
    low, high = result.block_size_min_bytes, result.block_size_max_bytes
    if not count or not moved or moved == count * (low or 0):
        return _NOTHING
    low, high = (low, high) if low and high else (1, None)
    slack = _KIB + (high or 0) * (result.queue_depth or result.process_count or 1)
    is_less = moved < low * count * (1 - _LOOSE) - slack
    if not is_less and (not high or moved <= high * count * (1 + _LOOSE) + slack):
        return _NOTHING
    blocks = f"{low:,}" if low == high else f"{low:,} to {high:,}" if high else "any size"
    return [("R-FIO-BLOCK-1", f"{count:,} operations moved {moved:,} bytes, which are not blocks of {blocks}")]


def _latencies(result: Result, _: Direction) -> Said:
    """Expect minimum, mean and maximum in order, and no I/O that takes no time at all."""
    low, mean, high = result.latency_min_seconds, result.latency_mean_seconds, result.latency_max_seconds
    if mean is None:
        return _NOTHING
    said = []
    if (low is not None and low > mean * _ABOVE) or (high is not None and high * _ABOVE < mean):
        text = f"the mean {result.latency_kind} latency lies outside its minimum and maximum"
        said.append(("R-FIO-LATENCY-1", text))
    if low == 0 and result.latency_resolution_seconds == 1 / NANO:
        text = f"the smallest {result.latency_kind} latency is 0 ns, which no device reaches"
        said.append(("R-FIO-LATENCY-2", text))
    return said


def _sums(result: Result, _: Direction) -> Said:
    """Expect submission and completion latency to be parts of the total."""
    total, completion = result.latency_mean_seconds, result.completion_latency_mean_seconds
    if result.latency_kind != "total" or not total or not completion:
        return _NOTHING
    slack = _TICKS * (result.latency_resolution_seconds or 0)
    if completion + (result.submission_latency_mean_seconds or 0) <= total * (1 + _LOOSE) + slack:
        return _NOTHING
    return [("R-FIO-LATENCY-3", "submission and completion latency together exceed the total latency")]


def _percentiles(result: Result, _: Direction) -> Said:
    """Expect percentiles that rise, and none that exceeds the maximum by more than the width of its bin."""
    said = []
    for kind, found in result.percentiles.items():
        values = list(found.values())
        if values != sorted(values):
            said.append(("R-FIO-PERCENTILE-1", f"the percentiles of {kind} latency do not rise"))
        highest = {"total": result.latency_max_seconds, "completion": result.completion_latency_max_seconds}.get(kind)
        is_known = highest and (kind != "total" or result.latency_kind == "total")
        if highest and is_known and max(values) > highest * (1 + _BIN_WIDTH) + (result.latency_resolution_seconds or 0):
            said.append(("R-FIO-PERCENTILE-3", f"a percentile of {kind} latency exceeds the maximum"))
    return said


def _bins(result: Result, direction: Direction) -> Said:
    """Expect that the bins add up to the operations behind the statistics."""
    if not result.bins:
        return _NOTHING
    said = []
    for kind, latency in json_latency.parts(direction).kinds:
        filled = result.bins.get(kind)
        count = latency.count or result.operation_count if latency is not None else None
        if filled and latency is not None and count:
            total = sum(map(_COUNT, filled))
            if total != count and (latency.count or _differ(total, count, _LOOSE)):
                text = f"the bins of {kind} latency hold {total:,} operations of {count:,}"
                said.append(("R-FIO-BINS-1", text))
    return said


def _counts(result: Result, _: Direction) -> Said:
    """Expect latency to be taken of every operation that counts, give or take those in flight when a ramp ends."""
    behind, count = result.latency_sample_count, result.operation_count
    if not behind or not count or behind == count or not _differ(behind, count, _LOOSE, result.queue_depth or 1):
        return _NOTHING
    return [("R-FIO-COUNT-1", f"latency was taken of {behind:,} operations, but {count:,} are counted")]


CHECKS: tuple[Callable[[Result, Direction], Said], ...] = (
    _throughput, _operations, _units, _rate_units, _blocks, _latencies, _sums, _percentiles, _bins, _counts,
)  # fmt: skip
