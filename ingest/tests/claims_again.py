"""
The claims ledger a second time, from the CSV files alone: the verdict on one claim by its operands.

Shares no code with ``ioledger.claims``: it is there to be compared with it. What other figures of the publication say
about a claim stands in ``claims_beside``.
"""

from __future__ import annotations

import math
import re
import statistics
from fractions import Fraction
from typing import NamedTuple

from claims_beside import mix, observed, outside_series, printings
from claims_numbers import Cells, Number, Unit, half_unit, is_unlike, read, scales, scales_to, unit

Span = tuple[Fraction, Fraction]
Ends = tuple[Fraction | float, Fraction | float]
"""An interval; an open end is infinite."""
TOLERANCES = {
    Fraction(1, 10): ("close",),
    Fraction(1, 20): (
        *("about", "around", "approximately", "approx", "roughly", "circa", "hardly", "barely", "scarcely"),
        *("not appreciably", "not be appreciably", "cannot be appreciably", "cannot appreciably"),
        *("not appreciable", "without appreciable"),
    ),
}
CUT = "the number is cut off, not rounded"
NEW = "the percentage refers to the new value, not to the old one"


class Audit(NamedTuple):
    """What came out for a claim: verdict, the value as printed, the interval, and the assumptions."""

    verdict: str
    value: Fraction | None = None
    span: Ends | None = None
    assumptions: tuple[str, ...] = ()


class Covered(NamedTuple):
    """What a claim covers: kind, its size, its ends with whether they belong to it, and what it covers when cut."""

    kind: str
    size: Fraction | None = None
    low: tuple[Fraction, bool] | None = None
    high: tuple[Fraction, bool] | None = None
    cut: Span | None = None

    def over(self, value: Fraction | float, *, ends_too: bool = False) -> bool:
        """Say whether a value passes the lower end."""
        return self.low is None or value > self.low[0] or (value == self.low[0] and (self.low[1] or ends_too))

    def under(self, value: Fraction | float, *, ends_too: bool = False) -> bool:
        """Say whether a value passes the upper end."""
        return self.high is None or value < self.high[0] or (value == self.high[0] and (self.high[1] or ends_too))

    def holds(self, value: Fraction | float) -> bool:
        """Say whether a value is covered."""
        return self.over(value) and self.under(value)

    def touches(self, span: Ends) -> bool:
        """Say whether some value of an interval is covered."""
        return self.over(span[1]) and self.under(span[0])


def _apply(formula: str, n: Ends, d: Ends | None) -> Ends | None:
    """Return the interval of a formula; where an end is open, of quantities that are positive."""
    if d is None:
        return n
    if formula == "difference":
        return n[0] - d[1], n[1] - d[0]
    known = [end for end in (*n, *d) if math.isfinite(end)]
    if len(known) == len(n) + len(d):
        if d[0] * d[1] <= 0:
            return None
        corners = [over / under for over in n for under in d]
        low, high = min(corners), max(corners)
    elif min(known) <= 0:
        return None
    else:
        low = n[0] / d[1] if math.isfinite(n[0]) and math.isfinite(d[1]) else -math.inf
        high = n[1] / d[0] if math.isfinite(n[1]) and math.isfinite(d[0]) else math.inf
    return (100 * (low - 1), 100 * (high - 1)) if formula == "percent_change" else (low, high)


def _claimed_unit(claim: Cells) -> Number:
    is_stated = claim["claimed_value"] or claim["claimed_low"] or claim["claimed_high"]
    return Number(Fraction(0), Fraction(0), Fraction(0), claim["claimed_unit"] if is_stated else "", None)


def _scales(claim: Cells, n: Number, d: Number | None) -> tuple[Fraction, Fraction] | None:
    """Return what brings two operands to one unit, or nothing when they cannot be compared."""
    asked = _claimed_unit(claim)
    if claim["formula"] in {"bound", "count", "difference"} or d is None:
        return None if is_unlike(n, asked) or (d and is_unlike(n, d)) else scales_to(asked, n, d)
    if is_unlike(n, d) and claim["claimed_unit"] in {"ratio", "times", "x", "%"}:
        return None
    scale = scales(n, d)
    is_in_percent = claim["formula"] == "ratio" and claim["claimed_unit"] == "%"
    return (100 * scale[0], scale[1]) if scale and is_in_percent else scale


