"""One point of a gate: its tests beside a second implementation, what a sweep tells of its spread, and its verdict."""

from __future__ import annotations

import json
import math
import random
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special, stats

import gate_again
from ioledger.gating import power, statistics
from ioledger.gating.spread import prior
from ioledger.gating.statistics import LEAST_P99_VARIANCE, LEAST_VARIANCE, Assessed, Prior, Question
from ioledger.judgement.verdicts import Change, holm

FIXTURES = Path(__file__).parent / "fixtures"
QUESTION = Question(is_latency=False, margin=0.05, alpha=0.05)
CLOSE = 1e-8
SLOWER = math.log(0.9)
TRIALS = 100_000


def _noise(seed: int, count: int, mean: float, spread: float) -> list[float]:
    chance = random.Random(seed)  # noqa: S311  (noise, no secret)
    return [mean + chance.gauss(0, spread) for _ in range(count)]


def _decided(before: str, after: str, **question: Any) -> Change:  # noqa: ANN401  (fields of a question)
    sides = [statistics.logarithms([float(each) for each in side.split()]) for side in (before, after)]
    assert sides[0] is not None
    assert sides[1] is not None
    asked = QUESTION._replace(**question)
    found = statistics.assessed(sides[0], sides[1], asked)
    return statistics.decided(found, found.p_difference, asked)


@pytest.mark.parametrize("paired", [False, True])
def test_both_tests_are_those_of_scipy(*, paired: bool) -> None:
    """Welch's and that of pairs, for two hundred sides of any spread; the least variance holds for each."""
    for seed in range(200):
        count = 3 + seed % 7
        spread = (0, 0.0001, 0.01, 0.1, 0.5)[seed % 5]
        before, after = _noise(seed, count, 9.0, spread), _noise(-seed - 1, count, 9.0 + 0.01 * (seed % 11), spread)
        found = statistics.assessed(before, after, QUESTION, paired=paired)
        again = gate_again.assessed(before, after, least=LEAST_VARIANCE, margin=0.05, alpha=0.05, paired=paired)
        for name, value in again._asdict().items():
            assert math.isclose(getattr(found, name), value, rel_tol=CLOSE, abs_tol=1e-15), (seed, name)


def test_a_moderated_test_is_that_of_scipy() -> None:
    """The variance of a point is drawn to that of the sweep, and has the degrees of both."""
    for seed in range(100):
        before, after = _noise(seed, 2 + seed % 4, 9.0, 0.03), _noise(-seed - 1, 3, 8.9, 0.05)
        found = statistics.assessed(before, after, QUESTION, prior=Prior(0.0009, 5.5))
        again = gate_again.moderated(
            before, after, variance=0.0009, degrees=5.5, least=LEAST_VARIANCE, margin=0.05, alpha=0.05
        )
        for name, value in again._asdict().items():
            assert math.isclose(getattr(found, name), value, rel_tol=CLOSE, abs_tol=1e-15), (seed, name)


def test_a_latency_that_grows_is_worse() -> None:
    """The difference is positive where after is better, whatever the metric."""
    before, after = "100 101 99", "120 121 119"
    assert _decided(before, after, is_latency=True) is Change.WORSE
    assert _decided(before, after) is Change.BETTER


@pytest.mark.parametrize(
    ("after", "change"),
    [
        ("1000 1001 999", Change.EQUAL),
        ("951 951.2 950.8", Change.WORSE),
        ("954 954.2 953.8", Change.UNDECIDED),
        ("1100 1101 1099", Change.BETTER),
        ("900 1100 750", Change.UNDECIDED),
    ],
)
def test_the_margin_is_a_ratio_and_equality_is_shown(after: str, change: Change) -> None:
    """5 % down is 1/1.05: 951 of 1000 is outside of it; 954 is different for certain, and not by the margin."""
    assert _decided("1000 1000.2 999.8", after) is change


def test_what_differs_for_certain_within_the_margin_is_equal() -> None:
    """2 % lower in every run; with a margin of 1 % it is worse."""
    assert _decided("1000 1001 999 1000 1000.5", "980 981 979 980 980.5") is Change.EQUAL
    assert _decided("1000 1001 999 1000 1000.5", "980 981 979 980 980.5", margin=0.01) is Change.WORSE


