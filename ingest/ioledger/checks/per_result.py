"""
Checks of single results, for every tool.

A check is a function with the name of what holds. It tells where a result contradicts itself, and takes out what the
contradiction refutes; nothing else is mended. How far a format may be off, and the rule that a check is told under,
a reader states (``Checks``). What only the keys of one format can tell stays in its reader.
"""

from __future__ import annotations

import math
import re
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from ioledger.model import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ioledger.model import Result, Tolerances

MOST_BUSY = 0.9
"""Above this share of its time a process hardly waits for anything, so a faster drive would not get more from it."""
LOOSE, TICKS = 0.01, 2
"""How much more than the whole its part may seem: a share, and steps of the resolution."""
_BIN_WIDTH = 1 / 64
"""Share by which a percentile, which is a middle or an end of a bin, may lie beyond the latencies in it."""
PARTS = ("completion", "submission")
"""Kinds of latency that are parts of the total one."""
_EXTREMES = {
    prefix: attrgetter(*(f"{prefix}latency_{name}_seconds" for name in ("min", "mean", "max")))
    for prefix in ("", *(f"{part}_" for part in PARTS))
}
"""Smallest, mean and largest latency by the prefix of their columns."""
_SPREAD = attrgetter(*(f"latency_{name}_seconds" for name in ("min", "mean", "max", "stddev")))
_PAIR = 2
"""One operation has no deviation."""
_DIGITS, _NANOSECOND = 1e-6, 1e-9
_MEMORY_ANSWERS, _FASTEST_BUS, _ASKED_BYTES = 14e-9, 256e9, 65_536
_LATENCIES = attrgetter(*(f"{prefix}latency_{name}_seconds" for prefix in _EXTREMES for name in ("mean", "max")))
_TRANSFERS = frozenset({"read", "write", "trim", "mixed"})
_NO_TIME, _DEEPEST = 0.01, 4096
"""Seconds that a clock of milliseconds cannot miss, and a queue depth where none is known."""
_CARRIED = frozenset({"read", "write", "mixed"})
_IN_PROCESS = frozenset(
    {"null", "mmap", "cpuio", "dev-dax", "libpmem", "pmemblk", "exec", "filecreate", "filestat", "filedelete"}
)
_OF_MEMORY = re.compile(r"(?i)/dev/(?:null|zero|ram|zram|pmem|dax|shm)|malloc|pmem|bdev_?null|null\d|nullb")
_FEW, _MANY, _SECTOR, _KIB = 10, 100, 512, 1024
"""Operations that a whole number of bytes for each is no accident of: beside a stated size, and with none stated."""


class CheckRun(NamedTuple):
    """What is asked of the results of a format: how exact they are, each check's rule, and what was found."""

    exact: Tolerances
    rules: Mapping[str, str]
    found: list[Finding]

    def tell(self, check: str, place: str, text: str, **values: float | None) -> None:
        """Add a finding that a check is broken at a place; ``values`` are the numbers that the sentence names."""
        known = {name: value for name, value in values.items() if value is not None}
        self.found.append(Finding(self.rules[check], text, place, known))


def throughput_is_bytes_over_time(result: Result, asked: CheckRun) -> None:
    """Expect the printed throughput to be the bytes moved over the run time."""
    throughput, printed, lasted = result.throughput_bytes_per_second, result.printed_value, result.duration_seconds
    step = asked.exact.printed_steps.get(result.printed_unit or "")
    if throughput is None or printed is None or step is None or not lasted:
        return
    rate = printed * step
    slack = step + _KIB / lasted if asked.exact.is_cut else 1
    if abs(throughput - rate) > asked.exact.rate_share * max(throughput, rate) + slack:
        text = f"{rate:,.0f} bytes per second are printed, bytes over time give {throughput:,.0f}"
        values = {"printed_bytes_per_second": rate, "throughput_bytes_per_second": throughput}
        asked.tell("throughput_is_bytes_over_time", result.pointer, text, **values)


def rate_is_operations_over_time(result: Result, asked: CheckRun) -> None:
    """Expect the printed IOPS to be the operations over the run time."""
    count, lasted, printed = result.operation_count, result.duration_seconds, result.operations_per_second
    if not count or not lasted or printed is None:
        return
    rate = count / lasted
    if abs(printed - rate) > asked.exact.rate_share * max(printed, rate):
        text = f"{printed:,.6g} IOPS are printed, operations over time give {rate:,.6g}"
        values = {"printed_operations_per_second": printed, "operations_per_second": rate}
        asked.tell("rate_is_operations_over_time", result.pointer, text, **values)


