"""
Which measured results are one run, however it was saved, shifted in time or touched up.

A run is told by four values that nothing but the run determines: its operations, and the mean, the standard deviation
and the maximum of its latency. Two results that agree in any three of them are one run. Of 10,429 results of twenty
drives no two do, at tolerances up to 1e-5, and whoever copies a run has to change two of the four beyond recognition.

Bytes follow from operations, run times are set, and percentiles fall into bins, so that two runs of one load may share
them by chance: 103 of those results share all their percentiles with another, and that is told and no more. Of these
none agrees with the other in two of the four values to a ten-thousandth (37 pairs do to a thousandth); two results that
do, and share all percentiles, are one run that was touched up.

Whoever multiplies all latencies by one number keeps their quotients: the deviation and the maximum, each over the mean.
Of 10,424 results that state all four values no two agree in both quotients to a hundred-thousandth, two pairs do to a
ten-thousandth and 142 to a thousandth. Two results that agree in both and in the operations, or more sharply in the
quotients alone, which says nothing of the operations, are one run in another measure. A maximum is written in whole
nanoseconds, so a quotient is no sharper than that.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ioledger.readers.base import Result

MEASURES = ("operation_count", "latency_mean_seconds", "latency_stddev_seconds", "latency_max_seconds")
WORDS = ("operations", "mean latency", "standard deviation of latency", "maximum latency")
TOLERANCE = 1e-6
"""Relative: a microsecond of a second, a thousandth of a nanosecond of a microsecond."""
ENOUGH = 3
TOUCHED_UP, ENOUGH_BESIDE_PERCENTILES = 1e-4, 2
"""The same of two results that share all their percentiles."""
QUOTIENTS = ("deviation over mean latency", "maximum over mean latency")
"""What stays as it is where all latencies are multiplied by one number; columns after those of the measures."""
SCALED, SCALED_ALONE = 1e-5, 1e-6
"""Relative, of quotients: beside the same operations, and beside other ones."""
_STEP = 1e-9
"""Seconds: how sharply a maximum is written at best."""
LEAST_OPERATIONS = 2
"""One operation has no spread, and its mean is its maximum."""
LEAST_SCALED_OPERATIONS, LEAST_DIGITS = 100, 5
"""
Of fewer operations, or where mean and deviation are printed in no more digits, two runs may share both quotients by
chance; then they tell nothing without the same operations.
"""
LEAST_PERCENTILES = 5
MOST_NEIGHBOURS = 32
"""How many like it are told of a row: of a thousand copies each is found by its neighbours, not by all."""
MOST_COMPARED = 20_000_000
"""
Pairs that are compared for each way of agreeing. Runs that share one value with thousands of others, and nothing else,
hide no copy among them before that.
"""
Measures = tuple[float | None, float | None, float | None, float | None]
NOT_STATED: Measures = (None, None, None, None)
_ROUNDING = 1e-12
_SCALED = (0, len(MEASURES), len(MEASURES) + 1)
_TRIPLES = tuple(combinations(range(len(MEASURES)), ENOUGH))
_PAIRS = tuple(combinations(range(len(MEASURES)), ENOUGH_BESIDE_PERCENTILES))


class Agreement(NamedTuple):
    """Two results that are one run, by their positions, the earlier first, and what they agree in."""

    first: int
    second: int
    words: str


def measures(result: Result) -> Measures | None:
    """Return what identifies a run (seconds), null where it is not stated; None when fewer than three values are."""
    if result.is_aggregate or result.is_partial or (result.operation_count or 0) < LEAST_OPERATIONS:
        return None
    stated = [getattr(result, name) for name in MEASURES]
    values = [float(value) if value else None for value in stated]  # a spread of zero identifies nothing
    is_known = len(values) - values.count(None) >= ENOUGH
    return (values[0], values[1], values[2], values[3]) if is_known else None


def agreeing(runs: list[Measures] | np.ndarray, likenesses: Sequence[str | None] | np.ndarray = ()) -> list[Agreement]:
    """
    Return every two of these runs that agree in three measures, or in quotients, sorted; both once, as first told.

    In an array, a row a run, what is not stated is NaN. ``likenesses`` stand for the percentiles of each run, where
    they tell anything; of two runs that share them, two measures are enough. An array has a number for each, -1 where
    there are none.
    """
    table = _with_quotients(np.asarray(runs, dtype=np.float64).reshape(len(runs), len(MEASURES)))
    found: dict[tuple[int, int], str] = {}
    everything = np.zeros(len(table), dtype=np.int64)
    sharp = np.where(_is_sharp(table), 0, -1)
    groups = likenesses if isinstance(likenesses, np.ndarray) else _numbered(likenesses)
    ways = [
        *((triple, TOLERANCE, everything, "") for triple in _TRIPLES),
        (_SCALED, SCALED, everything, ""),
        (_SCALED[1:], SCALED_ALONE, sharp, ""),
        *((pair, TOUCHED_UP, groups, ", all percentiles") for pair in _PAIRS if (groups >= 0).any()),
    ]
    for columns, tolerance, within, beside in ways:
        for first, second in _alike(table, columns, tolerance, within):
            found.setdefault((first, second), _named(columns) + beside)
    return [Agreement(*pair, words) for pair, words in sorted(found.items())]


def _with_quotients(table: np.ndarray) -> np.ndarray:
    return np.column_stack([table, table[:, 2] / table[:, 1], table[:, 3] / table[:, 1]])


def _is_sharp(table: np.ndarray) -> np.ndarray:
    """Say of which rows the quotients tell something alone: enough operations, and no short decimals."""
    latencies = table[:, 1:3]
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = 10.0 ** (np.floor(np.log10(latencies)) - LEAST_DIGITS + 1)
        is_short = np.abs(np.round(latencies / unit) * unit - latencies) <= _ROUNDING * latencies
    is_sharp: np.ndarray = (table[:, 0] >= LEAST_SCALED_OPERATIONS) & ~is_short.any(axis=1)
    return is_sharp


def _numbered(likenesses: Sequence[str | None]) -> np.ndarray:
    told = {likeness: number for number, likeness in enumerate(sorted({each for each in likenesses if each}))}
    return np.array([told.get(each or "", -1) for each in likenesses], dtype=np.int64)


def _named(columns: tuple[int, ...]) -> str:
    return ", ".join((*WORDS, *QUOTIENTS)[each] for each in columns)


def _alike(
    table: np.ndarray, columns: tuple[int, ...], tolerance: float, groups: np.ndarray
) -> Iterator[tuple[int, int]]:
    """
    Give the pairs of rows of one group, from 0 on, that are alike in these columns.

    Sorted by a latency, rows that are alike stand within a window of the tolerance; each step compares every row with
    the one so many places after it, and ends when no window is so wide.
    """
    stated = np.flatnonzero(~np.isnan(table[:, columns]).any(axis=1) & (groups >= 0))
    taken = [each for each in columns if each] + [0] * (0 in columns)
    values = table[stated][:, taken]
    order = np.lexsort((*values.T[::-1], groups[stated]))
    values, rows = values[order], stated[order]
    steps = [_STEP / table[rows, 1] if each == _SCALED[-1] else np.zeros(len(rows)) for each in taken]
    slack = tolerance * values + np.column_stack(steps)
    at = np.arange(len(rows) - 1)
    told = np.zeros(len(rows), dtype=np.int64)
    step, left = 1, MOST_COMPARED
    while len(at) and left > 0:
        left -= len(at)
        near = np.abs(values[at + step, 0] - values[at, 0]) <= slack[at, 0]
        at = at[near & (groups[rows[at + step]] == groups[rows[at]])]
        alike = (np.abs(values[at + step] - values[at]) <= slack[at]).all(axis=1)
        for here in at[alike]:
            first, second = sorted((int(rows[here]), int(rows[here + step])))
            yield first, second
        told[at[alike]] += 1
        step += 1
        at = at[(told[at] < MOST_NEIGHBOURS) & (at + step < len(rows))]


def shape(result: Result) -> tuple[object, ...] | None:
    """Return the percentiles of a result, in which two runs may agree by chance; None when it states too few."""
    kinds = result.percentiles or {}
    lists = tuple(sorted((kind, tuple(sorted(found.items()))) for kind, found in kinds.items()))
    longest = max((len(set(found.values())) for found in kinds.values()), default=0)
    if result.is_aggregate or result.is_partial or longest < LEAST_PERCENTILES:
        return None
    return (result.operation, lists)
