"""
The highest rate over several queue depths, without the bias of having been chosen.

The highest of several noisy means is too high. So the repetitions are parted into three folds; for each fold the depth
is chosen by the other two, and the fold gives its values there: what chooses and what is reported are independent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ioledger.judgement.limits import limit
from ioledger.judgement.uncertainty import ends, significant, student_quantile, upper

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ioledger.judgement.uncertainty import Flags, Numbers

    Places = NDArray[np.int64]

FOLDS = 3
_VARIANCE_FACTOR = 2
"""
Choosing adds to the spread: with 1 intervals hold the peak in 87 to 95 % of cases, with 2 in 96.6 to 99.2 %
(simulated for 3 to 20 repetitions of 1 to 10 depths, 2 and 10 % of spread).
"""


class Peak(NamedTuple):
    """
    The peak, in the unit of the values, with the variance of its logarithm, its degrees of freedom and its ends.

    All of these are NaN with fewer than three repetitions at a depth. ``queue_depth`` is the one that most folds chose;
    the highest geometric mean and its depth, and the plateau (the mean of the depths close to it), are always there.
    """

    value: float
    variance: float
    degrees: float
    low: float
    high: float
    plateau_count: int
    queue_depth: int
    highest_value: float
    highest_queue_depth: int
    plateau_value: float


class Folded(NamedTuple):
    """Many peaks at once: logarithm, its variance and degrees; the mean logarithms; places of what was chosen."""

    logarithm: Numbers
    variance: Numbers
    degrees: Numbers
    means: Numbers
    highest: Places
    chosen: Places
    is_plateau: Flags


def folded(logs: Numbers) -> Folded:
    """
    Return the peaks of ``logs[trial, depth, repetition]``; NaN fills up where a depth has fewer repetitions.

    The fold of a repetition is its place modulo 3, so each depth needs three. Ties take the first depth. The variance
    is pooled over the depths of the plateau, and divided by the least number of repetitions among them.
    """
    is_there = np.isfinite(logs)
    values = np.where(is_there, logs, 0)
    counts = is_there.sum(axis=2)
    means = values.sum(axis=2) / counts
    trials, fold = np.arange(len(logs)), np.arange(logs.shape[2]) % FOLDS
    chosen = np.zeros((len(logs), FOLDS), dtype=np.int64)
    total, number = np.zeros(len(logs)), np.zeros(len(logs))
    for each in range(FOLDS):
        is_own = fold == each
        others = values[:, :, ~is_own].sum(axis=2) / is_there[:, :, ~is_own].sum(axis=2)
        chosen[:, each] = np.argmax(significant(others), axis=1)
        total += values[trials, chosen[:, each]][:, is_own].sum(axis=1)
        number += is_there[trials, chosen[:, each]][:, is_own].sum(axis=1)
    is_plateau = means >= means.max(axis=1, keepdims=True) + math.log(limit("plateau_share"))
    squares = (np.where(is_there, values - means[:, :, None], 0) ** 2).sum(axis=2)
    degrees = ((counts - 1) * is_plateau).sum(axis=1).astype(np.float64)
    least = np.where(is_plateau, counts, counts.max(initial=0)).min(axis=1)
    variance = _VARIANCE_FACTOR * (squares * is_plateau).sum(axis=1) / degrees / least
    return Folded(total / number, variance, degrees, means, np.argmax(significant(means), axis=1), chosen, is_plateau)


class Points(NamedTuple):
    """
    Single values of many lists: the list each belongs to, queue depth, index of the repetition (NaN: none), value.

    All arrays have one entry per value; ``owner`` counts the lists from 0.
    """

    owner: Places
    queue_depth: Places
    repetition_index: Numbers
    value: Numbers


def peak_by_folds(points: Sequence[tuple[int, int | None, float | None]]) -> Peak | None:
    """Return the peak of one list of values, each with its queue depth and the index of its repetition."""
    indices, values = ([math.nan if each[place] is None else each[place] for each in points] for place in (1, 2))
    depths = np.array([each[0] for each in points], dtype=np.int64)
    owner = np.zeros(len(points), dtype=np.int64)
    return peaks_by_folds(Points(owner, depths, np.array(indices, float), np.array(values, float)), 1)[0]


def peaks_by_folds(points: Points, count: int) -> list[Peak | None]:
    """
    Return the peaks of so many lists of values.

    Values that are not finite or not above zero do not count. The repetitions of a depth are put in the order of their
    index; those without one come last, as they are given. None where a list has no value left.
    """
    found: list[Peak | None] = [None] * count
    is_kept = np.isfinite(points.value) & (points.value > 0)
    owner, depth = points.owner[is_kept], points.queue_depth[is_kept]
    order = np.lexsort((np.nan_to_num(points.repetition_index[is_kept], nan=np.inf), depth, owner))
    owner, depth, logs = owner[order], depth[order], np.log(points.value[is_kept][order])
    first = np.flatnonzero(np.diff(owner, prepend=-1) | np.diff(depth, prepend=-1))
    sizes = np.diff(first, append=len(owner))
    step = np.repeat(np.arange(len(first)), sizes)
    owners, begin, depth_counts = np.unique(owner[first], return_index=True, return_counts=True)
    place = np.arange(len(first)) - np.repeat(begin, depth_counts)
    for depth_count in np.unique(depth_counts):
        alike = np.flatnonzero(depth_counts == depth_count)
        trial = np.full(len(owners), -1)
        trial[alike] = np.arange(len(alike))
        of_step = np.repeat(trial, depth_counts)
        of_value, is_own = of_step[step], of_step[step] >= 0
        table = np.full((len(alike), depth_count, sizes[of_step >= 0].max()), np.nan)
        repetition = np.arange(len(owner)) - first[step]
        table[of_value[is_own], place[step][is_own], repetition[is_own]] = logs[is_own]
        depths = depth[first][of_step >= 0].reshape(len(alike), depth_count)
        for each, peak in zip(owners[alike].tolist(), _peaks(depths, table), strict=True):
            found[each] = peak
    return found


def _peaks(depths: Places, logs: Numbers) -> Iterator[Peak]:
    """Give the peaks of ``logs[trial, depth, repetition]`` at ``depths[trial, depth]``."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = folded(logs)
    is_repeated = np.isfinite(logs).sum(axis=2).min(axis=1) >= limit("least_repetitions")
    width = student_quantile(upper(), found.degrees) * np.sqrt(found.variance)
    value, low, high = ends(found.logarithm, width, width)
    hidden = [
        np.where(is_repeated, each, np.nan) for each in (value, significant(found.variance), found.degrees, low, high)
    ]
    trials, plateau_count = np.arange(len(logs)), found.is_plateau.sum(axis=1)
    chosen = np.sort(found.chosen, axis=1)
    # of three that are in order, the middle one is there twice if any is; else the lowest depth counts
    usual = np.where(chosen[:, 1] == chosen[:, 2], chosen[:, 1], chosen[:, 0])
    shown = np.where(is_repeated, usual, found.highest)
    highest = significant(np.exp(found.means[trials, found.highest]))
    plateau = significant(np.exp((found.means * found.is_plateau).sum(axis=1) / plateau_count))
    columns = (*hidden, plateau_count, depths[trials, shown], highest, depths[trials, found.highest], plateau)
    return map(Peak._make, zip(*(each.tolist() for each in columns), strict=True))
