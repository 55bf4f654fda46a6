"""
The header line of a result file: which column stands where.

There are four schemas, and the version printed in the file does not tell them apart, so columns are found by name.
Places are counted from the end of a row: names in front may hold commas, which Iometer does not quote, and the figures
behind them keep their places. The lower edges of the latency bins are whole ticks of the timer, as Iometer computes
them; three labels are inexact ("15 mS" is a 67th of a second, "30 mS" a 33rd, "4.7 s" is 4 s).
Source: ``ManagerList.cpp``, ``SaveResults()``; ``IOGrunt.cpp``, ``Grunt_Thread_Wrapper()``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMATS = {
    (56, False): "csv 56 columns",
    (59, False): "csv 59 columns",
    (80, False): "csv 80 columns",
    (81, True): "instantaneous csv 81 columns",
}
_PARTS = ("", "Read ", "Write ")
SUMMED = ("Bytes Read", "Bytes Written", "Read I/Os", "Write I/Os")
COUNTS = (*(f"{part}Errors" for part in _PARTS), *SUMMED)
RATES = tuple(f"{part}{name}" for part in _PARTS for name in ("IOps", "Binary"))
TIMES = tuple(f"{kind} {part}Response Time" for kind in ("Average", "Maximum") for part in _PARTS)
DECIMALS = ("Decimal", "Read Decimal", "Write Decimal")
CLOCK = ("Total Raw Run Time", "Processor Speed")
PROCESSOR = ("% CPU Utilization", "% User Time", "% Privileged Time")
LOAD = ("# Workers", "# Disks", "Queue Depth")
SETTINGS = (*LOAD, "Connections", "Starting Sector", "Maximum Size")
NEEDED = COUNTS + RATES + TIMES + CLOCK + PROCESSOR + SETTINGS
FIGURES = (*(name for name in NEEDED if name not in SETTINGS), *DECIMALS)
PART = (*SUMMED, *CLOCK)
BIN_COUNT = 21
_BIN_LABEL = re.compile(r" ?(?:[\d.]+ to [\d.]+ [um]?s|>= 10 s)", re.IGNORECASE)
_DIVISORS = (20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 67, 50, 33, 20, 10, 5, 2, 1)
_SECONDS = (2, 4, 5, 10)
_DIGITS = 18  # what a 64-bit integer holds in any case
_SHORT = 1e-5
NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,9})?(?:e[+-]0?\d\d)?", re.ASCII)
NOT_A_NUMBER = float("nan")


class Header(NamedTuple):
    """A header line: its format, its width, where columns and bins stand, and the printed unit of throughput."""

    source_format: str
    width: int
    is_instantaneous: bool
    places: Mapping[str, int]
    bins: tuple[int, ...]
    unit: str


@lru_cache(maxsize=64)
def header_of(line: str) -> Header | str:
    """Return the header that a line is, or why it is none that can be read."""
    names = line.split(",")
    is_instantaneous = names[0] == "TimeStamp"
    source_format = FORMATS.get((len(names), is_instantaneous))
    if source_format is None:
        return f"the header has {len(names)} columns; headers with 56, 59, 80 and 81 columns are read"
    places = {_plain(name): index - len(names) for index, name in enumerate(names)}
    bins = tuple(index - len(names) for index, name in enumerate(names) if _BIN_LABEL.fullmatch(name))
    missing = [name for name in NEEDED if name not in places]
    if missing or len(places) < len(names) or len(bins) not in {0, BIN_COUNT}:
        lacks = f"lacks {', '.join(missing)}" if missing else "names a column twice or lacks latency bins"
        return f"the header {lacks}"
    unit = next(name for name in names if _plain(name) == "Binary")
    return Header(source_format, len(names), is_instantaneous, places, bins, unit)


def _plain(name: str) -> str:
    """Return a column's name with the words for the base of throughput that all versions share."""
    if name.endswith("MBps (Decimal)"):
        return name.replace("MBps (Decimal)", "Decimal")
    return re.sub(r"Mi?Bps(?: \(Binary\))?$", "Binary", name)


def number(text: str) -> float | None:
    """Return a number that is not negative, null for a blank, and not-a-number for anything else."""
    if text.isdecimal() and len(text) <= _DIGITS:
        return int(text)
    if not text:
        return None
    return float(text) if NUMBER.fullmatch(text) else NOT_A_NUMBER


def setting(text: str) -> int | None:
    """Return a whole number; null for -1, also printed as 18446744073709551615: "differs" or "does not apply"."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def values(fields: Sequence[str], header: Header, names: Sequence[str]) -> dict[str, float | None]:
    """Return the numbers of a row by column name."""
    places = header.places
    return {name: number(fields[places[name]]) for name in names if name in places}


@lru_cache(maxsize=64)
def edges(ticks_per_second: float | None) -> tuple[float, ...]:
    """Return the lower edges of the 21 bins in seconds; without a known timer, as if its ticks were short."""
    if not ticks_per_second or ticks_per_second * _SHORT < 1:
        return (0.0, *(1 / divisor for divisor in _DIVISORS), *map(float, _SECONDS))
    ticks = (ticks_per_second // divisor for divisor in _DIVISORS)
    return (0.0, *(tick / ticks_per_second for tick in ticks), *map(float, _SECONDS))
