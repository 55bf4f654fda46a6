"""
From two sides to a verdict: points tested, adjusted for their number, and put together.

A point that is worse makes the whole worse. Half of the level is for the sweep as a whole, because the points of one
run share what disturbs them; half for the points together (Holm). One point has all of it, and one test.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, NamedTuple

from ioledger.comparison import statistics, words
from ioledger.comparison.words import Change
from ioledger.gating import matching, points, power, published
from ioledger.gating.order import Layout
from ioledger.gating.points import METRICS, P99
from ioledger.gating.verdict import Judged, Verdict, apart, operations_needed

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from ioledger.comparison.statistics import Prior, Tested
    from ioledger.gating.matching import Case
    from ioledger.gating.points import Side

P99_MARGIN = 0.15
SUSPECT_P = 0.1
"""A point that is worse by the margin with its own p below this keeps a sweep from being equal."""
MIN_EARLIER_SESSIONS = 8
_NAMED = 3
"""How many points a sentence names."""


class Asked(NamedTuple):
    """
    What a gate is asked for.

    ``metrics`` are columns of results. ``margin`` and ``alpha`` are ratios; p99 has a margin of 15 % unless a wider one
    is asked for. ``database`` holds the published configurations.
    """

    metrics: tuple[str, ...] = (METRICS["iops"],)
    margin: float = 0.05
    alpha: float = 0.05
    trusts_order: bool = False
    is_history: bool = False
    database: Path | None = None

    def margin_of(self, metric: str) -> float:
        """Return the margin of a metric."""
        return max(self.margin, P99_MARGIN) if metric == P99 else self.margin


class _Test(NamedTuple):
    """A case with its test, its adjusted p, and what the other points say of its spread."""

    case: Case
    found: Tested
    prior: Prior | None
    adjusted: float | None = None


def judged(before: str | os.PathLike[str], after: str | os.PathLike[str], asked: Asked) -> Verdict:
    """
    Judge a change by the runs before and after it: files, folders, archives, or ``published:NAME``.

    Raises FileNotFoundError for a path that is not there.
    """
    return compared(_side(before, asked), _side(after, asked), asked)


def _side(named: str | os.PathLike[str], asked: Asked) -> Side:
    if isinstance(named, str) and named.startswith(published.PREFIX):
        from ioledger.workspace import find  # noqa: PLC0415  (only what is published is in a workspace)

        return published.read(named, asked.database or find().database)
    return points.read(named, wants_p99=P99 in asked.metrics)


def compared(before: Side, after: Side, asked: Asked) -> Verdict:
    """Return the verdict on two sides that are read."""
    cases = matching.cases(before, after, asked.metrics)
    layout = Layout.HISTORY if asked.is_history else matching.order_of_sweep(cases)
    if asked.is_history:
        cases = [matching.by_session(case) if case.logarithms else case for case in cases]
    elif layout.is_paired:
        cases = [matching.paired(case) if case.logarithms else case for case in cases]
    named = apart(before.points.keys() | after.points.keys())
    rows = [
        dataclasses.replace(row, apart=named[row.point]) if row.point else row for row in _rows(cases, layout, asked)
    ]
    change, reason = _whole(rows, asked)
    sides = (before, after)
    empty = before.empty + after.empty
    if empty and change in {Change.BETTER, Change.EQUAL}:
        change, reason = Change.UNDECIDED, f"a run moved nothing: {empty[0]}"
    problems = tuple(str(problem) for side in sides for problem in side.problems)
    problems += tuple(_nothing_in(side) for side in sides if not side.points and not side.problems)
    if problems:
        change, reason = Change.NOT_COMPARABLE, "what cannot be read may be what matters"
    return Verdict(
        change=change,
        reason=reason,
        before=before.name,
        after=after.name,
        margin=asked.margin,
        alpha=asked.alpha,
        layout=layout,
        trusts_order=asked.trusts_order,
        points=tuple(row for row in rows if row.point),
        sweeps=tuple(row for row in rows if not row.point),
        unmatched_before=tuple(point for point in before.points if point not in after.points),
        unmatched_after=tuple(point for point in after.points if point not in before.points),
        empty=empty,
        copies=before.copies + after.copies,
        unknown=before.unknown + after.unknown,
        problems=problems,
    )


def _nothing_in(side: Side) -> str:
    """Return that a side has no results, and what to do about it."""
    read = f"; what was read of it ({side.read_count}) is of another kind, such as logs" if side.read_count else ""
    return f"{side.name}: it has no results of whole runs{read}. Name the reports of the runs (fio --output)."


def _rows(cases: Sequence[Case], layout: Layout, asked: Asked) -> list[Judged]:
    """Return a row for each case, and for each sweep, adjusted for the number of all that count."""
    tests: list[_Test] = []
    for metric in asked.metrics:
        known = [case for case in cases if case.metric == metric and case.logarithms]
        shared = _prior(known, layout)
        tests += (_Test(case, _tested(case, layout, shared, asked), shared) for case in known)
        if (sweep := matching.sweep(metric, known)) is not None:
            tests.append(_Test(sweep, _tested(sweep, layout, None, asked), None))
    tests = _adjusted(tests)
    count = max(sum(test.adjusted is not None and not test.case.is_advice for test in tests), 1)
    rows = [_row(test, count, layout, asked) for test in tests]
    not_known = [_bare(case, asked, Change.NOT_COMPARABLE, case.reason) for case in cases if not case.logarithms]
    place_of = {(case.metric, case.point): place for place, case in enumerate(cases)}
    return sorted([*rows, *not_known], key=lambda row: place_of.get((row.metric, row.point), len(cases)))


def _adjusted(tests: Sequence[_Test]) -> list[_Test]:
    """Return the tests with adjusted p: Holm over the points and over the sweeps, each at half of the level."""
    counted = [place for place, test in enumerate(tests) if not test.case.is_advice]
    families = [
        [place for place in counted if (tests[place].case.point is None) == is_sweep] for is_sweep in (False, True)
    ]
    share = 2 if families[1] else 1
    found = [test._replace(adjusted=test.found.p_difference) for test in tests]
    for family in families:
        p_values = statistics.holm([tests[place].found.p_difference for place in family])
        for place, p in zip(family, p_values, strict=True):
            found[place] = tests[place]._replace(adjusted=None if p is None else min(1.0, share * p))
    return found


def _least_variance(metric: str) -> float:
    return statistics.LEAST_P99_VARIANCE if metric == P99 else statistics.LEAST_VARIANCE


def _spread(case: Case, layout: Layout) -> tuple[float, int] | None:
    """Return the variance of a point and its degrees, pooled over both sides or of its pairs; null without repeats."""
    before, after = case.logarithms or ([], [])
    least = _least_variance(case.metric)
    if layout.is_paired:
        differences = [b - a for a, b in zip(before, after, strict=True)]
        return (statistics.variance_of(differences, 2 * least), len(before) - 1) if len(before) > 1 else None
    degrees = [len(side) - 1 for side in (before, after)]
    if not sum(degrees):
        return None
    squares = (statistics.variance_of(side, 0) * own for side, own in zip((before, after), degrees, strict=True) if own)
    return max(math.fsum(squares) / sum(degrees), least), sum(degrees)


def _prior(known: Sequence[Case], layout: Layout) -> Prior | None:
    """Return what all points of a metric say of the spread of one; a history has its own."""
    if layout is Layout.HISTORY:
        return None
    return statistics.prior_of([found for case in known if (found := _spread(case, layout)) is not None])


def _tested(case: Case, layout: Layout, prior: Prior | None, asked: Asked) -> Tested:
    """Return the test of a case; only the difference where a side has fewer than three runs, or sessions before."""
    before, after = case.logarithms or ([], [])
    sign = -1 if case.metric.startswith("latency") else 1
    difference = sign * (math.fsum(after) / len(after) - math.fsum(before) / len(before))
    count = 1 / len(before) + 1 / len(after)
    if layout is Layout.HISTORY:
        if len(before) < MIN_EARLIER_SESSIONS:
            return statistics.Tested(difference)
        variance = statistics.variance_of(before, _least_variance(case.metric))
        squared, degrees = variance * count, float(len(before) - 1)
    elif min(len(before), len(after)) < statistics.MIN_RUNS:
        return statistics.Tested(difference)
    elif prior is None and not layout.is_paired:
        squared, degrees = statistics.welch_error(before, after, _least_variance(case.metric))
    else:
        own = _spread(case, layout) or (0.0, 0)
        variance, degrees = statistics.moderate(*own, prior)
        squared = variance * (1 / len(before) if layout.is_paired else count)
    return statistics.assess(difference, squared, degrees, margin=asked.margin_of(case.metric), alpha=asked.alpha)


def _decided(test: _Test, asked: Asked) -> Change:
    """Return the verdict of a test, whatever its order."""
    found, margin = test.found, asked.margin_of(test.case.metric)
    if found.p_equivalence is None or test.adjusted is None:
        return Change.UNDECIDED
    if found.p_equivalence < asked.alpha:
        return Change.EQUAL
    if test.adjusted < asked.alpha and abs(found.difference) >= math.log1p(margin):
        return Change.BETTER if found.difference > 0 else Change.WORSE
    return Change.UNDECIDED


def _bare(case: Case, asked: Asked, change: Change, reason: str | None) -> Judged:
    """Return a row with what is known of a case without a test."""
    is_latency = case.metric.startswith("latency")
    values = [math.exp(math.fsum(side) / len(side)) for side in case.logarithms or ()] if case.point else []
    return Judged(
        metric=case.metric,
        change=change,
        margin=asked.margin_of(case.metric),
        point=case.point,
        reason=reason,
        is_advice=case.is_advice,
        before_count=len(case.logarithms[0] if case.logarithms else case.before),
        after_count=len(case.logarithms[1] if case.logarithms else case.after),
        before_value=values[0] if values else None,
        after_value=values[1] if values else None,
        ratio=(values[1] / values[0]) ** (-1 if is_latency else 1) if values else None,
        operation_count=matching.operations_in([*case.before, *case.after]) if case.point else None,
        before_places=tuple(run.place for run in case.before),
        after_places=tuple(run.place for run in case.after),
    )


def _row(test: _Test, count: int, layout: Layout, asked: Asked) -> Judged:
    """Return the verdict on a case; ``count`` is the number of tests."""
    case, found, margin = test.case, test.found, asked.margin_of(test.case.metric)
    decided = change = _decided(test, asked)
    reason = _why(test, layout, asked, margin) if change is Change.UNDECIDED else None
    if change in {Change.BETTER, Change.WORSE} and not (layout.excludes_order or asked.trusts_order):
        decided, reason = Change.UNDECIDED, f"order not excluded: {layout.value}"
    bare = _bare(case, asked, decided, reason)
    if found.standard_error is None or found.degrees is None:
        return dataclasses.replace(bare, ratio=math.exp(found.difference))
    before, after = case.logarithms or ([], [])
    share = 2 / len(before) if layout.is_paired else 1 / len(before) + 1 / len(after)
    deviation = found.standard_error / math.sqrt(share)
    needed = None
    if change is Change.UNDECIDED and layout is not Layout.HISTORY:
        is_paired = layout.is_paired or not asked.trusts_order
        known = 0.0 if test.prior is None else min(test.prior.degrees, test.prior.max_degrees)
        needed = _needed(test, power.Runs(deviation, is_paired, known), margin, asked.alpha, count)
    shown = power.detectable(found.standard_error, found.degrees, alpha=asked.alpha / count)
    is_loss = found.difference <= -math.log1p(margin)
    return dataclasses.replace(
        bare,
        ratio=math.exp(found.difference),
        low=found.low,
        high=found.high,
        p_value=test.adjusted,
        p_equivalence=found.p_equivalence,
        deviation=deviation,
        shown_ratio=math.exp(-max(shown, math.log1p(margin))),
        repetitions=needed,
        is_suspect=is_loss and decided is not Change.WORSE and (found.p_difference or 0) < SUSPECT_P,
    )


def _needed(test: _Test, runs: power.Runs, margin: float, alpha: float, count: int) -> int | None:
    """Return how many runs a side would decide a case: show its difference, or that there is none."""
    had = min(len(side) for side in test.case.logarithms or ([],))
    if abs(test.found.difference) >= math.log1p(margin):
        wanted = power.runs_to_show(test.found.difference, runs, alpha=alpha / count)
    else:
        wanted = power.runs_to_show_equal(margin, runs, alpha=alpha)
    return None if wanted is None else max(wanted, had + 1)


def _why(test: _Test, layout: Layout, asked: Asked, margin: float) -> str:
    """Return why a case is undecided."""
    if test.found.p_difference is None or test.adjusted is None:
        return words.SHORT_HISTORY if layout is Layout.HISTORY else words.FEW
    if test.adjusted < asked.alpha:
        return words.NEAR
    if test.found.p_difference < asked.alpha and abs(test.found.difference) >= math.log1p(margin):
        return words.AMONG_MANY
    return words.WIDE


def _whole(rows: Sequence[Judged], asked: Asked) -> tuple[Change, str]:
    """Return the verdict on the whole and its reason, which names points where it needs to."""
    counted = [row for row in rows if not row.is_advice]
    known = [row for row in counted if row.change is not Change.NOT_COMPARABLE]
    if not known:
        return _nothing(rows, counted)
    lost = [row for row in counted if row.change is Change.NOT_COMPARABLE]
    not_compared = f"not comparable: {_named(lost, rows)} ({lost[0].reason})" if lost else ""
    if worse := [row for row in known if row.change is Change.WORSE]:
        return Change.WORSE, "; ".join(filter(None, (_named(worse, rows), not_compared)))
    if lost:
        return Change.UNDECIDED, not_compared
    of_metrics = [_of_metric([row for row in known if row.metric == metric], rows) for metric in asked.metrics]
    found = [each for each in of_metrics if each is not None]
    undecided = [reason for change, reason in found if change is Change.UNDECIDED]
    if undecided:
        return Change.UNDECIDED, "; ".join(dict.fromkeys(undecided))
    better = [reason for change, reason in found if change is Change.BETTER]
    return (Change.BETTER, "; ".join(better)) if better else (Change.EQUAL, "")


def _nothing(rows: Sequence[Judged], counted: Sequence[Judged]) -> tuple[Change, str]:
    """Return the verdict where no point that counts can be compared, and why."""
    if not rows:
        return Change.NOT_COMPARABLE, "the sides share no point"
    if not counted:
        return Change.UNDECIDED, f"too few operations for a p99: {operations_needed(rows)}"
    reasons = "; ".join(dict.fromkeys(filter(None, (row.reason for row in counted))))
    return Change.NOT_COMPARABLE, f"no point of both sides can be compared ({reasons})"


def _of_metric(known: Sequence[Judged], rows: Sequence[Judged]) -> tuple[Change, str] | None:
    """Return the verdict on a metric, none of whose points is worse."""
    if not known:
        return None
    overall = next((row for row in known if row.point is None), None)
    if overall is None:
        return _of_points(known, rows)
    counts = (overall.before_count, overall.after_count)
    undecided = [row for row in known if row.change is Change.UNDECIDED and row.point]
    outside = [row for row in undecided if (row.before_count, row.after_count) != counts]
    if outside:  # the sweep does not contain them
        return Change.UNDECIDED, f"{_named(outside, rows)} ({outside[0].reason})"
    if overall.change is Change.BETTER:
        return Change.BETTER, _named([overall], rows)
    suspects = [row for row in known if row.is_suspect and row.point]
    if overall.change is Change.EQUAL and not suspects:
        return Change.EQUAL, ""
    open_rows = suspects or undecided or [overall]
    least = min(open_rows, key=lambda row: row.ratio or math.inf)
    return Change.UNDECIDED, f"{_named(open_rows, rows)} ({least.reason or overall.reason})"


def _of_points(known: Sequence[Judged], rows: Sequence[Judged]) -> tuple[Change, str]:
    """Return the verdict on a metric that has no sweep."""
    if undecided := [row for row in known if row.change is Change.UNDECIDED]:
        return Change.UNDECIDED, f"{_named(undecided, rows)} ({undecided[0].reason})"
    better = [row for row in known if row.change is Change.BETTER]
    return (Change.BETTER, _named(better, rows)) if better else (Change.EQUAL, "")


def _named(found: Sequence[Judged], rows: Sequence[Judged]) -> str:
    """Return points by name with how they changed, the largest loss first; no more than a few."""
    metrics = {row.metric for row in rows}
    ordered = sorted(found, key=lambda row: row.ratio or math.inf)
    said = [f"{row.name if len(metrics) > 1 else row.title}{_changed(row)}" for row in ordered[:_NAMED]]
    rest = len(found) - _NAMED
    return "; ".join([*said, *([f"and {rest} more"] if rest > 0 else [])])


def _changed(row: Judged) -> str:
    change = row.measured_change
    return "" if change is None else f" {100 * (change - 1):+.1f} %{', slower' * (row.speed == 'slower')}"
