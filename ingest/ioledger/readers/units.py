"""
The only arithmetic on units: printed numbers to SI base units and bytes.

Numbers are kept as exact fractions until the last step and rounded to a float once, so 41 µs is the same float as
41 / 1e6. A megabyte is 2^20 bytes (``base2``) or 10^6 bytes (``base10``); where a source does not say which
(``unknown``), there is no value in bytes.

Source  SI Brochure, 9th edition, table 7 (decimal prefixes); IEC 80000-13, section 4 (binary prefixes).
"""

from __future__ import annotations

import re
from fractions import Fraction

OPERATIONS = frozenset({"IO/s", "IOPS"})
SECONDS = {
    "s": Fraction(1),
    "ms": Fraction(1, 10**3),
    "us": Fraction(1, 10**6),
    "\N{MICRO SIGN}s": Fraction(1, 10**6),
    "\N{GREEK SMALL LETTER MU}s": Fraction(1, 10**6),
    "ns": Fraction(1, 10**9),
}
THOUSANDS = {"KB/s": 1, "kB/s": 1, "MB/s": 2, "GB/s": 3, "TB/s": 4}
BASES: dict[str, int | None] = {"base2": 1024, "base10": 1000, "unknown": None}
DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")


class UnitError(ValueError):
    """A unit, or a base of a unit, that this project does not convert; the text says which are."""


def exact(text: str) -> Fraction:
    """
    Return a plain decimal number (``0.041``, ``192881``) as an exact fraction.

    Raises :class:`ValueError` for anything else: exponents, digit separators, infinities, more than 18 digits.
    """
    if not DECIMAL.fullmatch(text):
        message = f"{text!r} is not a plain decimal number"
        raise ValueError(message)
    return Fraction(text)


def operations_per_second(value: Fraction, unit: str) -> float:
    """Return a rate printed in IO/s or IOPS as operations per second. Raises :class:`UnitError`."""
    if unit not in OPERATIONS:
        raise UnitError(_known(unit, OPERATIONS))
    return float(value)


def seconds(value: Fraction, unit: str) -> float:
    """Return a time printed in s, ms, µs (us) or ns in seconds. Raises :class:`UnitError`."""
    if unit not in SECONDS:
        raise UnitError(_known(unit, SECONDS))
    return float(value * SECONDS[unit])


def bytes_per_second(value: Fraction, unit: str, base: str) -> float | None:
    """
    Return a throughput printed in B/s, KB/s, MB/s, GB/s or TB/s in bytes per second.

    ``base`` is ``exact`` for B/s; for the others ``base2`` or ``base10``, or ``unknown``, which gives None.
    Raises :class:`UnitError` for another unit, and for a base that does not fit the unit.
    """
    if unit == "B/s" and base == "exact":
        return float(value)
    if unit not in THOUSANDS:
        raise UnitError(_known(unit, {"B/s", *THOUSANDS}))
    if base not in BASES:
        message = f"the base {base} does not fit {unit} (known: {', '.join(sorted(BASES))})"
        raise UnitError(message)
    step = BASES[base]
    return None if step is None else float(value * step ** THOUSANDS[unit])


def _known(unit: str, units: dict[str, Fraction] | frozenset[str] | set[str]) -> str:
    return f"the unit {unit} is not converted here (known: {', '.join(sorted(units))})"
