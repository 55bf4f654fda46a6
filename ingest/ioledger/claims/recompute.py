"""
What the formula of a claim gives for its operands: for their printed values, and within the rounding of those.

Intervals are computed by their ends (interval arithmetic); all numbers are exact fractions but the geometric mean of
several, which is no fraction.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.readers.units import KILO, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.claims.printed import Printed
    from ioledger.claims.wording import Span

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

    def ends(self, *, is_rounded: bool, is_count: bool) -> tuple[Span, Span | None]:
        """Return the intervals of both; what is counted is not rounded."""
        over = _ends(self.numerator, self.scales[0], is_rounded=is_rounded and not is_count)
        if self.denominator is None:
            return over, None
        return over, _ends(self.denominator, self.scales[1], is_rounded=is_rounded)


@dataclass(frozen=True)
class Recomputed:
    """Intervals of a formula: of the printed values, within their rounding (null: unbounded), and of its members."""

    pairs: tuple[Pair, ...]
    printed: Span
    rounded: Span | None
    members: tuple[Span, ...]

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
    members = [_apply(formula, *pair.ends(is_rounded=False, is_count=formula == "count")) for pair in known]
    printed = _mean(formula, members)
    if printed is None:
        return None
    rounded = _mean(formula, [_apply(formula, *p.ends(is_rounded=True, is_count=formula == "count")) for p in known])
    return Recomputed(tuple(known), printed, rounded, tuple(member for member in members if member is not None))


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
    if own.dimension is None or own.dimension != other.dimension:
        return Pair(n, d, (Fraction(1), Fraction(1)))
    base = own.base or other.base or KILO
    return Pair(n, d, (own.factor(base), other.factor(base)))


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


def _ends(number: Printed, scale: Fraction, *, is_rounded: bool) -> Span:
    half = number.half if is_rounded else Fraction(0)
    return (number.low - half) * scale, (number.high + half) * scale


def _apply(formula: str, n: Span, d: Span | None) -> Span | None:
    """Return the interval of a formula over the intervals of its operands; null when it divides by zero."""
    if d is None:
        return n
    if formula == "difference":
        return n[0] - d[1], n[1] - d[0]
    if d[0] * d[1] <= 0:
        return None
    corners = [over / under for over in n for under in d]
    low, high = min(corners), max(corners)
    return (100 * (low - 1), 100 * (high - 1)) if formula == "percent_change" else (low, high)


def _mean(formula: str, members: Sequence[Span | None]) -> Span | None:
    """Return the interval of the one member, or of the geometric mean of all; null when one of them has none."""
    known = [member for member in members if member is not None]
    if len(known) < len(members) or (formula == "geomean" and any(low <= 0 for low, _ in known)):
        return None
    if len(known) == 1:
        return known[0]
    low, high = (statistics.geometric_mean([float(member[end]) for member in known]) for end in (0, 1))
    return Fraction(low), Fraction(high)
