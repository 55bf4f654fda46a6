"""
From two sides to a verdict: points matched, tested, adjusted for their number, and put together.

Half of the level is for the sweep as a whole, because the points of one run share what disturbs them; half for the
points together (Holm). One point has all of it, and one test.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger import comparison
from ioledger.comparison import Change, statistics
from ioledger.gating import (
    Layout,
    Order,
    Runs,
    detectable,
    find_order,
    points,
    runs_to_show,
    runs_to_show_equal,
    split_sessions,
)
from ioledger.gating.points import METRICS, P99
from ioledger.gating.verdict import (
    SUPPORT,
    PointVerdict,
    Verdict,
    describe_operations,
    distinguish,
    format_change,
    shorten,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from ioledger.comparison.statistics import Prior, Tested
    from ioledger.gating.points import Point, Run, Side

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
    shared = [(point, runs, after.points[point]) for point, runs in before.points.items() if point in after.points]
    cases = [_match_point(metric, *each) for metric in asked.metrics for each in shared]
    layout = Layout.HISTORY if asked.is_history else find_layout(cases)
    if asked.is_history or layout.is_paired:
        prepare = average_sessions if asked.is_history else keep_pairs
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
        if (sweep := average_points(metric, known)) is not None:
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
        p_values = statistics.holm([own[place] for place in family])
        share = 2 if families[1] else 1
        adjusted |= {place: p and min(1.0, share * p) for place, p in zip(family, p_values, strict=True)}
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
        return Change.UNDECIDED, comparison.SHORT_HISTORY if layout is Layout.HISTORY else comparison.FEW
    is_beyond = abs(found.difference) >= math.log1p(asked.margin_of(case.metric))
    if found.p_equivalence < asked.alpha:
        return Change.EQUAL, None
    if case.adjusted < asked.alpha and is_beyond:
        return Change.BETTER if found.difference > 0 else Change.WORSE, None
    if case.adjusted < asked.alpha:
        return Change.UNDECIDED, comparison.NEAR
    return (
        Change.UNDECIDED,
        comparison.AMONG_MANY if is_beyond and found.p_difference < asked.alpha else comparison.WIDE,
    )


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
        operation_count=count_operations([*case.before, *case.after]) if case.point else None,
        before_places=tuple(run.place for run in case.before),
        after_places=tuple(run.place for run in case.after),
    )
    if found is None or found.standard_error is None or found.degrees is None or not before or not after:
        return row
    share = 2 / len(before) if layout.is_paired else 1 / len(before) + 1 / len(after)
    deviation = found.standard_error / math.sqrt(share)
    known = min(case.prior.degrees, case.prior.max_degrees) if case.prior else 0.0
    runs = Runs(deviation, layout.is_paired or not asked.trusts_order, known)
    loss = detectable(found.standard_error, found.degrees, alpha=asked.alpha / count)
    wanted = None
    if is_open and abs(found.difference) >= math.log1p(margin):
        wanted = runs_to_show(found.difference, runs, alpha=asked.alpha / count)
    elif is_open:
        wanted = runs_to_show_equal(margin, runs, alpha=asked.alpha)
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


IN_FLIGHT = 0.05
"""How far the operations in flight (rate times latency) may differ for latencies to be compared."""
MIN_POINTS_OF_SWEEP = 2


class Case(NamedTuple):
    """
    One metric of a point, or of the sweep, which has no point and no runs: logarithms of both sides, and their test.

    ``prior`` is what the other points say of its spread, ``adjusted`` the p of its test adjusted for their number.
    """

    metric: str
    point: Point | None
    before: Sequence[Run]
    after: Sequence[Run]
    logarithms: tuple[list[float], list[float]] | None
    reason: str | None = None
    is_advice: bool = False
    in_time: Order = Order(Layout.UNDATED)
    found: Tested | None = None
    prior: Prior | None = None
    adjusted: float | None = None


def take_logarithms(values: Sequence[float | None]) -> list[float] | None:
    """Return the logarithms of values; nothing where one of them is missing, zero or negative."""
    known = [value for value in values if value is not None and value > 0 and math.isfinite(value)]
    return [math.log(value) for value in known] if len(known) == len(values) and known else None


def count_operations(runs: Sequence[Run]) -> int:
    """Return the operations of the run that made the fewest; 0 where one does not say."""
    return min((run.operation_count or 0 for run in runs), default=0)


def _match_point(metric: str, point: Point, before: Sequence[Run], after: Sequence[Run]) -> Case:
    one, other = (take_logarithms([run.values[metric] for run in side]) for side in (before, after))
    reason = _find_obstacle(metric, before, after, has_values=one is not None and other is not None)
    known = None if reason or one is None or other is None else (one, other)
    is_advice = metric == P99 and count_operations([*before, *after]) < SUPPORT
    in_time = find_order([run.span for run in before], [run.span for run in after])
    return Case(metric, point, before, after, known, reason, is_advice, in_time)


def _find_obstacle(metric: str, before: Sequence[Run], after: Sequence[Run], *, has_values: bool) -> str | None:
    runs = [*before, *after]
    stated = [msgspec.json.decode(text, type=dict[str, object]) for text in {run.options for run in runs}]
    names = [name for name in sorted({*chain(*stated)}) if len({str(each.get(name)) for each in stated}) > 1]
    is_latency = metric in {METRICS["latency"], P99}
    # rate times latency is what was in flight; where that differs a latency is lower because less was asked for
    in_flight = [_estimate_log_in_flight(side) for side in (before, after)] if is_latency else [0.0, 0.0]
    reasons = {
        comparison.SAME_RUNS: not {run.result_id for run in before}.isdisjoint(run.result_id for run in after),
        next((run.problem for run in runs if run.problem), ""): True,
        comparison.NO_VALUE: not has_values,
        f"the workload options differ: {', '.join(names)}": bool(names),
        comparison.LATENCY_KINDS: is_latency and len({run.latency_kind for run in runs}) > 1,
        comparison.IN_FLIGHT: not abs(in_flight[1] - in_flight[0]) <= math.log1p(IN_FLIGHT),
    }
    return next((reason for reason, holds in reasons.items() if reason and holds), None)


def _estimate_log_in_flight(runs: Sequence[Run]) -> float:
    known = [take_logarithms([run.values[METRICS[name]] for run in runs]) for name in ("iops", "latency")]
    return math.fsum(fmean(each) if each else math.nan for each in known)


def find_layout(known: Sequence[Case]) -> Layout:
    """Return the layout that allows least of all points, or of those with three runs a side, where there are any."""
    compared = [case for case in known if case.logarithms]
    tested = [case for case in compared if min(map(len, case.logarithms or ())) >= statistics.MIN_RUNS] or compared
    return min((case.in_time.layout for case in tested), key=[*Layout].index, default=Layout.UNDATED)


def keep_pairs(case: Case) -> Case:
    """Return a case with the runs of its pairs, each pair at one place on both sides; left-over runs are not used."""
    before, after = case.logarithms or ([], [])
    pairs = case.in_time.pairs
    return case._replace(logarithms=([before[one] for one, _ in pairs], [after[other] for _, other in pairs]))


def average_points(metric: str, known: Sequence[Case]) -> Case | None:
    """Return the sweep, the mean of each repetition over the points repeated as often as most; null for one point."""
    values = [case.logarithms for case in known if case.logarithms]
    counts = Counter((len(one), len(other)) for one, other in values)
    usual = max(counts, key=lambda each: (counts[each], each), default=(0, 0))
    values = [(one, other) for one, other in values if (len(one), len(other)) == usual]
    if len(values) < MIN_POINTS_OF_SWEEP:
        return None
    before, after = ([fmean(run) for run in zip(*side, strict=True)] for side in zip(*values, strict=True))
    return Case(metric, None, (), (), (before, after), None, any(case.is_advice for case in known))


def average_sessions(case: Case) -> Case:
    """Return a case with the mean of each session in the place of its runs; none where a run has no time."""
    sides = []
    for runs, values in zip((case.before, case.after), case.logarithms or (), strict=True):
        dated = [(run.span, value) for run, value in zip(runs, values, strict=True) if run.span is not None]
        if len(dated) < len(runs):
            return case._replace(logarithms=None, reason=comparison.UNDATED)
        sides.append([fmean(session) for session in split_sessions(dated)])
    return case._replace(logarithms=(sides[0], sides[1]))
