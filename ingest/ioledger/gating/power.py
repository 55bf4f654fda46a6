"""
How many repetitions a side would do: to show a difference, or to show that there is none, at a given spread.

Power is taken from the normal distribution with the scatter of the estimated spread beside it, which is the noncentral
t to two digits. Source: N. L. Johnson and B. L. Welch, Applications of the non-central t-distribution, Biometrika 31
(1940). Of ten settings of normal noise it gives the same numbers as simulation (a test holds them).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from ioledger.judgement import student

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST, MOST = 3, 10_000
"""Fewer repetitions a side are never planned; more are not looked for."""
POWER = 0.8
"""How often what is there shall be found."""


def chance(lead: float, degrees: float, probability: float) -> float:
    """
    Return how often a t is beyond its quantile at ``probability`` when its mean is ``lead`` standard errors from 0.

    ``degrees`` are those of the spread; infinity is the normal distribution.
    """
    quantile = student.quantile(probability, degrees)
    shift, scatter = (1.0, 1.0) if math.isinf(degrees) else (1 - 1 / (4 * degrees), 1 + quantile**2 / (2 * degrees))
    return NormalDist().cdf((lead - quantile * shift) / math.sqrt(scatter))


def to_show(
    difference: float, deviation: float, *, alpha: float, power: float = POWER, known: float = 0.0
) -> int | None:
    """
    Return the least number of repetitions a side that shows a difference so often, null where ten thousand do not.

    ``difference`` and ``deviation`` (the standard deviation of single runs) are on the logarithm; ``known`` are the
    degrees of freedom that other points add to the estimate of the spread.
    """
    return _least(
        lambda error, degrees: chance(abs(difference) / error, degrees, 1 - alpha / 2), deviation, power, known
    )


def to_show_equal(
    margin: float, deviation: float, *, alpha: float, power: float = POWER, known: float = 0.0
) -> int | None:
    """Return the least number of repetitions a side that shows so often that nothing differs, where nothing does."""
    limit = math.log1p(margin)
    return _least(lambda error, degrees: 2 * chance(limit / error, degrees, 1 - alpha) - 1, deviation, power, known)


def shown(error: float, degrees: float, *, alpha: float, power: float = POWER) -> float:
    """Return the smallest difference, on the logarithm, that a standard error with so many degrees shows so often."""
    low, high = 0.0, 1.0
    while chance(high, degrees, 1 - alpha / 2) < power:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle, degrees, 1 - alpha / 2) < power else (low, middle)
    return high * error


def _least(power_of: Callable[[float, float], float], deviation: float, power: float, known: float) -> int | None:
    """Return the least number for which the power, of a standard error and its degrees, is reached; it only grows."""

    def reaches(count: int) -> bool:
        return power_of(deviation * math.sqrt(2 / count), 2 * (count - 1) + known) >= power

    low, high = LEAST - 1, LEAST
    while not reaches(high):
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high