def test_a_spread_is_never_taken_to_be_none() -> None:
    """Five times the same value are still a measurement, and p99 is one of the bins of a histogram."""
    same = [math.log(1000.0)] * 5
    assert statistics.assessed(same, same, QUESTION).standard_error == pytest.approx(math.sqrt(2e-6 / 5))
    tail = statistics.assessed(same, same, QUESTION._replace(least=LEAST_P99_VARIANCE))
    assert tail.standard_error == pytest.approx(1 / 64 / math.sqrt(30))
    assert statistics.least_variance("latency_p99_seconds") == LEAST_P99_VARIANCE
    assert statistics.least_variance("operations_per_second") == LEAST_VARIANCE


@pytest.mark.parametrize("count", [1, 2])
def test_one_and_two_values_have_no_test_of_their_own(count: int) -> None:
    """Two have one by the spread of other points; one never has."""
    values = [7.0, 7.01][:count]
    assert statistics.assessed(values, values, QUESTION) == Assessed(0.0)
    by_others = statistics.assessed(values, values, QUESTION, prior=Prior(0.0004, 8.0))
    assert (by_others.p_difference is None) == (count == 1)
    assert statistics.decided(Assessed(0.0), None, QUESTION) is Change.UNDECIDED


@pytest.mark.parametrize("values", [[1.0, 0.0], [1.0, None], [1.0, -2.0], [1.0, math.inf], []])
def test_what_is_not_above_zero_has_no_logarithm(values: list[float | None]) -> None:
    """A failed run is not slow."""
    assert statistics.logarithms(values) is None


def test_a_sweep_tells_of_the_spread_of_its_points() -> None:
    """Six variances with eight degrees each: the figures of the formula, worked by hand with scipy's functions."""
    variances = [(each * 1e-4, 8) for each in (4, 9, 16, 1, 25, 6)]
    found = prior(variances)
    assert found is not None
    assert found.variance == pytest.approx(5.110363559e-4, rel=1e-9)
    assert found.degrees == pytest.approx(2.829215298, rel=1e-9)
    assert found.most_degrees == 48
    e = [math.log(s2) - special.digamma(f / 2) + math.log(f / 2) for s2, f in variances]
    mean = sum(e) / 6
    beyond = sum((each - mean) ** 2 for each in e) / 5 - special.polygamma(1, 4)
    assert special.polygamma(1, found.degrees / 2) == pytest.approx(beyond, rel=1e-12)


def test_points_that_spread_alike_share_one_variance() -> None:
    """The degrees are then those of all together, and no more; two points tell of none."""
    found = prior([(0.0004, 8), (0.00041, 8), (0.00039, 8)])
    assert found is not None
    assert math.isinf(found.degrees)
    assert statistics.assessed([7.0, 7.1], [7.0, 7.1], QUESTION, prior=found).degrees == 24
    assert prior([(0.0004, 8), (0.0004, 8)]) is None


def test_a_new_session_is_compared_with_the_sessions_before() -> None:
    """The t of one more value: s times the root of one and an eighth, with seven degrees."""
    before, after = _noise(5, 8, 9.0, 0.05), [8.8]
    found = statistics.against_history(before, after, QUESTION, fewest=8)
    mean = sum(before) / 8
    deviation = math.sqrt(sum((each - mean) ** 2 for each in before) / 7)
    assert found.degrees == 7
    assert found.standard_error == pytest.approx(deviation * math.sqrt(1 + 1 / 8))
    assert found.difference == pytest.approx(8.8 - mean)
    assert statistics.against_history(before[:7], after, QUESTION, fewest=8).p_difference is None


def test_the_number_of_repetitions_is_that_of_simulations() -> None:
    """
    80 of 100 cases, normal noise.

    A loss of 10 % at spreads of 3, 5, 8, 10 and 15 %, and that nothing differs; the numbers are those of twenty
    thousand simulated gates each.
    """
    spreads = [power.Runs(each) for each in (0.03, 0.05, 0.08, 0.10, 0.15)]
    assert [power.to_show(math.log(0.9), each, alpha=0.05) for each in spreads] == [3, 5, 11, 16, 33]
    assert [power.to_show_equal(0.05, each, alpha=0.05) for each in spreads] == [8, 19, 47, 73, 163]
    assert power.to_show(0.0001, power.Runs(0.5), alpha=0.05) is None


