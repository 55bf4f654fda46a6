"""
The claims ledger a second time, from the CSV files alone.

Shares no code with ``ioledger.claims``: it is there to be compared with it.
"""

from __future__ import annotations

import re
import statistics
from fractions import Fraction
from typing import NamedTuple

from claims_numbers import Cells, Number, Unit, half_unit, is_unlike, read, scales, scales_to, unit

Span = tuple[Fraction, Fraction]
APPROXIMATE = (
    *("about", "around", "approximately", "approx", "roughly", "almost", "nearly", "just under", "close", "circa"),
    "appreciably",
)
CUT = "the number is cut off, not rounded"
EXACT = "the exact values of the operands lie on the side that supports it"
NEW = "the percentage refers to the new value, not to the old one"
WORDS = "the words cover a difference of up to 10 %"


class Audit(NamedTuple):
    """What came out for a claim: verdict, the value as printed, the interval, and the assumptions."""

    verdict: str
    value: Fraction | None = None
    span: Span | None = None
    assumptions: tuple[str, ...] = ()


class Covered(NamedTuple):
    """What a claim covers: kind, its size, its ends with whether they belong to it, and what it covers when cut."""

    kind: str
    size: Fraction | None = None
    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    cut: Span | None = None

    def holds(self, value: Fraction) -> bool:
        """Say whether a value is covered."""
        over = self.low is None or value > self.low[0] or (self.low[1] and value == self.low[0])
        under = self.high is None or value < self.high[0] or (self.high[1] and value == self.high[0])
        return over and under

    def touches(self, span: Span) -> bool:
        """Say whether some value of an interval is covered."""
        over = self.low is None or span[1] > self.low[0] or (self.low[1] and span[1] == self.low[0])
        under = self.high is None or span[0] < self.high[0] or (self.high[1] and span[0] == self.high[0])
        return over and under


def _ends(number: Number, scale: Fraction, *, rounded: bool) -> Span:
    half = number.half if rounded else Fraction(0)
    return (number.low - half) * scale, (number.high + half) * scale


def _apply(formula: str, n: Span, d: Span | None) -> Span | None:
    """Return the interval of a formula over the intervals of its operands."""
    if formula in {"bound", "count"} or (formula == "geomean" and d is None):
        return n
    if d is None:
        return None
    if formula == "difference":
        return n[0] - d[1], n[1] - d[0]
    if d[0] * d[1] <= 0:
        return None
    corners = [over / under for over in n for under in d]
    ratio = min(corners), max(corners)
    return (100 * (ratio[0] - 1), 100 * (ratio[1] - 1)) if formula == "percent_change" else ratio


def _claimed_unit(claim: Cells) -> Number:
    is_stated = claim["claimed_value"] or claim["claimed_low"] or claim["claimed_high"]
    return Number(Fraction(0), Fraction(0), Fraction(0), claim["claimed_unit"] if is_stated else "", None)


def _spans(claim: Cells, upper: list[Number], lower: list[Number]) -> tuple[Span, Span] | None:
    """Return the interval of the printed values, and that within their rounding."""
    formula, asked = claim["formula"], _claimed_unit(claim)
    results: list[Span] = []
    for rounded in (False, True):
        members = []
        for position, n in enumerate(upper):
            d = lower[position] if lower else None
            if formula in {"bound", "count", "difference"} or d is None:
                n_scale, d_scale = scales_to(asked, n, d)
                is_possible = not is_unlike(n, asked) and not (d and is_unlike(n, d))
            else:
                n_scale, d_scale = scales(n, d)
                is_possible = not is_unlike(n, d) or claim["claimed_unit"] not in {"ratio", "times", "x", "%"}
            under = _ends(d, d_scale, rounded=rounded) if d else None
            over = _ends(n, n_scale, rounded=rounded and formula != "count")
            span = _apply(formula, over, under) if is_possible else None
            members.append(span)
        known = [member for member in members if member is not None]
        if len(known) < len(members) or (formula == "geomean" and any(member[0] <= 0 for member in known)):
            return None
        if len(known) > 1:
            low, high = ([float(member[end]) for member in known] for end in (0, 1))
            mean = Fraction(statistics.geometric_mean(low)), Fraction(statistics.geometric_mean(high))
            known = [mean]
        results.append(known[0])
    return results[0], results[1]


