"""
From two sides to a verdict: points tested, adjusted for their number, and put together.

Half of the level is for the sweep as a whole, because the points of one run share what disturbs them; half for the
points together (Holm). One point has all of it, and one test.
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from ioledger.comparison import statistics, words
from ioledger.comparison.words import Change
from ioledger.gating import matching, points, power
from ioledger.gating.order import Layout
from ioledger.gating.points import METRICS, P99
from ioledger.gating.verdict import PointVerdict, Verdict, describe_operations, distinguish, format_change, shorten

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


class Asked(NamedTuple):
    """What a gate is asked for; ``metrics`` are columns of results, ``database`` holds the published configurations."""

    metrics: tuple[str, ...] = (METRICS["iops"],)
    margin: float = 0.05
    alpha: float = 0.05
    trusts_order: bool = False
    is_history: bool = False
    database: Path | None = None

    def margin_of(self, metric: str) -> float:
        """Return the margin of a metric: p99 has 15 % unless a wider one is asked for."""
        return max(self.margin, P99_MARGIN) if metric == P99 else self.margin


def judge(before: str | os.PathLike[str], after: str | os.PathLike[str], asked: Asked) -> Verdict:
    """Judge a change by the runs before and after it; raises FileNotFoundError for a path that is not there."""
    return compare_sides(_side(before, asked), _side(after, asked), asked)


def _side(named: str | os.PathLike[str], asked: Asked) -> Side:
    if isinstance(named, str) and named.startswith(points.PUBLISHED):
        from ioledger.workspace import find  # noqa: PLC0415  (only what is published is in a workspace)

        return points.read_published(named, asked.database or find().database)
    return points.read(named, wants_p99=P99 in asked.metrics)


def compare_sides(before: Side, after: Side, asked: Asked) -> Verdict:
    """Return the verdict on two sides that are read."""
    cases = matching.match_points(before, after, asked.metrics)
    layout = Layout.HISTORY if asked.is_history else matching.find_layout(cases)
    if asked.is_history or layout.is_paired:
        prepare = matching.average_sessions if asked.is_history else matching.keep_pairs
        cases = [prepare(case) if case.logarithms else case for case in cases]
    named = distinguish(before.points.keys() | after.points.keys())
    rows = [replace(row, apart=named[row.point]) if row.point else row for row in _test_all(cases, layout, asked)]
    change, reason = _conclude(rows, asked)
    empty = before.empty + after.empty
    if empty and change in {Change.BETTER, Change.EQUAL}:
        change, reason = Change.UNDECIDED, f"a run did no I/O: {empty[0]}"
    problems = tuple(str(problem) for side in (before, after) for problem in side.problems)
    problems += tuple(_describe_missing(side) for side in (before, after) if not side.points and not side.problems)
    if problems:
        change, reason = Change.NOT_COMPARABLE, "the unreadable files may change the verdict"
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


def _describe_missing(side: Side) -> str:
    read = f"; it contains only other data, such as logs ({side.read_count})" if side.read_count else ""
    return f"{side.name}: it has no results of whole runs{read}. Name the reports of the runs (fio --output)."


def _test_all(cases: Sequence[Case], layout: Layout, asked: Asked) -> list[PointVerdict]:
    """Return a row for each case, then for each sweep, adjusted for the number of all that count."""
    tested: list[Case] = []
    for metric in asked.metrics:
        known = [case for case in cases if case.metric == metric and case.logarithms]
        # a history has the spread of its own sessions
        spreads = [_estimate_spread(case, layout) for case in known if layout is not Layout.HISTORY]
        shared = statistics.prior_of([spread for spread in spreads if spread is not None])
        tested += (case._replace(found=_test(case, layout, shared, asked), prior=shared) for case in known)
        if (sweep := matching.average_points(metric, known)) is not None:
            tested.append(sweep._replace(found=_test(sweep, layout, None, asked)))
    tested = _adjust(tested)
    count = max(sum(case.adjusted is not None and not case.is_advice for case in tested), 1)
    place_of = {(case.metric, case.point): place for place, case in enumerate(cases)}
    every = [*tested, *(case for case in cases if not case.logarithms)]
    every.sort(key=lambda case: place_of.get((case.metric, case.point), len(cases)))
    return [_make_row(case, count, layout, asked) for case in every]


def _adjust(tested: Sequence[Case]) -> list[Case]:
    """Return the cases with adjusted p: Holm over the points and over the sweeps, each at half of the level."""
    own = [case.found.p_difference if case.found else None for case in tested]
    counted = [place for place, case in enumerate(tested) if not case.is_advice]
    families = [[place for place in counted if (tested[place].point is None) == is_sweep] for is_sweep in (False, True)]
    adjusted = dict(enumerate(own))
    for family in families:
        held = statistics.holm([own[place] for place in family])
        share = 2 if families[1] else 1
        adjusted |= {place: p and min(1.0, share * p) for place, p in zip(family, held, strict=True)}
    return [case._replace(adjusted=adjusted[place]) for place, case in enumerate(tested)]


def _least_variance(metric: str) -> float:
    return statistics.LEAST_P99_VARIANCE if metric == P99 else statistics.LEAST_VARIANCE


def _estimate_spread(case: Case, layout: Layout) -> tuple[float, int] | None:
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


def _test(case: Case, layout: Layout, prior: Prior | None, asked: Asked) -> Tested:
    """Return the test of a case; only the difference where a side has fewer than three runs, or sessions before."""
    before, after = case.logarithms or ([], [])
    sign = -1 if case.metric.startswith("latency") else 1
    difference = sign * (fmean(after) - fmean(before))
    count = 1 / len(before) + 1 / len(after)
    is_history = layout is Layout.HISTORY
    if len(before) < MIN_EARLIER_SESSIONS if is_history else min(len(before), len(after)) < statistics.MIN_RUNS:
        return statistics.Tested(difference)
    if is_history:
        squared = statistics.variance_of(before, _least_variance(case.metric)) * count
        degrees = float(len(before) - 1)
    elif prior is None and not layout.is_paired:
        squared, degrees = statistics.welch_error(before, after, _least_variance(case.metric))
    else:
        own = _estimate_spread(case, layout) or (0.0, 0)
        variance, degrees = statistics.moderate(*own, prior)
        squared = variance * (1 / len(before) if layout.is_paired else count)
    return statistics.assess(difference, squared, degrees, margin=asked.margin_of(case.metric), alpha=asked.alpha)


def _decide(case: Case, found: Tested, layout: Layout, asked: Asked) -> tuple[Change, str | None]:
    if found.p_difference is None or found.p_equivalence is None or case.adjusted is None:
        return Change.UNDECIDED, words.SHORT_HISTORY if layout is Layout.HISTORY else words.FEW
    is_beyond = abs(found.difference) >= math.log1p(asked.margin_of(case.metric))
    if found.p_equivalence < asked.alpha:
        return Change.EQUAL, None
    if case.adjusted < asked.alpha and is_beyond:
        return Change.BETTER if found.difference > 0 else Change.WORSE, None
    if case.adjusted < asked.alpha:
        return Change.UNDECIDED, words.NEAR
    return Change.UNDECIDED, words.AMONG_MANY if is_beyond and found.p_difference < asked.alpha else words.WIDE


def _make_row(case: Case, count: int, layout: Layout, asked: Asked) -> PointVerdict:
    """Return the verdict on a case, with what is known of it; ``count`` is the number of tests."""
    found, margin = case.found, asked.margin_of(case.metric)
    change, reason = (Change.NOT_COMPARABLE, case.reason) if found is None else _decide(case, found, layout, asked)
    is_open = change is Change.UNDECIDED and layout is not Layout.HISTORY
    if change in {Change.BETTER, Change.WORSE} and not (layout.excludes_order or asked.trusts_order):
        change, reason = Change.UNDECIDED, f"order not excluded: {layout.value}"
    before, after = case.logarithms or (None, None)
    row = PointVerdict(
        metric=case.metric,
        change=change,
        margin=margin,
        point=case.point,
        reason=reason,
        is_advice=case.is_advice,
        before_count=len(case.before if before is None else before),
        after_count=len(case.after if after is None else after),
        before_value=math.exp(fmean(before)) if before and case.point else None,
        after_value=math.exp(fmean(after)) if after and case.point else None,
        ratio=math.exp(found.difference) if found else None,
        operation_count=matching.count_operations([*case.before, *case.after]) if case.point else None,
        before_places=tuple(run.place for run in case.before),
        after_places=tuple(run.place for run in case.after),
    )
    if found is None or found.standard_error is None or found.degrees is None or not before or not after:
        return row
    share = 2 / len(before) if layout.is_paired else 1 / len(before) + 1 / len(after)
    deviation = found.standard_error / math.sqrt(share)
    known = min(case.prior.degrees, case.prior.max_degrees) if case.prior else 0.0
    runs = power.Runs(deviation, layout.is_paired or not asked.trusts_order, known)
    loss = power.detectable(found.standard_error, found.degrees, alpha=asked.alpha / count)
    wanted = None
    if is_open and abs(found.difference) >= math.log1p(margin):
        wanted = power.runs_to_show(found.difference, runs, alpha=asked.alpha / count)
    elif is_open:
        wanted = power.runs_to_show_equal(margin, runs, alpha=asked.alpha)
    is_loss = found.difference <= -math.log1p(margin)
    return replace(
        row,
        low=found.low,
        high=found.high,
        p_value=case.adjusted,
        p_equivalence=found.p_equivalence,
        deviation=deviation,
        shown_ratio=math.exp(-max(loss, math.log1p(margin))),
        repetitions=wanted and max(wanted, min(len(before), len(after)) + 1),
        is_suspect=is_loss and change is not Change.WORSE and (found.p_difference or 0) < SUSPECT_P,
    )


def _conclude(rows: Sequence[PointVerdict], asked: Asked) -> tuple[Change, str]:
    """Return the verdict on the whole and its reason, which names points where it needs to."""
    counted = [row for row in rows if not row.is_advice]
    lost = [row for row in counted if row.change is Change.NOT_COMPARABLE]
    if not rows:
        return Change.NOT_COMPARABLE, "the sides have no point in common"
    if not counted:
        return Change.UNDECIDED, f"too few operations for a p99: {describe_operations(rows)}"
    if len(lost) == len(counted):
        reasons = "; ".join(dict.fromkeys(filter(None, (row.reason for row in lost))))
        return Change.NOT_COMPARABLE, f"no point of both sides can be compared ({reasons})"
    reason = f"not comparable: {_list_points(lost, rows)} ({lost[0].reason})" if lost else ""
    change = Change.UNDECIDED if lost else Change.EQUAL
    if worse := [row for row in counted if row.change is Change.WORSE]:
        return Change.WORSE, "; ".join(filter(None, (_list_points(worse, rows), reason)))
    if not lost:
        of_metrics = [[row for row in counted if row.metric == metric] for metric in asked.metrics]
        found = [_conclude_metric(known, rows) for known in of_metrics if known]
        change = next((each for each in (Change.UNDECIDED, Change.BETTER) if each in dict(found)), Change.EQUAL)
        reason = "; ".join(dict.fromkeys(why for each, why in found if each is change))
    return change, reason


def _conclude_metric(known: Sequence[PointVerdict], rows: Sequence[PointVerdict]) -> tuple[Change, str]:
    """Return the verdict on a metric, none of whose points is worse."""
    overall = next((row for row in known if row.point is None), None)
    undecided = [row for row in known if row.change is Change.UNDECIDED and row.point]
    if overall is None:
        outside, better = undecided, [row for row in known if row.change is Change.BETTER]
    else:  # the sweep does not contain points that were repeated otherwise
        counts = (overall.before_count, overall.after_count)
        outside = [row for row in undecided if (row.before_count, row.after_count) != counts]
        better = [overall] if overall.change is Change.BETTER else []
    if outside:
        return Change.UNDECIDED, f"{_list_points(outside, rows)} ({outside[0].reason})"
    if better:
        return Change.BETTER, _list_points(better, rows)
    suspects = [row for row in known if row.is_suspect and row.point]
    if overall is None or (overall.change is Change.EQUAL and not suspects):
        return Change.EQUAL, ""
    open_rows = suspects or undecided or [overall]
    least = min(open_rows, key=lambda row: row.ratio or math.inf)
    return Change.UNDECIDED, f"{_list_points(open_rows, rows)} ({least.reason or overall.reason})"


def _list_points(found: Sequence[PointVerdict], rows: Sequence[PointVerdict]) -> str:
    """Return points by name with how they changed, the largest loss first; no more than a few."""
    is_one_metric = len({row.metric for row in rows}) == 1
    said = []
    for row in sorted(found, key=lambda row: row.ratio or math.inf):
        change = "" if row.measured_change is None else f" {format_change(row.measured_change)}"
        slower = ", slower" * (row.speed == "slower" and bool(change))
        said.append(f"{row.title if is_one_metric else row.name}{change}{slower}")
    return shorten(said)
