"""Both sides point by point: what is compared, what is not and why, and in which order it ran."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.comparison import statistics, words
from ioledger.gating.order import Layout, Order, find_order, split_sessions
from ioledger.gating.points import METRICS, P99
from ioledger.gating.verdict import SUPPORT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.comparison.statistics import Prior, Tested
    from ioledger.gating.points import Point, Run, Side

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


def match_points(before: Side, after: Side, metrics: Sequence[str]) -> list[Case]:
    """Return a case for each metric and each point of both sides, in the order of the points."""
    shared = [(point, runs, after.points[point]) for point, runs in before.points.items() if point in after.points]
    return [_match_point(metric, *each) for metric in metrics for each in shared]


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
        words.SAME_RUNS: not {run.result_id for run in before}.isdisjoint(run.result_id for run in after),
        next((run.problem for run in runs if run.problem), ""): True,
        words.NO_VALUE: not has_values,
        f"the workload options differ: {', '.join(names)}": bool(names),
        words.LATENCY_KINDS: is_latency and len({run.latency_kind for run in runs}) > 1,
        words.IN_FLIGHT: not abs(in_flight[1] - in_flight[0]) <= math.log1p(IN_FLIGHT),
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
            return case._replace(logarithms=None, reason=words.UNDATED)
        sides.append([fmean(session) for session in split_sessions(dated)])
    return case._replace(logarithms=(sides[0], sides[1]))
