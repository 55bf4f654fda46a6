"""
Printed numbers as exact fractions, with the rounding that their digits allow, and their other printings.

An operand of a claim is a figure of the same publication (``figure:NAME``), or a number that the claim states itself
(``60 s``). A quantity that is printed more than once (450 MB/s in one section, 500 MB/s in another) lies within the
hull of its printings; one that is printed as a bound is open to one side.

Source  the operands of ``claims.csv`` as CONTRIBUTING describes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ioledger.readers.units import literal, unit_of, without_separators

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.readers.units import Unit

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
    """
    A printed number or range: its ends, half of the unit of its last digit, its unit, its text, and its figure.

    ``others`` are other printings of the same quantity, in the same unit.
    """

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
    """
    Return half of the unit of the last digit that counts in a printed number.

    Zeros at the end of a whole number count only as far as they are 5 % of it: 220 may stand for 215 to 225.
    """
    token, scale = _token(abs(value), text or "")
    if "." in token:
        return scale / 2 / Fraction(10) ** len(token.partition(".")[2])
    if not int(token):
        return scale / 2
    zeros = len(token) - len(token.rstrip("0"))
    return scale * min(Fraction(10**zeros, 2), max(Fraction(1, 2), Fraction(int(token), 20)))


def _token(size: Fraction, text: str) -> tuple[str, Fraction]:
    """Return the number in a text that is a value's, with the power of ten between them: ``12K`` holds 12 of 12,000."""
    for token in _NUMBER.findall(without_separators(text)):
        own = Fraction(token)
        if own == size == 0:
            return token, _ONE
        if own and size and _POWER_OF_TEN.fullmatch(str(max(size / own, own / size))):
            return token, size / own
    return f"{float(size):.15g}", _ONE


def operand(text: str, figures: Mapping[str, Row]) -> Printed | None:
    """
    Return an operand: a figure by its name among ``figures``, or a number with its unit; null when it is neither.

    A number of bytes without a prefix is counted, not rounded.
    """
    if text.startswith("figure:"):
        figure = figures.get(text.removeprefix("figure:").strip())
        return None if figure is None else of_figure(figure)
    found = literal(text)
    if found is None:
        return None
    value, digits, unit = found
    is_counted = unit.dimension == "bytes" and not unit.power
    return Printed(value, value, Fraction(0) if is_counted else half_unit(value, digits), unit, text)


def of_figure(figure: Row) -> Printed | None:
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


def line_of(claim: Row) -> str | None:
    """Return the line of the publication that holds a claim; null when its locator names none."""
    found = _LINE.search(claim["locator"])
    return found[1] if found else None


def with_printings(claim: Row, one: Printed, figures: Iterable[Row]) -> Printed:
    """Return an operand of a claim with the other printings of its quantity."""
    if one.figure is None or one.figure["printed_value"] is None:
        return one
    return replace(one, others=tuple(other_printings(claim, one.figure, figures)))


def other_printings(claim: Row, figure: Row, figures: Iterable[Row]) -> Iterator[Printed]:
    """Yield the other printings of a figure's quantity, outside the line of the claim; a range or a bound is none."""
    if figure["configuration_id"] is None:
        return
    line = line_of(claim)
    for other in figures:
        is_elsewhere = other["figure_id"] != figure["figure_id"] and other["line"] not in {None, line}
        if is_elsewhere and all(other[name] == figure[name] for name in _SAME):
            found = of_figure(other) if other["printed_value"] is not None else None
            if found is not None and found.bound is None:
                yield found


def figures_of(claim: Row, figures: Iterable[Row]) -> Iterator[Row]:
    """Yield the measured figures that a claim became: those of its line or section with its value and unit."""
    line, value = line_of(claim), claim["claimed_value"]
    for figure in figures:
        is_measured = figure["record_kind"] == "measured" and figure["printed_value"] is not None
        is_same = figure["printed_value"] == value and figure["printed_unit"] == claim["claimed_unit"]
        is_near = figure["line"] == line is not None or (figure["section"] or "\n") in claim["locator"]
        if is_measured and is_same and is_near:
            yield figure
