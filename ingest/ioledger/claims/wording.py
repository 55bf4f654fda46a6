"""
What a claim covers as it is worded: the numbers for which it would be right.

"More than 220" covers everything above 220; "4.0" covers what rounds to it; "1/4" covers what rounds to one part in
four. "About", "hardly" and words without a number ("as large") cover 5 % to both sides, "close" covers 10 %. "Almost"
covers what lies below, by at most 5 %. A claimed reduction is compared by its size.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims.printed import fraction

if TYPE_CHECKING:
    from ioledger.claims.printed import Printed, Row, Span

_NEGATED = (
    # "no less than" is no "less than", and "almost always" says nothing of the number
    (re.compile(r"\bnot? (?:less|fewer) than\b|\bnot below\b"), "at least"),
    (re.compile(r"\bnot? more than\b|\bnot (?:above|over)\b"), "at most"),
    (re.compile(r"\b(?:almost|nearly) (?:always|all|every)\b"), ""),
)
_ALMOST_ALL = re.compile(r"\b(?:almost|nearly) (?:always|all|every)\b")
_ALL = re.compile(r"\b(?:always|all|every)\b")
_JUST_BELOW = re.compile(r"\b(almost|nearly|just under)\b")
_AT_MOST = re.compile(r"\b(less than|below|at most|fewer than)\b")
_AT_LEAST = re.compile(r"\b(more than|over|above|at least)\b")
_INCLUSIVE = re.compile(r"\bat (most|least)\b")
_TOLERANCES = (
    (re.compile(r"\bclose\b"), Fraction(1, 10)),
    (
        re.compile(
            r"\b(about|around|approximately|approx|roughly|circa|hardly|barely|scarcely"
            r"|(?:not|cannot|without)(?: be)? appreciabl[ey])\b"
        ),
        Fraction(1, 20),
    ),
)
_SLIGHT = Fraction(1, 20)
_PARTS = re.compile(r"[^\d.]*(\d+)/(\d+)[^\d/]*")
_HALF = Fraction(1, 2)
_PARTS_AGREE = Fraction(1, 10**9)
"""A fraction in words and the claimed value are the same when they differ by less than this share."""
ONE_SIDED = frozenset({"order", "at_least", "at_most"})


@dataclass(frozen=True)
class End:
    """One end of what a claim covers, and whether the end itself is covered."""

    value: Fraction
    is_covered: bool


@dataclass(frozen=True)
class Coverage:
    """
    What a claim covers: its kind, its size, its ends (null: open), and what it covers when its number was cut off.

    Kinds: number, words, range, order (one end known), at_least, at_most, nothing (no number that could be tested).
    ``tolerance`` is the share that the words allow to both sides, null for words that allow none.
    """

    kind: str
    size: Fraction | None = None
    low: End | None = None
    high: End | None = None
    cut: tuple[Fraction, Fraction] | None = None
    tolerance: Fraction | None = None
    is_just_below: bool = False

    @property
    def is_one_sided(self) -> bool:
        """Say whether every value beyond one end is covered."""
        return self.kind in ONE_SIDED

    def holds(self, *values: Fraction) -> bool:
        """Say whether all of these values are covered."""
        return all(self._is_above(value) and self._is_below(value) for value in values)

    def contains_from(self, low: Fraction | None, *, is_reached: bool = True) -> bool:
        """Say whether everything from a lower end upwards passes the claim's lower end; null is open."""
        if self.low is None:
            return True
        return low is not None and (self._is_above(low) or (not is_reached and low == self.low.value))

    def contains_to(self, high: Fraction | None, *, is_reached: bool = True) -> bool:
        """Say whether everything from an upper end downwards passes the claim's upper end; null is open."""
        if self.high is None:
            return True
        return high is not None and (self._is_below(high) or (not is_reached and high == self.high.value))

    def contains(self, span: Span, *, is_reached: bool = True) -> bool:
        """Say whether a whole interval is covered; ``is_reached`` says whether its ends belong to it."""
        low, high = span
        return self.contains_from(low, is_reached=is_reached) and self.contains_to(high, is_reached=is_reached)

    def touches(self, span: Span) -> bool:
        """Say whether some value of an interval is covered."""
        low, high = span
        return (high is None or self._is_above(high)) and (low is None or self._is_below(low))

    def _is_above(self, value: Fraction) -> bool:
        return self.low is None or value > self.low.value or (self.low.is_covered and value == self.low.value)

    def _is_below(self, value: Fraction) -> bool:
        return self.high is None or value < self.high.value or (self.high.is_covered and value == self.high.value)