def _has(words: tuple[str, ...], text: str) -> bool:
    return any(re.search(rf"\b{word}\b", text.lower()) for word in words)


def _plain(qualifier: str) -> str:
    """Return a qualifier with its negations turned round, and without what does not speak of the number."""
    words = re.sub(r"\bnot? (less|fewer) than\b|\bnot below\b", "at least", qualifier.lower())
    words = re.sub(r"\bnot? more than\b|\bnot (above|over)\b", "at most", words)
    return re.sub(r"\b(almost|nearly) (always|all|every)\b", "", words)


def covered(claim: Cells) -> Covered:
    """Return what a claim covers as it is worded."""
    is_in = claim["formula"] != "qualitative"
    low, high = ((Fraction(claim[end]), is_in) if claim[end] else None for end in ("claimed_low", "claimed_high"))
    if claim["formula"] == "none" or not (low or high or (claim["claimed_value"] and is_in)):
        return Covered("nothing")
    if not is_in or not claim["claimed_value"]:
        return Covered("range" if low and high and is_in else "order", None, low, high)
    size, qualifier = abs(Fraction(claim["claimed_value"])), _plain(claim["qualifier"])
    is_in = _has(("at most", "at least"), qualifier)
    if _has(("less than", "below", "at most", "fewer than"), qualifier):
        return Covered("at_most", size, None, (size, is_in))
    if _has(("more than", "over", "above", "at least"), qualifier):
        return Covered("at_least", size, (size, is_in), None)
    return _number_covered(size, claim["claimed_text"])


def _number_covered(size: Fraction, text: str) -> Covered:
    """Return what a number without a bound covers: words, a fraction of whole numbers, or a decimal."""
    if text and not re.search(r"\d", text):
        return Covered("words", size, (size * 19 / 20, True), (size * 21 / 20, True))
    part = re.fullmatch(r"[^\d.]*(\d+)/(\d+)[^\d/]*", text)
    if part and int(part[2]) and abs(Fraction(int(part[1]), int(part[2])) - size) <= size / 10**9:
        over, under, half = int(part[1]), Fraction(part[2]), Fraction(1, 2)
        low, high = (over / (under + half), True), (over / (under - half), False)
        return Covered("number", size, low, high, (over / (under + 1), size))
    half = half_unit(size, text)
    return Covered("number", size, (size - half, True), (size + half, False), (size, size + 2 * half))


def _assumptions(claim: Cells, said: Covered, spans: tuple[Span, Span], operands: list[Number]) -> list[str]:
    """Return every reading under which a claim follows."""
    (printed, rounded), found = spans, []
    if said.kind == "words" and said.size and printed[0] >= said.size * 9 / 10 and printed[1] <= said.size * 11 / 10:
        found.append(WORDS)
    if said.cut and said.cut[0] <= printed[0] and printed[1] < said.cut[1]:
        found.append(CUT)
    if said.touches(rounded):
        found.append(EXACT)
    if said.kind == "number" and claim["formula"] == "percent_change":
        n, d = (one.low * scale for one, scale in zip(operands, scales(*operands), strict=True))
        sign = -1 if Fraction(claim["claimed_value"]) < 0 else 1
        if n and said.holds(sign * 100 * (n - d) / n):
            found.append(NEW)
    asked = unit(_claimed_unit(claim))
    if said.kind == "number" and asked.dimension in {"bytes", "throughput"} and asked.base is None:
        found += _units(said, printed, asked.power, unit(operands[0]))
    return found


