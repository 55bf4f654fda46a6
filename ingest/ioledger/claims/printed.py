"""
Printed numbers as exact fractions, with the rounding that their digits allow, and their other printings.

An operand of a claim is a figure of the same publication (``figure:NAME``), or a number that the claim states itself
(``60 s``). A quantity that is printed more than once (450 MB/s in one section, 500 MB/s in another) lies within the
hull of its printings; one that is printed as a bound is open to one side.

What a formula gives for operands is computed by the ends of their intervals (interval arithmetic); an end that a bound
leaves open stays open. All numbers are exact but the geometric mean of several, which is no fraction.

Source  the operands of ``claims.csv`` as CONTRIBUTING describes them.
"""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ioledger.readers import KILO, Unit, literal, unit_of, without_separators

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


Row = dict[str, Any]
Span = tuple[Fraction | None, Fraction | None]
"""An interval; null is an open end."""
LOWER, UPPER = "lower_bound", "upper_bound"
"""Kinds of printed values that say more than, or less than."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_POWER_OF_TEN = re.compile(r"10*")
_ONE = Fraction(1)
_LINE = re.compile(r"line (\d+)")
_SAME = (
    *("configuration_id", "quantity", "printed_unit", "unit_basis", "statistic", "load_profile", "queue_depth"),
    *("operation", "block_size_bytes"),
)
"""Columns in which two printings of one quantity agree."""


@dataclass(frozen=True)
class Printed:
    """A printed number or range: its ends, half of the unit of its last digit, its unit, its text, and its figure."""

    low: Fraction
    high: Fraction
    half: Fraction
    unit: Unit
    text: str
    figure: Row | None = None
    others: tuple[Printed, ...] = ()

    @property
    def bound(self) -> str | None:
        """Return ``lower_bound`` or ``upper_bound`` for what is printed as one, else null."""
        kind = self.figure["value_kind"] if self.figure is not None else None
        return kind if kind in {LOWER, UPPER} else None

    @property
    def allowed(self) -> Span:
        """Return the interval in which the quantity lies: a bound to one side, else the hull of all its printings."""
        if self.bound is not None:
            return (self.low, None) if self.bound == LOWER else (None, self.high)
        printings = (self, *self.others)
        return min(one.low - one.half for one in printings), max(one.high + one.half for one in printings)


def fraction(value: float) -> Fraction:
    """Return the decimal number that was written, as exact as it was written: 0.1 is one tenth."""
    return Fraction(repr(value))


def half_unit(value: Fraction, text: str | None) -> Fraction:
    """Return half of the unit of the last digit that counts: 220 may stand for 215 to 225."""
    token, scale = _find_token(abs(value), text or "")
    if "." in token:
        return scale / 2 / Fraction(10) ** len(token.partition(".")[2])
    if not int(token):
        return scale / 2
    zeros = len(token) - len(token.rstrip("0"))
    return scale * min(Fraction(10**zeros, 2), max(Fraction(1, 2), Fraction(int(token), 20)))


def _find_token(size: Fraction, text: str) -> tuple[str, Fraction]:
    """Return the number in a text that is a value's, with the power of ten between them: ``12K`` holds 12 of 12,000."""
    for token in _NUMBER.findall(without_separators(text)):
        own = Fraction(token)
        if own == size == 0:
            return token, _ONE
        if own and size and _POWER_OF_TEN.fullmatch(str(max(size / own, own / size))):
            return token, size / own
    return f"{float(size):.15g}", _ONE


def read_operand(claim: Row, text: str, figures: Mapping[str, Row]) -> Printed | None:
    """Return an operand: a figure, with its other printings, or a number with its unit; null when it is neither."""
    if text.startswith("figure:"):
        figure = figures.get(text.removeprefix("figure:").strip())
        one = None if figure is None else _read_figure(figure)
        if one is None or figure is None or figure["printed_value"] is None:
            return one
        return replace(one, others=tuple(find_printings(claim, figure, figures.values())))
    found = literal(text)
    if found is None:
        return None
    value, digits, unit = found
    is_counted = unit.dimension == "bytes" and not unit.power
    return Printed(value, value, Fraction(0) if is_counted else half_unit(value, digits), unit, text)


