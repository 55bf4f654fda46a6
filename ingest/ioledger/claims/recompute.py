"""
What the formula of a claim gives for its operands: for their printed values, and for all that the printed text allows.

Intervals are computed by their ends (interval arithmetic); an end that a bound leaves open stays open. All numbers are
exact fractions but the geometric mean of several, which is no fraction.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.readers.units import KILO, Unit, unit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.claims.printed import Printed, Span

Closed = tuple[Fraction, Fraction]
"""An interval without an open end."""
_PURE = frozenset({"ratio", "times", "x", "%"})
"""Units of a claim that can only stand for a quotient of two like quantities."""
_ONE_OPERAND = frozenset({"bound", "count"})
_OF_THE_CLAIM = frozenset({"bound", "count", "difference"})
"""Formulas whose result has the unit of the claim."""


@dataclass(frozen=True)
class Recomputed:
    """
    Intervals of a formula: of the printed values, and of what the printed text allows.

    ``allowed`` has a null for an end that is open, and is null when a divisor may be zero. ``scales`` bring the first
    numerator and its denominator to the unit of the comparison.
    """

    above: tuple[Printed, ...]
    below: tuple[Printed, ...]
    scales: tuple[Fraction, Fraction]
    printed: Closed
    allowed: Span | None

    @property
    def is_bounded(self) -> bool:
        """Say whether an operand is printed as a bound, so that the ends themselves are not reached."""
        return any(one.bound is not None for one in (*self.above, *self.below))

    @property
    def value(self) -> Fraction | None:
        """Return the one value that the printed operands give; null when an operand is a range."""
        return self.printed[0] if self.printed[0] == self.printed[1] else None


def recompute(
    formula: str, claimed_unit: str | None, above: Sequence[Printed], below: Sequence[Printed]
) -> Recomputed | None:
    """
    Return what a formula gives for its numerators and denominators; null when they do not fit it.

    Fitting means: as many operands as the formula takes, units of one dimension where they are subtracted or divided
    to a pure number, and a denominator that is not zero.
    """
    if formula == "geomean":
        is_fitting = bool(above) and len(below) in {0, len(above)}
    else:
        is_fitting = len(above) == 1 and len(below) == (0 if formula in _ONE_OPERAND else 1)
    if not is_fitting or formula in {"none", "series"}:
        return None
    denominators: Sequence[Printed | None] = below or [None] * len(above)
    pairs = list(zip(above, denominators, strict=True))
    scales = [scale for scale in (_scales(formula, claimed_unit, *pair) for pair in pairs) if scale is not None]
    if len(scales) < len(pairs):
        return None

    def compute(*, is_allowed: bool) -> Span | None:
        members = []
        for (n, d), (over, under) in zip(pairs, scales, strict=True):
            counted = _ends(n, over, is_allowed=is_allowed and formula != "count")
            members.append(_apply(formula, counted, None if d is None else _ends(d, under, is_allowed=is_allowed)))
        return _mean(formula, members)

    printed = _closed(compute(is_allowed=False))
    if printed is None:
        return None
    return Recomputed(tuple(above), tuple(below), scales[0], printed, compute(is_allowed=True))


def _scales(formula: str, claimed_unit: str | None, n: Printed, d: Printed | None) -> Closed | None:
    """Return what brings two operands to one unit: the claim's, or one another's for a quotient; null when unlike."""
    claim, own, other = unit_of(claimed_unit), n.unit, d.unit if d is not None else Unit()
    if formula not in _OF_THE_CLAIM and d is not None:
        if _is_unlike(own, other) and claimed_unit in _PURE:
            return None
        percent = 100 if claimed_unit == "%" and formula == "ratio" else 1
        if own.dimension is None or own.dimension != other.dimension:
            return Fraction(percent), Fraction(1)
        base = own.base or other.base or KILO
        return percent * own.factor(base), other.factor(base)
    if _is_unlike(own, other) or _is_unlike(own, claim):
        return None
    if own.dimension is None or (claim.dimension is None and other.dimension is None):
        return Fraction(1), Fraction(1)
    base = own.base or other.base or claim.base or KILO
    target = (claim if claim.dimension is not None else own).factor(base)
    return own.factor(base) / target, other.factor(base) / target if other.dimension == own.dimension else Fraction(1)


def _is_unlike(one: Unit, other: Unit) -> bool:
    """Say whether two units are of two known dimensions."""
    return one.dimension is not None and other.dimension is not None and one.dimension != other.dimension


def _ends(number: Printed, scale: Fraction, *, is_allowed: bool) -> Span:
    low, high = number.allowed if is_allowed else (number.low, number.high)
    return None if low is None else low * scale, None if high is None else high * scale


def _closed(span: Span | None) -> Closed | None:
    return (span[0], span[1]) if span and span[0] is not None and span[1] is not None else None


def _apply(formula: str, n: Span, d: Span | None) -> Span | None:
    """Return the interval of a formula over the intervals of its operands; null when it may divide by zero."""
    if d is None:
        return n
    if formula == "difference":
        low = None if n[0] is None or d[1] is None else n[0] - d[1]
        return low, None if n[1] is None or d[0] is None else n[1] - d[0]
    quotient = _quotient(n, d)
    if quotient is None or formula != "percent_change":
        return quotient
    low, high = (None if end is None else 100 * (end - 1) for end in quotient)
    return low, high


def _quotient(n: Span, d: Span) -> Span | None:
    """Return the quotient of two intervals; where an end is open, of quantities that are positive."""
    over, under = _closed(n), _closed(d)
    if over is not None and under is not None:
        if under[0] * under[1] <= 0:
            return None
        corners = [end / divisor for end in over for divisor in under]
        return min(corners), max(corners)
    if any(end is not None and end <= 0 for end in (*n, *d)):
        return None
    low = None if n[0] is None or d[1] is None else n[0] / d[1]
    return low, None if n[1] is None or d[0] is None else n[1] / d[0]


def _mean(formula: str, members: Sequence[Span | None]) -> Span | None:
    """Return the interval of the one member, or of the geometric mean of all; null when one of them has none."""
    known = [member for member in members if member is not None]
    ends = [end for member in known for end in member if end is not None]
    if len(known) < len(members) or (formula == "geomean" and any(end <= 0 for end in ends)):
        return None
    if len(known) == 1:
        return known[0]
    return _geometric([low for low, _ in known]), _geometric([high for _, high in known])


def _geometric(ends: Sequence[Fraction | None]) -> Fraction | None:
    known = [float(end) for end in ends if end is not None]
    return Fraction(statistics.geometric_mean(known)) if len(known) == len(ends) else None
