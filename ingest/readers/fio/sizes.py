"""
Numbers with units as fio writes and reads them.

Printed sizes carry IEC prefixes since 2.17 (``KiB`` is 1024, ``kB`` is 1000); before that every prefix is binary.
Option values are the other way round: with the default ``kb_base=1024``, ``4k`` is 4096 and ``4Ki`` is 4000.
Source: fio's ``lib/num2str.c``, ``parse.c`` (``get_mult_bytes()``) and HOWTO, "Parameter types".
"""

from __future__ import annotations

import re
from typing import NamedTuple

_STEPS = {prefix: power for power, prefix in enumerate(("", "k", "m", "g", "t", "p", "e"))}
_PRINTED = re.compile(r"\s*(\d{1,18})(?:\.(\d{1,9}))?\s*([kKMGTPE]?)(i?)(bit)?")
_OPTION = re.compile(r"(\d{1,18}(?:\.\d{1,9})?)\s*([kmgtpe]?)(i?)b?", re.IGNORECASE)
_TIME = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*([a-z]{0,2})", re.IGNORECASE)
_TIMES = {"": 1.0, "s": 1.0, "d": 86400.0, "h": 3600.0, "m": 60.0, "ms": 1e-3, "us": 1e-6}
_NUMBER = re.compile(r"\s*(\d{1,15})(?:\.(\d{1,18}))?\s*")
LARGEST = 2**60
"""More than this (1 EiB) is no size of a block, a file or a transfer."""
_BITS = 8


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


def option_size(text: str, kb_base: int = 1024) -> int | None:
    """Return the bytes of an option value such as ``4k``, ``4096B`` or ``1m``; null when it is none."""
    found = _OPTION.fullmatch(text.strip())
    if not found:
        return None
    count, prefix, other = found.groups()
    base = {1024: 1000, 1000: 1024}.get(kb_base, 1024) if other else kb_base
    size = int(float(count) * base ** _STEPS[prefix.lower()]) if prefix or "." in count else int(count)
    return size if size <= LARGEST else None


def option_seconds(text: str) -> float | None:
    """Return the seconds of an option value such as ``60``, ``5m`` or ``100ms``; null when it is none."""
    found = _TIME.fullmatch(text.strip())
    unit = _TIMES.get(found[2].lower()) if found else None
    return float(found[1]) * unit if found and unit is not None else None
