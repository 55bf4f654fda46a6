"""
Numbers with units as fio writes and reads them.

Printed sizes carry IEC prefixes since 2.17 (``KiB`` is 1024, ``kB`` is 1000); before that every prefix is binary.
Option values are the other way round: with the default ``kb_base=1024``, ``4k`` is 4096 and ``4KiB`` is 4000; with
``kb_base=1000`` ``4k`` is 4000 and ``4KiB`` is 4096. Only ``ib`` makes the difference: ``4Ki`` and ``4KB`` are ``4k``.
Source: fio's ``lib/num2str.c``, ``parse.c`` (``get_mult_bytes()``, ``str_to_decimal()``) and HOWTO, "Parameter types";
what fio 3.33 itself makes of each form stands in ``ingest/tests/fixtures/fio_sizes.csv``.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

_STEPS = {prefix: power for power, prefix in enumerate(("", "k", "m", "g", "t", "p", "e"))}
_PRINTED = re.compile(r"\s*(\d{1,18})(?:\.(\d{1,9}))?\s*([kKMGTPE]?)(i?)(bit)?")
_OPTION = re.compile(
    r"\s*\+?(?:0x([0-9a-f]{1,16})(?![0-9a-f])|(\d{1,18})(?!\d)(?:([kmgtp])(ib)?)?)[^,:/%-]*", re.IGNORECASE
)
_OF_BASE = {1024: (1024, 1000), 1000: (1000, 1024)}
"""By ``kb_base``, what a bare prefix and one with ``ib`` count in."""
_TIME = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]{0,2})", re.IGNORECASE)
_TIMES = {"": 1.0, "s": 1.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "ms": 1e-3, "us": 1e-6}
_NUMBER = re.compile(r"\s*(\d{1,15})(?:\.(\d{1,18}))?\s*")
KB_BASE = 1024
"""What fio's ``kb_base`` is unless stated; the only other value that it accepts is 1000."""
LARGEST = 2**60
"""More than this (1 EiB) is no size of a block, a file or a transfer."""
_BITS, _SECTOR = 8, 512


class Printed(NamedTuple):
    """A printed quantity in its base unit, and half of its last printed digit."""

    value: float
    half: float


def printed_size(text: str, *, is_binary: bool) -> Printed | None:
    """
    Return the bytes of a size at the start of the text, such as ``388MiB``, ``407MB/s`` or ``2883Mbit/s``.

    ``is_binary`` says that bare prefixes are powers of 1024, as fio before 2.17 prints them.
    """
    found = _PRINTED.match(text)
    if not found:
        return None
    whole, fraction, prefix, binary, bits = found.groups()
    unit = float((1024 if binary or is_binary else 1000) ** _STEPS[prefix.lower()]) / (_BITS if bits else 1)
    return Printed(float(f"{whole}.{fraction or 0}") * unit, unit / 2 / 10 ** len(fraction or ""))


def scaled(text: str) -> float | None:
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


def option_size(text: str, kb_base: int = KB_BASE) -> int | None:
    """
    Return the bytes of one option value such as ``4k``, ``4096B``, ``0x1000`` or ``1m``; null when it is none.

    fio reads whole digits and the prefix right behind them, and nothing that follows: ``1.5k`` is 1, ``4 k`` is 4. A
    list, a range or a share (``4k,8k``, ``4k-8k``, ``50%``) is no size.
    """
    found = _OPTION.fullmatch(text)
    if not found:
        return None
    digits, count, prefix, other = found.groups()
    if text[:1].isspace():
        prefix = None  # fio looks for the prefix behind the first character that is no digit
    size = int(digits, 16) if digits else int(count) * _OF_BASE[kb_base][bool(other)] ** _STEPS[(prefix or "").lower()]
    return size if size <= LARGEST else None


def banner_size(text: str) -> int | None:
    """
    Return the bytes of a block size as a banner prints it: ``64K`` up to 2.16, then ``64.0KiB``, or ``65.5kB``.

    Four digits are shown. A size that these leave open is the one multiple of a sector among those it may be.
    """
    printed = printed_size(text, is_binary=not text.endswith("B"))
    if printed is None or printed.value > LARGEST:
        return None
    if printed.value % _SECTOR == 0 or text.rstrip("B")[-1:].isdigit():
        return int(printed.value)
    low = math.ceil((printed.value - printed.half) / _SECTOR) * _SECTOR
    return low if printed.value - printed.half <= low <= printed.value + printed.half < low + _SECTOR else None


def option_seconds(text: str) -> float | None:
    """
    Return the seconds of an option value such as ``60``, ``5m`` or ``100ms``; null when it is none.

    fio 3.33 reads what stands before a colon: ``3:00`` is three seconds, and ``00:01:30`` is 0, which is no limit.
    """
    found = _TIME.fullmatch(text.partition(":")[0].strip())
    unit = _TIMES.get(found[2].lower()) if found else None
    return float(found[1]) * unit if found and unit is not None else None
