"""
What a result of fio's text formats must satisfy; what it does not is a finding, and nothing is mended.

Text is rounded or cut, so the limits are wider than those of JSON. Source: fio's ``stat.c``.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.fio import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ioledger.readers.base import Result

_LOOSE, _CLOSE, _KIB = 0.02, 1e-3, 1024
_VERSION = re.compile(r"fio[- ](\d{1,3})\.(\d{1,3})")
_MENDED = (3, 26)
_MOST_LOST = 0.1
"""Largest share that a lost carry takes from a figure (19.96 printed as 19.0 loses 5 %)."""
_PER_OPERATION = 0.9
Said = tuple[str, str]


def of_result(result: Result) -> list[Finding]:
    """Return what is odd about one result."""
    return [Finding(rule, text, result.pointer) for check in CHECKS for rule, text in check(result)]


def settled(result: Result) -> list[Finding]:
    """Return the same, and take a block size that bytes and operations refute for unknown: text is not exact."""
    found = of_result(result)
    counted.settle(result, 0, found, is_alone=False)
    return found


def sampling(result: Result) -> str | None:
    """
    Say what the interval samples describe: every operation, the sum of the processes, or their mean.

    Groups are summed since 3.13 and averaged before, which shows in the mean. Source: fio's commit 70750d6a.
    """
    mean, rate, jobs = (
        result.throughput_sample_mean_bytes_per_second, result.throughput_bytes_per_second, result.process_count
    )  # fmt: skip
    if not mean:
        return None
    count = result.operation_count
    if result.sample_count and count and result.sample_count >= _PER_OPERATION * count:
        return "per_operation"
    if jobs == 1:
        return "sum"
    return ("sum" if mean * mean * jobs > rate * rate else "per_thread_mean") if jobs and rate else None


def _blocks(result: Result) -> Iterator[Said]:
    """Expect bytes to be operations times the block size."""
    rate, throughput = result.operations_per_second, result.throughput_bytes_per_second
    low, high = result.block_size_min_bytes, result.block_size_max_bytes
    if not rate or not throughput or not low or not high or _is_derived(result):
        return
    lasted, lost = result.duration_seconds or 1, 0.0 if _keeps_carry(result) else _MOST_LOST
    in_flight = (result.queue_depth or 0) / lasted
    step = result.throughput_resolution_bytes_per_second or _KIB / lasted
    cut = result.operations_resolution_per_second or 0
    is_rounded = result.operations_basis == "printed"
    least = low * (rate - in_flight - cut) * (1 - lost) * (1 - _CLOSE) - step
    most = high * (rate + in_flight + cut) / (1 - lost * is_rounded) * (1 + _CLOSE) + step
    if not least <= throughput <= most:
        blocks = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        text = f"{rate:,.0f} operations per second move {throughput:,.0f} bytes, which are not blocks of {blocks}"
        yield counted.RULE, text


def _is_derived(result: Result) -> bool:
    """Say whether one of the rates was taken from the other."""
    return result.operations_basis == "bytes" or result.throughput_basis == "operations"


def _keeps_carry(result: Result) -> bool:
    """Say whether no carry was lost: terse lines are cut, and human output is mended since 3.26."""
    found = _VERSION.match(result.tool_version or "")
    return result.source_format != "normal" or (found is not None and (int(found[1]), int(found[2])) >= _MENDED)


def _printed(result: Result) -> Iterator[Said]:
    """Expect the throughput of a terse line to be its bytes over its time."""
    throughput, printed = result.throughput_bytes_per_second, result.printed_value
    steps = {"KiB/s": 1024, "kB/s": 1000}
    step = steps.get(result.printed_unit or "") if result.source_format.startswith("terse") else None
    if step and throughput and printed is not None and result.duration_seconds:
        slack = step + 1024 / result.duration_seconds
        if abs(throughput - printed * step) > _LOOSE * throughput + slack:
            text = f"{printed:,.0f} {result.printed_unit} are printed, bytes over time give {throughput / step:,.0f}"
            yield "R-FIO-RATE-1", text


def _latencies(result: Result) -> Iterator[Said]:
    """Expect minimum, mean and maximum in order."""
    low, mean, high = result.latency_min_seconds, result.latency_mean_seconds, result.latency_max_seconds
    slack = result.latency_resolution_seconds or 0
    if mean is not None and ((low or 0) > mean + slack or (high is not None and high + slack < mean)):
        yield "R-FIO-LATENCY-1", f"the mean {result.latency_kind} latency lies outside its minimum and maximum"


def _percentiles(result: Result) -> Iterator[Said]:
    """Expect percentiles that rise."""
    for kind, found in result.percentiles.items():
        if any(later < earlier for earlier, later in pairwise(value for _, value in sorted(found.items()))):
            yield "R-FIO-PERCENTILE-1", f"the percentiles of {kind} latency do not rise"


CHECKS: tuple[Callable[[Result], Iterator[Said]], ...] = (_blocks, _printed, _latencies, _percentiles)
