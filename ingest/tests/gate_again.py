"""The statistics of a gate once more, by scipy and from the formulas: a second implementation for tests."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import stats


class Again(NamedTuple):
    """What :class:`ioledger.gating.statistics.Assessed` has."""

    difference: float
    standard_error: float
    degrees: float
    p_difference: float
    p_equivalence: float
    low: float
    high: float


def assessed(  # noqa: PLR0913  (what the formula has)
    before: list[float], after: list[float], *, least: float, margin: float, alpha: float, paired: bool
) -> Again:
    """Return Welch's or the paired test of logarithms, with a least variance of each side."""
    a, b = np.array(before), np.array(after)
    if paired:
        squared, degrees = max(np.var(b - a, ddof=1), 2 * least) / len(a), len(a) - 1.0
    else:
        parts = [max(np.var(side, ddof=1), least) / len(side) for side in (a, b)]
        squared = sum(parts)
        degrees = squared**2 / sum(part**2 / (len(side) - 1) for part, side in zip(parts, (a, b), strict=True))
    return _with(float(b.mean() - a.mean()), math.sqrt(squared), degrees, margin, alpha)


def moderated(  # noqa: PLR0913  (what the formula has)
    before: list[float],
    after: list[float],
    *,
    variance: float,
    degrees: float,
    least: float,
    margin: float,
    alpha: float,
) -> Again:
    """Return the test with a moderated variance, Smyth (2004), equation 3.2 of section 6."""
    a, b = np.array(before), np.array(after)
    own = len(a) + len(b) - 2
    pooled = max((np.var(a, ddof=1) * (len(a) - 1) + np.var(b, ddof=1) * (len(b) - 1)) / own, least)
    mixed = (degrees * variance + own * pooled) / (degrees + own)
    return _with(float(b.mean() - a.mean()), math.sqrt(mixed * (1 / len(a) + 1 / len(b))), degrees + own, margin, alpha)


def _with(difference: float, error: float, degrees: float, margin: float, alpha: float) -> Again:
    t: Any = stats.t(degrees)
    limit = math.log1p(margin)
    inside = max(t.sf((difference + limit) / error), t.cdf((difference - limit) / error))
    width = t.ppf(1 - alpha / 2) * error
    p = 2 * t.sf(abs(difference) / error)
    ends = (math.exp(difference - width), math.exp(difference + width))
    return Again(difference, error, float(degrees), float(p), float(inside), *ends)
