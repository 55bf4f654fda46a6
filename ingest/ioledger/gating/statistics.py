"""
One point and one metric: whether after is better than before, worse, or equal within the margin.

All is on natural logarithms. The difference is positive where after is better, whatever the metric. Sides that were
measured apart are compared by Welch's t; sides that took turns by the t of their differences. With a prior, which the
other points of the sweep give, the variance is moderated. *Equal* is shown, by two one-sided tests against the
margin; what is neither shown different by at least the margin nor shown equal is undecided.

Sources  B. L. Welch, Biometrika 34 (1947); F. E. Satterthwaite, Biometrics Bulletin 2 (1946); D. J. Schuirmann, Journal
of Pharmacokinetics and Biopharmaceutics 15 (1987); G. K. Smyth, Statistical Applications in Genetics and Molecular
Biology 3 (2004).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ioledger.judgement import student
from ioledger.judgement.verdicts import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_VARIANCE = 1e-6
"""The variance of a logarithm is at least that of a spread of 0.1 %: no run repeats more exactly than that."""
LEAST_P99_VARIANCE = (1 / 64) ** 2 / 12
"""That of p99: fio's histogram has 64 bins to a doubling at most, and a value lies anywhere in its bin."""
FEW = 2
"""With so many values a side nothing is known of their spread without other points."""


class Question(NamedTuple):
    """
    What is asked of two sides.

    ``margin`` is a ratio minus 1 below which a difference counts as none, ``alpha`` the level of each test, and
    ``least`` the variance below which no side is taken to be.
    """

    is_latency: bool
    margin: float
    alpha: float
    least: float = LEAST_VARIANCE


class Prior(NamedTuple):
    """
    What the other points tell of the spread: a variance of the logarithm, and the degrees of freedom it counts for.

    ``most_degrees`` is the sum of the degrees of all points, which no point can have more of.
    """

    variance: float
    degrees: float
    most_degrees: float = math.inf


class Assessed(NamedTuple):
    """
    The difference of a point with its error and its tests; null where too few values say anything of their spread.

    ``p_difference`` is two-sided; ``p_equivalence`` the larger of both one-sided tests against the margin. ``low`` and
    ``high`` are the ends of the interval of the difference at 1 - alpha, as ratios.
    """

    difference: float
    standard_error: float | None = None
    degrees: float | None = None
    p_difference: float | None = None
    p_equivalence: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def ratio(self) -> float:
        """How many times as good after is: above 1 is better."""
        return math.exp(self.difference)


class Spread(NamedTuple):
    """
    The spread of a point before anything is moderated: a variance, its degrees, and what the standard error divides by.

    ``share`` times the variance is the squared error of the difference: ``1/n + 1/m``, or ``1/n`` of pairs.
    """

    variance: float
    degrees: int
    share: float


def logarithms(values: Sequence[float | None]) -> list[float] | None:
    """Return the logarithms of values; nothing where one of them is missing, zero or negative."""
    known = [value for value in values if value is not None and value > 0 and math.isfinite(value)]
    return [math.log(value) for value in known] if len(known) == len(values) and known else None


def least_variance(metric: str) -> float:
    """Return the variance below which no side is taken to be."""
    return LEAST_P99_VARIANCE if metric == "latency_p99_seconds" else LEAST_VARIANCE


def spread(before: Sequence[float], after: Sequence[float], *, least: float, paired: bool) -> Spread | None:
    """Return the spread of a point, pooled over both sides, or of its pairs; nothing where neither side repeats."""
    if paired:
        count = len(before)
        if count < FEW:
            return None
        differences = [b - a for a, b in zip(before, after, strict=True)]
        return Spread(max(_variance(differences), 2 * least), count - 1, 1 / count)
    degrees = len(before) + len(after) - 2
    if not degrees:
        return None
    squares = sum(_variance(side) * (len(side) - 1) for side in (before, after))
    return Spread(max(squares / degrees, least), degrees, 1 / len(before) + 1 / len(after))


def assessed(
    before: Sequence[float],
    after: Sequence[float],
    question: Question,
    *,
    paired: bool = False,
    prior: Prior | None = None,
) -> Assessed:
    """
    Return the difference of two sides and its tests.

    ``before`` and ``after`` are logarithms of values; of pairs each stands at the same place in both. Two values a side
    have no test without a prior, and one value has none at all.
    """
    difference = _difference(before, after, question)
    count = min(len(before), len(after))
    found = spread(before, after, least=question.least, paired=paired)
    if found is None or count < FEW or (count == FEW and prior is None):
        return Assessed(difference)
    if prior is not None:
        squared, degrees = _moderated(found, prior)
    elif paired:
        squared, degrees = found.variance * found.share, float(found.degrees)
    else:
        squared, degrees = _welch(before, after, question.least)
    return _with_error(difference, math.sqrt(squared), degrees, question)


def against_history(before: Sequence[float], after: Sequence[float], question: Question, *, fewest: int) -> Assessed:
    """
    Return the difference of new sessions to those before, and its tests; none with fewer than so many sessions before.

    ``before`` and ``after`` are means of sessions. The spread is that of the sessions before, which share what the runs
    of one session share.
    """
    difference = _difference(before, after, question)
    if len(before) < max(fewest, FEW):
        return Assessed(difference)
    error = math.sqrt(max(_variance(before), question.least) * (1 / len(before) + 1 / len(after)))
    return _with_error(difference, error, float(len(before) - 1), question)


def _with_error(difference: float, error: float, degrees: float, question: Question) -> Assessed:
    """Return the tests of a difference whose standard error is known with so many degrees of freedom."""
    limit = math.log1p(question.margin)
    width = student.quantile(1 - question.alpha / 2, degrees) * error
    return Assessed(
        difference,
        error,
        degrees,
        student.both_tails(difference / error, degrees),
        student.upper_tail((limit - abs(difference)) / error, degrees),
        math.exp(difference - width),
        math.exp(difference + width),
    )


def _moderated(found: Spread, prior: Prior) -> tuple[float, float]:
    """Return the squared error and the degrees of a variance that the prior moderates; Smyth's formula (2004)."""
    if math.isinf(prior.degrees):
        return prior.variance * found.share, prior.most_degrees
    degrees = prior.degrees + found.degrees
    variance = (prior.degrees * prior.variance + found.degrees * found.variance) / degrees
    return variance * found.share, min(degrees, prior.most_degrees)


def _welch(before: Sequence[float], after: Sequence[float], least: float) -> tuple[float, float]:
    """Return the squared error and the degrees of Welch and Satterthwaite."""
    parts = [max(_variance(side), least) / len(side) for side in (before, after)]
    weighed = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (before, after), strict=True))
    return sum(parts), sum(parts) ** 2 / weighed


def decided(found: Assessed, adjusted: float | None, question: Question) -> Change:
    """Return the verdict of a point; ``adjusted`` is its p of the difference among those of all others."""
    if found.p_equivalence is None or adjusted is None:
        return Change.UNDECIDED
    if found.p_equivalence < question.alpha:
        return Change.EQUAL
    if adjusted < question.alpha and abs(found.difference) >= math.log1p(question.margin):
        return Change.BETTER if found.difference > 0 else Change.WORSE
    return Change.UNDECIDED


def _difference(before: Sequence[float], after: Sequence[float], question: Question) -> float:
    """Return the difference of the means, positive where after is better."""
    return (_mean(after) - _mean(before)) * (-1 if question.is_latency else 1)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance; zero of a single value."""
    mean = _mean(values)
    return math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
