"""
What a whole sweep tells of the spread of one of its points: the prior of a moderated variance.

Five repetitions say little of their own spread. The other points of a sweep say more: not that it is the same, it
differs by point, but from what range it comes. Source: G. K. Smyth, Statistical Applications in Genetics and Molecular
Biology 3 (2004), section 6.2.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ioledger.gating.statistics import Prior
from ioledger.judgement.student import digamma, trigamma, trigamma_inverse

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_POINTS = 3
"""A spread of spreads needs three."""


def prior(spreads: Sequence[tuple[float, int]]) -> Prior | None:
    """
    Return what variances, each with its degrees of freedom, tell of any further one; nothing of fewer than three.

    Where the variances differ no more than chance lets them, the prior has infinite degrees: all points then share one
    variance, and no point has more degrees than all have together.
    """
    if len(spreads) < LEAST_POINTS:
        return None
    logarithms = [math.log(s2) - digamma(f / 2) + math.log(f / 2) for s2, f in spreads]
    mean = math.fsum(logarithms) / len(logarithms)
    scatter = math.fsum((each - mean) ** 2 for each in logarithms) / (len(logarithms) - 1)
    beyond = scatter - math.fsum(trigamma(f / 2) for _, f in spreads) / len(spreads)
    most = float(sum(f for _, f in spreads))
    if beyond <= 0:
        return Prior(math.exp(mean), math.inf, most)
    half = trigamma_inverse(beyond)
    return Prior(math.exp(mean + digamma(half) - math.log(half)), 2 * half, most)
