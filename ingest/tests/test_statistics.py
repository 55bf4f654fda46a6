"""The one statistics module against values computed apart from it: comparisons, orders and sweeps of a gate, plans."""

from __future__ import annotations

import json
import math
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ioledger import gating as power
from ioledger.comparison import statistics
from ioledger.gating import Span, find_order
from ioledger.gating.points import METRICS, Point, Run, Side
from ioledger.gating.run import Asked, compare_sides

FIXTURES = Path(__file__).parent / "fixtures"
START = datetime(2026, 11, 22, tzinfo=UTC)
CLOSE = 1e-9
PRINTED = 1e-8
"""Vectors are printed with twelve digits; a p-value loses some in its cancellation."""


def _cases(name: str) -> list[Any]:
    cases = json.loads((FIXTURES / name).read_bytes())["cases"]
    return [pytest.param(case, id=case["id"]) for case in cases]


class _Mean(NamedTuple):
    """A mean of logarithms with the variance of the mean, its degrees, τ², and the counts it rests on."""

    log_mean: float
    variance: float
    degrees: float
    session_term: float
    run_count: int
    session_count: int


def _mean_of_sessions(sessions: list[list[float]]) -> _Mean:
    """Return the mean of the sessions from three on, else of the runs; NaN where a value is missing or not positive."""
    runs = [value for session in sessions for value in session]
    if not runs or any(value is None or not value > 0 or math.isinf(value) for value in runs):
        return _Mean(math.nan, math.nan, math.nan, math.nan, len(runs), len(sessions))
    logs = [np.log(np.asarray(session, dtype=np.float64)) for session in sessions]
    count = len(logs)
    if count >= statistics.MIN_SESSIONS:
        data, term = np.array([session.mean() for session in logs]), 0.0
    else:
        data, term = np.concatenate(logs), statistics.SESSION_SPREAD**2 / count
    variance, degrees = math.nan, math.nan
    if len(data) >= statistics.MIN_RUNS:
        variance, degrees = max(float(data.var(ddof=1)), statistics.LEAST_VARIANCE) / len(data), float(len(data) - 1)
    return _Mean(float(data.mean()), variance, degrees, term, len(runs), count)


def _side(sessions: list[list[float]], rounding: list[float] | None, bound: str | None, *, is_exact: bool) -> Any:  # noqa: ANN401
    mean = _mean_of_sessions(sessions)
    low_half, high_half = rounding or (0.0, 0.0)
    sign = {"lower": 1, "upper": -1, None: 0}[bound]
    is_sessions = mean.session_count >= statistics.MIN_SESSIONS
    values = (mean.log_mean, mean.run_count, mean.variance, mean.degrees, mean.session_term, is_sessions)
    arrays = [np.array([value]) for value in (*values, low_half, high_half, sign, is_exact)]
    return statistics.Side(*arrays)


def _compared(case: dict[str, Any]) -> statistics.Compared:
    a, b = (
        _side(
            case[side], case.get(f"{side}_round"), case.get(f"{side}_bound"), is_exact=case.get(f"{side}_exact", False)
        )
        for side in "ab"
    )
    return statistics.compare(a, b, np.array([case.get("latency", False)]), np.array([case.get("margin", 1.05)]))


def _words(found: statistics.Compared, margin: float) -> str:
    verdict, reason = found.verdict[0], found.reason[0]
    if verdict == statistics.NO_VERDICT:
        return "no value" if reason == statistics.NO_VALUE else f"no verdict: {reason}"
    if reason == statistics.BOTH_BOUNDS:
        return f"undecided: {reason}"
    names = {statistics.EQUAL: f"equal within {margin:g}", statistics.A_FASTER: "A faster"}
    return {**names, statistics.B_FASTER: "B faster", statistics.UNDECIDED: "undecided"}[verdict]


@pytest.mark.parametrize("case", _cases("statistics.json"))
def test_a_comparison_has_the_ratio_the_interval_the_verdict_and_the_tolerated_spread(case: dict[str, Any]) -> None:
    """Of every combination of sides: sessions, runs, single runs, printed values, bounds, missing values."""
    found, expected = _compared(case), case["expected"]
    values = {
        "ratio": found.ratio,
        "low": found.ratio_low,
        "high": found.ratio_high,
        "tolerated_spread": found.tolerated_spread,
    }
    for name, value in values.items():
        known = math.nan if expected[name] is None else expected[name]
        assert value[0] == pytest.approx(known, rel=CLOSE, abs=1e-12, nan_ok=True), name
    assert found.ratio_interval_kind[0] == expected["kind"]
    assert _words(found, case.get("margin", 1.05)) == expected["verdict"]


