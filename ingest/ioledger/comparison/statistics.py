"""
The only statistics of the project: published comparisons and the gate both call this module.

All arithmetic is on natural logarithms. Arrays have one entry for each comparison; NaN is unknown, an infinite half is
an open end. ``scipy.special`` is imported inside the functions, so that commands that compute no test start soon.

Source  B. L. Welch, Biometrika 34 (1947); F. E. Satterthwaite, Biometrics Bulletin 2 (1946); equality by two one-sided
tests, D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987); moderated variance, G. K. Smyth,
Statistical Applications in Genetics and Molecular Biology 3 (2004); adjustment for several tests, S. Holm, Scandinavian
Journal of Statistics 6 (1979). The session term is a convention of this project: ``models/seeds/known_limits.csv``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ioledger.comparison import WIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Flags = NDArray[np.bool_]

LEAST_VARIANCE = 1e-6
"""The variance of a logarithm is at least that of a spread of 0.1 %: no run repeats more exactly than that."""
LEAST_P99_VARIANCE = (1 / 64) ** 2 / 12
"""That of p99: fio's histogram has 64 bins to a doubling at most, and a value lies anywhere in its bin."""
MIN_RUNS = 3
MIN_SESSIONS = 3
SESSION_SPREAD = 0.03
"""What a session may add to its runs, as a standard deviation of the logarithm."""
SIGNIFICANCE = 0.05
MIN_POINTS_OF_PRIOR = 3
"""A spread of spreads needs three."""

EQUAL, A_FASTER, B_FASTER, UNDECIDED, NO_VERDICT = range(5)
BOTH_BOUNDS = "bounds on both sides"
NO_VALUE = "no value"


class Side(NamedTuple):
    """
    One side of many comparisons: the mean of logarithms, its variance and degrees (NaN with fewer than three runs).

    ``session_term`` is τ²; ``is_sessions``: the data are means of three or more sessions. The halves are what rounding
    may move it by. ``bound`` is 1 for a lower bound, -1 for an upper one; ``is_exact``: printed, without scatter.
    """

    log_mean: Numbers
    run_count: Numbers
    variance: Numbers
    degrees: Numbers
    session_term: Numbers
    is_sessions: Flags
    low_half: Numbers
    high_half: Numbers
    bound: Numbers
    is_exact: Flags

    @property
    def is_measured(self) -> Flags:
        """Where there are at least three runs, or a printed bound."""
        return (self.degrees > 0) | self.is_exact


class Compared(NamedTuple):
    """Ratios above 1 where A is faster, their ends and kinds, verdicts by number, reasons, p and tolerated spreads."""

    ratio: Numbers
    ratio_low: Numbers
    ratio_high: Numbers
    ratio_interval_kind: list[str | None]
    verdict: NDArray[np.int64]
    reason: list[str | None]
    p_value: Numbers
    tolerated_spread: Numbers


def estimate(
    count: Numbers, log_mean: Numbers, log_variance: Numbers, low_half: Numbers, high_half: Numbers
) -> tuple[Numbers, ...]:
    """Return geometric means with both ends of their 95 % intervals, NaN where an end is open or unknown."""
    from scipy import special  # noqa: PLC0415

    is_repeated = (count >= MIN_RUNS) & np.isfinite(log_variance)
    degrees = np.where(is_repeated, count - 1, 1)
    width = special.stdtrit(degrees, 1 - SIGNIFICANCE / 2)
    width = np.where(is_repeated, width * np.sqrt(np.where(is_repeated, log_variance, 0) / np.maximum(count, 1)), 0.0)
    below, above = (np.nan_to_num(half, nan=0, posinf=np.inf) for half in (low_half, high_half))
    is_known = is_repeated | (below > 0) | (above > 0)
    low = np.where(is_known & ~np.isinf(below), log_mean - width - below, np.nan)
    high = np.where(is_known & ~np.isinf(above), log_mean + width + above, np.nan)
    return tuple(significant(np.exp(each)) for each in (log_mean, low, high))