def quantifier(claim: Row) -> str | None:
    """Return how many of the loads a claim speaks of: ``all``, ``almost all``, or null when it does not say."""
    words = (claim["qualifier"] or "").lower()
    if _ALMOST_ALL.search(words):
        return "almost all"
    return "all" if _ALL.search(words) else None


def coverage(claim: Row, number: Printed | None) -> Coverage:
    """Return what a claim covers; ``number`` is the number that it states, with its rounding."""
    words = (claim["qualifier"] or "").lower()
    for pattern, plain in _NEGATED:
        words = pattern.sub(plain, words)
    tolerance = next((share for pattern, share in _TOLERANCES if pattern.search(words)), None)
    is_just_below = bool(_JUST_BELOW.search(words))
    is_inclusive, is_order = bool(_INCLUSIVE.search(words)), claim["formula"] == "qualitative"
    low, high = (_end(claim[name], not is_order or is_inclusive) for name in ("claimed_low", "claimed_high"))
    value = None if is_order else claim["claimed_value"]
    if claim["formula"] == "none" or (value is None and low is None and high is None):
        return Coverage("nothing")
    if value is None or number is None:
        kind = "order" if is_order or low is None or high is None else "range"
        if kind == "range":
            low, high = _wider(low, high, tolerance or 0, is_just_below=is_just_below)
        return Coverage(kind, None, low, high, None, tolerance, is_just_below)
    size = abs(fraction(value))
    if _AT_MOST.search(words):
        return Coverage("at_most", size, None, End(size, is_inclusive), None, tolerance)
    if _AT_LEAST.search(words):
        return Coverage("at_least", size, End(size, is_inclusive), None, None, tolerance)
    kind, low, high, cut = _of_number(size, claim["claimed_text"], number.half)
    if is_just_below:
        return Coverage(kind, size, *_below(size), None, None, is_just_below=True)
    if tolerance is not None:
        low, high = _widest(low, high, size, tolerance)
    return Coverage(kind, size, low, high, cut, tolerance)


def _end(value: float | None, is_covered: bool) -> End | None:  # noqa: FBT001  (the second field of an end)
    return None if value is None else End(fraction(value), is_covered)


def _below(size: Fraction) -> tuple[End, End]:
    """Return what "almost" covers."""
    return End(size * (1 - _SLIGHT), is_covered=True), End(size, is_covered=False)


def _wider(
    low: End | None, high: End | None, tolerance: Fraction | int, *, is_just_below: bool
) -> tuple[End | None, End | None]:
    """Return the ends of a range with what its words allow beyond them; "just under" speaks of the lower end."""
    under = max(Fraction(tolerance), _SLIGHT if is_just_below else Fraction(0))
    return (
        low and End(low.value * (1 - under), low.is_covered),
        high and End(high.value * (1 + tolerance), high.is_covered),
    )


def _widest(low: End, high: End, size: Fraction, tolerance: Fraction) -> tuple[End, End]:
    """Return the wider of what the digits and what the words allow, at each end."""
    under, over = size * (1 - tolerance), size * (1 + tolerance)
    return (
        low if low.value < under else End(under, is_covered=True),
        high if high.value > over else End(over, is_covered=True),
    )


def _of_number(
    size: Fraction, text: str | None, half: Fraction
) -> tuple[str, End, End, tuple[Fraction, Fraction] | None]:
    """Return what a number without a bound covers: words, one part in several, or a decimal number."""
    if text is not None and not re.search(r"\d", text):
        return "words", *_widest(End(size, is_covered=True), End(size, is_covered=True), size, _SLIGHT), None
    parts = _PARTS.fullmatch(text or "")
    if parts and int(parts[1]) and int(parts[2]):
        over, under = int(parts[1]), Fraction(parts[2])
        if abs(over / under - size) <= _PARTS_AGREE * size:
            ends = End(over / (under + _HALF), is_covered=True), End(over / (under - _HALF), is_covered=False)
            return "number", *ends, (over / (under + 1), size)
    ends = End(size - half, is_covered=True), End(size + half, is_covered=False)
    return "number", *ends, (size, size + 2 * half)
