"""
Verdicts, and every word about them: what commands, pages and comments on pull requests say of a comparison.

Nothing here needs scipy or numpy, so that commands that only read a built database start soon.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Sequence

UNDECIDED, EQUAL, A_FASTER, B_FASTER, A_IF, B_IF = range(COUNT := 6)
"""Verdicts as numbers; :func:`text` has their words."""
_TEN = 10
_DECIMALS_OF_INTERVALS, _MOST_DECIMALS = 4, 6
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
FEW = "fewer than three repetitions on a side"
WIDE = "the interval holds 1 and goes beyond the margin"
HALF_OPEN = "a bound, and its interval holds 1"
BOTH_OPEN = "bounds on both sides"
NO_VALUE = "a value is missing or not above zero"


def text(verdict: int, margin: float | None = None) -> str:
    """Return a verdict in words."""
    condition = f", if runs spread by {limit('assumed_spread') * 100:g} %"
    return {
        UNDECIDED: "undecided",
        EQUAL: f"equal within {limit('margin') if margin is None else margin:g}",
        A_FASTER: "A faster",
        B_FASTER: "B faster",
        A_IF: f"A faster{condition}",
        B_IF: f"B faster{condition}",
    }[verdict]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """
    Return p values adjusted for their number, in the same order; those that are null stay so and are not counted.

    Source  S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6 (1979).
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    found: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        found[place] = highest
    return found


class Comparison(NamedTuple):
    """
    What a sentence about a quotient needs: its numbers, above 1 when A is faster, and what stands beside them.

    An end is null where it is open or not known; the numbers of repetitions and of sessions are null for a printed
    figure. ``unknown`` are the columns that keep the grade at C, as they are listed.
    """

    ratio: float | None
    low: float | None
    high: float | None
    verdict: str
    reason: str | None = None
    a_count: int | None = None
    b_count: int | None = None
    a_session_count: int | None = None
    b_session_count: int | None = None
    grade: str | None = None
    unknown: str | None = None
    evidence: str | None = None


def sentence(found: Comparison) -> str:
    """
    Return a comparison in words: the faster side, a factor from 1 on, its interval, the verdict, grade and evidence.

    ``B 1.27 times A [0.78, 2.34]: undecided (n = 3, one session); grade A; same bench``. At grade C the verdict holds
    on a condition, which stands before it.
    """
    return f"{_factor(found.ratio, found.low, found.high)}: {_said(found[3:])}"


@lru_cache(1 << 14)
def _said(words: tuple[Any, ...]) -> str:
    """Return the verdict with its condition and basis, grade and evidence; thousands of quotients share these."""
    found = Comparison(None, None, None, *words)
    beside = (f"grade {found.grade}" if found.grade else "", found.evidence)
    return "; ".join(filter(None, (f"{_condition(found)}{found.verdict}{_basis(found)}", *beside)))


def shortened(said: str) -> str:
    """Return a sentence of grade C without the names of what is unknown, for a place that lists them beside it."""
    start, _, condition = said.partition(": if ")
    names, are_equal, rest = condition.partition(" equal, ")
    return f"{start}: if the unknown are equal, {rest}" if names and are_equal else said


def _factor(ratio: float | None, low: float | None, high: float | None) -> str:
    """Return who is faster by how much, with the interval seen from the faster side."""
    faster, slower = "A", "B"
    if _is_below_one(ratio, low, high):
        faster, slower = slower, faster
        ratio, low, high = (None if each is None else 1 / each if each else math.inf for each in (ratio, high, low))
    digits = _digits(ratio, low, high)
    if ratio is None:
        if low and low < 1:
            return f"{slower} at most {1 / low:.{digits}f} times {faster}"
        return f"{faster} more than {low:.{digits}f} times {slower}" if low else f"{faster} and {slower}"
    ends = ["unknown" if each is None else f"{each:.{digits}f}" for each in (low, high)]
    interval = f" [{', '.join(ends)}]" if low is not None or high is not None else ""
    return f"{faster} {ratio:.{digits}f} times {slower}{interval}"


def _is_below_one(ratio: float | None, low: float | None, high: float | None) -> bool:
    """Say whether B is the faster side; where only an end is known, it is the side that the end is about."""
    if ratio is not None:
        return ratio < 1
    return not low and high is not None


def _digits(ratio: float | None, low: float | None, high: float | None) -> int:
    """
    Return with how many decimals a factor and its interval are shown.

    Three digits, at least two of them behind the point up to 10; more where the interval is narrow, and where an end
    that lies beside 1 would be shown as 1.
    """
    known = [each for each in (ratio, low, high) if each is not None and math.isfinite(each)]
    first = known[0] if known else 1.0
    digits = 2 if first < _TEN else 1 if first < _TEN**2 else 0
    width = max(known, default=1.0) - min(known, default=1.0)
    while digits < _DECIMALS_OF_INTERVALS and 0 < width < _TEN**-digits:
        digits += 1
    while digits < _MOST_DECIMALS and any(each != 1 and round(each, digits) == 1 for each in known):
        digits += 1
    return digits


def _condition(found: Comparison) -> str:
    """Return the condition under which the verdict of grade C holds."""
    if found.grade != "C":
        return ""
    names = [name.rpartition(".")[2].strip().replace("_", " ") for name in (found.unknown or "").split(",")]
    listed = [name for name in names if name] or ["the unknown conditions"]
    are = "is" if len(listed) == 1 and found.unknown else "are"
    return f"if {' and '.join(filter(None, (', '.join(listed[:-1]), listed[-1])))} {are} equal, "


def _basis(found: Comparison) -> str:
    """Return what the verdict rests on, in brackets: repetitions, sessions, and a bound that keeps it open."""
    counts = (found.a_count, found.b_count)
    parts = [
        found.reason if found.reason in {BOTH_OPEN, HALF_OPEN, NO_VALUE} else "",
        "" if None in counts else f"n = {' and '.join(map(str, dict.fromkeys(counts)))}",
        "" if counts == (1, 1) else _sessions(found.a_session_count, found.b_session_count),
    ]
    said = ", ".join(filter(None, parts))
    return f" ({said})" if said else ""


def _sessions(a: int | None, b: int | None) -> str:
    """Return how many sessions the sides have; nothing where that is not known of both."""
    if not a or not b:
        return ""
    counts = " and ".join(_NUMBERS[each] if each < len(_NUMBERS) else str(each) for each in dict.fromkeys((a, b)))
    return f"{counts} session{'' if a == b == 1 else 's'}"
