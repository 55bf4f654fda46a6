"""
Whether a change made storage slower: here in which order runs were made, and how many repetitions would do.

What changes slowly or periodically (temperature, other users) looks like a difference where one side came first, and
where the sides take fixed turns. In pairs whose first side is drawn at random it affects both sides alike.

Power is taken from the normal distribution with the scatter of the estimated spread beside it, which is the noncentral
t to two digits. Source: N. L. Johnson and B. L. Welch, Applications of the non-central t-distribution, Biometrika 31
(1940). Of ten settings of normal noise it gives the same numbers as simulation (a test holds them).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from enum import StrEnum
from itertools import groupby, pairwise
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from ioledger.comparison import limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

MIN_PAIRS = 3
MAX_LEFT_OVER = 1
"""So many runs of a side may have no partner: one lost run leaves the pairs valid."""


class Layout(StrEnum):
    """In which order the runs of two sides were made, the one that allows least first; the value is the word for it."""

    UNDATED = "undated"
    BLOCKS = "blocks"
    TOO_FEW = "too few pairs"
    NOT_PAIRED = "not paired"
    FIXED = "fixed order"
    PAIRED = "paired"
    HISTORY = "history"

    @property
    def is_paired(self) -> bool:
        """Whether the pairs are compared, and not the sides as a whole."""
        return self in {Layout.FIXED, Layout.PAIRED}

    @property
    def excludes_order(self) -> bool:
        """Whether a disturbance cannot pass for a difference, so that better and worse may be said."""
        return self in {Layout.PAIRED, Layout.HISTORY}


class Span(NamedTuple):
    """When something ran, as far as its file says; one of both may be all that is known."""

    start: datetime
    end: datetime


class Order(NamedTuple):
    """The layout of two sides, and the pairs: places of a run before and of a run after, in time."""

    layout: Layout
    pairs: tuple[tuple[int, int], ...] = ()


def find_order(before: Sequence[Span | None], after: Sequence[Span | None]) -> Order:
    """Return the layout of two sides, the first that applies, and their pairs: neighbours in time of both sides."""
    runs = [(span, side, place) for side, spans in enumerate((before, after)) for place, span in enumerate(spans)]
    known = sorted((span.end, span.start, side, place) for span, side, place in runs if span is not None)
    if len({(end, start) for end, start, *_ in known}) < len(runs):
        return Order(Layout.UNDATED)
    in_time = [(side, place) for *_, side, place in known]
    pairs = []
    waiting = None
    for run in in_time:
        if waiting is None or waiting[0] == run[0]:
            waiting = run
        else:
            pairs.append((waiting, run))
            waiting = None
    first_sides = [first for (first, _), _ in pairs]
    if len([*groupby(side for side, _ in in_time)]) <= len((before, after)):
        found = Layout.BLOCKS
    elif len(pairs) < MIN_PAIRS:
        found = Layout.TOO_FEW
    elif max(len(before), len(after)) - len(pairs) > MAX_LEFT_OVER:
        found = Layout.NOT_PAIRED
    else:
        found = Layout.FIXED if is_fixed(first_sides) else Layout.PAIRED
    return Order(found, tuple((min(pair)[1], max(pair)[1]) for pair in pairs))


def is_fixed(first_sides: Sequence[int]) -> bool:
    """Return whether every pair begins with the same side, or the sides begin in strict turns."""
    return len({*first_sides}) == 1 or all(one != other for one, other in pairwise(first_sides))


def split_sessions(runs: Iterable[tuple[Span, float]]) -> list[list[float]]:
    """Return the values of runs by session: one starts ``session_gap`` or more after the latest end of all before."""
    found: list[list[float]] = []
    latest = None
    for span, value in sorted(runs):
        if latest is None or (span.start - latest).total_seconds() >= limit("session_gap"):
            found.append([])
        found[-1].append(value)
        latest = span.end if latest is None else max(latest, span.end)
    return found


COUNTS = range(3, 10_001)
"""Fewer repetitions a side are never planned; more are not looked for."""
POWER = 0.8
"""How often what is there shall be found."""


class Runs(NamedTuple):
    """
    Runs of two sides: the standard deviation of single ones on the logarithm, and how they are compared.

    ``known`` are the degrees of freedom that other points add to the estimate of the spread.
    """

    deviation: float
    is_paired: bool = False
    known: float = 0.0

    def error(self, count: int) -> tuple[float, float]:
        """Return the standard error of the difference of so many runs a side, and its degrees of freedom."""
        return self.deviation * math.sqrt(2 / count), (count - 1) * (1 if self.is_paired else 2) + self.known


def _t(degrees: float, probability: float) -> tuple[float, float]:
    """Return the mean that a t must exceed for its quantile, and the deviation of t around it."""
    from scipy import special  # noqa: PLC0415

    quantile = float(special.stdtrit(degrees, probability))
    return quantile * (1 - 1 / (4 * degrees)), math.sqrt(1 + quantile**2 / (2 * degrees))


def _chance(lead: float, degrees: float, probability: float) -> float:
    mean, deviation = _t(degrees, probability)
    return NormalDist().cdf((lead - mean) / deviation)


def chance_to_find(difference: float, runs: Runs, count: int, *, alpha: float) -> float:
    """Return how often so many runs a side show a difference, which is on the logarithm; never with a single run."""
    error, degrees = runs.error(count)
    return _chance(abs(difference) / error, degrees, 1 - alpha / 2) if count > 1 else 0.0


def runs_to_show(difference: float, runs: Runs, *, alpha: float, power: float = POWER) -> int | None:
    """Return the least number of runs a side that show a difference so often, null where ten thousand do not."""
    return _find_least(lambda count: chance_to_find(difference, runs, count, alpha=alpha) >= power)


def runs_to_show_equal(margin: float, runs: Runs, *, alpha: float, power: float = POWER) -> int | None:
    """Return the least number of runs a side that show so often that nothing differs, where nothing does."""
    limit = math.log1p(margin)

    def reaches(count: int) -> bool:
        error, degrees = runs.error(count)
        return 2 * _chance(limit / error, degrees, 1 - alpha) - 1 >= power

    return _find_least(reaches)


def detectable(error: float, degrees: float, *, alpha: float, power: float = POWER) -> float:
    """Return the smallest difference, on the logarithm, that a standard error with so many degrees shows so often."""
    mean, deviation = _t(degrees, 1 - alpha / 2)
    return (mean + deviation * NormalDist().inv_cdf(power)) * error


def _find_least(reaches: Callable[[int], bool]) -> int | None:
    """Return the least count that reaches what is asked for; power only grows."""
    place = bisect_left(COUNTS, True, key=reaches)  # noqa: FBT003
    return COUNTS[place] if place < len(COUNTS) else None
