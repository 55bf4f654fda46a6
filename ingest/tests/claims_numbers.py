"""
Printed numbers as exact fractions: value, rounding and unit, read a second time.

Shares no code with ``ioledger.claims``: it is there to be compared with it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

Cells = dict[str, str]
TOKEN = re.compile(r"\d+(?:\.\d+)?")
STATED = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)(?: ?([^-+\d., eE].*)| ([eE].*))?")
TIMES = {"ns": "1e-9", "us": "1e-6", "µs": "1e-6", "μs": "1e-6", "ms": "1e-3", "s": "1", "min": "60", "h": "3600"}
BASES = {"base2": 1024, "base10": 1000}


class Number(NamedTuple):
    """A printed number: its two ends (equal unless it is a range), half of its last unit, its unit and base."""

    low: Fraction
    high: Fraction
    half: Fraction
    unit: str
    base: int | None


class Unit(NamedTuple):
    """A unit: its dimension (empty when unknown), its scale, the power of its prefix, and the base of that if known."""

    dimension: str
    scale: Fraction
    power: int
    base: int | None


def _plain(text: str) -> str:
    return re.sub(r",(\d{3})", r"\1", text)


def half_unit(value: Fraction, text: str) -> Fraction:
    """Return half of the unit of the last digit that counts."""
    for token in TOKEN.findall(_plain(text)):
        power = abs(value) / Fraction(token) if Fraction(token) else Fraction(0)
        if power and re.fullmatch("10*", str(max(power, 1 / power))):
            break
    else:
        token, power = f"{float(abs(value)):.15g}", Fraction(1)
    if "." in token:
        return power / 2 / Fraction(10) ** len(token.partition(".")[2])
    if not int(token):
        return power / 2
    zeros = len(token) - len(token.rstrip("0"))
    return power * min(Fraction(10**zeros, 2), max(Fraction(1, 2), Fraction(int(token), 20)))


def read(operand: str, figures: dict[str, Cells]) -> Number | None:
    """Read an operand: a figure of the same publication, or a value that the claim states."""
    if operand.startswith("figure:"):
        row = figures.get(operand.removeprefix("figure:").strip())
        if row is None:
            return None
        base, printed_unit = BASES.get(row["unit_base"]), row["printed_unit"]
        if not row["printed_value"]:
            return Number(Fraction(row["printed_low"]), Fraction(row["printed_high"]), Fraction(0), printed_unit, base)
        value = Fraction(row["printed_value"])
        return Number(value, value, half_unit(value, row["printed_text"]), printed_unit, base)
    found = STATED.fullmatch(operand)
    if found is None:
        return None
    value, printed_unit = Fraction(_plain(found[1])), (found[2] or found[3] or "").strip()
    half = Fraction(0) if printed_unit in {"B", "bytes"} else half_unit(value, found[1])
    return Number(value, value, half, printed_unit, None)


def unit(number: Number) -> Unit:
    """Return dimension, scale, power of the prefix, and its base where it is known."""
    if number.unit in TIMES:
        return Unit("time", Fraction(TIMES[number.unit]), 0, None)
    counted = re.fullmatch(r"([kKM]?) ?(?:IOPS|IO/s)", number.unit)
    if counted:
        return Unit("operations", Fraction(1), "KM".index(counted[1].upper()) + 1 if counted[1] else 0, 1000)
    amount = re.fullmatch(r"(?:([kKMGT])(i?))?(?:B|bytes)(/s(?:ec)?)?", number.unit)
    if not amount:
        return Unit("", Fraction(1), 0, number.base)
    power = "KMGT".index(amount[1].upper()) + 1 if amount[1] else 0
    return Unit("throughput" if amount[3] else "bytes", Fraction(1), power, 1024 if amount[2] else number.base)


def factors(*numbers: Number) -> list[Fraction]:
    """Return what brings each number to the plain unit of its dimension; an unknown base is that of another number."""
    units = [unit(number) for number in numbers]
    common = next((each.base for each in units if each.base), 1000)
    return [each.scale * (each.base or common) ** each.power for each in units]


def scales(upper: Number, lower: Number) -> tuple[Fraction, Fraction]:
    """Return what brings the parts of a quotient to one unit; 1 and 1 when their dimensions differ or are unknown."""
    dimension = unit(upper).dimension
    if not dimension or unit(lower).dimension != dimension:
        return Fraction(1), Fraction(1)
    own, other = factors(upper, lower)
    return own, other


def is_unlike(one: Number, other: Number) -> bool:
    """Say whether two numbers have two known dimensions."""
    return len({unit(one).dimension, unit(other).dimension, ""}) == 3


def scales_to(asked: Number, upper: Number, lower: Number | None) -> tuple[Fraction, Fraction]:
    """Return what brings a value, or the parts of a difference, to the unit of the claim, or else of the first part."""
    dimension, other = unit(upper).dimension, unit(lower).dimension if lower else ""
    base = unit(asked).dimension or (other and dimension)
    if not dimension or base != dimension:
        return Fraction(1), Fraction(1)
    own, under, target = factors(upper, lower or upper, asked)
    target = target if unit(asked).dimension else own
    return own / target, under / target if other else Fraction(1)
