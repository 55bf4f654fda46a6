"""
Readers of result files, a module or package for each tool; and here the only arithmetic on units, for all.

A printed number, its prefix and its unit become SI base units and bytes.

Publications and claims are exact: fractions until the last step, rounded to a float once, so 41 µs is the same float as
41 / 1e6. Output of tools is read as floats with half of the last digit that is printed. A megabyte is 2^20 bytes
(``base2``) or 10^6 bytes (``base10``); where a source does not say which (``unknown``), there is no value in bytes.

fio prints IEC prefixes since 2.17 (``KiB`` is 1024, ``kB`` is 1000); before that every prefix is binary. Its options
are the other way round: with the default ``kb_base=1024``, ``4k`` is 4096 and ``4KiB`` is 4000; with ``kb_base=1000``
``4k`` is 4000 and ``4KiB`` is 4096. Only ``ib`` makes the difference: ``4Ki`` and ``4KB`` are ``4k``.

Source  SI Brochure, 9th edition, table 7 (decimal prefixes); IEC 80000-13, section 4 (binary prefixes); fio's
``lib/num2str.c``, ``parse.c`` (``get_mult_bytes()``, ``str_to_decimal()``) and HOWTO, "Parameter types"; what fio 3.33
itself makes of each form stands in ``ingest/tests/fixtures/fio_sizes.csv``.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

# Exact fractions load where a publication is read: reports of tools need none, and start sooner.

KILO, KIBI, MEBI, SECTOR = 1000, 1024, 1 << 20, 512
MILLI, MICRO, NANO = 1000, 1e6, 1e9
"""Of a second; a count of them is divided by these, so that it is rounded once."""
MILLISECOND, MICROSECOND = 1e-3, 1e-6
PERCENT = 100
LARGEST = 2**60
"""More than this (1 EiB) is no size of a block, a file or a transfer."""

SECONDS = {
    "s": (1, 1),
    "ms": (1, 10**3),
    "us": (1, 10**6),
    "\N{MICRO SIGN}s": (1, 10**6),
    "\N{GREEK SMALL LETTER MU}s": (1, 10**6),
    "ns": (1, 10**9),
}
"""Units of time of a figure, in seconds: numerator and denominator."""
_SECONDS_OF_CLAIMS = SECONDS | {"sec": (1, 1), "min": (60, 1), "h": (3600, 1)}
_SECONDS_OF_OPTIONS = {"": 1.0, "s": 1.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "ms": MILLISECOND, "us": MICROSECOND}
TICKS = {"nsec": NANO, "usec": MICRO, "msec": 1e3, "sec": 1.0}
"""Units of time of fio's human output, per second."""
CONVERTED = {
    "time": tuple(sorted(SECONDS)),
    "operations": ("IO/s", "IOPS"),
    "throughput": ("B/s", "GB/s", "KB/s", "MB/s", "TB/s", "kB/s"),
}
"""The units that figures of publications may have, by what they are of."""
BASES: dict[str, int | None] = {"base2": KIBI, "base10": KILO, "unknown": None}
_POWERS = {prefix: power for power, prefix in enumerate(("", "k", "m", "g", "t", "p", "e"))}
_OF_KB_BASE = {KIBI: (KIBI, KILO), KILO: (KILO, KIBI)}
"""By ``kb_base``, what a bare prefix and one with ``ib`` count in."""
_BITS = 8

_NUMBER = re.compile(r"\s*(\d{1,15})(?:\.(\d{1,18}))?\s*")
_PRINTED = re.compile(r"\s*(\d{1,18})(?:\.(\d{1,9}))?\s*([kKMGTPE]?)(i?)(bit)?")
_OPTION = re.compile(
    r"\s*\+?(?:0x([0-9a-f]{1,16})(?![0-9a-f])|(\d{1,18})(?!\d)(?:([kmgtp])(ib)?)?)[^,:/%-]*", re.IGNORECASE
)
_TIME = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]{0,2})", re.IGNORECASE)
_LITERAL = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)( ?[^-+\d., eE].*| [eE].*)?")
_THOUSANDS = re.compile(r",(\d{3})")
_BYTES = re.compile(r"(?:([kKMGT])(i?))?(?:B|bytes)(/s(?:ec)?)?")
_RATE = re.compile(r"(?:([kKM]) ?)?(?:IOPS|IO/s)")


class UnitError(ValueError):
    """A unit, or a base of a unit, that this project does not convert; the text says which are."""


class Unit(NamedTuple):
    """What a unit is of (null when it is not known), its scale, the power of its prefix, and the base of that."""

    dimension: str | None = None
    scale: tuple[int, int] = (1, 1)
    """Factor to the unit without prefix, as numerator and denominator."""
    power: int = 0
    base: int | None = None

    def factor(self, base: int) -> Fraction:
        """Return the factor to the unit without prefix; ``base`` applies if the unit is ambiguous."""
        from fractions import Fraction  # noqa: PLC0415

        return Fraction(*self.scale) * Fraction(self.base or base) ** self.power


def unit_of(text: str | None, basis: str | None = None) -> Unit:
    """Return the unit of a text such as ``MB/s``; ``basis`` (base2, base10) says what its prefix counts in."""
    if text in _SECONDS_OF_CLAIMS:
        return Unit("time", _SECONDS_OF_CLAIMS[text])
    if found := _RATE.fullmatch(text or ""):
        return Unit("operations", power=power_of(found[1]), base=KILO if found[1] else None)
    if found := _BYTES.fullmatch(text or ""):
        base = KIBI if found[2] else BASES.get(basis or "")
        return Unit("throughput" if found[3] else "bytes", power=power_of(found[1]), base=base)
    return Unit(base=BASES.get(basis or ""))


