"""
Verdicts, and every word about them: what commands, pages and comments on pull requests say of a comparison.

Nothing here needs scipy or numpy, so that commands that only read a built database start soon.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Sequence

UNDECIDED, EQUAL, A_FASTER, B_FASTER, A_IF, B_IF = range(COUNT := 6)
"""Verdicts as numbers; :func:`text` has their words."""
METRIC_WORDS = {
    "operations_per_second": "IOPS",
    "throughput_bytes_per_second": "throughput",
    "latency_mean_seconds": "mean latency",
    "latency_p99_seconds": "p99 latency",
}
"""What is compared, by its column."""
METRIC_UNITS = {
    "operations_per_second": (1.0, "IOPS"),
    "throughput_bytes_per_second": (1e6, "MB/s"),
    "latency_mean_seconds": (1e-6, "µs"),
    "latency_p99_seconds": (1e-6, "µs"),
}
"""The unit that people read for what is compared, by its column, and how much of SI's one is."""
_DIGITS = 4
"""Significant digits of a figure."""
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
FEW = "fewer than three runs a side"
WIDE = "the interval holds 1 and goes beyond the margin"
HALF_OPEN = "a bound, and its interval holds 1"
BOTH_OPEN = "bounds on both sides"
NO_VALUE = "a value is missing or not above zero"
NEAR = "different, and not by the margin for certain"
AMONG_MANY = "different alone, not among all that was tested"
UNDATED = "order not excluded: undated"
SHORT_HISTORY = "fewer than eight sessions before"
IN_FLIGHT = "other numbers of operations were in flight, so latency tells something else"
LATENCY_KINDS = "the sides state different kinds of latency"
SAME_RUNS = "the same runs, by the hashes of their files, stand on both sides"


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


def figure(value: float) -> str:
    """Return a figure with four significant digits; whole numbers keep all of theirs."""
    return f"{value:,.0f}" if abs(value) >= 10 ** (_DIGITS - 1) else f"{value:.{_DIGITS}g}"


def measured(value: float | None, metric: str) -> str:
    """Return a value in SI units as people read it: ``1,234 IOPS``, ``95.5 µs``, ``unknown``."""
    if value is None:
        return "unknown"
    scale, unit = METRIC_UNITS[metric]
    return f"{figure(value / scale)} {unit}"


class Change(StrEnum):
    """What became of a point after a change; the value is the word for it."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    UNDECIDED = "undecided"
    NOT_COMPARABLE = "not_comparable"


def of_change(change: Change, margin: float) -> str:
    """Return in words what became of a point; ``margin`` is a ratio minus 1. Equal and undecided are said as ever."""
    if change is Change.EQUAL:
        return text(EQUAL, 1 + margin)
    return text(UNDECIDED) if change is Change.UNDECIDED else change.value.replace("_", " ")


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


class Stated(NamedTuple):
    """
    What the words about a quotient need beside its numbers.

    The numbers of repetitions and of sessions are null for a printed figure. ``unknown`` are the columns that keep the
    grade at C, as they are listed.
    """

    verdict: str
    reason: str | None = None
    a_count: int | None = None
    b_count: int | None = None
    a_session_count: int | None = None
    b_session_count: int | None = None
    grade: str | None = None
    unknown: str | None = None
    evidence: str | None = None


def words(found: Stated) -> str:
    """
    Return the verdict with its condition and basis, grade and evidence.

    ``undecided (n = 3, one session); grade A; same bench``. At grade C the verdict holds on a condition, which stands
    before it.
    """
    beside = (f"grade {found.grade}" if found.grade else "", found.evidence)
    return "; ".join(filter(None, (f"{_condition(found)}{found.verdict}{_basis(found)}", *beside)))


def sentence_sql() -> str:
    """
    Return the SQL of a comparison in words, over columns of ``quotients``; it is kept nowhere, who asks computes it.

    The faster side, a factor from 1 on with ``decimal_count`` decimals and its interval as that side sees it, then
    :func:`words`, which stand in ``verdict_words``: ``B 1.27 times A [0.78, 2.34]: undecided (n = 3, one session);
    grade A; same bench``. Where only an end is known, the faster side is the one that the end is about. An interval of
    rounding alone says so, and is left out where it is narrower than the digits shown: it is no measure of the runs.
    Where something held back the runs of one side, and nothing is known of how they scatter, a verdict that assumes
    their spread stands beside the quotient of what was measured: ``A at least 6.08 times B``.
    """
    is_turned = "coalesce(quotient_ratio < 1, coalesce(low_ratio, 0) = 0 and high_ratio is not null)"
    ratio, low, high = (
        f"case when not {is_turned} then {own} when {other} = 0 then cast('inf' as double) else 1 / {other} end"
        for own, other in (("quotient_ratio",) * 2, ("low_ratio", "high_ratio"), ("high_ratio", "low_ratio"))
    )
    shown, *ends, at_most = (
        f"format(concat('{{:.', decimal_count, 'f}}'), {each})" for each in (ratio, low, high, f"1 / ({low})")
    )
    faster, slower = (f"case when {is_turned} then '{turned}' else '{own}' end" for own, turned in ("AB", "BA"))
    interval = ", ', ', ".join(f"coalesce({end}, 'unknown')" for end in ends)
    is_rounded = "uncertainty_kind = 'rounding'"
    # no run tells how far the end lies from the next one
    alone = "case when uncertainty_kind = 'bound+rounding' then ' [rounding only]' end"
    is_assumed = "coalesce(low_ratio, high_ratio) is null and verdict similar to '[AB] faster.*'"
    measured = "(metric = 'latency_mean_seconds') = (verdict[1] = 'A')"
    at_least = f"format(concat('{{:.', decimal_count, 'f}}'), if({measured}, b_value / a_value, a_value / b_value))"
    return f"""concat(
        case
            when quotient_ratio is not null then concat(
                {faster}, ' ', {shown}, ' times ', {slower},
                case
                    when {is_rounded} and {ends[0]} = {ends[1]} then ''
                    when coalesce(low_ratio, high_ratio) is not null
                        then concat(' [', {interval}, case when {is_rounded} then ', rounding only' end, ']')
                end
            )
            when {is_assumed}
                then concat(verdict[1], ' at least ', {at_least}, ' times ', if(verdict[1] = 'A', 'B', 'A'))
            when {low} > 0 and {low} < 1 then concat({slower}, ' at most ', {at_most}, ' times ', {faster}, {alone})
            when {low} > 0 then concat({faster}, ' more than ', {ends[0]}, ' times ', {slower}, {alone})
            else concat({faster}, ' and ', {slower})
        end,
        ': ', verdict_words
    )"""


def shortened(said: str) -> str:
    """Return a sentence of grade C without the names of what is unknown, for a place that lists them beside it."""
    start, _, condition = said.partition(": if ")
    names, are_equal, rest = condition.partition(" equal, ")
    return f"{start}: if the unknown are equal, {rest}" if names and are_equal else said


def _condition(found: Stated) -> str:
    """Return the condition under which the verdict of grade C holds."""
    if found.grade != "C":
        return ""
    names = [name.rpartition(".")[2].strip().replace("_", " ") for name in (found.unknown or "").split(",")]
    listed = [name for name in names if name] or ["the unknown conditions"]
    are = "is" if len(listed) == 1 and found.unknown else "are"
    return f"if {' and '.join(filter(None, (', '.join(listed[:-1]), listed[-1])))} {are} equal, "


def _basis(found: Stated) -> str:
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
