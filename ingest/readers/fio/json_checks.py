"""
What a direction of a JSON report must satisfy; what it does not is a finding, and nothing is mended.

fio computes its rates from the same counters that it prints, so they agree to the last digit unless a file was edited,
damaged or read in the wrong unit. Source: fio's ``stat.c``, ``add_ddir_status_json()``.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ingest.readers.fio import json_result
from ingest.readers.fio.json_latency import MICRO, NANO
from ingest.record import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.readers.fio.json_shape import Direction
    from ingest.record import Result

_KIB = 1024
_MILLI = 1000
_ROUNDING = 1e-3
_LOOSE = 0.01
_BIN_WIDTH = 1 / 64
_KINDS = ("total", "completion", "submission")
Said = tuple[str, str]


def of_result(result: Result, direction: Direction) -> list[Finding]:
    """Return what is odd about one result."""
    return [Finding(rule, text, result.pointer) for check in CHECKS for rule, text in check(result, direction)]


def _differ(value: float, other: float, share: float, slack: float = 0.0) -> bool:
    return abs(value - other) > share * max(value, other) + slack


def _rates(result: Result, direction: Direction) -> Iterator[Said]:
    """Expect that bytes over time is the printed throughput, operations over time the printed IOPS."""
    throughput, printed = result.throughput_bytes_per_second, result.printed_value
    if throughput and printed is not None and result.transferred_bytes and direction.runtime:
        step = _KIB if result.printed_unit == "KiB/s" else 1
        if _differ(throughput, printed * step, _ROUNDING, step + _KIB * _MILLI / direction.runtime):
            text = f"{printed:,.0f} {result.printed_unit} are printed, bytes over time give {throughput / step:,.0f}"
            yield "R-FIO-RATE-1", text
    if direction.iops and direction.total_ios and direction.runtime:
        computed = direction.total_ios * _MILLI / direction.runtime
        if _differ(computed, direction.iops, _ROUNDING, 1):
            yield "R-FIO-RATE-2", f"{direction.iops:,.0f} IOPS are printed, operations over time give {computed:,.0f}"


def _units(result: Result, direction: Direction) -> Iterator[Said]:
    """Expect io_bytes and io_kbytes to be the same quantity, and io_bytes in the unit of its era."""
    if json_result.is_unit_odd(direction):
        unit = "bytes" if result.transferred_bytes == direction.io_bytes else "KiB"
        yield "R-FIO-UNIT-2", f"io_bytes is taken in {unit}, as its rate demands; reports with these keys use the other"
    if direction.io_bytes and direction.io_kbytes and abs(direction.io_bytes / _KIB - direction.io_kbytes) > 1:
        yield "R-FIO-UNIT-1", f"io_bytes is {direction.io_bytes:,}, but io_kbytes is {direction.io_kbytes:,}"


def _blocks(result: Result, _: Direction) -> Iterator[Said]:
    """Expect bytes to be operations times the block size."""
    count, moved = result.operation_count, result.transferred_bytes
    low, high = result.block_size_min_bytes, result.block_size_max_bytes
    if not count or not moved:
        return
    low, high = (low, high) if low and high else (1, None)
    slack = _KIB + (high or 0) * (result.queue_depth or result.process_count or 1)
    if moved < low * count * (1 - _LOOSE) - slack or (high and moved > high * count * (1 + _LOOSE) + slack):
        blocks = f"{low:,}" if low == high else f"{low:,} to {high:,}" if high else "any size"
        yield "R-FIO-BLOCK-1", f"{count:,} operations moved {moved:,} bytes, which are not blocks of {blocks}"


def _latencies(result: Result, direction: Direction) -> Iterator[Said]:
    """Expect minimum, mean and maximum in order, and no I/O that takes no time at all."""
    low, mean, high = result.latency_min_seconds, result.latency_mean_seconds, result.latency_max_seconds
    if mean is None or not result.latency_kind:
        return
    edge = mean * (1 + 1e-6)
    if (low is not None and low > edge) or (high is not None and high * (1 + 1e-6) < mean):
        yield "R-FIO-LATENCY-1", f"the mean {result.latency_kind} latency lies outside its minimum and maximum"
    if low == 0 and result.latency_resolution_seconds == 1 / NANO:
        yield "R-FIO-LATENCY-2", f"the smallest {result.latency_kind} latency is 0 ns, which no device reaches"
    total = direction.lat_ns or direction.lat
    completion, submission = direction.clat_ns or direction.clat, direction.slat_ns or direction.slat
    if total and completion and total.mean and completion.mean and total.count == completion.count:
        parts = completion.mean + ((submission.mean or 0) if submission else 0)
        slack = 2 if result.latency_resolution_seconds == 1 / MICRO else 0
        if parts > total.mean * (1 + _LOOSE) + slack:
            yield "R-FIO-LATENCY-3", "submission and completion latency together exceed the total latency"


def _percentiles(result: Result, _: Direction) -> Iterator[Said]:
    """Expect percentiles that rise, and none that exceeds the maximum by more than the width of its bin."""
    highest = {"total": result.latency_max_seconds, "completion": result.completion_latency_max_seconds}
    for kind, found in result.percentiles.items():
        values = list(found.values())
        if any(later < earlier for earlier, later in pairwise(values)):
            yield "R-FIO-PERCENTILE-1", f"the percentiles of {kind} latency do not rise"
        limit = highest.get(kind) if kind != "total" or result.latency_kind == "total" else None
        if limit and max(values) > limit * (1 + _BIN_WIDTH) + (result.latency_resolution_seconds or 0):
            yield "R-FIO-PERCENTILE-3", f"a percentile of {kind} latency exceeds the maximum"


def _bins(result: Result, direction: Direction) -> Iterator[Said]:
    """Expect that the bins add up to the operations behind the statistics."""
    latencies = (direction.lat_ns, direction.clat_ns, direction.slat_ns)
    for kind, latency in zip(_KINDS, latencies, strict=True):
        filled = result.bins.get(kind)
        if filled and latency is not None and latency.count:
            total = sum(count for _, _, count in filled)
            if total != latency.count:
                yield "R-FIO-BINS-1", f"the bins of {kind} latency hold {total:,} operations of {latency.count:,}"


def _counts(result: Result, _: Direction) -> Iterator[Said]:
    """Expect latency to be taken of every operation that counts, give or take those in flight when a ramp ends."""
    behind, count = result.latency_sample_count, result.operation_count
    if behind and count and _differ(behind, count, _LOOSE, result.queue_depth or 1):
        yield "R-FIO-COUNT-1", f"latency was taken of {behind:,} operations, but {count:,} are counted"


CHECKS: tuple[Callable[[Result, Direction], Iterator[Said]], ...] = (
    _rates, _units, _blocks, _latencies, _percentiles, _bins, _counts,
)  # fmt: skip
