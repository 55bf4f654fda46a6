"""
What the formula of a claim gives for its operands: for their printed values, and for all that the printed text allows.

Intervals are computed by their ends (interval arithmetic); an end that a bound leaves open stays open. All numbers are
exact fractions but the geometric mean of several, which is no fraction.
"""

from __future__ import annotations

import operator
import statistics
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.readers.units import KILO, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ioledger.claims.printed import Printed, Span

Closed = tuple[Fraction, Fraction]
"""An interval without an open end."""
_PURE = frozenset({"ratio", "times", "x", "%"})
"""Units of a claim that can only stand for a quotient of two like quantities."""
_ONE_OPERAND = frozenset({"bound", "count"})
_OF_THE_CLAIM = frozenset({"bound", "count", "difference"})
"""Formulas whose result has the unit of the claim."""


@dataclass(frozen=True)
class Pair:
    """A numerator and its denominator (null: none), and what brings each to the unit of the comparison."""

    numerator: Printed
    denominator: Printed | None
    scales: tuple[Fraction, Fraction]

    def ends(self, *, is_allowed: bool, is_count: bool) -> tuple[Span, Span | None]:
        """Return the intervals of both, as printed or as the printed text allows; what is counted is not rounded."""
        over = _ends(self.numerator, self.scales[0], is_allowed=is_allowed and not is_count)
        if self.denominator is None:
            return over, None
        return over, _ends(self.denominator, self.scales[1], is_allowed=is_allowed)


@dataclass(frozen=True)
class Recomputed:
    """
    Intervals of a formula: of the printed values, of what the printed text allows, and of its members.

    ``allowed`` has a null for an end that is open, and is null when a divisor may be zero.
    """

    pairs: tuple[Pair, ...]
    printed: Closed
    allowed: Span | None
    members: tuple[Closed, ...]

    @property
    def operands(self) -> tuple[Printed, ...]:
        """Return all numerators, then all denominators."""
        below = (pair.denominator for pair in self.pairs)
        return (*(pair.numerator for pair in self.pairs), *(one for one in below if one is not None))

    @property
    def is_bounded(self) -> bool:
        """Say whether an operand is printed as a bound, so that the ends themselves are not reached."""
        return any(one.bound is not None for one in self.operands)

    @property
    def value(self) -> Fraction | None:
        """Return the one value that the printed operands give; null when an operand is a range."""
        return self.printed[0] if self.printed[0] == self.printed[1] else None


def recompute(
    formula: str, claimed_unit: str | None, claim: Unit, above: Sequence[Printed], below: Sequence[Printed]
) -> Recomputed | None:
    """
    Return what a formula gives for its numerators and denominators; null when they do not fit it.

    ``claimed_unit`` is the unit of the claim as printed, ``claim`` the same parsed. Fitting means: as many operands as
    the formula takes, units of one dimension where they are subtracted or divided to a pure number, and a denominator
    that is not zero.
    """
    if not _fits(formula, len(above), len(below)):
        return None
    denominators: Sequence[Printed | None] = below or [None] * len(above)
    pairs = [_pair(formula, claimed_unit, claim, n, d) for n, d in zip(above, denominators, strict=True)]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        return None
    is_count = formula == "count"
    members = [_closed(_apply(formula, *pair.ends(is_allowed=False, is_count=is_count))) for pair in known]
    printed = _closed(_mean(formula, members))
    if printed is None:
        return None
    allowed = _mean(formula, [_apply(formula, *pair.ends(is_allowed=True, is_count=is_count)) for pair in known])
    return Recomputed(tuple(known), printed, allowed, tuple(member for member in members if member is not None))


def _fits(formula: str, above: int, below: int) -> bool:
    if formula == "none":
        return False
    if formula == "geomean":
        return above > 0 and below in {0, above}
    return above == 1 and below == (0 if formula in _ONE_OPERAND else 1)


def _pair(formula: str, claimed_unit: str | None, claim: Unit, n: Printed, d: Printed | None) -> Pair | None:
    """Return two operands in one unit: that of the claim, or that of one another for a quotient; null when unlike."""
    own, other = n.unit, d.unit if d is not None else Unit()
    if formula in _OF_THE_CLAIM or d is None:
        if _is_unlike(own, other) or _is_unlike(own, claim):
            return None
        base = own.base or other.base or claim.base or KILO
        return Pair(n, d, _scales_to(claim, own, other, base))
    if _is_unlike(own, other) and claimed_unit in _PURE:
        return None
    percent = 100 if claimed_unit == "%" and formula == "ratio" else 1
    if own.dimension is None or own.dimension != other.dimension:
        return Pair(n, d, (Fraction(percent), Fraction(1)))
    base = own.base or other.base or KILO
    return Pair(n, d, (percent * own.factor(base), other.factor(base)))


def _is_unlike(one: Unit, other: Unit) -> bool:
    """Say whether two units are of two known dimensions."""
    return one.dimension is not None and other.dimension is not None and one.dimension != other.dimension


def _scales_to(claim: Unit, own: Unit, other: Unit, base: int) -> tuple[Fraction, Fraction]:
    """Return what brings both to the unit of the claim; where that is unknown, the second to the unit of the first."""
    dimension = own.dimension
    if dimension is None or (claim.dimension is None and other.dimension is None):
        return Fraction(1), Fraction(1)
    target = claim if claim.dimension is not None else own
    scale = own.factor(base) / target.factor(base)
    return scale, other.factor(base) / target.factor(base) if other.dimension == dimension else Fraction(1)


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
        return _combined(operator.sub, n[0], d[1]), _combined(operator.sub, n[1], d[0])
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
    return _combined(operator.truediv, n[0], d[1]), _combined(operator.truediv, n[1], d[0])


def _combined(
    how: Callable[[Fraction, Fraction], Fraction], one: Fraction | None, other: Fraction | None
) -> Fraction | None:
    """Return an end of the result; one that an open end leaves open is null."""
    return None if one is None or other is None else how(one, other)


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
