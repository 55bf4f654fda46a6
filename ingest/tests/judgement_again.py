"""
Quotients, verdicts, peaks and sessions a second time: plain Python from single values, one at a time.

It shares no code with the package and no library with its arithmetic but Student's t, which is taken from another door
of scipy. ``quotient`` takes what was measured; ``of_sides`` takes sides that are summed up already, such as peaks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from scipy import stats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Half = float | tuple[float, float]
    """
    How far rounding lets a value lie below and above it, on logarithms, infinity at an open end and NaN where that is
    not known; one number for both.
    """

MARGIN = 1.05
SESSION = 0.03
ASSUMED = 0.10
GAP = 1800.0
PLATEAU = 0.95
DIGITS = 12
IF = ", if runs spread by 10 %"


class Side(NamedTuple):
    """One side: mean logarithm; variance of that and its degrees (null: fewer than three); halves; session term."""

    mean: float
    variance: float | None = None
    degrees: float | None = None
    low_half: float = 0.0
    high_half: float = 0.0
    needs_session: bool = False
    scatter: float | None = None  # variance of the mean of two
    is_held_back: bool = False  # an end is open because a check found what held the runs back


class Quotient(NamedTuple):
    """A quotient above 1 when A is faster, both intervals (null: open or not known), and its verdict."""

    ratio: float | None
    low: float | None
    high: float | None
    verdict: str
    verdict_basis: str
    p_value: float | None = None


def quotient(  # noqa: PLR0913, PLR0917  (two sides with the same three things each)
    a_values: Sequence[float],
    b_values: Sequence[float],
    is_latency: bool,  # noqa: FBT001
    a_half: Half = 0.0,
    b_half: Half = 0.0,
    a_session: bool = False,  # noqa: FBT001, FBT002
    b_session: bool = False,  # noqa: FBT001, FBT002
    margin: float = MARGIN,
) -> Quotient:
    """Return the quotient of repeated values; ``a_session`` says that A's come from one session or two."""
    return of_sides(side(a_values, a_half, a_session), side(b_values, b_half, b_session), is_latency, margin)


def side(values: Sequence[float], half: Half = 0.0, needs_session: bool = False) -> Side:  # noqa: FBT001, FBT002
    """Return a side from its repetitions."""
    logs = [math.log(value) for value in values]
    low, high = half if isinstance(half, tuple) else (half, half)
    count = len(logs)
    mean = math.fsum(logs) / count
    squares = math.fsum((each - mean) ** 2 for each in logs)
    if count < 3:
        return Side(mean, None, None, low, high, needs_session, squares / 2 if count == 2 else None)
    return Side(mean, squares / (count - 1) / count, count - 1, low, high, needs_session)


def of_sides(a: Side, b: Side, is_latency: bool, margin: float = MARGIN) -> Quotient:  # noqa: FBT001
    """Return the quotient of two sides."""
    if is_latency:  # the smaller one is the faster: what is divided changes places
        upper, lower = b, a
    else:
        upper, lower = a, b
    distance = upper.mean - lower.mean
    below, above = _added(upper.low_half, lower.high_half), _added(upper.high_half, lower.low_half)
    repeated = [each for each in (a, b) if each.variance is not None]
    others = [each for each in (a, b) if each.variance is None]
    if repeated and all(is_stated_bound(each) for each in others):
        return _tested(repeated, (a, b), distance, (below, above), margin)
    return _assumed((a, b), distance, (below, above))


def _added(half: float, other: float) -> float:
    return math.inf if math.inf in {half, other} else half + other


def is_stated_bound(side: Side) -> bool:
    """Say whether an end is open because the value is stated as a bound."""
    return math.inf in {side.low_half, side.high_half} and not side.is_held_back