def _units(said: Covered, printed: Span, power: int, operand: Unit) -> list[str]:
    """Return the reading of the unit of bytes under which a claim follows, whole readings before mixed ones."""
    for size in range(power, 0, -1):
        for step in (-size, size):
            is_open = (operand.power > 0 and operand.base in {None, 1024}) if step > 0 else operand.base in {None, 1000}
            factor = Fraction(1024, 1000) ** step
            if is_open and said.holds(printed[0] * factor) and said.holds(printed[1] * factor):
                if size < power:
                    return ["the unit of the claim mixes powers of 1000 and of 1024"]
                if step < 0:
                    return ["the unit of the claim counts in powers of 1024"]
                return ["the unit of the claim counts in powers of 1000, that of the operands in powers of 1024"]
    return []


def _is_close(claim: Cells, said: Covered, printed: Span) -> bool:
    """Say whether a claim is within 5 %, and either says "about" or claims no more than the numbers give."""
    if claim["formula"] == "qualitative":
        return False
    size = said.size if said.kind in {"number", "words"} else None
    nearest = size or (said.low[0] if said.low and printed[0] < said.low[0] else (said.high or (Fraction(0), True))[0])
    far = max(printed, key=lambda value: abs(value - nearest))
    if not far or abs(nearest / far - 1) > Fraction(1, 20):
        return False
    if _has(APPROXIMATE, _plain(claim["qualifier"])):
        return True
    if said.kind in {"order", "at_least", "at_most"}:
        return False
    if claim["formula"] in {"ratio", "geomean"} and claim["claimed_unit"] in {"", "ratio", "times", "x"}:
        return max(nearest, 1 / nearest) <= max(far, 1 / far)
    return nearest <= far


def _is_circular(claim: Cells, figures: dict[str, Cells]) -> bool:
    if claim["numerator"] and claim["numerator"] == claim["denominator"]:
        return True
    own = figures.get(claim["numerator"].removeprefix("figure:"), {})
    place = re.search(r"line (\d+)", claim["locator"])
    if claim["formula"] not in {"bound", "count"} or place is None or own.get("line") != place[1]:
        return False
    return bool(claim["claimed_value"]) and Fraction(claim["claimed_value"]) == Fraction(own["printed_value"] or "-1")


def audit(claim: Cells, figures: dict[str, Cells]) -> Audit:
    """Return the verdict on a claim from the figures of its publication."""
    if _is_circular(claim, figures):
        return Audit("circular")
    operands = _operands(claim, figures)
    spans = _spans(claim, *operands) if operands else None
    if operands is None or spans is None:
        return Audit("not_derivable")
    (low, high), span = spans
    value, said = low if low == high else None, covered(claim)
    if said.kind == "nothing":
        return Audit("qualitative", value, span)
    if claim["claimed_value"].startswith("-"):
        spans = (-high, -low), (-span[1], -span[0])
    is_one_sided = said.kind in {"order", "at_least", "at_most"}
    if all(said.holds(end) for end in (*spans[0], *(spans[1] if is_one_sided else ()))):
        return Audit("follows", value, span)
    assumptions = _assumptions(claim, said, spans, [numbers[0] for numbers in operands if numbers])
    if assumptions:
        return Audit("follows_if", value, span, tuple(assumptions))
    return Audit("close" if _is_close(claim, said, spans[0]) else "does_not_follow", value, span)


def _operands(claim: Cells, figures: dict[str, Cells]) -> tuple[list[Number], list[Number]] | None:
    """Return the operands, or nothing when one cannot be read or they do not fit the formula."""
    formula, sides = claim["formula"], [claim["numerator"], claim["denominator"]]
    found = [[read(text.strip(), figures) for text in side.split(";") if text] for side in sides]
    n, d = ([number for number in side if number is not None] for side in found)
    is_fitting = len(n) == 1 and len(d) == (0 if formula in {"bound", "count"} else 1)
    if formula == "geomean":
        is_fitting = len(n) >= 1 and len(d) in {0, len(n)}
    is_read = len(n) + len(d) == sum(map(len, found))
    return (n, d) if is_fitting and is_read and formula != "none" else None