@given(st.lists(st.floats(1, 1e6), min_size=3, max_size=9), st.lists(st.floats(1, 1e6), min_size=3, max_size=9))
def test_a_comparison_mirrors(a: list[float], b: list[float]) -> None:
    """B against A has the inverse ratio and ends, and the opposite verdict."""
    one, other = (_compared({"a": [first], "b": [second]}) for first, second in ((a, b), (b, a)))
    assert one.ratio[0] * other.ratio[0] == pytest.approx(1)
    assert one.ratio_low[0] * other.ratio_high[0] == pytest.approx(1)
    opposite = {statistics.A_FASTER: statistics.B_FASTER, statistics.B_FASTER: statistics.A_FASTER}
    assert other.verdict[0] == opposite.get(one.verdict[0], one.verdict[0])


def _point(depth: int) -> Point:
    return Point("read", "random", None, 1.0, 4096, 4096, depth, 1, True, "libaio", "file")  # noqa: FBT003


def _run(metric: str, value: float, start: float | None, name: str) -> Run:
    span = None if start is None else Span(*(START + timedelta(seconds=start + more) for more in (0, 30)))
    return Run({metric: value, "operations_per_second": 1 / value if "latency" in metric else value}, "total", 10**6,
               span, name, "", "{}")  # fmt: skip


def _assert_tests(row: Any, expected: dict[str, Any]) -> None:  # noqa: ANN401
    """Compare a row with what a vector expects of it; intervals where it states them."""
    assert row.change.value == expected["verdict"]
    assert math.log(row.ratio) == pytest.approx(expected["signed_log_difference"], abs=1e-10)
    assert row.p_equivalence == pytest.approx(expected["p_equivalence"], rel=PRINTED)


@pytest.mark.parametrize("case", _cases("gate_orders.json"))
def test_the_order_of_runs_decides_what_may_be_said(case: dict[str, Any]) -> None:
    """Layout, test and verdict of one point; better and worse in drawn pairs only."""
    metric, expected = METRICS["iops"], case["expected"]
    runs = {
        side: [
            _run(metric, value, start, f"{side}{place}")
            for place, (each, start, value) in enumerate(
                zip(case["order"], case["starts"], case["values"], strict=True)
            )
            if each == side
        ]
        for side in "AB"
    }
    order = find_order(*([run.span for run in runs[side]] for side in "AB"))
    assert (order.layout.value, len(order.pairs)) == (expected["layout"], expected["pair_count"])
    before, after = (Side("", {_point(1): runs[side]}, []) for side in "AB")
    verdict = compare_sides(before, after, Asked(margin=case["margin"], alpha=case["alpha"]))
    (row,) = verdict.points
    assert row.change.value == expected["verdict"]
    if expected["reason"]:
        assert row.reason == expected["reason"]
    if expected["p_difference"] is None:
        assert row.p_value is None
        return
    _assert_tests(row, expected)
    assert row.p_value == pytest.approx(expected["p_difference"], rel=PRINTED)
    interval = [expected["interval_low_ratio"], expected["interval_high_ratio"]]
    assert [row.low, row.high] == pytest.approx(interval, rel=CLOSE)


@pytest.mark.parametrize("case", _cases("gate_sweeps.json"))
def test_a_sweep_and_its_points_share_the_level(case: dict[str, Any]) -> None:
    """Adjusted p, moderated variance, suspects and the verdict of the whole, of runs in drawn pairs."""
    points = {point["point"]: point for point in case["points"] if point["before"]}
    sides: list[dict[Point, list[Run]]] = [{}, {}]
    for place, point in enumerate(points.values(), 1):
        for number, pair in enumerate(zip(point["before"], point["after"], strict=True)):
            begins_after = number % 4 in {1, 2}
            for side, value in enumerate(pair):
                start = 1000 * (2 * number + (side != begins_after)) + 40 * place
                run = _run(case["metric"], value, start, f"{side}-{place}-{number}")
                sides[side].setdefault(_point(place), []).append(run)
    verdict = compare_sides(Side("", sides[0], []), Side("", sides[1], []), Asked((case["metric"],)))
    assert verdict.layout.value == "paired"
    assert verdict.change.value == case["verdict"]
    for row, (name, point) in zip(verdict.points, points.items(), strict=True):
        _assert_tests(row, point["expected"])
        assert row.p_value == pytest.approx(point["expected"]["p_adjusted"], rel=PRINTED), name
        assert row.is_suspect == point["is_suspect"], name
    for row in verdict.sweeps:
        (sweep,) = (point for point in case["points"] if point["point"] == "sweep")
        _assert_tests(row, sweep["expected"])
        assert row.p_value == pytest.approx(sweep["expected"]["p_adjusted"], rel=PRINTED)