def _spans(claim: Cells, texts: list[list[str]], figures: dict[str, Cells]) -> tuple[Span, Ends | None] | None:
    """Return the interval of the printed values, and that of all that the printed text allows."""
    formula = claim["formula"]
    plain: list[Ends | None] = []
    wide: list[Ends | None] = []
    for position, over in enumerate(texts[0]):
        under = texts[1][position] if texts[1] else None
        n, d = read(over, figures), read(under, figures) if under else None
        scale = _scales(claim, n, d) if n and (d or not under) else None
        if n is None or scale is None:
            return None
        allowed = (n.low, n.high) if formula == "count" else printings(claim, over, figures)
        beneath = printings(claim, under, figures) if under else None
        plain.append(
            _apply(formula, _times((n.low, n.high), scale[0]), _times((d.low, d.high), scale[1]) if d else None)
        )
        wide.append(_apply(formula, _times(allowed, scale[0]), _times(beneath, scale[1]) if beneath else None))
    printed = _mean(formula, plain)
    return None if printed is None else ((Fraction(printed[0]), Fraction(printed[1])), _mean(formula, wide))


def _times(span: Ends, factor: Fraction) -> Ends:
    return span[0] * factor, span[1] * factor


def _mean(formula: str, members: list[Ends | None]) -> Ends | None:
    known = [member for member in members if member is not None]
    ends = [end for member in known for end in member if math.isfinite(end)]
    if len(known) < len(members) or (formula == "geomean" and any(end <= 0 for end in ends)):
        return None
    if len(known) == 1:
        return known[0]
    sides = ([float(member[end]) for member in known] for end in (0, 1))
    low, high = (statistics.geometric_mean(side) if all(map(math.isfinite, side)) else None for side in sides)
    return -math.inf if low is None else Fraction(low), math.inf if high is None else Fraction(high)


def _has(words: tuple[str, ...], text: str) -> bool:
    return any(re.search(rf"\b{word}\b", text.lower()) for word in words)


def _plain(qualifier: str) -> str:
    """Return a qualifier with its negations turned round, and without what does not speak of the number."""
    words = re.sub(r"\bnot? (less|fewer) than\b|\bnot below\b", "at least", qualifier.lower())
    words = re.sub(r"\bnot? more than\b|\bnot (above|over)\b", "at most", words)
    return re.sub(r"\b(almost|nearly) (always|all|every)\b", "", words)


def covered(claim: Cells) -> Covered:  # noqa: PLR0911  (one line per kind of claim)
    """Return what a claim covers as it is worded."""
    is_in, qualifier = claim["formula"] != "qualitative", _plain(claim["qualifier"])
    is_at = _has(("at most", "at least"), qualifier)
    is_below = _has(("almost", "nearly", "just under"), qualifier)
    share = next((share for share, words in TOLERANCES.items() if _has(words, qualifier)), Fraction(0))
    ends = [(Fraction(claim[end]), is_in or is_at) if claim[end] else None for end in ("claimed_low", "claimed_high")]
    low, high = ends
    if claim["formula"] == "none" or not (low or high or (claim["claimed_value"] and is_in)):
        return Covered("nothing")
    if not is_in or not claim["claimed_value"]:
        if low and high and is_in:
            under = max(share, Fraction(1, 20)) if is_below else share
            return Covered("range", None, (low[0] * (1 - under), True), (high[0] * (1 + share), True))
        return Covered("order", None, low, high)
    size = abs(Fraction(claim["claimed_value"]))
    if _has(("less than", "below", "at most", "fewer than"), qualifier):
        return Covered("at_most", size, None, (size, is_at))
    if _has(("more than", "over", "above", "at least"), qualifier):
        return Covered("at_least", size, (size, is_at), None)
    said = _number_covered(size, claim["claimed_text"])
    if is_below:
        return Covered(said.kind, size, (size * 19 / 20, True), (size, False))
    if share and said.low and said.high:
        low, high = min(said.low, (size * (1 - share), True)), max(said.high, (size * (1 + share), True))
        return said._replace(low=low, high=high)
    return said


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


def _assumptions(claim: Cells, said: Covered, printed: Span, operands: list[Number]) -> list[str]:
    """Return every reading under which a number follows."""
    found: list[str] = []
    if said.kind != "number":
        return found
    if said.cut and said.cut[0] <= printed[0] and printed[1] < said.cut[1]:
        found.append(CUT)
    if claim["formula"] == "percent_change":
        n, d = (one.low * scale for one, scale in zip(operands, scales(*operands), strict=True))
        sign = -1 if Fraction(claim["claimed_value"]) < 0 else 1
        if n and said.holds(sign * 100 * (n - d) / n):
            found.append(NEW)
    asked = unit(_claimed_unit(claim))
    if asked.dimension in {"bytes", "throughput"} and asked.base is None:
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
    """Say whether a claim with a number is off by at most 5 %."""
    if claim["formula"] == "qualitative":
        return False
    missed = said.low if said.low and printed[0] < said.low[0] else said.high
    nearest = said.size if said.size is not None else missed[0] if missed else None
    if nearest is None:
        return False
    far = max(printed, key=lambda value: abs(value - nearest)) if said.size is not None else printed[0]
    return bool(far) and abs(nearest / far - 1) <= Fraction(1, 20)


