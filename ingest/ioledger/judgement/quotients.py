"""
Quotients of two values: ratio above 1 when A is faster, its interval, and the verdict on it.

Source  Welch's t on the logarithms (B. L. Welch, Biometrika 34, 1947); equality by two one-sided tests (D. J.
Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). The session term and the assumed spread are
conventions of this project: their sizes and reasons stand in ``models/seeds/known_limits.csv``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ioledger.judgement import verdicts
from ioledger.judgement.limits import limit
from ioledger.judgement.uncertainty import ends, known_halves, significant, student_quantile, student_tail, upper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ioledger.judgement.uncertainty import Flags, Numbers

    Codes = NDArray[np.int64]

_NO_SCATTER = 1e-24
"""A variance below this is a spread below the twelve digits that are published: the repetitions are the same."""
_WHOLE_DEGREES = 32
_ROUNDING = 1 + 1e-9
"""So much wider is more than rounding makes it."""
_SLACK = 1e-10
"""So much on a logarithm is more than twelve digits of the number leave open."""


class Side(NamedTuple):
    """
    One side of many quotients.

    ``variance`` is that of the mean logarithm, NaN for a single value; ``degrees`` are its degrees of freedom, NaN with
    fewer than three repetitions: the variance of two says no more than that they spread by so much. The halves are as
    :mod:`ioledger.judgement.uncertainty` has them. ``needs_session`` says that the session term applies,
    ``is_sessions`` that the repetitions are means of sessions, ``is_held_back`` that an end is not open by statement: a
    check found what held the runs back, or they are told in steps larger than they are. Their values scatter all the
    same, as those of a statement "more than" do not.
    """

    value: Numbers
    variance: Numbers
    degrees: Numbers
    low_half: Numbers
    high_half: Numbers
    needs_session: Flags
    is_sessions: Flags
    is_held_back: Flags

    @property
    def is_measured(self) -> Flags:
        """Where there are at least three repetitions."""
        return np.isfinite(self.variance) & (self.degrees > 0)

    @property
    def is_stated_bound(self) -> Flags:
        """Where an end is open because the value is stated so."""
        return (np.isinf(self.low_half) | np.isinf(self.high_half)) & ~self.is_held_back


class Texts(NamedTuple):
    """Few texts for many quotients: each has that of its code."""

    texts: Sequence[str | None]
    codes: Codes


class Judged(NamedTuple):
    """Quotients with their intervals, what they rest on, and the verdicts; NaN and None are not known, or open."""

    ratio: Numbers
    low: Numbers
    high: Numbers
    kind: Texts
    degrees: Numbers
    p_value: Numbers
    verdict: Texts
    verdict_basis: Texts
    reason: Texts
    variance: Numbers


class _Apart(NamedTuple):
    """How far values lie apart, and how far rounding and bounds move both ends of that, on logarithms."""

    difference: Numbers
    below: Numbers
    above: Numbers


class _Spread(NamedTuple):
    """Half-widths by repetitions, the variance and degrees behind them, p, and whether the quotient is equal to 1."""

    width: Numbers
    variance: Numbers
    degrees: Numbers
    p_value: Numbers
    is_equal: Flags


def judged(a: Side, b: Side, is_latency: Flags, margin: Numbers) -> Judged:
    """
    Return the quotients of A and B with their verdicts; above 1 A is faster, so latencies are swapped.

    With repetitions on both sides the interval is Welch's; with the session term the wider of the intervals with and
    without it. A stated bound against a repeated value has the interval of the latter. All else is judged by the
    assumed spread, a single run that a check holds back too, and its interval is what rounding and bounds leave. A
    quotient that rests on a bound has no ratio, only an end, because the ratio itself may lie outside of its interval.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.where(is_latency, -1.0, 1.0) * (np.log(a.value) - np.log(b.value))
    difference = np.where(np.isfinite(difference), difference, np.nan)
    is_missing = np.isnan(difference)
    has_runs = (a.is_measured & (b.is_measured | b.is_stated_bound)) | (b.is_measured & a.is_stated_bound)
    is_tested = ~is_missing & has_runs
    below, above = _halves(a, b, is_latency, is_tested)
    apart = _Apart(difference, below, above)
    spread = _spread(a, b, apart, margin)
    outer = ends(difference, *(half + np.where(is_tested, spread.width, 0.0) for half in (below, above)))
    is_open = np.isinf(below) | np.isinf(above)
    assumed, tail = _assumed(a, b, apart, ~is_tested)
    decided = np.select(
        [is_missing, is_tested],
        [verdicts.UNDECIDED, _tested(outer.low, outer.high, spread.is_equal)],
        assumed,
    )
    basis = np.where(is_missing, 3, np.where(is_tested, is_open, 2))
    return Judged(
        np.where(is_open, np.nan, outer.value),
        outer.low,
        outer.high,
        _kinds(a, b, is_tested, outer.low, outer.high),
        np.where(is_tested, spread.degrees, np.nan),
        np.where(is_tested, spread.p_value, tail),
        _words(decided, margin),
        Texts(("measured", "bound", "assumed", None), basis),
        _reasons(decided, difference, is_tested, below, above),
        np.where(is_tested, spread.variance, np.nan),
    )