def _tested(
    repeated: Sequence[Side], sides: Sequence[Side], distance: float, halves: tuple[float, float], margin: float
) -> Quotient:
    below, above = halves
    variances = [(each.variance or 0.0, each.degrees or math.inf) for each in repeated]
    variances = [(0.0 if variance < 1e-24 else variance, degrees) for variance, degrees in variances]
    plain = sum(variance for variance, _ in variances)
    term = SESSION**2 * sum(each.needs_session for each in sides)
    weighed = sum(variance**2 / degrees for variance, degrees in variances)
    widths, p_value = {0.95: 0.0, 0.90: 0.0}, 0.0
    beyond = distance - below if distance > 0 else -distance - above
    for total in (plain, plain + term):
        degrees = total**2 / weighed if weighed else min(degrees for _, degrees in variances)
        error = math.sqrt(total)
        for level, width in widths.items():
            widths[level] = max(width, float(stats.t.ppf((1 + level) / 2, degrees)) * error)
        far = (beyond / error if error else math.inf) if beyond > 0 else 0.0
        p_value = max(p_value, 2 * float(stats.t.sf(far, degrees)))
    low, high = _ends(distance, below + widths[0.95], above + widths[0.95])
    low_90, high_90 = _ends(distance, below + widths[0.90], above + widths[0.90])
    is_open = math.inf in halves
    if low_90 is not None and high_90 is not None and 1 / margin < low_90 and high_90 < margin:
        verdict = f"equal within {margin:g}"
    elif low is not None and low > 1:
        verdict = "A faster"
    elif high is not None and high < 1:
        verdict = "B faster"
    else:
        verdict = "undecided"
    ratio = None if is_open else _rounded(math.exp(distance))
    basis = "bound" if is_open else "measured"
    return Quotient(ratio, low, high, verdict, basis, p_value)


def _assumed(sides: Sequence[Side], distance: float, halves: tuple[float, float]) -> Quotient:
    below, above = halves
    total = 0.0
    for each in sides:
        known = each.scatter if each.variance is None else each.variance
        own = 0.0 if known is None else known + SESSION**2 * each.needs_session
        total += max(own, ASSUMED**2)
    width = float(stats.norm.ppf(0.975)) * math.sqrt(total)
    verdict = "undecided"
    if distance > width and below != math.inf:
        verdict = f"A faster{IF}"
    elif distance < -width and above != math.inf:
        verdict = f"B faster{IF}"
    low, high = (None, None) if not (below > 0 or above > 0) else _ends(distance, below, above)
    ratio = None if math.inf in halves else _rounded(math.exp(distance))
    is_open = (below if distance > 0 else above) == math.inf
    p_value = 1.0 if is_open else 2 * float(stats.norm.sf(abs(distance) / math.sqrt(total)))
    return Quotient(ratio, low, high, verdict, "assumed", p_value)


def _ends(distance: float, below: float, above: float) -> tuple[float | None, float | None]:
    return (
        _rounded(math.exp(distance - below)) if math.isfinite(below) else None,
        _rounded(math.exp(distance + above)) if math.isfinite(above) else None,
    )


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS - 1}e}")


def peak(by_depth: Mapping[int, Sequence[float]]) -> Side:
    """Return the peak over queue depths, each with its repetitions in order, by three folds."""
    logs = {depth: [math.log(value) for value in values] for depth, values in sorted(by_depth.items())}
    taken: list[float] = []
    for fold in range(3):
        best, chosen = -math.inf, 0
        for depth, values in logs.items():
            others = [value for place, value in enumerate(values) if place % 3 != fold]
            mean = float(f"{math.fsum(others) / len(others):.{DIGITS - 1}e}")
            if mean > best:
                best, chosen = mean, depth
        taken += [value for place, value in enumerate(logs[chosen]) if place % 3 == fold]
    means = {depth: math.fsum(values) / len(values) for depth, values in logs.items()}
    highest = max(means.values())
    plateau = [depth for depth, mean in means.items() if math.exp(mean - highest) >= PLATEAU]
    squares = math.fsum((value - means[depth]) ** 2 for depth in plateau for value in logs[depth])
    degrees = sum(len(logs[depth]) - 1 for depth in plateau)
    least = min(len(logs[depth]) for depth in plateau)
    return Side(math.fsum(taken) / len(taken), 2 * squares / degrees / least, degrees)


def sessions(runs: Sequence[tuple[float, float]]) -> list[int]:
    """
    Return the number of each run's session, from 1 in the order of time; a run is its start and end in seconds.

    A session ends where the next run starts 30 minutes or more after the last end.
    """
    found = [0] * len(runs)
    number, last_end = 0, -math.inf
    for start, end, place in sorted((start, end, place) for place, (start, end) in enumerate(runs)):
        if start - last_end >= GAP:
            number += 1
        last_end = max(last_end, end)
        found[place] = number
    return found


def takes_turns(a_starts: Sequence[float], b_starts: Sequence[float]) -> bool:
    """Say whether two sides took turns: each starts before the other's last start."""
    return min(a_starts) < max(b_starts) and min(b_starts) < max(a_starts)
