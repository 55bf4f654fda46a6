"""Both sides put beside one another: what is compared, what is not and why, and in which order it ran."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.comparison import statistics, words
from ioledger.gating.order import Layout, Order, count_sessions, layout_of_sweep, order_of
from ioledger.gating.points import METRICS, P99
from ioledger.gating.verdict import SUPPORT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.gating.points import Point, Run, Side

IN_FLIGHT = 0.05
"""How far the operations in flight (rate times latency) may differ for latencies to be compared."""
MIN_POINTS_OF_SWEEP = 2


class Case(NamedTuple):
    """
    One metric of a point, or of all points at once: the logarithms of both sides, in time.

    They are null where they are not to be compared, for the reason. The sweep has no point and no runs.
    """

    metric: str
    point: Point | None
    before: Sequence[Run]
    after: Sequence[Run]
    logarithms: tuple[list[float], list[float]] | None
    reason: str | None = None
    is_advice: bool = False
    in_time: Order = Order(Layout.UNDATED)


def logarithms(values: Sequence[float | None]) -> list[float] | None:
    """Return the logarithms of values; nothing where one of them is missing, zero or negative."""
    known = [value for value in values if value is not None and value > 0 and math.isfinite(value)]
    return [math.log(value) for value in known] if len(known) == len(values) and known else None


def differing_options(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return the names of options that change the workload and are not the same in all runs."""
    texts = {run.options for run in runs}
    if len(texts) < 2:  # noqa: PLR2004  (one text is no difference)
        return ()
    stated = [msgspec.json.decode(text, type=dict[str, object]) for text in texts]
    return tuple(name for name in sorted({*chain(*stated)}) if len({str(each.get(name)) for each in stated}) > 1)


def cases(before: Side, after: Side, metrics: Sequence[str]) -> list[Case]:
    """Return a case for each metric and each point of both sides, in the order of the points."""
    shared = [point for point in before.points if point in after.points]
    return [_case(metric, point, before.points[point], after.points[point]) for metric in metrics for point in shared]


def operations_in(runs: Sequence[Run]) -> int:
    """Return the operations of the run that made the fewest; 0 where one does not say."""
    return min((run.operation_count or 0 for run in runs), default=0)


def _case(metric: str, point: Point, before: Sequence[Run], after: Sequence[Run]) -> Case:
    """Return both sides of a point, or why they are not to be compared."""
    runs = [*before, *after]
    logs = [logarithms([run.values[metric] for run in side]) for side in (before, after)]
    reason = next((run.problem for run in runs if run.problem), None)
    if not {run.result_id for run in before}.isdisjoint(run.result_id for run in after):
        reason = words.SAME_RUNS
    elif reason is None and None in logs:
        reason = words.NO_VALUE
    elif reason is None and (names := differing_options(runs)):
        reason = f"the workload options differ: {', '.join(names)}"
    elif reason is None and metric in {METRICS["latency"], P99}:
        reason = _not_the_same_latency(before, after)
    one, other = logs
    known = None if reason or one is None or other is None else (one, other)
    is_advice = metric == P99 and operations_in(runs) < SUPPORT
    in_time = order_of([run.span for run in before], [run.span for run in after])
    return Case(metric, point, before, after, known, reason, is_advice, in_time)


def _not_the_same_latency(before: Sequence[Run], after: Sequence[Run]) -> str | None:
    """
    Return why latencies are not to be compared; null where they are.

    Rate times latency is what was in flight. Where that differs a latency is lower because less was asked for.
    """
    if len({run.latency_kind for run in (*before, *after)}) > 1:
        return words.LATENCY_KINDS
    in_flight = []
    for side in (before, after):
        known = [logarithms([run.values[METRICS[name]] for run in side]) for name in ("iops", "latency")]
        in_flight.append(math.fsum(sum(each) / len(each) if each else math.nan for each in known))
    is_same = abs(in_flight[1] - in_flight[0]) <= math.log1p(IN_FLIGHT)  # false where one is not known
    return None if is_same else words.IN_FLIGHT


def order_of_sweep(known: Sequence[Case]) -> Layout:
    """Return how the runs of all points stand in time: of the points with three runs a side, where there are any."""
    compared = [case for case in known if case.logarithms]
    tested = [case for case in compared if min(map(len, case.logarithms or ())) >= statistics.MIN_RUNS] or compared
    return layout_of_sweep([case.in_time.layout for case in tested])


def paired(case: Case) -> Case:
    """Return a case with the runs of its pairs, each pair at one place on both sides; left-over runs are not used."""
    before, after = case.logarithms or ([], [])
    pairs = case.in_time.pairs
    return case._replace(logarithms=([before[one] for one, _ in pairs], [after[other] for _, other in pairs]))


def sweep(metric: str, known: Sequence[Case]) -> Case | None:
    """
    Return the whole sweep as one case, the mean over its points of each repetition; null for fewer than two points.

    Repetitions are told by their order in time, so it holds the points that were repeated as often as most were.
    """
    values = [case.logarithms for case in known if case.logarithms]
    counts = Counter((len(one), len(other)) for one, other in values)
    usual = max(counts, key=lambda each: (counts[each], each), default=(0, 0))
    values = [(one, other) for one, other in values if (len(one), len(other)) == usual]
    if len(values) < MIN_POINTS_OF_SWEEP:
        return None
    before, after = (
        [math.fsum(run) / len(values) for run in zip(*side, strict=True)] for side in zip(*values, strict=True)
    )
    return Case(metric, None, (), (), (before, after), None, any(case.is_advice for case in known))


def by_session(case: Case) -> Case:
    """Return a case with the mean of each session in the place of its runs; none where a run has no time."""
    sides = []
    for runs, values in zip((case.before, case.after), case.logarithms or (), strict=True):
        spans = [run.span for run in runs if run.span is not None]
        if len(spans) < len(runs):
            return case._replace(logarithms=None, reason=words.UNDATED)
        numbers = count_sessions(spans)
        sessions = [
            [value for value, own in zip(values, numbers, strict=True) if own == each] for each in sorted({*numbers})
        ]
        sides.append([math.fsum(each) / len(each) for each in sessions])
    return case._replace(logarithms=(sides[0], sides[1]))
