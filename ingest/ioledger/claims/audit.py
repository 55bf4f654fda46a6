"""
The verdict on a claim: what the disclosed numbers say about it.

Each claim gets exactly one: ``circular`` (compared with itself), ``not_derivable`` (from the disclosed data; that says
nothing about its truth), ``qualitative`` (no number is claimed), ``follows``, ``follows_if`` (under a stated
assumption), ``close`` (within 5 %, and not claiming more than the numbers give unless it says "about"), or
``does_not_follow``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims.printed import Printed, claimed, fraction, operand
from ioledger.claims.recompute import Recomputed, recompute
from ioledger.claims.wording import Coverage, coverage
from ioledger.readers.units import KIBI, KILO, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ioledger.claims.printed import Row
    from ioledger.claims.wording import Span

_LINE = re.compile(r"line (\d+)")
_GENEROUS, _CLOSE = Fraction(1, 10), Fraction(1, 20)
_STEP = Fraction(KIBI, KILO)
_PURE_RATIOS = frozenset({None, "ratio", "times", "x"})
_SIZED = frozenset({"number", "words", "at_least", "at_most"})
"""Kinds of claims with a number of their own, from which a distance can be told."""


@dataclass(frozen=True)
class Audit:
    """A verdict with everything it rests on; ``stated_count`` counts the operands named, read or not."""

    verdict: str
    coverage: Coverage
    above: tuple[Printed, ...]
    below: tuple[Printed, ...]
    stated_count: int
    recomputed: Recomputed | None
    assumptions: tuple[str, ...] = ()
    difference: Fraction | None = None


def line_of(claim: Row) -> str | None:
    """Return the line of the publication in which a claim stands; null when its locator names none."""
    found = _LINE.search(claim["locator"])
    return found[1] if found else None


def audit(claim: Row, figures: Mapping[str, Row]) -> Audit:
    """Return the verdict on a claim from the figures of its publication, by their name."""
    sides = [_operands(claim[side], figures) for side in ("numerator", "denominator")]
    above, below = (tuple(one for one in side if one is not None) for side in sides)
    stated, number = sum(map(len, sides)), claimed(claim)
    covered, unit = coverage(claim, number), number.unit if number is not None else Unit()
    is_read = len(above) + len(below) == stated
    found = recompute(claim["formula"], claim["claimed_unit"], unit, above, below) if is_read else None
    whole = Audit("not_derivable", covered, above, below, stated, found)
    if _is_circular(claim, (*above, *below)):
        return _with(whole, "circular")
    if found is None:
        return whole
    if covered.kind == "nothing":
        return _with(whole, "qualitative")
    sign = -1 if (claim["claimed_value"] or 0) < 0 else 1
    printed, rounded = _turned(found.printed, sign), _turned(found.rounded, sign) if found.rounded else None
    difference = _difference(covered, printed)
    if covered.holds(*printed) and (not covered.is_one_sided or (rounded is not None and covered.holds(*rounded))):
        return _with(whole, "follows", difference=difference)
    assumptions = [*_of_rounding(covered, printed, rounded)]
    if covered.kind == "number":
        assumptions += [*_of_change(claim["formula"], covered, found, sign), *_of_unit(covered, unit, found, printed)]
    if assumptions:
        return _with(whole, "follows_if", assumptions=tuple(assumptions), difference=difference)
    is_close = _is_close(claim, covered, printed)
    return _with(whole, "close" if is_close else "does_not_follow", difference=difference)


def _with(
    whole: Audit, verdict: str, *, assumptions: tuple[str, ...] = (), difference: Fraction | None = None
) -> Audit:
    rest = whole.coverage, whole.above, whole.below, whole.stated_count, whole.recomputed
    return Audit(verdict, *rest, assumptions, difference)


def _operands(text: str | None, figures: Mapping[str, Row]) -> list[Printed | None]:
    return [operand(part.strip(), figures) for part in text.split(";")] if text else []


def _turned(span: Span, sign: int) -> Span:
    """Return an interval, or its mirror image: a claimed reduction is compared by its size."""
    return span if sign > 0 else (-span[1], -span[0])


def _is_circular(claim: Row, operands: tuple[Printed, ...]) -> bool:
    """Say whether a claim is compared with itself: one operand twice, or the figure that stands in its own line."""
    if claim["numerator"] is not None and claim["numerator"] == claim["denominator"]:
        return True
    if claim["formula"] not in {"bound", "count"} or claim["claimed_value"] is None:
        return False
    value, line = fraction(claim["claimed_value"]), line_of(claim)
    own = [one for one in operands if one.figure is not None and one.figure["line"] == line is not None]
    return any(one.low == value for one in own)


def _nearest(covered: Coverage, printed: Span) -> Fraction | None:
    """Return the claimed number, or of what is claimed the end that the printed values miss."""
    if covered.kind in {"number", "words"}:
        return covered.size
    if covered.low is not None and printed[0] < covered.low.value:
        return covered.low.value
    return covered.high.value if covered.high is not None else None


def _farthest(covered: Coverage, printed: Span) -> Fraction:
    """Return the end of the printed values that lies farther from the claim."""
    size = covered.size
    return printed[1] if size is not None and abs(printed[1] - size) > abs(printed[0] - size) else printed[0]


def _difference(covered: Coverage, printed: Span) -> Fraction | None:
    """Return the claimed value divided by the recomputed one, minus 1; null where either is missing."""
    nearest, far = _nearest(covered, printed), _farthest(covered, printed)
    return nearest / far - 1 if covered.kind in _SIZED and nearest is not None and far else None


def _of_rounding(covered: Coverage, printed: Span, rounded: Span | None) -> Iterator[str]:
    """Yield every reading of words and digits under which a claim follows."""
    if covered.kind == "words" and covered.size is not None:
        low, high = covered.size * (1 - _GENEROUS), covered.size * (1 + _GENEROUS)
        if low <= printed[0] and printed[1] <= high:
            yield "the words cover a difference of up to 10 %"
    if covered.cut is not None and covered.cut[0] <= printed[0] and printed[1] < covered.cut[1]:
        yield "the number is cut off, not rounded"
    if rounded is not None and covered.touches(rounded):
        yield "the exact values of the operands lie on the side that supports it"


def _of_change(formula: str, covered: Coverage, found: Recomputed, sign: int) -> Iterator[str]:
    """Yield the reading of a percentage under which a claim follows."""
    if formula != "percent_change":
        return
    over, under = found.pairs[0].ends(is_rounded=False, is_count=False)
    if under is not None and over[0] and covered.holds(sign * 100 * (over[0] - under[0]) / over[0]):
        yield "the percentage refers to the new value, not to the old one"


def _of_unit(covered: Coverage, unit: Unit, found: Recomputed, printed: Span) -> Iterator[str]:
    """Yield the reading of a unit of bytes under which a claim follows: whole readings before mixed ones."""
    if unit.dimension not in {"bytes", "throughput"} or unit.base is not None:
        return
    own = [pair.numerator.unit for pair in found.pairs]
    base, power = max((one.base or 0 for one in own), default=0), max(one.power for one in own)
    for size in range(unit.power, 0, -1):
        for step in (-size, size):
            is_open = (power > 0 and base in {0, KIBI}) if step > 0 else base != KIBI
            if is_open and covered.holds(*(end * _STEP**step for end in printed)):
                if size < unit.power:
                    yield "the unit of the claim mixes powers of 1000 and of 1024"
                elif step < 0:
                    yield "the unit of the claim counts in powers of 1024"
                else:
                    yield "the unit of the claim counts in powers of 1000, that of the operands in powers of 1024"
                return


def _is_close(claim: Row, covered: Coverage, printed: Span) -> bool:
    """Say whether a claim is within 5 %, and either says "about" or claims no more than the numbers give."""
    nearest, far = _nearest(covered, printed), _farthest(covered, printed)
    if claim["formula"] == "qualitative" or nearest is None or not far or abs(nearest / far - 1) > _CLOSE:
        return False
    if covered.is_approximate or covered.is_one_sided:
        return covered.is_approximate
    if claim["formula"] in {"ratio", "geomean"} and claim["claimed_unit"] in _PURE_RATIOS and nearest:
        return max(nearest, 1 / nearest) <= max(far, 1 / far)
    return nearest <= far
