"""
What a claim covers as it is worded: the numbers for which it would be right.

"More than 220" covers everything above 220; "4.0" covers what rounds to it; "1/4" covers what rounds to one part in
four; "as large" covers 5 % to both sides. A claimed reduction is compared by its size.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims.printed import fraction

if TYPE_CHECKING:
    from ioledger.claims.printed import Printed, Row

Span = tuple[Fraction, Fraction]
_NEGATED = (
    # "no less than" is no "less than", and "almost always" says nothing of the number
    (re.compile(r"\bnot? (?:less|fewer) than\b|\bnot below\b"), "at least"),
    (re.compile(r"\bnot? more than\b|\bnot (?:above|over)\b"), "at most"),
    (re.compile(r"\b(?:almost|nearly) (?:always|all|every)\b"), ""),
)
_APPROXIMATE = re.compile(
    r"\b(about|around|approximately|approx|roughly|almost|nearly|just under|close|circa|appreciably)\b"
)
_JUST_BELOW = re.compile(r"\b(almost|nearly|just under)\b")
_AT_MOST = re.compile(r"\b(less than|below|at most|fewer than)\b")
_AT_LEAST = re.compile(r"\b(more than|over|above|at least)\b")
_INCLUSIVE = re.compile(r"\bat (most|least)\b")
_PARTS = re.compile(r"[^\d.]*(\d+)/(\d+)[^\d/]*")
_HALF, _WORDS = Fraction(1, 2), Fraction(1, 20)
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
    """

    kind: str
    size: Fraction | None = None
    low: End | None = None
    high: End | None = None
    cut: Span | None = None
    is_approximate: bool = False
    is_just_below: bool = False

    @property
    def is_one_sided(self) -> bool:
        """Say whether every value beyond one end is covered."""
        return self.kind in ONE_SIDED

    def holds(self, *values: Fraction) -> bool:
        """Say whether all of these values are covered."""
        return all(self._is_above(value) and self._is_below(value) for value in values)

    def touches(self, span: Span) -> bool:
        """Say whether some value of an interval is covered."""
        return self._is_above(span[1]) and self._is_below(span[0])

    def _is_above(self, value: Fraction) -> bool:
        return self.low is None or value > self.low.value or (self.low.is_covered and value == self.low.value)

    def _is_below(self, value: Fraction) -> bool:
        return self.high is None or value < self.high.value or (self.high.is_covered and value == self.high.value)


def coverage(claim: Row, number: Printed | None) -> Coverage:
    """Return what a claim covers; ``number`` is the number that it states, with its rounding."""
    words = (claim["qualifier"] or "").lower()
    for pattern, plain in _NEGATED:
        words = pattern.sub(plain, words)
    is_approximate, is_just_below = bool(_APPROXIMATE.search(words)), bool(_JUST_BELOW.search(words))
    is_inclusive, is_order = bool(_INCLUSIVE.search(words)), claim["formula"] == "qualitative"
    low, high = (_end(claim[name], not is_order or is_inclusive) for name in ("claimed_low", "claimed_high"))
    value = None if is_order else claim["claimed_value"]
    if claim["formula"] == "none" or (value is None and low is None and high is None):
        return Coverage("nothing")
    if value is None or number is None:
        kind = "order" if is_order or low is None or high is None else "range"
        return Coverage(kind, None, low, high, None, is_approximate, is_just_below)
    size = abs(fraction(value))
    if _AT_MOST.search(words):
        return Coverage("at_most", size, None, End(size, is_inclusive), None, is_approximate, is_just_below)
    if _AT_LEAST.search(words):
        return Coverage("at_least", size, End(size, is_inclusive), None, None, is_approximate, is_just_below)
    kind, low, high, cut = _of_number(size, claim["claimed_text"], number.half)
    return Coverage(kind, size, low, high, cut, is_approximate, is_just_below)


def _end(value: float | None, is_covered: bool) -> End | None:  # noqa: FBT001  (the second field of an end)
    return None if value is None else End(fraction(value), is_covered)


def _of_number(size: Fraction, text: str | None, half: Fraction) -> tuple[str, End, End, Span | None]:
    """Return what a number without a bound covers: words, one part in several, or a decimal number."""
    if text is not None and not re.search(r"\d", text):
        return "words", End(size * (1 - _WORDS), is_covered=True), End(size * (1 + _WORDS), is_covered=True), None
    parts = _PARTS.fullmatch(text or "")
    if parts and int(parts[1]) and int(parts[2]):
        over, under = int(parts[1]), Fraction(parts[2])
        if abs(over / under - size) <= _PARTS_AGREE * size:
            ends = End(over / (under + _HALF), is_covered=True), End(over / (under - _HALF), is_covered=False)
            return "number", *ends, (over / (under + 1), size)
    ends = End(size - half, is_covered=True), End(size + half, is_covered=False)
    return "number", *ends, (size, size + 2 * half)