def _read_figure(figure: Row) -> Printed | None:
    """Return a figure as it is printed; null when it has no number."""
    ends = [figure["printed_value"], figure["printed_value"]]
    if ends[0] is None:
        ends = [figure["printed_low"], figure["printed_high"]]
    if None in ends:
        return None
    low, high = map(fraction, ends)
    half = half_unit(low, figure["printed_text"]) if low == high else Fraction(0)
    unit = unit_of(figure["printed_unit"], figure["unit_basis"])
    return Printed(low, high, half, unit, figure["printed_text"] or "", figure)


@dataclass(frozen=True)
class Claimed:
    """What a claim covers: its number, and its ends in its unit (null: open), which may be excluded."""

    size: Fraction | None
    low: Fraction | None
    high: Fraction | None
    is_end_excluded: bool
    rounding: Fraction | None

    @classmethod
    def of(cls, claim: Row) -> Claimed:
        """Return what a claim covers."""
        low, high = (None if claim[name] is None else fraction(claim[name]) for name in ("claimed_low", "claimed_high"))
        value = None if claim["formula"] == "qualitative" else claim["claimed_value"]
        size, half = None if value is None else fraction(value), None
        if size is not None and low is None and high is None:
            half = half_unit(size, claim["claimed_text"])
            low, high = size - half, size + half
        return cls(size, low, high, bool(claim["is_end_excluded"]), half)

    @property
    def is_one_sided(self) -> bool:
        """Say whether every value beyond one end is covered."""
        return (self.low is None) != (self.high is None)

    def covers(self, value: Fraction, *, is_reached: bool = True) -> bool:
        """Say whether a value is covered; an end that is not reached may be one that the claim excludes."""
        # of a rounding, the end farther from zero is rounded away from the number
        if value in {self.low, self.high}:
            if self.rounding is not None and self.size is not None:
                return abs(value) < abs(self.size)
            return not (self.is_end_excluded and is_reached)
        return (self.low is None or value > self.low) and (self.high is None or value < self.high)

    def contains(self, span: Span, *, is_reached: bool = True) -> bool:
        """Say whether a whole interval is covered; ``is_reached`` says whether its ends belong to it."""
        pairs = zip(span, (self.low, self.high), strict=True)
        return all(own is None if end is None else self.covers(end, is_reached=is_reached) for end, own in pairs)

    def touches(self, span: Span) -> bool:
        """Say whether some value of an interval is covered."""
        low, high = span
        is_above = self.low is None or high is None or high > self.low or (high == self.low and self.covers(high))
        return is_above and (
            self.high is None or low is None or low < self.high or (low == self.high and self.covers(low))
        )

    def nearest(self, printed: Closed) -> Fraction | None:
        """Return the claimed number, or the end of what is claimed that the printed values miss."""
        if self.size is not None:
            return self.size
        return self.low if self.low is not None and printed[0] < self.low else self.high


def find_line(claim: Row) -> str | None:
    """Return the line of the publication that holds a claim; null when its locator names none."""
    found = _LINE.search(claim["locator"])
    return found[1] if found else None


def find_printings(claim: Row, figure: Row, figures: Iterable[Row]) -> Iterator[Printed]:
    """Yield the other printings of a figure's quantity, outside the line of the claim; a range or a bound is none."""
    if figure["configuration_id"] is None:
        return
    line = find_line(claim)
    for other in figures:
        is_elsewhere = other["figure_id"] != figure["figure_id"] and other["line"] not in {None, line}
        if is_elsewhere and all(other[name] == figure[name] for name in _SAME):
            found = _read_figure(other) if other["printed_value"] is not None else None
            if found is not None and found.bound is None:
                yield found


def find_figures(claim: Row, figures: Iterable[Row]) -> Iterator[Row]:
    """Yield the measured figures that a claim became: those of its line or section with its value and unit."""
    line, value = find_line(claim), claim["claimed_value"]
    for figure in figures:
        is_measured = figure["record_kind"] == "measured" and figure["printed_value"] is not None
        is_same = figure["printed_value"] == value and figure["printed_unit"] == claim["claimed_unit"]
        is_near = figure["line"] == line is not None or (figure["section"] or "\n") in claim["locator"]
        if is_measured and is_same and is_near:
            yield figure