def power_of(prefix: str | None) -> int:
    """Return how often a prefix such as ``k`` or ``M`` multiplies by its base; no prefix does not."""
    return _POWERS[(prefix or "").lower()]


def literal(text: str) -> tuple[Fraction, str, Unit] | None:
    """Return number, digits and unit of a text such as ``4,300 MB/s``; null where it does not begin with a number."""
    from fractions import Fraction  # noqa: PLC0415

    found = _LITERAL.fullmatch(text)
    digits = without_separators(found[1]) if found else ","
    return None if found is None or "," in digits else (Fraction(digits), digits, unit_of((found[2] or "").strip()))


def without_separators(text: str) -> str:
    """Return a text without the commas that part thousands."""
    return _THOUSANDS.sub(r"\1", text)


def in_base_unit(value: Fraction, unit: str, dimension: str, basis: str | None = None) -> float | None:
    """
    Return a printed time in seconds, a throughput in bytes per second, or a rate in operations per second.

    ``basis`` is what the prefix of a throughput counts in: ``base2``, ``base10``, or ``unknown``, which gives None; and
    ``exact`` for B/s. Raises :class:`UnitError` for another unit, and for a base that does not fit the unit.
    """
    if unit not in CONVERTED[dimension]:
        message = f"the unit {unit} is not converted here (known: {', '.join(CONVERTED[dimension])})"
        raise UnitError(message)
    found = unit_of(unit, basis)
    if dimension == "throughput" and (basis == "exact") == bool(found.power):
        message = (
            f"the base {basis} does not fit {unit} (known: {', '.join(sorted(BASES)) if found.power else 'exact'})"
        )
        raise UnitError(message)
    return None if found.power and found.base is None else float(value * found.factor(KILO))


class Printed(NamedTuple):
    """A printed quantity in its base unit, and half of its last printed digit."""

    value: float
    half: float


def printed_size(text: str, *, is_binary: bool) -> Printed | None:
    """Return the bytes of a size such as ``388MiB`` or ``2883Mbit/s``; ``is_binary``: bare prefixes count in 1024."""
    found = _PRINTED.match(text)
    if not found:
        return None
    whole, fraction, prefix, binary, bits = found.groups()
    unit = float((KIBI if binary or is_binary else KILO) ** power_of(prefix)) / (_BITS if bits else 1)
    return Printed(float(f"{whole}.{fraction or 0}") * unit, unit / 2 / 10 ** len(fraction or ""))


def parse_scaled(text: str) -> float | None:
    """Return a count or time that may end in K, M or G (thousands), such as ``1852.1k`` or ``11.8k``."""
    printed = printed_size(text, is_binary=False)
    return printed.value if printed else None


def number(text: str) -> float | None:
    """Return a plain number that is not negative; ``nan``, ``inf`` and anything else give null."""
    found = _NUMBER.fullmatch(text)
    return float(f"{found[1]}.{found[2] or 0}") if found else None


def whole(text: str) -> int | None:
    """Return a plain whole number of at most 15 digits, or null."""
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found and found[2] is None else None


def ratio(percent: str) -> float:
    """Return the share that a label of percentiles says, such as ``99.99``; rounded, so that equal labels are equal."""
    return round(float(percent) / PERCENT, 12)


def printed_seconds(text: str, unit: float) -> float:
    """Return a printed time in seconds, as exact as it is printed; ``unit`` is a milli- or a microsecond."""
    return float(text + {MILLISECOND: "e-3", MICROSECOND: "e-6"}[unit])


@lru_cache(maxsize=32)
def resolution(unit: float, decimals: int) -> float:
    """Return the last digit of a number with these decimals, whose unit is this many seconds (or whatever counts)."""
    return round(unit / 10.0**decimals, 12)


def option_size(text: str, kb_base: int = KIBI) -> int | None:
    """Return the bytes of one option value such as ``4k``; null for none. What follows is ignored: ``1.5k`` is 1."""
    found = _OPTION.fullmatch(text)
    if not found:
        return None
    digits, count, prefix, other = found.groups()
    if text[:1].isspace():
        prefix = None  # fio looks for the prefix behind the first character that is no digit
    size = int(digits, 16) if digits else int(count) * _OF_KB_BASE[kb_base][bool(other)] ** power_of(prefix)
    return size if size <= LARGEST else None


def banner_size(text: str) -> int | None:
    """Return the bytes of a size in a banner; of those that its four digits leave open the one multiple of a sector."""
    printed = printed_size(text, is_binary=not text.endswith("B"))
    if printed is None or printed.value > LARGEST:
        return None
    if printed.value % SECTOR == 0 or text.rstrip("B")[-1:].isdigit():
        return int(printed.value)
    low = math.ceil((printed.value - printed.half) / SECTOR) * SECTOR
    return low if printed.value - printed.half <= low <= printed.value + printed.half < low + SECTOR else None


def option_seconds(text: str) -> float | None:
    """Return the seconds of an option value such as ``5m``; fio reads what stands before a colon. Null for none."""
    found = _TIME.fullmatch(text.partition(":")[0].strip())
    unit = _SECONDS_OF_OPTIONS.get(found[2].lower()) if found else None
    return float(found[1]) * unit if found and unit is not None else None


def binary_size(size: int) -> str:
    """Return bytes in the largest binary unit that gives a whole number: ``4 KiB``."""
    names = ((KIBI**2, "MiB"), (KIBI, "KiB"))
    return next((f"{size // unit} {name}" for unit, name in names if size >= unit and size % unit == 0), f"{size} B")
