"""
From two sides to a verdict: points judged, adjusted for their number, and put together.

A point that is worse makes the whole worse. One test a metric looks at the sweep as a whole, because the runs of one
repetition share what disturbs them. The whole is equal when the sweep is, and no point may be worse. Source of the
adjustment: S. Holm, Scandinavian Journal of Statistics 6 (1979).
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, NamedTuple

from ioledger.gating import matching, points, power, published, statistics
from ioledger.gating.order import Layout
from ioledger.gating.points import METRICS, P99
from ioledger.gating.spread import prior
from ioledger.gating.statistics import Question
from ioledger.gating.verdict import Judged, Verdict, apart, operations_needed
from ioledger.judgement import verdicts
from ioledger.judgement.verdicts import Change

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from ioledger.gating.matching import Case
    from ioledger.gating.points import Side
    from ioledger.gating.statistics import Assessed, Prior

P99_MARGIN = 0.15
SUSPECT_P = 0.2
LEAST_SESSIONS = 8
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
    """A case with its test, and what the other points told of its spread."""

    case: Case
    found: Assessed
    prior: Prior | None


def judged(before: str | os.PathLike[str], after: str | os.PathLike[str], asked: Asked) -> Verdict:
    """
    Judge a change by the runs before and after it: files, folders, archives, or ``published:NAME``.

    Raises FileNotFoundError for a path that is not there.
    """
    return compared(_side(before, asked), _side(after, asked), asked)


def _side(named: str | os.PathLike[str], asked: Asked) -> Side:
    if isinstance(named, str) and named.startswith(published.PREFIX):
        from ioledger.workspace import find  # noqa: PLC0415  (only what is published lies in a workspace)

        return published.read(named, asked.database or find().database)
    return points.read(named, wants_p99=P99 in asked.metrics)


def compared(before: Side, after: Side, asked: Asked) -> Verdict:
    """Return the verdict on two sides that are read."""
    cases = matching.cases(before, after, asked.metrics)
    layout = Layout.HISTORY if asked.is_history else matching.layout(cases)
    if asked.is_history:
        cases = [matching.by_session(case) if case.logarithms else case for case in cases]
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
    """Return that a side holds no results, and what to do about it."""
    read = f"; what was read of it ({side.read_count}) is of another kind, as logs are" if side.read_count else ""
    return f"{side.name}: it holds no results of whole runs{read}. Name the reports of the runs (fio --output)."


def _rows(cases: Sequence[Case], layout: Layout, asked: Asked) -> list[Judged]:
    """Return a row for each case, and for each sweep, adjusted for the number of all that count."""
    tests: list[_Test] = []
    for metric in asked.metrics:
        known = [case for case in cases if case.metric == metric and case.logarithms]
        shared = _prior(known, layout)
        tests += (_Test(case, _tested(case, layout, shared, asked), shared) for case in known)
        if (sweep := matching.sweep(metric, known)) is not None:
            tests.append(_Test(sweep, _tested(sweep, layout, None, asked), None))
    counted = [place for place, test in enumerate(tests) if not test.case.is_advice]
    adjusted = [test.found.p_difference for test in tests]
    for place, p in zip(counted, verdicts.holm([adjusted[place] for place in counted]), strict=True):
        adjusted[place] = p
    count = max(sum(adjusted[place] is not None for place in counted), 1)
    rows = [_row(test, p, count, layout, asked) for test, p in zip(tests, adjusted, strict=True)]
    not_known = [_bare(case, asked, Change.NOT_COMPARABLE, case.reason) for case in cases if not case.logarithms]
    place_of = {(case.metric, case.point): place for place, case in enumerate(cases)}
    return sorted([*rows, *not_known], key=lambda row: place_of.get((row.metric, row.point), len(cases)))


def _prior(known: Sequence[Case], layout: Layout) -> Prior | None:
    """Return what all points of a metric tell of the spread of one; a history has its own."""
    if layout is Layout.HISTORY:
        return None
    found = [
        statistics.spread(*case.logarithms, least=statistics.least_variance(case.metric), paired=layout.is_paired)
        for case in known
        if case.logarithms
    ]
    return prior([(each.variance, each.degrees) for each in found if each])


def _question(case: Case, asked: Asked) -> Question:
    least = statistics.least_variance(case.metric)
    return Question(case.metric.startswith("latency"), asked.margin_of(case.metric), asked.alpha, least)


def _tested(case: Case, layout: Layout, shared: Prior | None, asked: Asked) -> Assessed:
    """Return the test of a case."""
    before, after = case.logarithms or ([], [])
    question = _question(case, asked)
    if layout is Layout.HISTORY:
        return statistics.against_history(before, after, question, fewest=LEAST_SESSIONS)
    return statistics.assessed(before, after, question, paired=layout.is_paired, prior=shared)


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
        options=case.options,
        before_places=tuple(run.place for run in case.before),
        after_places=tuple(run.place for run in case.after),
    )


def _row(test: _Test, adjusted: float | None, count: int, layout: Layout, asked: Asked) -> Judged:
    """Return the verdict on a case; ``count`` is how many tests stand beside it."""
    case, found, margin = test.case, test.found, asked.margin_of(test.case.metric)
    decided = change = statistics.decided(found, adjusted, _question(case, asked))
    reason = _why(found, adjusted, layout, asked, margin) if change is Change.UNDECIDED else None
    if change in {Change.BETTER, Change.WORSE} and not (layout.excludes_order or asked.trusts_order):
        decided, reason = Change.UNDECIDED, verdicts.IN_BLOCKS if layout is Layout.BLOCKS else verdicts.UNDATED
    bare = _bare(case, asked, decided, reason)
    if found.standard_error is None or found.degrees is None:
        return dataclasses.replace(bare, ratio=found.ratio)
    before, after = case.logarithms or ([], [])
    share = 2 / len(before) if layout.is_paired else 1 / len(before) + 1 / len(after)
    deviation = found.standard_error / math.sqrt(share)
    needed = None
    if change is Change.UNDECIDED and layout is not Layout.HISTORY:
        takes_turns = layout.is_paired or not (layout.excludes_order or asked.trusts_order)
        known = 0.0 if test.prior is None else min(test.prior.degrees, test.prior.most_degrees)
        needed = _needed(test, power.Runs(deviation, takes_turns, known), margin, asked.alpha, count)
    shown = power.shown(found.standard_error, found.degrees, alpha=asked.alpha / count)
    is_loss = found.difference <= -math.log1p(margin)
    return dataclasses.replace(
        bare,
        ratio=found.ratio,
        low=found.low,
        high=found.high,
        p_value=adjusted,
        p_equivalence=found.p_equivalence,
        deviation=deviation,
        shown_ratio=math.exp(-max(shown, math.log1p(margin))),
        repetitions=needed,
        is_suspect=is_loss and adjusted is not None and adjusted < SUSPECT_P,
    )


def _needed(test: _Test, runs: power.Runs, margin: float, alpha: float, count: int) -> int | None:
    """Return how many runs a side would decide a case: show its difference, or that there is none."""
    had = min(len(side) for side in test.case.logarithms or ([],))
    if abs(test.found.difference) >= math.log1p(margin):
        wanted = power.to_show(test.found.difference, runs, alpha=alpha / count)
    else:
        wanted = power.to_show_equal(margin, runs, alpha=alpha)
    return None if wanted is None else max(wanted, had + 1)


def _why(found: Assessed, adjusted: float | None, layout: Layout, asked: Asked, margin: float) -> str:
    """Return why a case is undecided."""
    if found.p_difference is None or adjusted is None:
        return verdicts.SHORT_HISTORY if layout is Layout.HISTORY else verdicts.FEW
    if adjusted < asked.alpha:
        return verdicts.NEAR
    if found.p_difference < asked.alpha and abs(found.difference) >= math.log1p(margin):
        return verdicts.AMONG_MANY
    return verdicts.WIDE


def _whole(rows: Sequence[Judged], asked: Asked) -> tuple[Change, str]:
    """Return the verdict on the whole and its reason, which names points where it needs to."""
    counted = [row for row in rows if not row.is_advice]
    known = [row for row in counted if row.change is not Change.NOT_COMPARABLE]
    if not known:
        return _nothing(rows, counted)
    if worse := [row for row in known if row.change is Change.WORSE]:
        return Change.WORSE, _named(worse, rows)
    if lost := [row for row in counted if row.change is Change.NOT_COMPARABLE]:
        return Change.UNDECIDED, f"not comparable: {_named(lost, rows)} ({lost[0].reason})"
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
    counts = None if overall is None else (overall.before_count, overall.after_count)
    outside = [
        row
        for row in known
        if row.change is Change.UNDECIDED and row.point and (row.before_count, row.after_count) != counts
    ]
    if outside:  # no sweep speaks for them
        return Change.UNDECIDED, f"{_named(outside, rows)} ({outside[0].reason})"
    if overall is None:
        better = [row for row in known if row.change is Change.BETTER]
        return (Change.BETTER, _named(better, rows)) if better else (Change.EQUAL, "")
    if overall.change is Change.BETTER:
        return Change.BETTER, _named([overall], rows)
    suspects = [row for row in known if row.is_suspect]
    if overall.change is Change.EQUAL and not suspects:
        return Change.EQUAL, ""
    open_ones = suspects or [row for row in known if row.point and row.change is Change.UNDECIDED] or [overall]
    least = min(open_ones, key=lambda row: row.ratio or math.inf)
    return Change.UNDECIDED, f"{_named(open_ones, rows)} ({least.reason or overall.reason})"


def _named(found: Sequence[Judged], rows: Sequence[Judged]) -> str:
    """Return points by name with how they changed, the largest loss first; no more than a few."""
    metrics = {row.metric for row in rows}
    ordered = sorted(found, key=lambda row: row.ratio or math.inf)
    said = [f"{row.name if len(metrics) > 1 else row.title}{_changed(row)}" for row in ordered[:_NAMED]]
    rest = len(found) - _NAMED
    return "; ".join([*said, *([f"and {rest} more"] if rest > 0 else [])])


def _changed(row: Judged) -> str:
    return "" if row.ratio is None else f" {100 * (row.ratio - 1):+.1f} %"
