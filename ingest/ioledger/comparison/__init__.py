"""
What results are compared by: every sentence about a comparison, its constants, and the ideal of an array.

Nothing here needs scipy or numpy, so that commands that only read a built database start soon.
"""

from __future__ import annotations

import csv
import math
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_METRICS = {
    "operations_per_second": ("IOPS", 1.0, "IOPS"),
    "throughput_bytes_per_second": ("throughput", 1e6, "MB/s"),
    "latency_mean_seconds": ("mean latency", 1e-6, "µs"),
    "latency_p99_seconds": ("p99 latency", 1e-6, "µs"),
}
"""What is compared, by its column; how much of SI's unit is one of the unit that people read, and that unit."""
METRIC_WORDS = {column: word for column, (word, _, _) in _METRICS.items()}
_DIGITS = 4
"""Significant digits of a figure."""
FEW = "fewer than three runs a side"
WIDE = "the interval contains 1 and exceeds the margin"
NO_VALUE = "a value is missing or not above zero"
NEAR = "different, but perhaps by less than the margin"
AMONG_MANY = "different on its own, but not after correction for all tests"
UNDATED = "order not excluded: undated"
SHORT_HISTORY = "fewer than eight sessions before"
IN_FLIGHT = "the numbers of requests in flight differ, so latencies are not comparable"
LATENCY_KINDS = "the sides state different kinds of latency"
SAME_RUNS = "both sides have the same runs, by the hashes of their files"

MAX_STATED_SPREAD = 0.5
"""Above it a sentence says that the sign holds even then."""
MIN_SHOWN_CHOICES = 1.1
"""How far the ratios of several ways to a load must lie apart to be mentioned."""
MIN_RUNS = 3
_NAMED = 6
"""How many unknown conditions a sentence names."""


def figure(value: float) -> str:
    """Return a figure with four significant digits; whole numbers keep all of theirs."""
    return f"{value:,.0f}" if abs(value) >= 10 ** (_DIGITS - 1) else f"{value:.{_DIGITS}g}"


def format_value(value: float | None, metric: str) -> str:
    """Return a value in SI units as people read it: ``1,234 IOPS``, ``95.5 µs``, ``unknown``."""
    if value is None:
        return "unknown"
    _, scale, unit = _METRICS[metric]
    return f"{figure(value / scale)} {unit}"


class Change(StrEnum):
    """What became of a point after a change; the value is the word for it."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not_comparable"


def of_change(change: Change, margin: float) -> str:
    """Return in words what became of a point; ``margin`` is a ratio minus 1. Equal and undecided are said as ever."""
    if change is Change.EQUAL:
        return f"equal within {100 * margin:g} %"
    return change.value.replace("_", " ")


def ratio_sentence(row: Mapping[str, Any]) -> str:
    """Return a row of the view ``quotients`` in words: the faster side with its factor, the interval, the verdict."""
    return f"{_factor(row)}: {_verdict(row)}{_choices(row)}"


def _factor(row: Mapping[str, Any]) -> str:
    ratio, low, high = row["ratio"], row["ratio_low"], row["ratio_high"]
    if ratio is not None:
        shown = ""  # of single runs: that of rounding alone does not hold the spread of the runs
        if row["verdict"] is not None and low is not None and high is not None:
            ends = (low, high) if ratio >= 1 else (1 / high, 1 / low)
            shown = f" [{_figure(ends[0])}, {_figure(ends[1])}]"
        faster, slower = ("A", "B") if ratio >= 1 else ("B", "A")
        return f"{faster} {_figure(max(ratio, 1 / ratio))} times {slower}{shown}"
    if low is not None:
        return f"A at least {_figure(low)} times B"
    if high is not None:
        return f"A at most {_figure(high)} times B"
    return "no ratio"


def _figure(value: float) -> str:
    """Return a factor with three significant digits, and no fewer than two decimals below ten."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"  # noqa: PLR2004


def _verdict(row: Mapping[str, Any]) -> str:
    if row["verdict"] is None:
        return f"{_few_runs(row)}, no verdict{tolerated_words(row)}"
    if row["verdict"] == "undecided" and row["reason"] == "bounds on both sides":
        return "undecided: both values are bounds"
    verdict = "equal within 5 %" if row["verdict"] == "equal" else row["verdict"]
    runs, sessions = (f"{row[f'a_{each}_count'] or 1} and {row[f'b_{each}_count'] or 1}" for each in ("run", "session"))
    return f"{verdict} (n = {runs}; sessions: {sessions})"