@pytest.mark.parametrize(("spread", "count"), [(0.03, 4), (0.05, 6), (0.10, 17)])
def test_pairs_need_more_runs_because_their_spread_is_known_less_well(spread: float, count: int) -> None:
    """The planned number of runs in turns finds 80 of 100 losses by scipy's test of pairs; one fewer does not."""
    runs = power.Runs(spread, is_paired=True)
    assert power.to_show(SLOWER, runs, alpha=0.05) == count
    noise = np.random.default_rng(17)
    for number, is_enough in ((count, True), (count - 1, False)):
        before, after = noise.normal(0.0, spread, (2, TRIALS, number))
        found = np.mean(stats.ttest_rel(after + SLOWER, before, axis=1).pvalue < 0.05)
        assert bool(found >= 0.8) is is_enough
        assert power.finds(SLOWER, runs, number, alpha=0.05) == pytest.approx(found, abs=0.035)


def test_what_is_shown_is_shown_so_often() -> None:
    """The smallest difference of an error is the one that has the power."""
    smallest = power.shown(0.02, 8.0, alpha=0.05)
    assert power.chance(smallest / 0.02, 8.0, 0.975) == pytest.approx(0.8)


def _cases() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each test of the fixture with the sides it is of."""
    held: dict[str, Any] = json.loads((FIXTURES / "gate_cases.json").read_bytes())
    return [(sides, test) for sides in held["sides"] for test in sides["tests"]]


CASES = _cases()
FAMILIES = groupby(sorted(CASES, key=lambda case: case[1].get("family", "")), lambda case: case[1].get("family", ""))
ADJUSTED = {
    test["name"]: p
    for cases in (list(each) for family, each in FAMILIES if family)
    for (_, test), p in zip(cases, holm([test["figures"]["p_difference"] for _, test in cases]), strict=True)
}
"""The p of each test that was asked among others, adjusted for their number."""


@pytest.mark.parametrize(("sides", "test"), CASES, ids=[test["name"] for _, test in CASES])
def test_a_case_that_was_computed_elsewhere_holds(sides: dict[str, Any], test: dict[str, Any]) -> None:
    """Made ones and real runs: every figure to 1e-8, null where there is none, and the verdict."""
    found, question = _of_case(sides, test)
    figures = {name: getattr(found, name, None) for name in test["figures"]}
    _are_close(figures, test["figures"])
    adjusted = ADJUSTED.get(test["name"], figures["p_difference"])
    _are_close({"adjusted": adjusted}, {"adjusted": test.get("adjusted", figures["p_difference"])})
    decided = statistics.decided(found, adjusted, question) if found else Change.NOT_COMPARABLE
    assert decided == test["verdict"]


def test_no_case_is_left_out() -> None:
    """Eighty-one, each with a name of its own; four have no figures, because one or two values or none tell nothing."""
    names = {test["name"] for _, test in CASES}
    assert len(names) == len(CASES) == 81
    assert sum(test["figures"]["p_difference"] is None for _, test in CASES) == 4
    assert len(ADJUSTED) == 6


def _are_close(found: dict[str, float | None], expected: dict[str, float | None]) -> None:
    for name, value in expected.items():
        own = found[name]
        if own is None or value is None:
            assert own == value, name
        else:
            assert math.isclose(own, value, rel_tol=CLOSE), (name, own, value)


def _of_case(sides: dict[str, Any], test: dict[str, Any]) -> tuple[Assessed | None, Question]:
    """Return what the package finds of a case, null where a side has no logarithms; and what was asked."""
    metric: str = sides["metric"]
    least = statistics.least_variance(metric)
    question = Question(metric.startswith("latency"), test.get("margin", 0.05), 0.05, least)
    before, after = (statistics.logarithms(sides[name]) for name in ("before", "after"))
    if before is None or after is None:
        return None, question
    known = Prior(**test["prior"]) if "prior" in test else None
    return statistics.assessed(before, after, question, paired=test["paired"], prior=known), question