def bytes_are_blocks(result: Result, asked: CheckRun) -> None:
    """Expect bytes to be operations times the block size; one that they refute becomes what is counted, or null."""
    if result.block_size_min_bytes is None and _is_counted(result):
        _put_block_size(result, result.premises.bytes_per_operation)
    count: float | None = result.operation_count
    moved: float | None = result.transferred_bytes
    low, high = result.block_size_min_bytes, result.block_size_max_bytes
    loose: float = _KIB * asked.exact.is_cut
    if asked.exact.is_rounded:
        rate, throughput, lasted = (
            result.operations_per_second, result.throughput_bytes_per_second, result.duration_seconds or 1
        )  # fmt: skip
        is_derived = result.operations_basis == "bytes" or result.throughput_basis == "operations"
        if not rate or not throughput or not low or is_derived:
            return
        count, moved = rate * lasted, throughput * lasted
        loose = (result.throughput_resolution_bytes_per_second or 0) * lasted or loose
    if not count or moved is None or moved == count * (low or 0):
        return
    low, high = (low, high) if low and high else (1, None)
    if _fits(result, asked.exact, (count, moved, loose), (low, high)) and not _is_other(result, moved):
        return
    blocks = f"{low:,}" if low == high else f"{low:,} to {high:,}" if high else "any size"
    text = f"{count:,.0f} operations moved {moved:,.0f} bytes, which are not blocks of {blocks}"
    size = result.premises.bytes_per_operation if result.premises.is_alone else None
    if asked.exact.is_block_settled and result.block_size_bytes is not None:
        _put_block_size(result, size)
        text += f" but of {size:,}" if size else ""
    values = {"operation_count": count, "transferred_bytes": moved, "block_size_min_bytes": low}
    asked.tell("bytes_are_blocks", result.pointer, text, **values)


def _fits(result: Result, exact: Tolerances, counts: tuple[float, float, float], sizes: tuple[int, int | None]) -> bool:
    """Say whether bytes can be as many operations of these sizes; ``counts`` are operations, bytes and slack."""
    (count, moved, loose), (low, high) = counts, sizes
    lost = result.premises.lost_ratio
    cut = (result.operations_resolution_per_second or 0) * (result.duration_seconds or 1) * exact.is_rounded
    cut += (result.queue_depth or result.process_count or 1) * exact.are_blocks_in_flight
    if moved < low * (count - cut) * (1 - lost) * (1 - exact.block_share) - loose:
        return False
    lost *= result.operations_basis == "printed"
    return high is None or moved <= high * (count + cut) / (1 - lost) * (1 + exact.block_share) + loose


def _is_other(result: Result, moved: float) -> bool:
    """Say whether a whole number of bytes for each operation refutes the block size that is stated."""
    # Operations that are under way when fio counts add or lack whole blocks; then the bytes are still blocks as stated.
    stated, size = result.block_size_bytes, result.premises.bytes_per_operation
    if not stated or size is None or (result.operation_count or 0) < _FEW:
        return False
    return size != stated and moved % stated != 0


def _is_counted(result: Result) -> bool:
    """Say whether enough operations have a whole number of sectors each to infer an unstated block size."""
    size, count = result.premises.bytes_per_operation, result.operation_count or 0
    is_stated = any(pair.startswith("bs") for pair in (result.workload_origins or "").split())
    return size is not None and size % _SECTOR == 0 and count >= _MANY and result.premises.is_alone and not is_stated


def _put_block_size(result: Result, size: int | None) -> None:
    """Put a block size that is counted, or null, in the place of the one stated."""
    result.block_size_bytes = result.block_size_min_bytes = result.block_size_max_bytes = size
    others = [pair for pair in (result.workload_origins or "").split() if not pair.startswith("bs")]
    result.workload_origins = " ".join(["bs=counted"] * (size is not None) + others) or None


def mean_lies_between(result: Result, asked: CheckRun) -> None:
    """Expect minimum, mean and maximum in order, of the whole latency and of its parts."""
    ticks = max(asked.exact.is_rounded, asked.exact.mean_ticks) * (result.latency_resolution_seconds or 0)
    for prefix, extremes in _EXTREMES.items():
        low, mean, high = extremes(result)
        if mean is None:
            continue
        slack = _DIGITS * mean + ticks
        if (low or 0) <= mean + slack and (high is None or high + slack >= mean):
            continue
        kind = prefix[:-1] or result.latency_kind
        if not prefix or kind != result.latency_kind:
            text = f"the mean {kind} latency is outside its minimum and maximum"
            values = {"min": low, "mean": mean, "max": high}
            named = {f"{prefix}latency_{name}_seconds": value for name, value in values.items()}
            asked.tell("mean_lies_between", result.pointer, text, **named)