def _few_runs(row: Mapping[str, Any]) -> str:
    counts = row["a_run_count"] or 1, row["b_run_count"] or 1
    if counts == (1, 1):
        return "single runs"
    few = [side for side, count in zip("AB", counts, strict=True) if count < MIN_RUNS]
    return f"fewer than three runs of {' and '.join(few or 'AB')}"


def tolerated_words(row: Mapping[str, Any]) -> str:
    """Return up to which spread of the runs the sign of a difference holds, rounded down to two digits; or nothing."""
    spread = row["tolerated_spread_ratio"]
    if spread is None:
        return ""
    if spread == 0:
        return "; does not hold if runs vary at all"
    if spread > MAX_STATED_SPREAD:
        return "; holds even if runs vary by 50 %"
    scale = 10 ** (1 - math.floor(math.log10(100 * spread)))
    return f"; holds if runs vary by at most {math.floor(100 * spread * scale) / scale:g} %"


def _choices(row: Mapping[str, Any]) -> str:
    """Return how many other ways to the load there are, where their ratios lie apart."""
    low, high = row["choice_ratio_low"], row["choice_ratio_high"]
    if not row["choice_count"] or not low or not high or high / low <= MIN_SHOWN_CHOICES:
        return ""
    if row["ratio"] is not None and row["ratio"] < 1:
        low, high = 1 / high, 1 / low
    return f" ({row['choice_count']} other combinations for this workload: {_figure(low)} to {_figure(high)} times)"


def conditions_sentence(row: Mapping[str, Any], unknown: Sequence[str] = ()) -> str:
    """Return what is known of the conditions of a row of ``pairs``; ``unknown`` are names of other unknown ones."""
    parts = [f"{row['equal_count']} of {row['condition_count']} conditions known to be equal"]
    if row["differing_count"]:
        parts.append(f"differ: {', '.join(row['differing_columns'])}")
    if row["unknown_count"]:
        named = [*row["unknown_keys"], *unknown][:_NAMED]
        more = row["unknown_count"] - len(named)
        parts.append(f"unknown: {', '.join([*named, *([f'{more} more'] if more > 0 else [])])}")
    return "; ".join(parts).replace("_", " ")


@cache
def limit(name: str) -> float:
    """Return a constant of ``models/seeds/known_limits.csv``, which the SQL models read too; KeyError without one."""
    with (ROOT / "models" / "seeds" / "known_limits.csv").open(encoding="utf-8", newline="") as file:
        return {row["limit_id"]: float(row["limit_value"]) for row in csv.DictReader(file) if row["limit_value"]}[name]


_PARITIES = {"raid5": (1, 4.0, 2), "raid6": (2, 6.0, 3)}
"""By topology: drives of parity in a stripe, accesses for a small write, and drives that one keeps busy."""


def scaling_ideal(  # noqa: PLR0913, PLR0917  (the columns that decide, as SQL gives them)
    topology: str | None,
    drive_count: int | None,
    read_ratio: float | None,
    total_depth: float | None,
    block_bytes: int | None,
    stripe_bytes: int | None,
) -> float | None:
    """
    Return how many times one drive an array can do; null where that cannot be said.

    With ``D`` outstanding requests, each spread over ``max(1, block // stripe)`` drives, ``P`` requests reach drives at
    once, and ``p = min(n, P)`` of ``n`` drives can be busy. The ideal is a factor against one drive at depth
    ``max(1, D / n)``; against one drive at the same depth as the array it has to be multiplied by what one drive does
    at ``max(1, D / n)``, and divided by what it does at ``D``.

    Without a depth, such as that of a peak, every drive counts as busy. Writes to RAID 5 and 6 that fill a stripe have
    no ideal here; a controller that gathers writes in a cache has none either, which the caller knows.

    Source: writes per write, D. A. Patterson, G. Gibson, R. H. Katz, A Case for Redundant Arrays of
    Inexpensive Disks, 1988 (two for mirrors, four for RAID 5), and six for RAID 6.
    """
    spread = max(1, block_bytes // stripe_bytes) if block_bytes and stripe_bytes else 1
    reached = math.inf if total_depth is None else total_depth * spread
    if not drive_count or reached <= 0:
        return None
    busy = float(min(drive_count, reached))
    if topology in {"single", "independent", "raid0"}:
        return busy
    if topology == "raid1":
        write_cost = 1.0
    elif topology == "raid10":
        write_cost = 1 / min(drive_count / 2, reached)
    elif topology in _PARITIES:
        parities, accesses, busy_count = _PARITIES[topology]
        if read_ratio != 1 and 1 < spread >= drive_count - parities:
            return None
        write_cost = max(accesses / drive_count, 2 / min(drive_count / busy_count, reached))
    else:
        return None
    return None if read_ratio is None else 1 / (read_ratio / busy + (1 - read_ratio) * write_cost)
