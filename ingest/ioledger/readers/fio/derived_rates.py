"""
Compute from counters: rates that are more precise than the printed ones, block sizes, and the meaning of samples.

Terse lines and old reports cut IOPS to whole numbers, and human output rounds throughput to three or four digits. All
operations of a constant block size are as long as each other, so bytes tell operations and operations tell bytes. Both
over the run time give what fio itself cut or rounded (``stat.c``: ``1000 * total_io_u / runtime``).
"""

from __future__ import annotations

import math
from math import ceil, floor
from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from ioledger.model import Result

_SLACK = 1e-9
"""Relative; a quotient of floats may fall short of the whole number that it is."""
_SECTOR = 512
_PER_OPERATION = 0.9
"""Share of the operations that samples of each of them reach."""


def rate(result: Result, moved: tuple[float, float], printed: tuple[float, float] | None) -> int | None:
    """
    Take IOPS from bytes, block size and run time where these are finer than the printed rate and agree with it.

    ``moved`` are the least and most bytes that the printed ones may be, ``printed`` the ends of the printed rate, null
    when none is printed: then nothing would show that a job file is not the one of the run, and it gives no rate. IOPS
    that were counted stay. Returns the operations when no other count is possible.
    """
    size, lasted = result.block_size_bytes, result.duration_seconds
    if not size or not lasted or (printed is not None and result.operations_basis != "printed"):
        return None
    least, most = ceil(moved[0] / size), floor(moved[1] / size)
    if printed is None and "=job_file" in (result.workload_origins or "").partition(" ")[0]:
        return None
    if printed is not None:
        least = max(least, ceil(printed[0] * lasted * (1 - _SLACK)))
        most = min(most, floor(printed[1] * lasted * (1 + _SLACK)))
    step = (most - least) / lasted
    if least < 1 or step < 0 or (printed is not None and step >= (result.operations_resolution_per_second or 0)):
        return None
    result.operations_per_second, result.operations_basis = least / lasted, "bytes"
    result.operations_resolution_per_second = step or None
    return None if step else least


def throughput(result: Result) -> None:
    """Take throughput from operations, block size and run time where the printed one is rounded and agrees."""
    size, count, lasted = result.block_size_bytes, result.operation_count, result.duration_seconds
    step, printed = result.throughput_resolution_bytes_per_second, result.throughput_bytes_per_second
    if not size or not count or not lasted or not step or printed is None:
        return
    found = size * count / lasted
    if abs(found - printed) <= step:
        result.throughput_bytes_per_second, result.throughput_basis = found, "operations"
        result.throughput_resolution_bytes_per_second = None


def quotient(result: Result, step: int) -> int | None:
    """
    Return the bytes of each operation when they are a whole number.

    Bytes are cut to multiples of ``step``; when it is not one, only a multiple of a sector is no accident.
    """
    count, moved = result.operation_count, result.transferred_bytes
    if not count or not moved:
        return None
    size = -(-moved // count)
    is_sound = size * count < moved + step and (step == 1 or size % _SECTOR == 0)
    return size if is_sound else None


def settle(result: Result, step: int, *, is_alone: bool) -> None:
    """
    Keep the bytes of each operation as a premise where they are a whole number that is not the block size stated.

    They count for one process that is proven to be alone (``is_alone``): the jobs of a group may have several sizes, of
    which it is the mean. Bytes are cut to multiples of ``step``.
    """
    size = quotient(result, step)
    if size is not None and size != result.block_size_bytes:
        result.premises = structs.replace(result.premises, bytes_per_operation=size, is_alone=is_alone)


def sampling(result: Result) -> str | None:
    """
    Say what the interval samples of throughput describe: every operation, the sum of the processes, or their mean.

    Groups are summed since 3.13 and averaged over their processes before, which shows in the mean: near the group's
    rate, or near its share per process. Source: fio's commit 70750d6a.
    """
    if result.throughput_sample_max_bytes_per_second is None:
        return None
    if result.sample_count and result.sample_count >= _PER_OPERATION * (result.operation_count or math.inf):
        return "per_operation"
    mean, rate, jobs = (
        result.throughput_sample_mean_bytes_per_second, result.throughput_bytes_per_second, result.process_count
    )  # fmt: skip
    if jobs == 1:
        return "sum"
    return ("sum" if mean * mean * jobs > rate * rate else "per_thread_mean") if jobs and mean and rate else None
