"""
What one direction of a terse line measured: sizes in KiB, latencies in microseconds, run time in milliseconds.

Source: fio's ``stat.c``, ``show_ddir_status_terse()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.readers.fio import counted, latency
from ioledger.readers.fio.latency import Stats
from ioledger.readers.fio.terse_line import LATEST, SLOTS
from ioledger.readers.units import LARGEST, number, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.readers.base import Result
    from ioledger.readers.fio.terse_line import Shape

_PERCENT, _KIB, _MICRO, _MILLI = 100, 1024, 1e6, 1000
_BIN_ERROR = 1 + 1 / 32
"""A percentile is the middle of a bin that is at most 1/64 of its value wide; twice that for cut microseconds."""


def columns(fields: Sequence[str], shape: Shape, *, is_total_kept: bool = False) -> dict[str, Any]:
    """
    Return what one direction measured; nothing when it moved nothing.

    ``is_total_kept`` says that the options ask for percentiles of total latency, which are printed instead then.
    """
    kib, rate, runtime = whole(fields[0]), whole(fields[1]), whole(fields[shape.runtime])
    iops = whole(fields[shape.iops]) if shape.iops is not None else None
    places = {"slat": shape.slat, "clat": shape.slat + 4, "lat": shape.lat}
    stats = {name: _stats(fields, at) for name, at in places.items() if at is not None}
    if not (kib or iops or rate or any(value.is_measured for value in stats.values())):
        return {}
    percentiles = _percentiles(fields, shape)
    is_decimal = shape.iops is None  # bytes per millisecond, until terse stated IOPS
    return {
        "duration_seconds": runtime / _MILLI if runtime else None,
        "transferred_bytes": kib * _KIB if kib and kib * _KIB <= LARGEST else None,
        "throughput_bytes_per_second": kib * _KIB * _MILLI / runtime if kib and runtime else None,
        "operations_per_second": float(iops) if iops else None,
        "operations_basis": "printed" if iops else None,
        "operations_resolution_per_second": 1.0 if iops else None,
        "printed_value": float(rate) if rate is not None else None,
        "printed_unit": "kB/s" if is_decimal else "KiB/s",
        "unit_basis": "base10" if is_decimal else "base2",
        "percentiles": {"total" if is_total_kept else _kind(percentiles, stats): percentiles} if percentiles else {},
        **latency.columns(stats),
        **_samples(fields, shape),
    }


def take_rates(result: Result) -> None:
    """
    Take both rates from what is finer than the printed ones: all three, KiB, KiB/s and IOPS, are cut to whole numbers.

    A constant block size tells how many operations the KiB are, and these tell the bytes that were cut.
    """
    moved, lasted, iops = result.transferred_bytes, result.duration_seconds, result.operations_per_second
    if not moved or not lasted:
        return
    between = moved, moved + _KIB - 1
    count = counted.rate(result, between, None if iops is None else (iops, iops + 1))
    if count is not None and result.block_size_bytes:
        whole = count * result.block_size_bytes
        if whole != moved:
            result.throughput_bytes_per_second, result.throughput_basis = whole / lasted, "operations"
        return
    result.throughput_resolution_bytes_per_second = _KIB / lasted
    if lasted < 1 and result.printed_value and result.printed_unit == "KiB/s":
        result.throughput_bytes_per_second, result.throughput_basis = result.printed_value * _KIB, "printed"
        result.throughput_resolution_bytes_per_second = float(_KIB)


def _stats(fields: Sequence[str], at: int) -> Stats:
    """Return the four fields of a latency; a maximum that was cut below the mean is unknown (microseconds are cut)."""
    values = (number(field) for field in fields[at : at + 4])
    low, high, mean, deviation = (None if value is None else value / _MICRO for value in values)
    is_cut = high is not None and mean is not None and high < mean < high + 1 / _MICRO
    return Stats(low, None if is_cut else high, mean, deviation)


def _percentiles(fields: Sequence[str], shape: Shape) -> dict[float, float]:
    """Return the percentiles; unused slots say ``0%=0``, and all zero means that none were kept."""
    if shape.percentiles is None:
        return {}
    pairs = [field.split("%=") for field in fields[shape.percentiles : shape.percentiles + SLOTS]]
    found = {round(float(ratio) / _PERCENT, 12): int(value) / _MICRO for ratio, value in pairs if float(ratio) > 0}
    return found if any(found.values()) else {}


def _kind(percentiles: dict[float, float], stats: dict[str, Stats]) -> str:
    """Return what the percentiles span: total latency where they exceed every completion (``lat_percentiles``)."""
    longest = stats["clat"].high
    return "total" if longest and "lat" in stats and max(percentiles.values()) > longest * _BIN_ERROR else "completion"


def _samples(fields: Sequence[str], shape: Shape) -> dict[str, Any]:
    """Return what the interval samples say: KiB/s, and from version 5 also IOPS and counts; zeros are no samples."""
    names, at = ("min", "max", "mean", "stddev"), shape.samples
    found: dict[str, Any] = {}
    low, high, mean, deviation = (number(fields[at + step]) for step in (0, 1, 3, 4))
    if high:
        for name, value in zip(names, (low, high, mean, deviation), strict=True):
            found[f"throughput_sample_{name}_bytes_per_second"] = None if value is None else value * _KIB
    if shape is LATEST and whole(fields[at + 5]):
        found["sample_count"] = whole(fields[at + 5])
        for name, field in zip(names, fields[at + 6 : at + 10], strict=True):
            found[f"operations_sample_{name}_per_second"] = number(field)
    return found