Closed = tuple[Fraction, Fraction]
"""An interval without an open end."""
_PURE = frozenset({"ratio", "times", "x", "%"})
"""Units of a claim that can only stand for a quotient of two like quantities."""
_ONE_OPERAND = frozenset({"bound", "count"})
_OF_THE_CLAIM = frozenset({"bound", "count", "difference"})
"""Formulas whose result has the unit of the claim."""


@dataclass(frozen=True)
class Recomputed:
    """Intervals of a formula: of the printed values, and of what the printed text allows."""

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
    """Return what a formula gives for its operands; null when their number, units or a zero do not fit it."""
    if formula == "geomean":
        is_fitting = bool(above) and len(below) in {0, len(above)}
    else:
        is_fitting = len(above) == 1 and len(below) == (0 if formula in _ONE_OPERAND else 1)
    if not is_fitting or formula in {"none", "series"}:
        return None
    denominators: Sequence[Printed | None] = below or [None] * len(above)
    pairs = list(zip(above, denominators, strict=True))
    scales = [scale for scale in (_find_scales(formula, claimed_unit, *pair) for pair in pairs) if scale is not None]
    if len(scales) < len(pairs):
        return None

    def compute(*, is_allowed: bool) -> Span | None:
        """Return the value of the formula with its ends."""
        members = []
        for (n, d), (over, under) in zip(pairs, scales, strict=True):
            counted = _scale_ends(n, over, is_allowed=is_allowed and formula != "count")
            divisor = None if d is None else _scale_ends(d, under, is_allowed=is_allowed)
            members.append(_apply(formula, counted, divisor))
        return _combine_members(formula, members)

    printed = _close_span(compute(is_allowed=False))
    return printed and Recomputed(tuple(above), tuple(below), scales[0], printed, compute(is_allowed=True))


def _find_scales(formula: str, claimed_unit: str | None, n: Printed, d: Printed | None) -> Closed | None:
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
    return one.dimension is not None and other.dimension is not None and one.dimension != other.dimension


def _scale_ends(number: Printed, scale: Fraction, *, is_allowed: bool) -> Span:
    low, high = number.allowed if is_allowed else (number.low, number.high)
    return None if low is None else low * scale, None if high is None else high * scale


def _close_span(span: Span | None) -> Closed | None:
    return (span[0], span[1]) if span and span[0] is not None and span[1] is not None else None


def _apply(formula: str, n: Span, d: Span | None) -> Span | None:
    if d is None:
        return n
    if formula == "difference":
        low = None if n[0] is None or d[1] is None else n[0] - d[1]
        return low, None if n[1] is None or d[0] is None else n[1] - d[0]
    quotient = _divide(n, d)
    if quotient is None or formula != "percent_change":
        return quotient
    low, high = (None if end is None else 100 * (end - 1) for end in quotient)
    return low, high


def _divide(n: Span, d: Span) -> Span | None:
    """Return the quotient of two intervals; where an end is open, of quantities that are positive."""
    over, under = _close_span(n), _close_span(d)
    if over is not None and under is not None:
        if under[0] * under[1] <= 0:
            return None
        corners = [end / divisor for end in over for divisor in under]
        return min(corners), max(corners)
    if any(end is not None and end <= 0 for end in (*n, *d)):
        return None
    low = None if n[0] is None or d[1] is None else n[0] / d[1]
    return low, None if n[1] is None or d[0] is None else n[1] / d[0]


def _combine_members(formula: str, members: Sequence[Span | None]) -> Span | None:
    """Return the interval of the one member, or of the geometric mean of all; null when one of them has none."""
    known = [member for member in members if member is not None]
    ends = [end for member in known for end in member if end is not None]
    if len(known) < len(members) or (formula == "geomean" and any(end <= 0 for end in ends)):
        return None
    if len(known) == 1:
        return known[0]
    return _geometric_mean([low for low, _ in known]), _geometric_mean([high for _, high in known])


def _geometric_mean(ends: Sequence[Fraction | None]) -> Fraction | None:
    known = [float(end) for end in ends if end is not None]
    return Fraction(statistics.geometric_mean(known)) if len(known) == len(ends) else None
