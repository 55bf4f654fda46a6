"""
The figures of one direction of fio's human output, and which of them is the most exact.

Throughput stands there up to three times: in both bases, and as bytes over run time. Each has its own rounding; the
one with the smallest is taken. Until 3.25 a rounded figure may have lost a carry: 11.98 is printed as 11.0, never
higher, so where the figures disagree by that the largest is right. Source: fio's ``lib/num2str.c``; fixed by c736b361
in 3.26. Operations per second are the issued operations over the run time, both of which are whole numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.readers.units import LARGEST, Printed, printed_size

if TYPE_CHECKING:
    from ioledger.readers.fio.normal_block import Figures

_SHOWN = re.compile(r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*(\D{0,20})")
_MILLI = 1000
_CARRY = 0.01
"""A figure this much below another of its kind has lost a carry and is left out."""
_SLACK = 5e-4
"""Relative; 2.x prints the decimals of a scaled figure from its binary remainder (3999.2K for 4000.0K)."""


def columns(figures: Figures, count: int | None) -> tuple[dict[str, Any], str]:
    """Return the rate, byte and time columns, and in words what disagrees (empty when nothing does)."""
    seconds = figures.runtime / _MILLI
    rates = [printed_size(text, is_binary=figures.is_binary) for text in figures.rates]
    moved = printed_size(figures.moved, is_binary=figures.is_binary)
    known = [rate for rate in rates if rate]
    if moved and seconds:
        known.append(Printed(moved.value / seconds, moved.half / seconds))
    best, disagreement = _best(known)
    throughput = best.value if best else None
    iops = printed_size(figures.iops, is_binary=False)
    exact = count / seconds if count and seconds else None
    if iops and exact and not _agree(iops, Printed(exact, 0.5)):
        disagreement = f"IOPS={figures.iops} is not {count} operations in {seconds} s ({exact:.1f})"
    is_moved_low = bool(moved and seconds and throughput and moved.value / seconds < throughput * (1 - _CARRY))
    shown = _SHOWN.fullmatch(figures.rates[0])
    unit = shown[2].strip() if shown else ""
    return {
        "duration_seconds": seconds or None,
        "transferred_bytes": round(moved.value) if moved and 0 < moved.value <= LARGEST and not is_moved_low else None,
        "throughput_bytes_per_second": throughput,
        "throughput_basis": "printed" if best in rates else None,
        "throughput_resolution_bytes_per_second": 2 * best.half if best else None,
        "operations_per_second": exact or (iops.value if iops and iops.value else None),
        "operations_basis": "printed" if iops and iops.value and not exact else None,
        "operations_resolution_per_second": 2 * iops.half if iops and iops.value and not exact else None,
        "printed_value": float(shown[1]) if shown and unit else None,
        "printed_unit": unit or None,
        "printed_text": f"BW={' '.join(text.strip() for text in figures.rates)}" if throughput else None,
        "unit_basis": _basis(unit, is_binary=figures.is_binary),
    }, disagreement


def ends(figures: Figures) -> tuple[tuple[float, float], tuple[float, float] | None]:
    """Return the least and most bytes, and operations per second, that the printed ones are roundings of."""
    moved = printed_size(figures.moved, is_binary=figures.is_binary) or Printed(0.0, 0.0)
    iops = printed_size(figures.iops, is_binary=False)
    return (moved.value - moved.half, moved.value + moved.half), (
        (iops.value - 2 * iops.half, iops.value + 2 * iops.half) if iops and iops.value else None
    )


def sample_unit(text: str, figures: Figures | None) -> float:
    """
    Return the bytes per second of one in a line of throughput samples.

    fio keeps samples in KiB/s and divides large ones by ``kb_base``; since 2.17 it labels them kB/s or MiB/s with a
    ``kb_base`` of 1000 too, which prints the bytes moved in kB or MB. Source: ``stat.c``, ``show_ddir_status()``.
    """
    if figures and not figures.is_binary and "i" not in figures.moved:
        return 1024.0 * 1000 if text.strip().startswith("M") else 1024.0
    unit = printed_size(f"1{text}", is_binary=bool(figures and figures.is_binary))
    return unit.value if unit else 1.0


def _basis(unit: str, *, is_binary: bool) -> str:
    """Return the base of a printed unit; bytes without a prefix have none."""
    if unit.startswith("B"):
        return "exact"
    return "base2" if is_binary or "i" in unit[:2] else "base10"


def _best(known: list[Printed]) -> tuple[Printed | None, str]:
    """Return the figure with the smallest rounding, of those that agree with the largest when not all agree."""
    useful = [one for one in known if one.value > 0]
    if not useful:
        return None, ""
    best = min(useful, key=lambda one: one.half / one.value)
    if all(_agree(one, best) for one in useful):
        return best, ""
    largest = max(useful, key=lambda one: one.value)
    right = min((one for one in useful if _agree(one, largest)), key=lambda one: one.half / one.value)
    values = ", ".join(f"{one.value:.0f}" for one in useful)
    return right, f"the printed throughputs disagree: {values} bytes per second"


def _agree(one: Printed, other: Printed) -> bool:
    """Say whether two figures may be roundings of one number (fio cuts some and rounds others)."""
    return abs(one.value - other.value) <= 2 * (one.half + other.half) + _SLACK * other.value
