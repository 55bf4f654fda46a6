"""
How the site looks, for pages that are made without it: colours, symbols, and how numbers are written.

The definitions are the site's own (``site/components/media.js`` and ``format.js``, ``site/styles/base.css``); a test
holds every one of them against these. A page of one's own results has no media, so loads take the colours in order.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

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
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
_THOUSANDS = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_BLOCKS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_MEGA = 1e6
_STAR_RATIO = math.sin(math.pi / 10) / math.sin(7 * math.pi / 10)
_STAR_AREA = 0.89081309152928522810


def symbol(kind: str, area: float = 64) -> str:
    """Return the outline of a medium's symbol around (0, 0) as an SVG path. Source: d3-shape's symbols."""
    area = area * 1.25 if kind == "ssd_optane" else area
    return {
        "hdd": _square, "ssd_sas": _triangle, "ssd_sata": _diamond, "ssd_pcie": _cross, "ssd_nvme": _circle,
        "ssd_optane": _star, "virtual": _wye,
    }[kind](area)  # fmt: skip


def _square(area: float) -> str:
    side = math.sqrt(area)
    return f"M{_r(-side / 2)},{_r(-side / 2)}h{_r(side)}v{_r(side)}h{_r(-side)}Z"


def _triangle(area: float) -> str:
    y = -math.sqrt(area / (math.sqrt(3) * 3))
    return f"M0,{_r(2 * y)}L{_r(-math.sqrt(3) * y)},{_r(-y)}L{_r(math.sqrt(3) * y)},{_r(-y)}Z"


def _diamond(area: float) -> str:
    tan30 = math.sqrt(1 / 3)
    y = math.sqrt(area / (tan30 * 2))
    x = y * tan30
    return f"M0,{_r(-y)}L{_r(x)},0L0,{_r(y)}L{_r(-x)},0Z"


def _cross(area: float) -> str:
    r = math.sqrt(area / 5) / 2
    places = (
        (-3, -1),
        (-1, -1),
        (-1, -3),
        (1, -3),
        (1, -1),
        (3, -1),
        (3, 1),
        (1, 1),
        (1, 3),
        (-1, 3),
        (-1, 1),
        (-3, 1),
    )
    return _closed([(x * r, y * r) for x, y in places])


def _circle(area: float) -> str:
    r = math.sqrt(area / math.pi)
    half = f"A{_r(r)},{_r(r)},0,1,1,"
    return f"M{_r(r)},0{half}{_r(-r)},0{half}{_r(r)},0"


def _star(area: float) -> str:
    r = math.sqrt(area * _STAR_AREA)
    x, y = _STAR_RATIO * math.sin(2 * math.pi / 10) * r, -_STAR_RATIO * math.cos(2 * math.pi / 10) * r
    places = [(0.0, -r), (x, y)]
    for point in range(1, 5):
        c, s = math.cos(2 * math.pi * point / 5), math.sin(2 * math.pi * point / 5)
        places += [(s * r, -c * r), (c * x - s * y, s * x + c * y)]
    return _closed(places)


def _wye(area: float) -> str:
    c, s, k = -0.5, math.sqrt(3) / 2, 1 / math.sqrt(12)
    r = math.sqrt(area / ((k / 2 + 1) * 3))
    x0, y0 = r / 2, r * k
    x1, y1 = x0, r * k + r
    x2, y2 = -x1, y1
    arms = ((x0, y0), (x1, y1), (x2, y2))
    turned = [(c * x - s * y, s * x + c * y) for x, y in arms]
    back = [(c * x + s * y, c * y - s * x) for x, y in arms]
    return _closed([*arms, *turned, *back])


def _closed(places: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_r(x)},{_r(y)}" for x, y in places) + "Z"


def _r(value: float) -> str:
    """Return a coordinate with two decimals, as short as it can be."""
    text = f"{math.floor(value * 100 + 0.5) / 100:.10g}"
    return "0" if text == "-0" else text


def _precise(value: float, digits: int) -> Decimal:
    """Return a number with so many significant digits, halves away from zero."""
    exact = Decimal(value)
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), ROUND_HALF_UP) if value else exact


def _plain(magnitude: float, digits: int = 3) -> str:
    """Return a magnitude in plain digits, rounded to so many significant ones: 58.6, 0.0321, 781."""
    if not magnitude:
        return "0"
    decimals = digits - 1 - _precise(magnitude, digits).adjusted()
    if decimals < 0:
        return f"{int(_precise(magnitude, digits))}"
    return _fixed(magnitude, decimals)


def _fixed(magnitude: float, decimals: int) -> str:
    return f"{Decimal(magnitude).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"


def _stepped(value: float, steps: tuple[tuple[float, str], ...], *, tight: bool) -> str:
    rounded = float(_precise(abs(value), 3))
    size, unit = next((step for step in steps if rounded >= step[0]), steps[-1])
    text = _plain(abs(value) / size)
    return _signed(value, f"{text}{'' if tight or not unit else ' '}{unit}")


def _signed(value: float, text: str) -> str:
    return MINUS + text if value < 0 else text


def iops(value: float | None, *, tight: bool = False) -> str:
    """Return operations per second: 58.6, 9.21 k, 1.92 M."""
    return NONE if value is None else _stepped(value, _THOUSANDS, tight=tight)


def latency(seconds: float | None) -> str:
    """Return a time: 78.0 µs, 13.9 ms."""
    return NONE if seconds is None else _stepped(seconds, _TIMES, tight=False)


def throughput(bytes_per_second: float | None) -> str:
    """Return a throughput in MB/s, base 10, as a bare number."""
    if bytes_per_second is None:
        return NONE
    magnitude = abs(bytes_per_second) / _MEGA
    rounded = _precise(magnitude, 3)
    return _signed(bytes_per_second, f"{int(rounded):,}" if rounded >= 1000 else _plain(magnitude))  # noqa: PLR2004


def quotient(ratio: float | None) -> str:
    """Return a quotient: two decimals below 10, one below 100, none above."""
    if ratio is None:
        return NONE
    magnitude = abs(ratio)
    decimals = 2 if float(_fixed(magnitude, 2)) < 10 else 1 if float(_fixed(magnitude, 1)) < 100 else 0  # noqa: PLR2004
    return _signed(ratio, _fixed(magnitude, decimals) if decimals else f"{int(Decimal(_fixed(magnitude, 0))):,}")


def tick(value: float) -> str:
    """Return a number on an axis: 100, 1 k, 2.5 k."""
    size, unit = next(((size, unit) for size, unit in _THOUSANDS if abs(value) >= size), (1.0, ""))
    return _signed(value, f"{_short(abs(value) / size)}{f' {unit}' if unit else ''}")


def latency_tick(seconds: float) -> str:
    """Return a time on an axis: 100 µs, 2 ms."""
    size, unit = next(((size, unit) for size, unit in _TIMES if seconds >= size * 0.999999), _TIMES[-1])
    return f"{_short(seconds / size)} {unit}"


def block_size(size: int | None) -> str:
    """Return bytes in the largest binary unit: 4 KiB."""
    if size is None:
        return NONE
    unit, name = next(((unit, name) for unit, name in _BLOCKS if size >= unit), (1, "B"))
    return f"{_short(size / unit, 4)} {name}"


def _short(value: float, digits: int = 6) -> str:
    return f"{_precise(value, digits).normalize():f}" if value else "0"
