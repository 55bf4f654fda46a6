"""
Intervals: of a value from its repetitions and its rounding, and of a geometric mean of quotients.

All arithmetic is on natural logarithms. A half is how far an end of the interval lies from the value on that scale,
because of rounding: ``ln(value / low)`` and ``ln(high / value)``; infinity is an open end, as "more than 1.2" has one,
and NaN is not known. Rounding is the same in every repetition, so halves are added to what repetitions give, not in
quadrature. Arrays have one entry per value; a missing number is NaN, and so is an end that is open or not known.

Source  Welch's t for unequal variances: B. L. Welch, The generalization of Student's problem when several different
population variances are involved, Biometrika 34 (1947); degrees of freedom: F. E. Satterthwaite, Biometrics Bulletin 2
(1946).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_DIGITS = 12
_LARGEST = 300
_POWERS = np.array([float(f"1e{power}") for power in range(_LARGEST + 1)])


class Interval(NamedTuple):
    """A value with its ends; an end is NaN where it is open or not known."""

    value: Numbers
    low: Numbers
    high: Numbers


def significant(values: Numbers) -> Numbers:
    """
    Return numbers with twelve significant digits.

    The last digits of exponentials and of quantiles differ between processors and releases of libraries; what is
    published and judged must not.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        exponent = np.floor(np.log10(np.abs(values)))
    usual = np.isfinite(exponent) & (np.abs(exponent) < _LARGEST - _DIGITS)
    shift = _DIGITS - 1 - np.where(usual, exponent, 0).astype(np.int64)
    up, down = _POWERS[np.maximum(shift, 0)], _POWERS[np.maximum(-shift, 0)]
    return np.where(usual, np.rint(np.where(usual, values, 0) * up / down) / up * down, values)


def student_quantile(probability: Numbers | float, degrees: Numbers) -> Numbers:
    """Return the quantile of Student's t at a probability, for any positive number of degrees, infinity included."""
    from scipy import special  # noqa: PLC0415  (only a build needs it, and has it)

    found: Numbers = special.stdtrit(degrees, probability)
    return found


def student_tail(t: Numbers, degrees: Numbers) -> Numbers:
    """Return the probability that Student's t lies further from 0 than ``t``, on either side."""
    from scipy import special  # noqa: PLC0415  (only a build needs it, and has it)

    found: Numbers = 2 * special.stdtr(degrees, -np.abs(t))
    return found


def upper(share: float = 1.0) -> float:
    """Return the probability below the upper end of an interval: 0.975 for 95 %, with ``share`` 2 0.95 for 90 %."""
    return 1 - share * limit("significance") / 2


def ends(logarithm: Numbers, below: Numbers, above: Numbers) -> Interval:
    """Return a value and its ends from its logarithm and the distances on that scale; an infinite one is open."""
    with np.errstate(over="ignore"):
        return Interval(
            significant(np.exp(logarithm)),
            significant(np.exp(logarithm - np.where(np.isinf(below), np.nan, below))),
            significant(np.exp(logarithm + np.where(np.isinf(above), np.nan, above))),
        )


def known_halves(below: Numbers, above: Numbers) -> tuple[Numbers, Numbers]:
    """
    Return the halves of values without repetitions: not known where neither is above zero.

    No rounding says nothing about how the value would repeat, and an interval of no width would say "exact".
    """
    is_known = (below > 0) | (above > 0)
    return np.where(is_known, below, np.nan), np.where(is_known, above, np.nan)


def estimated(
    count: Numbers, mean_logarithm: Numbers, log_variance: Numbers, low_half: Numbers, high_half: Numbers
) -> Interval:
    """
    Return geometric means with their 95 % intervals.

    ``log_variance`` is the sample variance of the logarithms. From three repetitions on the interval is Student's t
    with ``count - 1`` degrees, and the halves are added; with fewer it is what rounding leaves, or not known.
    """
    is_repeated = (count >= limit("least_repetitions")) & np.isfinite(log_variance)
    degrees = np.where(is_repeated, count - 1, 1)
    width = student_quantile(upper(), degrees) * np.sqrt(np.where(is_repeated, log_variance / np.maximum(count, 1), 0))
    below, above = known_halves(low_half, high_half)
    below = np.where(is_repeated, width + np.nan_to_num(low_half, nan=0, posinf=np.inf), below)
    above = np.where(is_repeated, width + np.nan_to_num(high_half, nan=0, posinf=np.inf), above)
    return ends(mean_logarithm, below, above)


class Member(NamedTuple):
    """
    The quotients of means: logarithms, variances and degrees of these, and halves; NaN is not known.

    ``session_variance`` is the part of the variance that the session term makes. Every array has a row per mean and in
    it an entry per quotient, so means of equally many quotients are asked for together.
    """

    logarithm: Numbers
    variance: Numbers
    degrees: Numbers
    low_half: Numbers
    high_half: Numbers
    session_variance: Numbers


class Mean(NamedTuple):
    """
    Geometric means of quotients, each as one side of a quotient whose other side is exactly 1.

    ``variance`` and ``degrees`` are those of the mean logarithm, NaN where a member is not repeated; the halves are
    what rounding and bounds leave.
    """

    value: Numbers
    variance: Numbers
    degrees: Numbers
    low_half: Numbers
    high_half: Numbers


def averaged(members: Member) -> Mean:
    """
    Return the geometric means of quotients; NaN everywhere for means of none.

    Where every member is repeated, variances and degrees are combined as Welch and Satterthwaite do; a half that is not
    known is then taken for none. The halves are averaged, which is the geometric mean of the ends. A bound counts with
    the logarithm of what it states. The members share their sessions, so what these add does not shrink with their
    number.
    """
    logs, variances, degrees, below, above, shared = members
    if not (count := logs.shape[1]):
        return Mean(*[np.full(len(logs), np.nan)] * len(Mean._fields))
    variances = variances + (count - 1) * np.nan_to_num(shared)
    is_repeated = (np.isfinite(variances) & np.isfinite(degrees)).all(axis=1)
    halves = [_shared_end(half, is_repeated) for half in (below, above)]
    with np.errstate(divide="ignore", invalid="ignore"):
        total, weighed = (each.sum(axis=1) for each in (variances, variances**2 / degrees))
        freedom = np.where(weighed != 0, total**2 / weighed, degrees.min(axis=1))
    value, lower, higher = (each.sum(axis=1) / count for each in (logs, *halves))
    variance, freedom = (np.where(is_repeated, each, np.nan) for each in (total / count**2, freedom))
    return Mean(np.exp(value), variance, freedom, lower, higher)


def _shared_end(halves: Numbers, is_repeated: Flags) -> Numbers:
    """Return halves of means: one that is open at a member is open in the mean, whatever is not known of the others."""
    known = np.where(is_repeated[:, None], np.nan_to_num(halves, nan=0, posinf=np.inf), halves)
    return np.where(np.isinf(known).any(axis=1, keepdims=True), np.inf, known)
