"""
What a direction of a JSON report must satisfy; what it does not is a finding, and nothing is mended.

fio computes its rates from the same counters that it prints, so they agree to the last digit unless a file was edited,
damaged or read in the wrong unit. Source: fio's ``stat.c``, ``add_ddir_status_json()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.fio import counted, json_result
from ioledger.readers.fio.json_latency_checks import LATENCY_CHECKS, LOOSE, NOTHING, Said, differ

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.readers.base import Result
    from ioledger.readers.fio.json_decode import Direction

_KIB = 1024
_MILLI = 1000
_ROUNDING = 1e-3


def of_result(result: Result, direction: Direction) -> list[Finding]:
    """Return what is odd about one result."""
    return [Finding(rule, text, result.pointer) for check in CHECKS for rule, text in check(result, direction)]


def _throughput(result: Result, direction: Direction) -> Said:
    """Expect that bytes over time is the printed throughput."""
    throughput, printed = result.throughput_bytes_per_second, result.printed_value
    if not (throughput and result.transferred_bytes and direction.runtime) or printed is None:
        return NOTHING
    step = _KIB if direction.bw_bytes is None else 1
    if not differ(throughput, printed * step, _ROUNDING, step + _KIB * _MILLI / direction.runtime):
        return NOTHING
    text = f"{printed:,.0f} {result.printed_unit} are printed, bytes over time give {throughput / step:,.0f}"
    return [("R-FIO-RATE-1", text)]


def _operations(_: Result, direction: Direction) -> Said:
    """Expect that operations over time is the printed IOPS."""
    if not (direction.iops and direction.total_ios and direction.runtime):
        return NOTHING
    computed = direction.total_ios * _MILLI / direction.runtime
    if not differ(computed, direction.iops, _ROUNDING, 1):
        return NOTHING
    return [("R-FIO-RATE-2", f"{direction.iops:,.0f} IOPS are printed, operations over time give {computed:,.0f}")]


def _units(result: Result, direction: Direction) -> Said:
    """Expect io_bytes and io_kbytes to be the same quantity, and io_bytes in the unit of its era."""
    if direction.io_kbytes is not None:
        if not direction.io_bytes or abs(direction.io_bytes / _KIB - direction.io_kbytes) <= 1:
            return NOTHING
        return [("R-FIO-UNIT-1", f"io_bytes is {direction.io_bytes:,}, but io_kbytes is {direction.io_kbytes:,}")]
    if not json_result.is_unit_odd(direction):
        return NOTHING
    unit = "bytes" if result.transferred_bytes == direction.io_bytes else "KiB"
    return [
        ("R-FIO-UNIT-2", f"io_bytes is taken in {unit}, as its rate demands; reports with these keys use the other")
    ]


def _rate_units(_: Result, direction: Direction) -> Said:
    """Expect bw and bw_bytes to be the same rate, in KiB and in bytes per second."""
    kib, whole = direction.bw, direction.bw_bytes
    if not kib or not whole or not differ(kib * _KIB, whole, LOOSE, _KIB):
        return NOTHING
    return [("R-FIO-UNIT-3", f"bw is {kib:,.0f} KiB/s, but bw_bytes is {whole:,} B/s")]


def _blocks(result: Result, direction: Direction) -> Said:
    """Expect bytes to be operations times the block size."""
    count, moved = result.operation_count, result.transferred_bytes
    low, high = result.block_size_min_bytes, result.block_size_max_bytes
    if not count or not moved or moved == count * (low or 0):
        return NOTHING
    low, high = (low, high) if low and high else (1, None)
    slack = _KIB + (high or 0) * (result.queue_depth or result.process_count or 1)
    is_less = moved < low * count * (1 - LOOSE) - slack
    is_more = bool(high and moved > high * count * (1 + LOOSE) + slack)
    whole = counted.quotient(result, json_result.resolution(direction))
    if not is_less and not is_more and not counted.is_other(result, whole):
        return NOTHING
    blocks = f"{low:,}" if low == high else f"{low:,} to {high:,}" if high else "any size"
    text = f"{count:,} operations moved {moved:,} bytes, which are not blocks of {blocks}"
    return [(counted.RULE, text)]


CHECKS: tuple[Callable[[Result, Direction], Said], ...] = (
    _throughput, _operations, _units, _rate_units, _blocks, *LATENCY_CHECKS,
)  # fmt: skip
