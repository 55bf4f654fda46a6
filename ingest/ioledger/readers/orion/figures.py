"""What a printed number of ORION's becomes: the columns of a rate, of a throughput, of a mean latency."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.readers.base import Result

MILLI, MICRO = 1e-3, 1e-6
_EXPONENT = {MILLI: "e-3", MICRO: "e-6"}


def is_zero(text: str) -> bool:
    """Say whether a printed number is nothing but zeros."""
    return not text.strip("0.")


def seconds(text: str, unit: float) -> float:
    """Return a printed time in seconds, as exact as it is printed; ``unit`` is a milli- or a microsecond."""
    return float(text + _EXPONENT[unit])


def put_rate(result: Result, text: str, _: float | None) -> None:
    """Put IOPS into a result; ORION counts no operations, so the printed number is all there is."""
    result.operations_per_second, result.operations_basis = float(text), "printed"
    result.operations_resolution_per_second = resolution(1, len(text.partition(".")[2]))


def put_throughput(result: Result, text: str, _: float | None) -> None:
    """Put MBPS into a result; their base is unproven, so they give no throughput."""
    result.printed_value, result.printed_text = float(text), text


def put_latency(result: Result, text: str, unit: float | None) -> None:
    """Put a mean latency into a result; ``unit`` in seconds, milliseconds if it is null."""
    result.latency_kind = "total"
    result.latency_mean_seconds = seconds(text, unit or MILLI)
    result.latency_resolution_seconds = resolution(unit or MILLI, len(text.partition(".")[2]))


@lru_cache(maxsize=32)
def resolution(unit: float, decimals: int) -> float:
    """Return the last digit of a number with these decimals, whose unit is this many seconds (or whatever counts)."""
    return round(unit / 10.0**decimals, 12)


PUT: dict[str, Callable[[Result, str, float | None], None]] = {
    "iops": put_rate,
    "mbps": put_throughput,
    "latency": put_latency,
}
"""By quantity; each takes a result, the number as printed, and the unit of latencies."""