def test_the_prior_of_a_sweep_is_that_of_the_published_example() -> None:
    """Six variances with eight degrees each, worked out by hand from Smyth's formulas."""
    found = statistics.prior_of([(each * 1e-4, 8) for each in (4, 9, 16, 1, 25, 6)])
    assert found is not None
    assert found.variance == pytest.approx(5.110363559e-4, rel=1e-8)
    assert found.degrees == pytest.approx(2.829215298, rel=1e-8)
    assert statistics.prior_of([(1e-4, 4), (2e-4, 4)]) is None


def test_holm_adjusts_in_order_and_skips_unknown_values() -> None:
    """The smallest p is multiplied by the number of tests, and no later one falls below it."""
    assert statistics.holm([0.01, None, 0.04, 0.03]) == [
        pytest.approx(0.03),
        None,
        pytest.approx(0.06),
        pytest.approx(0.06),
    ]


@pytest.mark.parametrize(
    ("deviation", "count", "found"), [(0.02, 3, 83), (0.03, 5, 97), (0.05, 5, 62), (0.05, 8, 92), (0.10, 8, 40)]
)
def test_the_power_that_a_plan_states_is_what_simulation_finds(deviation: float, count: int, found: int) -> None:
    """Of pairs, for a loss of 10 % at one point, in percent of four thousand trials."""
    stated = 100 * power.chance_to_find(math.log(0.9), power.Runs(deviation, is_paired=True), count, alpha=0.05)
    noise = np.random.default_rng(count)
    differences = math.log(0.9) + noise.normal(0, deviation * math.sqrt(2), (4000, count))
    t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / math.sqrt(count))
    from scipy import special  # noqa: PLC0415

    simulated = 100 * (np.abs(t) > special.stdtrit(count - 1, 0.975)).mean()
    assert stated == pytest.approx(simulated, abs=4)
    assert stated == pytest.approx(found, abs=8)


def test_more_runs_are_advised_until_the_loss_is_found() -> None:
    """The least number with the wanted power; a smaller loss needs more."""
    runs = power.Runs(0.05, is_paired=True)
    counts = [power.runs_to_show(math.log1p(-loss), runs, alpha=0.05) for loss in (0.2, 0.1, 0.05)]
    assert counts == sorted(counts, key=lambda count: count or math.inf)
    least = counts[1]
    assert least is not None
    assert power.chance_to_find(math.log(0.9), runs, least, alpha=0.05) >= power.POWER
    assert power.chance_to_find(math.log(0.9), runs, least - 1, alpha=0.05) < power.POWER
    assert power.runs_to_show_equal(0.05, runs, alpha=0.05) is not None


def test_random_orders_of_pairs_leave_the_false_alarms_at_the_level() -> None:
    """Of equal sides with independent noise, fewer than one in twenty is called better or worse."""
    chance, alarms, trials = random.Random(5), 0, 300  # noqa: S311  (noise, no secret)
    for _ in range(trials):
        sides: list[list[Run]] = [[], []]
        for number, first in enumerate((0, 1, 1, 0, 1)):
            for turn, side in enumerate((first, 1 - first)):
                value = 1000 * math.exp(chance.gauss(0, 0.05))
                sides[side].append(_run(METRICS["iops"], value, 100 * (2 * number + turn), f"{side}-{number}"))
        before, after = (Side("", {_point(1): runs}, []) for runs in sides)
        verdict = compare_sides(before, after, Asked())
        alarms += verdict.change.value in {"better", "worse"}
    assert alarms <= 0.05 * trials + 2 * math.sqrt(0.05 * 0.95 * trials)
