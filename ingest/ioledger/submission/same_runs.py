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
Two numbers are few for that: of the pairs of 10,424 results 142 agree in both to a thousandth and two to a
ten-thousandth, by chance, so of ten million results some would to a millionth. So they have to agree as sharply as they
are written, which a copy does and chance does not: the deviation to the last of fio's six decimals of a nanosecond, the
maximum to a whole one; and where that is not sharp (:data:`CHANCE`), they tell nothing.
"""

from __future__ import annotations

from itertools import combinations, compress
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
SCALED = 1e-6
"""Relative, of quotients: what is no nearer is not looked at."""
CHANCE = 1e-13
"""
How sharply both quotients of two runs must be written: what is left of one times what is left of the other, relative.

Of 10,424 results 7,305 pairs agree in both to a hundredth. If chance grows with the pairs and with the product of the
tolerances, ten million results have 0.002 pairs that agree as sharply as they are written, and so sharply.
"""
_STEP = 1e-9
"""Seconds: how sharply a maximum is written at best."""
_DECIMALS = range(6, -10, -1)
"""Of a nanosecond: where the last digit of a mean or a deviation may stand."""
LEAST_OPERATIONS = 2
"""One operation has no spread, and its mean is its maximum."""
LEAST_SCALED_OPERATIONS = 100
"""Of fewer operations two runs may share both quotients by chance; then they tell nothing."""
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
_EXACT = 4e-16
"""What a number of 53 bits may be off, relative."""
_QUOTIENTS = (len(MEASURES), len(MEASURES) + 1)
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
    everything = np.zeros(len(table), dtype=np.int8)
    many = np.where(table[:, 0] >= LEAST_SCALED_OPERATIONS, 0, -1).astype(np.int8)
    groups = likenesses if isinstance(likenesses, np.ndarray) else _numbered(likenesses)
    ways = [
        *((triple, TOLERANCE, everything, "") for triple in _TRIPLES),
        *((columns, SCALED, many, "") for columns in ((0, *_QUOTIENTS), _QUOTIENTS)),
        *((pair, TOUCHED_UP, groups, ", all percentiles") for pair in _PAIRS if (groups >= 0).any()),
    ]
    for columns, tolerance, within, beside in ways:
        pairs = list(_alike(table, columns, tolerance, within))
        if pairs and columns[-1] in _QUOTIENTS:
            pairs = list(compress(pairs, _as_written(table[np.array(pairs)])))
        for pair in pairs:
            found.setdefault(pair, _named(columns) + beside)
    return [Agreement(*pair, words) for pair, words in sorted(found.items())]


def _with_quotients(table: np.ndarray) -> np.ndarray:
    return np.column_stack([table, table[:, 2] / table[:, 1], table[:, 3] / table[:, 1]])


def _as_written(pairs: np.ndarray) -> np.ndarray:
    """Say of which pairs of rows the quotients agree as sharply as they are written, and so sharply that it tells."""
    latencies = pairs[:, :, 1:3]
    left = _last_digits(latencies) / latencies
    steps = np.stack([left.sum(axis=2), left[:, :, 0] + _STEP / pairs[:, :, 3]], axis=2)
    sharp = np.maximum(steps.max(axis=1), _ROUNDING)
    quotients = pairs[:, :, _QUOTIENTS]
    is_near = np.abs(quotients[:, 0] - quotients[:, 1]) <= sharp * quotients.min(axis=1)
    is_one: np.ndarray = is_near.all(axis=1) & (sharp.prod(axis=1) <= CHANCE)
    return is_one


def _last_digits(latencies: np.ndarray) -> np.ndarray:
    """Return what the last digit of each latency stands for, in seconds."""
    found = np.full(latencies.shape, 10.0 ** -_DECIMALS[0])
    for decimals in _DECIMALS[1:]:
        digits = latencies * 1e9 * 10.0**decimals
        is_whole = np.abs(digits - np.round(digits)) <= _EXACT * digits
        found[is_whole] = 10.0**-decimals
    return found * 1e-9


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
    the one so many places after it, and ends when no window is so wide. Only the latency that is sorted by is looked at
    in every row, and the others in those few whose neighbour is near: a copy of each would be most of the memory.
    """
    lead, *others = [each for each in columns if each] + [0] * (0 in columns)
    rows = np.flatnonzero(~np.isnan(table[:, columns]).any(axis=1) & (groups >= 0))
    rows = rows[np.lexsort((*(table[rows, each] for each in reversed((lead, *others))), groups[rows]))]
    values = table[rows, lead]
    at = np.arange(len(rows) - 1)
    told = np.zeros(len(rows), dtype=np.int8)
    step, left = 1, MOST_COMPARED
    while len(at) and left > 0:
        left -= len(at)
        at = at[groups[rows[at + step]] == groups[rows[at]]]
        at = at[values[at + step] - values[at] <= tolerance * values[at]]
        alike = at
        for column in others:
            one, other = table[rows[alike], column], table[rows[alike + step], column]
            slack = tolerance * one + (_STEP / table[rows[alike], 1] if column == _QUOTIENTS[-1] else 0)
            alike = alike[np.abs(other - one) <= slack]
        for here in alike:
            first, second = sorted((int(rows[here]), int(rows[here + step])))
            yield first, second
        told[alike] += 1
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