def significant(values: Numbers, digits: int = 12) -> Numbers:
    """Return numbers with twelve significant digits: the last ones of exponentials differ between processors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 10.0 ** (digits - 1 - np.floor(np.log10(np.abs(values))))
        rounded = np.rint(values * scale) / scale
    return np.where(np.isfinite(rounded), rounded, values)


def compare(a: Side, b: Side, is_latency: Flags, margin: Numbers) -> Compared:
    """
    Return the ratios of A and B with their intervals, verdicts and tolerated spreads; latencies are inverted.

    Two measured sides have Welch's interval, the wider of those with and without τ², plus rounding. Fewer than three
    runs take the verdict away. A bound leaves one end; two bounds of one direction none.
    """
    difference = np.where(is_latency, b.log_mean - a.log_mean, a.log_mean - b.log_mean)
    below = np.where(is_latency, a.high_half + b.low_half, a.low_half + b.high_half)
    above = np.where(is_latency, a.low_half + b.high_half, a.high_half + b.low_half)
    direction = np.where(is_latency, -1, 1)
    opens_high = (a.bound * direction > 0) | (b.bound * direction < 0)
    opens_low = (a.bound * direction < 0) | (b.bound * direction > 0)
    has_value = np.isfinite(difference)
    is_tested = has_value & a.is_measured & b.is_measured
    outer, inner, p_value = _welch(a, b, np.abs(difference), np.where(difference > 0, below, above))
    outer, inner = (np.where(is_tested, width, 0.0) for width in (outer, inner))
    is_known = is_tested | (below > 0) | (above > 0) | opens_low | opens_high
    low = np.where(has_value & is_known & ~opens_low, difference - below - outer, np.nan)
    high = np.where(has_value & is_known & ~opens_high, difference + above + outer, np.nan)
    is_bound = opens_low | opens_high
    reach = np.maximum(above + inner + difference, below + inner - difference)
    is_equal = is_tested & ~is_bound & (reach < np.log(margin))
    verdict = np.select(
        [~has_value | ~is_tested & ~(opens_low & opens_high), is_equal, low > 0, high < 0],
        [NO_VERDICT, EQUAL, A_FASTER, B_FASTER],
        UNDECIDED,
    )
    reasons = np.select(
        [~has_value, opens_low & opens_high, ~is_tested, (verdict == UNDECIDED) & is_bound, verdict == UNDECIDED],
        [1, 2, 3, 4, 5],
        0,
    )
    texts = (None, NO_VALUE, BOTH_BOUNDS, "fewer than three runs", "the bound leaves it open", WIDE)
    return Compared(
        significant(np.where(is_bound, np.nan, np.exp(difference))),
        significant(np.exp(low)),
        significant(np.exp(high)),
        _kinds(a, b, is_tested=is_tested, is_bound=has_value & is_bound, has_end=~(opens_low & opens_high)),
        verdict,
        [texts[code] for code in reasons],
        np.where(is_tested & ~(opens_low & opens_high), p_value, np.nan),
        _find_tolerance(a, b, low, high, difference=np.where(has_value & ~is_tested, difference, np.nan)),
    )


def _welch(a: Side, b: Side, distance: Numbers, rounding: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the half-widths of the 95 % and the 90 % interval, and the two-sided p, each the wider of V and V + T."""
    from scipy import special  # noqa: PLC0415

    parts = [np.where(side.is_exact, 0.0, side.variance) for side in (a, b)]
    terms = [np.where(side.is_exact, 0.0, side.session_term) for side in (a, b)]
    shares = [np.where(part > 0, part**2 / side.degrees, 0.0) for part, side in zip(parts, (a, b), strict=True)]
    plain, weighed = parts[0] + parts[1], shares[0] + shares[1]
    outer, inner, p_value = (np.zeros_like(distance) for _ in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        for total in (plain, plain + terms[0] + terms[1]):
            degrees, error = np.where(weighed > 0, total**2 / weighed, np.inf), np.sqrt(total)
            outer = np.maximum(outer, special.stdtrit(degrees, 1 - SIGNIFICANCE / 2) * error)
            inner = np.maximum(inner, special.stdtrit(degrees, 1 - SIGNIFICANCE) * error)
            beyond = np.maximum(distance - rounding, 0.0)
            t = np.where(error > 0, beyond / error, np.where(beyond > 0, np.inf, 0.0))
            p_value = np.maximum(p_value, 2 * special.stdtr(degrees, -t))
    return outer, inner, significant(p_value)


def _kinds(a: Side, b: Side, *, is_tested: Flags, is_bound: Flags, has_end: Flags) -> list[str | None]:
    """Return what each interval rests on, joined by ``+``; null where there is no interval."""
    halves = np.stack([half for side in (a, b) for half in (side.low_half, side.high_half)])
    has_rounding = (halves > 0).any(axis=0)
    is_run = [is_tested & ~side.is_exact for side in (a, b)]
    by_sessions = (a.is_sessions | ~is_run[0]) & (b.is_sessions | ~is_run[1])
    has_runs = is_run[0] | is_run[1]
    number = has_end * (has_rounding * 2 + (has_runs & ~by_sessions) * 4 + (has_runs & by_sessions) * 8) + is_bound
    names = ("bound", "rounding", "repetitions", "sessions")
    texts = ["+".join(name for bit, name in enumerate(names) if value >> bit & 1) or None for value in range(16)]
    return [texts[each] for each in number]


def _find_tolerance(a: Side, b: Side, low: Numbers, high: Numbers, *, difference: Numbers) -> Numbers:
    """
    Return how far runs may spread, as a standard deviation of the logarithm, for the sign of a difference to hold.

    A measured side is subtracted with its own variance from the distance to 1; the others share the rest by their runs.
    """
    from scipy import special  # noqa: PLC0415

    z = special.ndtri(1 - SIGNIFICANCE / 2)
    is_bare = np.isnan(low) & np.isnan(high)
    near = np.where(difference > 0, np.where(is_bare, difference, low), np.where(is_bare, -difference, -high))
    is_bound = (a.bound != 0) | (b.bound != 0)
    squared, shares = near**2 / z**2, np.zeros_like(near)
    for side in (a, b):
        is_measured = side.is_measured
        t = special.stdtrit(np.where(side.degrees > 0, side.degrees, 1.0), 1 - SIGNIFICANCE / 2)
        own = np.where(side.is_exact, 0.0, t**2 * side.variance / z**2 + side.session_term)
        squared = squared - np.where(is_measured, own, 0.0)
        shares = shares + np.where(is_measured, 0.0, 1 / np.maximum(side.run_count, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(np.maximum(np.where(near > 0, squared, 0.0), 0.0) / shares)
    is_open = np.isnan(near) | is_bound & ~(near > 0)
    return significant(np.where(np.isnan(difference) | is_open, np.nan, spread))


class Prior(NamedTuple):
    """A variance of the logarithm that the points of a sweep share, its degrees, and the most a point can have."""

    variance: float
    degrees: float
    max_degrees: float


class Tested(NamedTuple):
    """
    A difference of two sides on the logarithm, positive where after is better, with its tests; ends are ratios.

    ``p_equivalence`` is the larger of both one-sided tests against the margin. Fewer than three values have no test.
    """

    difference: float
    standard_error: float | None = None
    degrees: float | None = None
    p_difference: float | None = None
    p_equivalence: float | None = None
    low: float | None = None
    high: float | None = None


def prior_of(variances: Sequence[tuple[float, float]]) -> Prior | None:
    """Return what variances, each with its degrees, say of a further one; Smyth (2004), section 6.2."""
    from scipy import special  # noqa: PLC0415

    if len(variances) < MIN_POINTS_OF_PRIOR:
        return None
    s2, f = np.array(variances, dtype=np.float64).T
    logs = np.log(s2) - special.digamma(f / 2) + np.log(f / 2)
    beyond = logs.var(ddof=1) - special.polygamma(1, f / 2).mean()
    if beyond <= 0:
        return Prior(float(np.exp(logs.mean())), math.inf, float(f.sum()))
    half, step = 1 / beyond + 0.5, -math.inf  # trigamma(half) is what is beyond chance; Newton's way from above
    while -step > 1e-13 * half:
        trigamma = special.polygamma(1, half)
        step = trigamma * (1 - trigamma / beyond) / special.polygamma(2, half)
        half += step
    return Prior(float(np.exp(logs.mean() + special.digamma(half) - np.log(half))), 2 * half, float(f.sum()))


def assess(difference: float, squared_error: float, degrees: float, *, margin: float, alpha: float) -> Tested:
    """Return the tests of a difference whose squared error has so many degrees; the margin is a ratio minus 1."""
    from scipy import special  # noqa: PLC0415

    error, limit = math.sqrt(squared_error), math.log1p(margin)
    width = float(special.stdtrit(degrees, 1 - alpha / 2)) * error
    return Tested(
        difference,
        error,
        degrees,
        float(2 * special.stdtr(degrees, -abs(difference) / error)),
        float(special.stdtr(degrees, -(limit - abs(difference)) / error)),
        math.exp(difference - width),
        math.exp(difference + width),
    )


def variance_of(values: Sequence[float], least: float) -> float:
    """Return the sample variance of logarithms, and no less than ``least``."""
    return max(float(np.var(values, ddof=1)), least)


def moderate(variance: float, degrees: float, prior: Prior | None) -> tuple[float, float]:
    """Return a variance and its degrees, moderated by the prior; Smyth (2004)."""
    if prior is None:
        return variance, degrees
    if math.isinf(prior.degrees):
        return prior.variance, prior.max_degrees
    total = prior.degrees + degrees
    return (prior.degrees * prior.variance + degrees * variance) / total, min(total, prior.max_degrees)


def welch_error(before: Sequence[float], after: Sequence[float], least: float) -> tuple[float, float]:
    """Return the squared error of a difference of means and its degrees, by Welch and Satterthwaite."""
    parts = [(variance_of(side, least) / len(side), len(side) - 1) for side in (before, after)]
    total = math.fsum(part for part, _ in parts)
    return total, total**2 / math.fsum(part**2 / degrees for part, degrees in parts)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p values adjusted for their number, in the same order; null ones stay null and are not counted."""
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    found: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        found[place] = highest
    return found
