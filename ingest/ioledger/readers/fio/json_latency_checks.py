"""
What the latencies of a JSON report must satisfy: order, sums, percentiles and histograms.

Source: fio's ``stat.c``, ``add_ddir_lat_json()`` and ``calc_clat_percentiles()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.fio import json_result
from ioledger.readers.fio.json_result import NANO

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.readers.base import Result
    from ioledger.readers.fio.json_decode import Direction

LOOSE = 0.01
_BIN_WIDTH = 1 / 64
_ABOVE = 1 + 1e-6
_TICKS = 2
Said = list[tuple[str, str]]
NOTHING: Said = []


def differ(value: float, other: float, share: float, slack: float = 0.0) -> bool:
    """Say whether two numbers differ by more than a share of the larger one and a fixed slack."""
    return abs(value - other) > share * max(value, other) + slack


def _latencies(result: Result, _: Direction) -> Said:
    """Expect minimum, mean and maximum in order, and no I/O that takes no time at all."""
    low, mean, high = result.latency_min_seconds, result.latency_mean_seconds, result.latency_max_seconds
    if mean is None:
        return NOTHING
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
        return NOTHING
    slack = _TICKS * (result.latency_resolution_seconds or 0)
    if completion + (result.submission_latency_mean_seconds or 0) <= total * (1 + LOOSE) + slack:
        return NOTHING
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
        return NOTHING
    said = []
    for kind, latency in json_result.kinds(direction):
        filled = result.bins.get(kind)
        count = latency.count or result.operation_count if latency is not None else None
        if filled and latency is not None and count:
            total = sum(filled.counts)
            if total != count and (latency.count or differ(total, count, LOOSE)):
                text = f"the bins of {kind} latency hold {total:,} operations of {count:,}"
                said.append(("R-FIO-BINS-1", text))
    return said


def _counts(result: Result, _: Direction) -> Said:
    """Expect latency to be taken of every operation that counts, give or take those in flight when a ramp ends."""
    behind, count = result.latency_sample_count, result.operation_count
    if not behind or not count or behind == count or not differ(behind, count, LOOSE, result.queue_depth or 1):
        return NOTHING
    return [("R-FIO-COUNT-1", f"latency was taken of {behind:,} operations, but {count:,} are counted")]


LATENCY_CHECKS: tuple[Callable[[Result, Direction], Said], ...] = (_latencies, _sums, _percentiles, _bins, _counts)