def _is_circular(claim: Cells, figures: dict[str, Cells]) -> bool:
    if claim["numerator"] and claim["numerator"] == claim["denominator"]:
        return True
    if claim["formula"] not in {"bound", "count"} or not claim["claimed_value"]:
        return False
    value, found = Fraction(claim["claimed_value"]), read(claim["numerator"], figures)
    if found is None or not found.low == found.high == value:
        return False
    own = figures.get(claim["numerator"].removeprefix("figure:").strip())
    if own is None:
        return unit(found) == unit(_claimed_unit(claim))
    place = re.search(r"line (\d+)", claim["locator"])
    return place is not None and own["line"] == place[1]


def _of_one(said: Covered, printed: Span, allowed: Ends | None, *, is_bounded: bool) -> str | None:
    """Return the verdict that the operands alone give, if they do."""
    is_one_sided = said.kind in {"order", "at_least", "at_most"}
    is_part = said.kind == "range" and allowed is not None and not all(map(math.isfinite, allowed))
    if allowed is None:
        return "follows" if not is_one_sided and all(map(said.holds, printed)) else None
    passes = said.over(allowed[0], ends_too=is_bounded), said.under(allowed[1], ends_too=is_bounded)
    if all(passes) if is_one_sided or is_part else all(map(said.holds, printed)):
        return "follows"
    if not said.touches(allowed):
        return None
    return "follows_in_part" if is_part and any(passes) else "consistent"


def audit(claim: Cells, figures: dict[str, Cells]) -> Audit:
    """Return the verdict on a claim from the figures of its publication, without what its quantifier changes."""
    if _is_circular(claim, figures):
        return Audit("circular")
    texts = [[text.strip() for text in claim[side].split(";") if text] for side in ("numerator", "denominator")]
    spans = _spans(claim, texts, figures) if _fits(claim["formula"], *map(len, texts)) else None
    if spans is None:
        return Audit("conflicts" if outside_series(claim, figures) else "not_testable")
    (low, high), span = spans
    value, said = low if low == high else None, covered(claim)
    if said.kind == "nothing":
        return Audit("not_testable", value, span)
    printed, allowed = (low, high), span
    if claim["claimed_value"].startswith("-"):
        printed, allowed = (-high, -low), (-span[1], -span[0]) if span else None
    verdict, assumed = _judged(claim, said, printed, allowed, figures)
    return Audit(verdict, value, span, assumed)


def _judged(
    claim: Cells, said: Covered, printed: Span, allowed: Ends | None, figures: dict[str, Cells]
) -> tuple[str, tuple[str, ...]]:
    """Return the verdict on a claim whose operands give a value, and what it assumes."""
    texts = [text.strip() for side in ("numerator", "denominator") for text in claim[side].split(";") if text]
    part = mix(claim, figures, (said.low[0] if said.low else None, said.high[0] if said.high else None))
    if part is not None:
        most, assumed = part
        if said.over(Fraction(0), ends_too=True) and said.under(most, ends_too=True):
            return "follows", ()
        return ("follows_if", (assumed,)) if said.touches((Fraction(0), most)) else ("does_not_follow", ())
    named = (figures.get(text.removeprefix("figure:").strip(), {}) for text in texts)
    is_bounded = any(row.get("value_kind", "").endswith("_bound") for row in named)
    plain = _of_one(said, printed, allowed, is_bounded=is_bounded)
    if plain is not None:
        return plain, ()
    operands = [number for number in (read(text, figures) for text in texts) if number is not None]
    assumptions = _assumptions(claim, said, printed, operands)
    if assumptions:
        return "follows_if", tuple(assumptions)
    seen = observed(claim, figures, allowed)
    if seen is not None:
        return "consistent" if said.touches(seen) else "conflicts", ()
    return "close" if _is_close(claim, said, printed) else "does_not_follow", ()


def _fits(formula: str, above: int, below: int) -> bool:
    if formula == "geomean":
        return above >= 1 and below in {0, above}
    return formula != "none" and above == 1 and below == (0 if formula in {"bound", "count"} else 1)