def spread_lies_within(result: Result, asked: CheckRun) -> None:
    """
    Expect the deviation to be one that values with this minimum, mean and maximum can have.

    The variance is at most (maximum - mean) (mean - minimum), which values at the two ends alone reach; of a sample it
    is divided by n - 1. Source: Bhatia and Davis, A Better Bound on the Variance, Am. Math. Monthly 107 (2000). Of
    10,400 real results none exceeds it, and pairs of operations reach it.
    """
    low, mean, high, spread = _SPREAD(result)
    count = result.latency_sample_count or result.operation_count or 0
    if mean is None or high is None or spread is None or count < _PAIR or not (low or 0) <= mean <= high:
        return
    slack = _DIGITS * high + TICKS * max(result.latency_resolution_seconds or 0, _NANOSECOND)
    most = math.sqrt((high + slack - mean) * (mean + slack - (low or 0)) * count / (count - 1)) + slack
    if spread > most:
        text = f"the {result.latency_kind} latency deviates by {spread:.6g} s, which values between its minimum and"
        text += f" its maximum around its mean cannot: {most:.6g} s at most"
        values = {"latency_stddev_seconds": spread, "most_seconds": most}
        asked.tell("spread_lies_within", result.pointer, text, **values)


def latency_is_not_zero(result: Result, asked: CheckRun) -> None:
    """Expect no latency of zero where the format has nanoseconds."""
    if result.latency_min_seconds == 0 and result.latency_resolution_seconds == _NANOSECOND:
        text = f"the smallest {result.latency_kind} latency is 0 ns, which no device reaches"
        asked.tell("latency_is_not_zero", result.pointer, text, latency_min_seconds=0.0)


def latency_is_stated(result: Result, asked: CheckRun) -> None:
    """Expect operations to have a latency where the format prints it and no option turns it off; one may fail."""
    options, unmeasured_by = result.job_options, asked.exact.unmeasured_by
    is_own = result.operation in _TRANSFERS and result.outcome == "ok" and not result.is_aggregate
    if not options or not unmeasured_by or not is_own:
        return
    if any(_LATENCIES(result)) or any(any(every.values()) for every in result.percentiles.values()) or result.bins:
        return
    if any(f'"{name}"' in options for name in unmeasured_by):
        return
    if (result.operation_count or 0) > 1 and not any(each.pointer == result.pointer for each in asked.found):
        text = f"{result.operation_count:,} operations have no latency, and no option turns it off"
        asked.tell("latency_is_stated", result.pointer, text, operation_count=result.operation_count)


def time_is_stated(result: Result, asked: CheckRun) -> None:
    """Expect a run time where operations took some, however many were outstanding."""
    count, mean = result.operation_count, result.latency_mean_seconds
    if result.duration_seconds or not count or not mean or result.operation not in _TRANSFERS:
        return
    least = count * mean / (result.queue_depth or _DEEPEST)
    if least > _NO_TIME:
        text = f"no run time is stated, but {count:,} operations of {mean:.3g} s each took {least:.3g} s at least"
        asked.tell("time_is_stated", result.pointer, text, operation_count=count, least_seconds=least)


def latency_is_carried(result: Result, asked: CheckRun) -> None:
    """
    Expect no direct I/O to be faster than memory latency plus the transfer of its block on the fastest bus.

    Column access of DDR5 takes 14 ns (JEDEC JESD79-5, tAA), and nothing on a bus answers before the memory of the
    machine does; PCI Express 7.0 carries 256 GB/s over 16 lanes. Of blocks above 64 KiB no more is asked, because
    kernels have devices that drop what is written. What is made of memory, or of nothing, is not asked.
    """
    mean, size = result.latency_mean_seconds, result.block_size_min_bytes or result.block_size_bytes or _SECTOR
    if result.is_direct is not True or mean is None or result.operation not in _CARRIED:
        return
    parted = result.latency_kind != "total"  # a completion may lack most of the way
    least = _MEMORY_ANSWERS + (0 if parted else min(size, _ASKED_BYTES) / _FASTEST_BUS)
    if mean + (result.latency_resolution_seconds or 0) >= least or result.engine in _IN_PROCESS:
        return
    if not _OF_MEMORY.search(result.job_options or ""):
        text = f"a mean {result.latency_kind} latency of {mean * 1e9:.3g} ns of direct I/O is below the "
        text += f"{least * 1e9:.3g} ns that a block of {size:,} bytes takes on any bus"
        values = {"latency_mean_seconds": mean, "least_seconds": least}
        asked.tell("latency_is_carried", result.pointer, text, **values)