def _halves(a: Side, b: Side, is_latency: Flags, is_tested: Flags) -> tuple[Numbers, Numbers]:
    """Return how far rounding and bounds move the ends of the quotient; interval arithmetic, on logarithms."""
    stated = np.stack([a.low_half, a.high_half, b.low_half, b.high_half])
    a_low, a_high, b_low, b_high = np.where(np.isnan(stated) & is_tested, 0, stated)
    below = np.where(is_latency, _added(a_high, b_low), _added(a_low, b_high))
    above = np.where(is_latency, _added(a_low, b_high), _added(a_high, b_low))
    alone = known_halves(below, above)
    return np.where(is_tested, below, alone[0]), np.where(is_tested, above, alone[1])


def _added(half: Numbers, other: Numbers) -> Numbers:
    """Return the sum of two halves; one that is open leaves the end open, whatever is known of the other."""
    return np.where(np.isinf(half) | np.isinf(other), np.inf, half + other)


def _spread(a: Side, b: Side, apart: _Apart, margin: Numbers) -> _Spread:
    """Return Welch's half-widths, with the session term where it applies and the interval does not become narrower."""
    difference, below, above = apart
    plain, weighed = np.zeros_like(difference), np.zeros_like(difference)
    least = np.full_like(difference, np.inf)
    for side in (a, b):
        variance = np.where(side.is_measured & (side.variance > _NO_SCATTER), side.variance, 0)
        degrees = np.where(side.is_measured, side.degrees, np.inf)
        plain, weighed, least = plain + variance, weighed + variance**2 / degrees, np.minimum(least, degrees)
    term = limit("session_spread") ** 2 * (a.needs_session.astype(np.float64) + b.needs_session)
    with np.errstate(divide="ignore", invalid="ignore"):
        freedoms = [np.where(weighed > 0, total**2 / weighed, least) for total in (plain, plain + term)]
        errors = [np.sqrt(plain), np.sqrt(plain + term)]
        beyond = np.where(difference > 0, difference - below, -difference - above)
        ts = [np.where(beyond > 0, beyond / error, 0) for error in errors]
    width, is_wider = _wider(upper(), freedoms, errors)
    tails = [student_tail(t, freedom) for t, freedom in zip(ts, freedoms, strict=True)]
    return _Spread(
        width,
        np.where(is_wider, plain + term, plain),
        significant(np.where(is_wider, freedoms[1], freedoms[0])),
        significant(np.maximum(*tails)),
        _equal(apart, margin, freedoms, errors),
    )


def _equal(apart: _Apart, margin: Numbers, freedoms: Sequence[Numbers], errors: Sequence[Numbers]) -> Flags:
    """
    Return where the interval at 90 % lies inside the margin; an open end never does.

    It does nowhere where it does not with the quantile of the next more whole degrees, which is smaller.
    """
    difference, below, above = apart
    known = _quantiles(upper(2))
    more = np.nan_to_num(np.ceil(freedoms[1]), nan=len(known), posinf=len(known)).clip(1, len(known)).astype(np.int64)
    least = np.append(known, student_quantile(upper(2), np.full(1, np.inf)))[more] * errors[1]
    with np.errstate(invalid="ignore"):
        reach = np.maximum(above + difference, below - difference) + least
        near = np.flatnonzero(reach < np.log(margin) + _SLACK)
    width, _ = _wider(upper(2), [each[near] for each in freedoms], [each[near] for each in errors])
    inner = ends(difference[near], below[near] + width, above[near] + width)
    found = np.zeros(len(difference), dtype=np.bool_)
    found[near] = (inner.low > 1 / margin[near]) & (inner.high < margin[near])
    return found


def _wider(probability: float, freedoms: Sequence[Numbers], errors: Sequence[Numbers]) -> tuple[Numbers, Flags]:
    """
    Return the wider half-width of two, and where it is the second.

    The quantile takes longer than all else here, and falls with the degrees: where even that of the next fewer whole
    degrees leaves the first narrower, its own is not asked for.
    """
    second = student_quantile(probability, freedoms[1]) * errors[1]
    known = _quantiles(probability)
    fewer = np.nan_to_num(freedoms[0], nan=0, posinf=len(known)).clip(0, len(known) - 1).astype(np.int64)
    with np.errstate(invalid="ignore"):
        is_open = ~(second > known[fewer] * errors[0] * _ROUNDING)
    first = np.full_like(second, -np.inf)
    first[is_open] = student_quantile(probability, freedoms[0][is_open]) * errors[0][is_open]
    return np.maximum(first, second), second > first


