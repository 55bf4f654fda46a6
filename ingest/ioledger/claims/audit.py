"""
The verdict on a claim: what the disclosed numbers say about it.

Each claim gets exactly one, the first that holds:

``circular``          it is compared with itself
``not_testable``      its operands are not disclosed, it names no limit, or it has no derivation from printed numbers
``follows``           the printed operands give it, as it is worded
``follows_in_part``   they give one end of a claimed range, and leave the other open
``consistent``        it lies inside what the printed operands allow, without being what they give
``follows_if``        they give it under one named assumption
``conflicts``         another printing of the same quantity, or a result outside a stated series, contradicts it
``close``             they miss it by at most 5 %
``does_not_follow``   they give another value

What is observed (an elapsed time, a maximum, a size) is not derived from operands: other printings are compared with
it, and a planned measuring time is a lower bound of the elapsed one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims import little, loads, printings
from ioledger.claims.printed import Printed, claimed, operand
from ioledger.claims.recompute import Recomputed, recompute
from ioledger.claims.wording import Coverage, coverage
from ioledger.readers.units import KIBI, KILO, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ioledger.claims.printed import Row, Span
    from ioledger.claims.recompute import Closed

_CLOSE = Fraction(1, 20)
_STEP = Fraction(KIBI, KILO)
_OF_ONE = frozenset({"bound", "count"})
"""Formulas that compare a claim with another printing of what it states."""
_ELAPSED = "duration"
"""The quantity of a figure that is a time from start to end."""
_SIZED = frozenset({"number", "words", "at_least", "at_most"})
"""Kinds of claims with a number of their own, from which a distance can be told."""


@dataclass(frozen=True)
class Audit:
    """
    A verdict with everything it rests on; ``stated_count`` counts the operands named, read or not.

    ``printings`` are other printings of what the claim states, ``remark`` says what a special rule found.
    """

    verdict: str
    coverage: Coverage
    above: tuple[Printed, ...] = ()
    below: tuple[Printed, ...] = ()
    stated_count: int = 0
    recomputed: Recomputed | None = None
    assumptions: tuple[str, ...] = ()
    difference: Fraction | None = None
    printings: tuple[Printed, ...] = ()
    remark: str | None = None


def audit(claim: Row, figures: Mapping[str, Row]) -> Audit:
    """Return the verdict on a claim from the figures of its publication, by their name."""
    sides = [_operands(claim, claim[side], figures) for side in ("numerator", "denominator")]
    above, below = (tuple(one for one in side if one is not None) for side in sides)
    stated, number = sum(map(len, sides)), claimed(claim)
    covered, unit = coverage(claim, number), number.unit if number is not None else Unit()
    is_read = len(above) + len(below) == stated
    found = recompute(claim["formula"], claim["claimed_unit"], unit, above, below) if is_read else None
    whole = Audit("not_testable", covered, above, below, stated, found)
    if _is_circular(claim, number, (*above, *below)):
        return replace(whole, verdict="circular")
    if found is None:
        return _of_series(claim, whole, figures)
    return whole if covered.kind == "nothing" else _judged(claim, whole, found, unit, figures)


def _operands(claim: Row, text: str | None, figures: Mapping[str, Row]) -> list[Printed | None]:
    parts = (operand(part.strip(), figures) for part in text.split(";")) if text else ()
    return [None if one is None else printings.united(claim, one, figures.values()) for one in parts]


def _is_circular(claim: Row, number: Printed | None, operands: tuple[Printed, ...]) -> bool:
    """
    Say whether a claim is compared with itself.

    That is one operand twice; or, where the operand is all there is, the figure that stands in the claim's own line, or
    a number that repeats the claimed one.
    """
    if claim["numerator"] is not None and claim["numerator"] == claim["denominator"]:
        return True
    if claim["formula"] not in _OF_ONE or number is None or claim["claimed_value"] is None:
        return False
    equal = [one for one in operands if one.low == one.high == number.low]
    line = printings.line_of(claim)
    return any(
        one.unit == number.unit if one.figure is None else one.figure["line"] == line is not None for one in equal
    )


def _of_series(claim: Row, whole: Audit, figures: Mapping[str, Row]) -> Audit:
    """Return the verdict on a claim that lists loads: results outside the list contradict it."""
    stated = loads.series(claim)
    beyond = loads.outside(stated, figures.values()) if stated is not None else []
    if not beyond:
        return whole
    said = " and ".join(filter(None, (", ".join(map(str, beyond[:-1])), str(beyond[-1]))))
    return replace(
        whole,
        verdict="conflicts",
        remark=f"results are printed at {said}, which the stated series ({claim['claimed_text']}) leaves out",
    )


def _judged(claim: Row, whole: Audit, found: Recomputed, unit: Unit, figures: Mapping[str, Row]) -> Audit:
    """Return the verdict on a claim that states something of which the operands give a value."""
    covered, sign = whole.coverage, -1 if (claim["claimed_value"] or 0) < 0 else 1
    allowed = None if found.allowed is None else _turned(*found.allowed, sign)
    printed = (found.printed[0], found.printed[1]) if sign > 0 else (-found.printed[1], -found.printed[0])
    whole = replace(whole, difference=_difference(covered, printed))
    mix = little.mixed(claim, found, figures.values())
    if mix is not None:
        return _of_mix(whole, mix)
    direct = _direct(covered, found, printed, allowed)
    if direct is not None:
        return replace(whole, verdict=direct)
    if covered.kind == "number":
        assumptions = (*_of_digits(covered, printed), *_of_change(claim, covered, found, sign))
        assumptions += tuple(_of_unit(covered, unit, found, printed))
        if assumptions:
            return replace(whole, verdict="follows_if", assumptions=assumptions)
    observed = _observed(claim, whole, allowed, figures)
    if observed is not None:
        return observed
    return replace(whole, verdict="close" if _is_close(claim, covered, printed) else "does_not_follow")


def _turned(low: Fraction | None, high: Fraction | None, sign: int) -> Span:
    """Return an interval, or its mirror image: a claimed reduction is compared by its size."""
    return (low, high) if sign > 0 else (None if high is None else -high, None if low is None else -low)


def _direct(covered: Coverage, found: Recomputed, printed: Closed, allowed: Span | None) -> str | None:
    """Return the verdict that needs no more than the operands: follows, follows_in_part, consistent; or null."""
    is_part = allowed is not None and None in allowed and covered.kind == "range"
    if covered.is_one_sided or is_part:
        is_held = allowed is not None and covered.contains(allowed, is_reached=not found.is_bounded)
    else:
        is_held = covered.holds(*printed)
    if is_held:
        return "follows"
    if allowed is None or not covered.touches(allowed):
        return None
    return "follows_in_part" if is_part and _is_held_at_an_end(covered, found, allowed) else "consistent"


def _is_held_at_an_end(covered: Coverage, found: Recomputed, allowed: Span) -> bool:
    """Say whether a claimed range holds at the end that the operands bound; the other is open."""
    (low, high), is_reached = allowed, not found.is_bounded
    is_above = low is not None and covered.contains_from(low, is_reached=is_reached)
    return is_above or (high is not None and covered.contains_to(high, is_reached=is_reached))


def _of_mix(whole: Audit, mix: little.Mix) -> Audit:
    """Return the verdict on a rate whose latency is known for a part of the mix only."""
    span = Fraction(0), mix.ceiling
    said = f"the latency is of {mix.operation}s alone, {float(100 * mix.share):g} % of the load"
    if whole.coverage.contains(span, is_reached=False):
        most = f"if they took no time, the value would be {float(mix.ceiling):.3g} at most"
        return replace(whole, verdict="follows", remark=f"{said}; it holds whatever the {mix.others} take: {most}")
    if whole.coverage.touches(span):
        assumed = little.assumption(mix, whole.coverage)
        return replace(whole, verdict="follows_if", assumptions=(assumed,), remark=said)
    return replace(whole, verdict="does_not_follow", remark=f"{said}; it does not hold whatever the {mix.others} take")


def _observed(claim: Row, whole: Audit, allowed: Span | None, figures: Mapping[str, Row]) -> Audit | None:
    """Return the verdict on what is observed, not derived: by its other printings, or by the time that was planned."""
    own = list(printings.own(claim, figures.values()))
    if claim["formula"] in _OF_ONE and allowed is not None:
        others = tuple(other for figure in own for other in printings.elsewhere(claim, figure, figures.values()))
        is_met = whole.coverage.touches(_hull(allowed, *(other.allowed for other in others)))
        return replace(whole, verdict="consistent" if is_met else "conflicts", printings=others)
    is_planned = all(one.figure is None for one in (*whole.above, *whole.below))
    if not is_planned or allowed is None or not any(figure["quantity"] == _ELAPSED for figure in own):
        return None
    if whole.coverage.touches((allowed[0], None)):
        said = "the time is observed, and the measuring time that was planned is a lower bound of it"
        return replace(whole, verdict="consistent", remark=said)
    return replace(whole, verdict="conflicts", remark="the observed time is shorter than the measuring time planned")


def _hull(*spans: Span) -> Span:
    lows, highs = [low for low, _ in spans], [high for _, high in spans]
    low = None if None in lows else min(end for end in lows if end is not None)
    return low, None if None in highs else max(end for end in highs if end is not None)


def _nearest(covered: Coverage, printed: Closed) -> Fraction | None:
    """Return the claimed number, or of what is claimed the end that the printed values miss."""
    if covered.size is not None:
        return covered.size
    if covered.low is not None and printed[0] < covered.low.value:
        return covered.low.value
    return covered.high.value if covered.high is not None else None


def _farthest(covered: Coverage, printed: Closed) -> Fraction:
    """Return the end of the printed values that lies farther from the claim."""
    size = covered.size
    return printed[1] if size is not None and abs(printed[1] - size) > abs(printed[0] - size) else printed[0]


def _difference(covered: Coverage, printed: Closed) -> Fraction | None:
    """Return the claimed value divided by the recomputed one, minus 1; null where either is missing."""
    nearest, far = _nearest(covered, printed), _farthest(covered, printed)
    return nearest / far - 1 if covered.kind in _SIZED and nearest is not None and far else None


def _of_digits(covered: Coverage, printed: Closed) -> Iterator[str]:
    """Yield the reading of the digits under which a claim follows."""
    if covered.cut is not None and covered.cut[0] <= printed[0] and printed[1] < covered.cut[1]:
        yield "the number is cut off, not rounded"


def _of_change(claim: Row, covered: Coverage, found: Recomputed, sign: int) -> Iterator[str]:
    """Yield the reading of a percentage under which a claim follows."""
    if claim["formula"] != "percent_change":
        return
    (over, _), under = found.pairs[0].ends(is_allowed=False, is_count=False)
    if under is not None and over and under[0] is not None and covered.holds(sign * 100 * (over - under[0]) / over):
        yield "the percentage refers to the new value, not to the old one"


def _of_unit(covered: Coverage, unit: Unit, found: Recomputed, printed: Closed) -> Iterator[str]:
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


def _is_close(claim: Row, covered: Coverage, printed: Closed) -> bool:
    """Say whether a claim is off by at most 5 %, to either side; what states only a direction has no distance."""
    nearest, far = _nearest(covered, printed), _farthest(covered, printed)
    is_sized = claim["formula"] != "qualitative" and nearest is not None and far
    return bool(is_sized) and nearest is not None and abs(nearest / far - 1) <= _CLOSE