def latency_parts_add_up(result: Result, asked: CheckRun) -> None:
    """Expect submission and completion latency to be parts of the total."""
    total, completion = result.latency_mean_seconds, result.completion_latency_mean_seconds
    if result.latency_kind != "total" or not total or not completion:
        return
    parts = completion + (result.submission_latency_mean_seconds or 0)
    if parts > total * (1 + LOOSE) + TICKS * (result.latency_resolution_seconds or 0):
        text = "submission and completion latency together exceed the total latency"
        asked.tell("latency_parts_add_up", result.pointer, text, parts_seconds=parts, latency_mean_seconds=total)


def percentiles_rise(result: Result, asked: CheckRun) -> None:
    """Expect higher percentiles not to be shorter."""
    for kind, every in result.percentiles.items():
        ratios, values = list(every), list(every.values())
        if ratios != sorted(ratios):
            values = [every[ratio] for ratio in sorted(ratios)]
        if values != sorted(values):
            asked.tell("percentiles_rise", result.pointer, f"the percentiles of {kind} latency do not rise")


def percentiles_lie_between(result: Result, asked: CheckRun) -> None:
    """Expect no percentile below the minimum or above the maximum by more than the width of its bin."""
    tick = result.latency_resolution_seconds or 0
    for kind, every in result.percentiles.items():
        prefix = f"{kind}_" if kind in PARTS else ""
        if not every or (not prefix and result.latency_kind != kind):
            continue
        low, _, high = _EXTREMES[prefix](result)
        least, most = min(every.values()), max(every.values())
        if low and least < low * (1 - _BIN_WIDTH) - tick:
            text, values = f"a percentile of {kind} latency is below the minimum", {"latency_min_seconds": low}
            asked.tell("percentiles_lie_between", result.pointer, text, percentile_seconds=least, **values)
        if high and most > high * (1 + _BIN_WIDTH) + tick:
            text, values = f"a percentile of {kind} latency exceeds the maximum", {"latency_max_seconds": high}
            asked.tell("percentiles_lie_between", result.pointer, text, percentile_seconds=most, **values)


def bins_add_up(result: Result, asked: CheckRun) -> None:
    """Expect the bins to add up to the operations, less those in flight when a ramp ends, where a format counts so."""
    count = result.latency_sample_count or result.operation_count
    if not count:
        return
    share = 0.0 if result.latency_sample_count else asked.exact.bins_share
    in_flight = (result.queue_depth or 1) if share else 0
    for kind, bins in result.bins.items():
        total = sum(bins.counts)
        if abs(total - count) > share * max(total, count) + in_flight:
            text = f"the bins of {kind} latency hold {total:,} operations of {count:,}"
            asked.tell("bins_add_up", result.pointer, text, bins_operation_count=total, operation_count=count)


def latency_is_of_every_operation(result: Result, asked: CheckRun) -> None:
    """Expect a latency of every counted operation, except those in flight when a ramp ends."""
    behind, count = result.latency_sample_count, result.operation_count
    if behind and count and abs(behind - count) > LOOSE * max(behind, count) + (result.queue_depth or 1):
        text = f"latency was taken of {behind:,} operations, but {count:,} are counted"
        values = {"latency_sample_count": behind, "operation_count": count}
        asked.tell("latency_is_of_every_operation", result.pointer, text, **values)


def machine_is_idle(result: Result, asked: CheckRun) -> None:
    """Expect the processors of the machine, all of them together, to be idle at times."""
    busy = result.cpu_busy_ratio
    if busy is not None and busy > MOST_BUSY:
        text = f"all processors of the machine were busy {busy:.0%} of the time"
        text += ": the rate may be that of the load generator, not of the drive"
        asked.tell("machine_is_idle", result.pointer, text, cpu_busy_ratio=busy)


RESULT_CHECKS: tuple[Callable[[Result, CheckRun], None], ...] = (
    throughput_is_bytes_over_time, rate_is_operations_over_time, bytes_are_blocks, mean_lies_between,
    spread_lies_within, latency_is_not_zero, latency_is_stated, time_is_stated, latency_is_carried,
    latency_parts_add_up,
    percentiles_rise, percentiles_lie_between, bins_add_up, latency_is_of_every_operation, machine_is_idle,
)  # fmt: skip
"""Checks of one result."""