@cache
def _quantiles(probability: float) -> Numbers:
    """Return Student's quantiles of few whole degrees by their number; of none, where all is possible, infinity."""
    return np.concatenate([[np.inf], student_quantile(probability, np.arange(1.0, _WHOLE_DEGREES))])


def _tested(low: Numbers, high: Numbers, is_equal: Flags) -> Codes:
    """Return the verdicts of intervals; equality goes first."""
    return np.select(
        [is_equal, low > 1, high < 1],
        [verdicts.EQUAL, verdicts.A_FASTER, verdicts.B_FASTER],
        verdicts.UNDECIDED,
    )


def _assumed(a: Side, b: Side, apart: _Apart, is_asked: Flags) -> tuple[Codes, Numbers]:
    """
    Return the verdict and p if single runs spread as assumed; a side of two or more at least as much as it did.

    The rounding of a figure is not added: beside the assumed spread it is small. An open end decides nothing. What is
    not asked for is undecided, and has no p.
    """
    asked = np.flatnonzero(is_asked)
    difference, below, above = (each[asked] for each in apart)
    term, spread = limit("session_spread") ** 2, limit("assumed_spread") ** 2
    total = np.zeros(len(asked))
    for side in (a, b):
        variance = side.variance[asked]
        total += np.maximum(np.where(np.isfinite(variance), variance + term * side.needs_session[asked], 0), spread)
    normal = np.full(1, np.inf)
    width = student_quantile(upper(), normal) * np.sqrt(total)
    is_open = np.where(difference > 0, np.isinf(below), np.isinf(above))
    decided, tail = np.full(len(is_asked), verdicts.UNDECIDED), np.full(len(is_asked), np.nan)
    decided[asked] = np.select(
        [(difference > width) & ~is_open, (-difference > width) & ~is_open],
        [verdicts.A_IF, verdicts.B_IF],
        verdicts.UNDECIDED,
    )
    tail[asked] = significant(student_tail(np.where(is_open, 0, 1) * np.abs(difference) / np.sqrt(total), normal))
    return decided, tail


def _kinds(a: Side, b: Side, is_tested: Flags, low: Numbers, high: Numbers) -> Texts:
    """
    Return the kinds of the intervals, in the order of the alphabet.

    Where repetitions do not scatter at all, they are what the interval comes from: that they stayed within one step.
    """
    halves = np.stack([half for side in (a, b) for half in (side.low_half, side.high_half)])
    repeated = [is_tested & side.is_measured for side in (a, b)]
    scatters = [is_run & (side.variance > _NO_SCATTER) for is_run, side in zip(repeated, (a, b), strict=True)]
    is_still = is_tested & ~scatters[0] & ~scatters[1]
    parts = (
        ("bound", np.isinf(halves).any(axis=0)),
        ("repetitions", (repeated[0] & ~a.is_sessions) | (repeated[1] & ~b.is_sessions)),
        ("rounding", ((halves > 0) & np.isfinite(halves)).any(axis=0) & ~is_still),
        ("sessions", (repeated[0] & a.is_sessions) | (repeated[1] & b.is_sessions)),
    )
    names = ["+".join(parts[bit][0] for bit in range(4) if number & 1 << bit) or "none" for number in range(16)]
    number = sum(flags.astype(np.int64) << bit for bit, (_, flags) in enumerate(parts))
    return Texts(names, np.where(np.isfinite(low) | np.isfinite(high), number, 0))


def _words(decided: Codes, margin: Numbers) -> Texts:
    """Return verdicts in words; the margin stands in one of them."""
    margins, place = np.unique(margin, return_inverse=True)
    texts = [verdicts.text(code) for code in range(verdicts.COUNT)]
    texts += [verdicts.text(verdicts.EQUAL, each) for each in margins.tolist()]
    return Texts(texts, np.where(decided == verdicts.EQUAL, verdicts.COUNT + place, decided))


def _reasons(decided: Codes, difference: Numbers, is_tested: Flags, below: Numbers, above: Numbers) -> Texts:
    """Return why a verdict is undecided or conditional; none for the others."""
    is_undecided = decided == verdicts.UNDECIDED
    is_apart = ~is_tested & ((difference - np.nan_to_num(below) > 0) | (difference + np.nan_to_num(above) < 0))
    reasons = (
        (np.isnan(difference), verdicts.NO_VALUE),
        (is_undecided & np.isinf(below) & np.isinf(above), verdicts.BOTH_OPEN),
        (is_undecided & (np.isinf(below) | np.isinf(above)) & ~is_apart, verdicts.HALF_OPEN),
        (~is_tested, verdicts.FEW),
        (is_undecided, verdicts.WIDE),
    )
    codes = np.select([flags for flags, _ in reasons], range(len(reasons)), len(reasons))
    return Texts((*(reason for _, reason in reasons), None), codes)
