"""
Student's t for one number at a time, and the two functions that a moderated spread needs; nothing but the mathematics.

The core of the package has no scipy, which takes longer to load than a gate takes. A build judges millions of quotients
at once, as arrays, and keeps to scipy (:mod:`ioledger.judgement.uncertainty`); a test holds the two together.

Sources  Tail of t by the incomplete beta function, NIST Digital Library of Mathematical Functions 8.17.22 (a continued
fraction, by Lentz's method); digamma and trigamma by their asymptotic series, 5.11.2 and 5.15.8, above ten.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_TINY, _CLOSE = 1e-300, 1e-16
_MOST_STEPS = 10_000
_NORMAL_DEGREES = 1e10
"""From here on Student's t is the normal distribution to twelve digits."""
_ASYMPTOTIC = 12.0
"""The series of digamma and trigamma are used above this; below it the recurrence leads there."""
_LARGE = 30.0
_HALF_STEP = (1 / 8, 1 / 192, -1 / 640, 17 / 14336)
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
_TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)


def upper_tail(t: float, degrees: float) -> float:
    """Return the probability that Student's t is above ``t``, for any positive number of degrees, infinity included."""
    if degrees >= _NORMAL_DEGREES:
        return math.erfc(t / math.sqrt(2)) / 2
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    tail = _incomplete_beta(degrees / (degrees + t * t), t * t / (degrees + t * t), degrees / 2) / 2
    return tail if t >= 0 else 1 - tail


def both_tails(t: float, degrees: float) -> float:
    """Return the probability that Student's t lies further from 0 than ``t``, on either side."""
    return 2 * upper_tail(abs(t), degrees)


@lru_cache(1 << 12)
def quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t at a probability between 0 and 1, by Newton's method inside of a bracket."""
    if degrees >= _NORMAL_DEGREES:
        return NormalDist().inv_cdf(probability)
    if probability < 1 / 2:
        return -quantile(1 - probability, degrees)
    wanted, low, high = 1 - probability, 0.0, 1.0
    while upper_tail(high, degrees) > wanted:
        low, high = high, 2 * high
    t = (low + high) / 2
    for _ in range(_MOST_STEPS):
        excess = upper_tail(t, degrees) - wanted
        low, high = (t, high) if excess > 0 else (low, t)
        further = t + excess / _density(t, degrees)
        further = further if low < further < high else (low + high) / 2
        if abs(further - t) <= 4 * _CLOSE * further:
            break
        t = further
    return t


def _density(t: float, degrees: float) -> float:
    """Return the density of Student's t."""
    logarithm = _half_step(degrees / 2) - math.log(degrees * math.pi) / 2
    return math.exp(logarithm - (degrees + 1) / 2 * math.log1p(t * t / degrees))


def _incomplete_beta(x: float, beside: float, a: float) -> float:
    """Return the regularised incomplete beta function of a and 1/2 at x; ``beside`` is 1 - x, exactly."""
    b = 1 / 2
    if x <= 0:
        return 0.0
    if beside <= 0:
        return 1.0
    front = _half_step(a) - math.log(math.pi) / 2 + a * (math.log1p(-beside) if x > b else math.log(x))
    front += b * math.log(beside)
    if x < (a + 1) / (a + b + 2):
        return math.exp(front) * _fraction(x, a, b) / a
    return 1 - math.exp(front) * _fraction(beside, b, a) / b


def _half_step(a: float) -> float:
    """Return the logarithm of gamma at a + 1/2 over gamma at a; by its series where a difference would lose digits."""
    if a < _LARGE:
        return math.lgamma(a + 1 / 2) - math.lgamma(a)
    inverse = 1 / a
    return math.log(a) / 2 - inverse * _HALF_STEP[0] + inverse * _series(_HALF_STEP[1:], inverse * inverse)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    found = d
    for step in range(1, _MOST_STEPS):
        even = step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            found *= c * d
        if abs(c * d - 1) < _CLOSE:
            break
    return found


def _away(value: float) -> float:
    """Return a value that can be divided by."""
    return value if abs(value) > _TINY else _TINY


def digamma(x: float) -> float:
    """Return the derivative of the logarithm of the gamma function at a positive number."""
    found = 0.0
    while x < _ASYMPTOTIC:
        found, x = found - 1 / x, x + 1
    square = 1 / (x * x)
    return found + math.log(x) - 1 / (2 * x) - _series(_DIGAMMA, square)


def trigamma(x: float) -> float:
    """Return the second derivative of the logarithm of the gamma function at a positive number."""
    found = 0.0
    while x < _ASYMPTOTIC:
        found, x = found + 1 / (x * x), x + 1
    square = 1 / (x * x)
    return found + 1 / x + square / 2 + _series(_TRIGAMMA, square) / x


def trigamma_inverse(value: float) -> float:
    """
    Return the positive number whose trigamma is this positive value, by Newton's method.

    Source  G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 3 (2004), appendix.
    """
    x = 1 / 2 + 1 / value
    for _ in range(_MOST_STEPS):
        tri = trigamma(x)
        step = tri * (1 - tri / value) / _tetragamma(x)
        x += step
        if abs(step) <= _CLOSE * 10 * x:
            break
    return x


def _tetragamma(x: float) -> float:
    """Return the derivative of trigamma, to the few digits that a step of Newton's method needs."""
    found = 0.0
    while x < _ASYMPTOTIC:
        found, x = found - 2 / x**3, x + 1
    square = 1 / (x * x)
    return found - square - square / x - square**2 / 2 + square**3 / 6


def _series(terms: tuple[float, ...], square: float) -> float:
    """Return the sum of terms by rising powers of a square."""
    found = 0.0
    for term in reversed(terms):
        found = (found + term) * square
    return found
