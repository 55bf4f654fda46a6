"""
Results as one page that needs nothing else: here how the site looks and writes numbers, and the words of the page.

Colours, symbols and formats are the site's own (``site/components/marks.js`` and ``format.js``,
``site/styles/base.css``); a test holds every one of them against these. A page of one's own results has no media, so
loads take the colours in order. Words are in ``en.json`` and ``ja.json``; where the site has a word, that word.
"""

from __future__ import annotations

import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ioledger.gating.points import Point

PALETTE = {
    "hdd": ("#56423c", "#998876"),
    "ssd_sas": ("#7e2e06", "#d76b0f"),
    "ssd_sata": ("#837703", "#d6da4d"),
    "ssd_pcie": ("#448264", "#81fdc8"),
    "ssd_nvme": ("#1f447a", "#437efe"),
    "ssd_optane": ("#aa4ec5", "#ffadfd"),
    "virtual": ("#626779", "#85879b"),
}
"""Colours on a light and on a dark surface, by the medium that has them on the site."""
INKS = {
    "page": ("#f5f6f8", "#10151c"),
    "surface": ("#ffffff", "#171e27"),
    "line": ("#dde2e9", "#2a3441"),
    "line-strong": ("#b9c2ce", "#445164"),
    "ink": ("#131c28", "#e8edf4"),
    "ink-2": ("#3b4757", "#c0cad6"),
    "ink-3": ("#586577", "#93a1b3"),
    "accent": ("#0a5c8f", "#6cb8ef"),
    "good": ("#1a6f43", "#6fce9b"),
    "bad": ("#a8322a", "#ff9c92"),
}
SERIES = ("ssd_nvme", "ssd_sas", "ssd_pcie", "ssd_optane", "ssd_sata", "hdd", "virtual")
"""The order in which series take colours and symbols: neighbours are told apart best."""
SYMBOLS = {
    "hdd": "M-4,-4h8v8h-8Z",
    "ssd_sas": "M0,-7.02L6.08,3.51L-6.08,3.51Z",
    "ssd_sata": "M0,-7.44L4.3,0L0,7.44L-4.3,0Z",
    "ssd_pcie": "M-5.37,-1.79L-1.79,-1.79L-1.79,-5.37L1.79,-5.37L1.79,-1.79L5.37,-1.79L5.37,1.79L1.79,1.79L1.79,5.37"
    "L-1.79,5.37L-1.79,1.79L-5.37,1.79Z",
    "ssd_nvme": "M4.51,0A4.51,4.51,0,1,1,-4.51,0A4.51,4.51,0,1,1,4.51,0",
    "ssd_optane": "M0,-8.44L1.9,-2.61L8.03,-2.61L3.07,1L4.96,6.83L0,3.22L-4.96,6.83L-3.07,1L-8.03,-2.61L-1.9,-2.61Z",
    "virtual": "M2.16,1.25L2.16,5.56L-2.16,5.56L-2.16,1.25L-5.9,-0.91L-3.74,-4.65L0,-2.49L3.74,-4.65L5.9,-0.91Z",
}
"""Outlines of the symbols around (0, 0) as SVG paths, by medium."""
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
_THOUSANDS = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_BLOCKS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
_MEGA = 1e6


def _round(value: float | Decimal, decimals: int) -> Decimal:
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)


def _significant(value: float, digits: int = 3) -> Decimal:
    found = Decimal(value)
    for _ in range(2):  # 99.95 becomes 100.0, and then 100
        found = _round(found, digits - 1 - found.adjusted()) if found else Decimal(0)
    return found


def _add_sign(value: float, text: str) -> str:
    return MINUS + text if value < 0 else text


def _with_unit(value: float, steps: tuple[tuple[float, str], ...], separator: str = " ") -> str:
    """Return a number with three significant digits in the largest unit that it reaches when it is rounded."""
    rounded = float(_significant(abs(value)))
    size, unit = next((step for step in steps if rounded >= step[0]), steps[-1])
    return _add_sign(value, f"{_significant(abs(value) / size):f}{separator if unit else ''}{unit}")


def _shortest(value: float, steps: tuple[tuple[float, str], ...], digits: int = 6) -> str:
    """Return a round number in the largest unit that it reaches, without zeros behind it."""
    size, unit = next((step for step in steps if abs(value) >= step[0] * 0.999999), steps[-1])
    return _add_sign(value, f"{_significant(abs(value) / size, digits).normalize():f} {unit}".rstrip())


def iops(value: float | None, *, tight: bool = False) -> str:
    """Return operations per second: 58.6, 9.21 k, 1.92 M."""
    return NONE if value is None else _with_unit(value, _THOUSANDS, "" if tight else " ")


def latency(seconds: float | None) -> str:
    """Return a time: 78.0 µs, 13.9 ms."""
    return NONE if seconds is None else _with_unit(seconds, _TIMES)


def throughput(bytes_per_second: float | None) -> str:
    """Return a throughput in MB/s, base 10, as a bare number."""
    if bytes_per_second is None:
        return NONE
    return _add_sign(bytes_per_second, f"{_significant(abs(bytes_per_second) / _MEGA):,f}")


def quotient(ratio: float | None) -> str:
    """Return a quotient: two significant digits below 0.1, two decimals below 10, one below 100, none above."""
    if ratio is None:
        return NONE
    if _round(abs(ratio), 2) < Decimal("0.1"):
        return _add_sign(ratio, f"{Decimal(f'{abs(ratio):.1e}'):f}" if ratio else "0")
    rounded = ((_round(abs(ratio), decimals), limit) for decimals, limit in ((2, 10), (1, 100), (0, Decimal("inf"))))
    return _add_sign(ratio, f"{next(each for each, limit in rounded if each < limit):,f}")


def tick(value: float) -> str:
    """Return a number on an axis: 100, 1 k, 2.5 k."""
    return _shortest(value, _THOUSANDS)


def latency_tick(seconds: float) -> str:
    """Return a time on an axis: 100 µs, 2 ms."""
    return _shortest(seconds, _TIMES)


def block_size(size: int | None) -> str:
    """Return bytes in the largest binary unit: 4 KiB."""
    return NONE if size is None else _shortest(size, _BLOCKS, 4)


LANGUAGES = ("en", "ja")


class Words:
    """The words of a language, by key; values in braces are put in."""

    def __init__(self, language: str) -> None:
        """Take ``en`` or ``ja``."""
        text = Path(__file__).with_name(f"{language}.json").read_text(encoding="utf-8")
        self._words: dict[str, str] = json.loads(text)

    def __call__(self, key: str, **values: object) -> str:
        """Return a text; raises KeyError for one that there is not."""
        return self._words[key].format(**values)

    def load(self, point: Point) -> str:
        """Return a load in words, without its depth: pattern, operation, mix, block, processes."""
        pattern = self(point.access_pattern) if point.access_pattern in {"random", "sequential", "mixed"} else ""
        known = {"read", "write", "trim", "sync", "mixed"}
        operation = self(point.operation) if point.operation in known else point.operation
        parts = [f"{pattern} {operation}".strip()]
        if point.read_ratio is not None and 0 < point.read_ratio < 1:
            parts.append(self("reads", share=f"{100 * point.read_ratio:g}"))
        sizes = [each for each in (point.block_size_min_bytes, point.block_size_max_bytes) if each is not None]
        parts += [f" {NONE} ".join(dict.fromkeys(map(block_size, sizes)))] if sizes else []
        parts += [self("processes", count=point.process_count)] if (point.process_count or 1) > 1 else []
        parts += [self("buffered")] if point.is_direct is False else []
        return ", ".join(parts)
