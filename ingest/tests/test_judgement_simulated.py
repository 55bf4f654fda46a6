"""
How often judgement errs and finds, simulated: each vector (J...) holds shares that other code found in as many trials.

Shares agree within one in a hundred; the generators are seeded, so that every run draws the same numbers. All quotients
go through the functions that a build uses, many at once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ioledger.judgement.limits import limit
from ioledger.judgement.peaks import Folded, folded
from ioledger.judgement.quotients import Judged, Side, judged
from ioledger.judgement.uncertainty import Member, averaged, student_quantile
from ioledger.judgement.verdicts import holm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

TRIALS = 40_000
PEAK_TRIALS = 20_000
NEAR = 0.01


def _logs(chance: np.random.Generator, count: int, spread: float, trials: int = TRIALS) -> Numbers:
    """Return logarithms of repetitions around 0, by trial; ``spread`` is a coefficient of variation."""
    return chance.normal(0, math.sqrt(math.log1p(spread**2)), (trials, count))


def _side(logs: Numbers, *, half: float = 0.0, needs_session: bool = False) -> Side:
    """Return many sides from their repetitions, one per row."""
    trials, count = logs.shape
    return _summed(
        logs.mean(axis=1),
        np.var(logs, axis=1, ddof=1) / count if count > 1 else np.full(trials, np.nan),
        np.full(trials, count - 1.0 if count > 1 else np.nan),
        half=half,
        needs_session=needs_session,
    )


def _summed(
    means: Numbers, variances: Numbers, degrees: Numbers, *, half: float = 0.0, needs_session: bool = False
) -> Side:
    """Return many sides that are summed up already."""
    halves, flags = np.full(len(means), half), np.zeros(len(means), dtype=np.bool_)
    return Side(np.exp(means), variances, degrees, halves, halves, flags | needs_session, flags, flags)


def _judged(a: Side, b: Side) -> Judged:
    trials = len(a.value)
    return judged(a, b, np.zeros(trials, dtype=np.bool_), np.full(trials, limit("margin")))


def _shares(found: Judged, *verdicts: str) -> list[float]:
    """Return the shares of verdicts: equal, A, B and undecided, or those asked for."""
    asked = verdicts or ("equal within 1.05", "A faster", "B faster", "undecided")
    said = np.array(found.verdict.texts, dtype=object)[found.verdict.codes]
    return [float(np.mean(said == each)) for each in asked]


def _holds(found: Judged, truth: float) -> float:
    """Return the share of intervals that hold the true ratio."""
    return float(np.mean((found.low <= truth) & (truth <= found.high)))


WELCH = (
    # vector, repetitions, spread, true ratio, shares: equal, A faster, B faster, undecided
    ("J135", 3, 0.03, 1.0, (0.1571, 0.0151, 0.0146, 0.8133)),
    ("J136", 5, 0.03, 1.0, (0.5045, 0.0179, 0.0189, 0.4587)),
    ("J137", 10, 0.1, 1.0, (0.0008, 0.0245, 0.0261, 0.9486)),
    ("J138", 5, 0.02, 1.0, (0.9269, 0.0075, 0.007, 0.0586)),
    ("J139", 3, 0.03, 1.1, (0.0004, 0.7231, 0.0, 0.2765)),
    ("J140", 5, 0.03, 1.1, (0.0, 0.9888, 0.0, 0.0112)),
    ("J141", 5, 0.05, 1.1, (0.0006, 0.724, 0.0, 0.2753)),
    ("J142", 10, 0.05, 1.1, (0.0001, 0.979, 0.0, 0.021)),
    ("J143", 5, 0.1, 1.2, (0.0, 0.6892, 0.0, 0.3108)),
    ("J144", 10, 0.1, 1.2, (0.0, 0.9695, 0.0, 0.0305)),
)


@pytest.mark.parametrize("vector", WELCH, ids=lambda vector: vector[0])
def test_verdicts_err_and_find_as_often_as_they_should(
    vector: tuple[str, int, float, float, tuple[float, ...]],
) -> None:
    """False "faster" stays below 5 %, and "equal" is said only where it can be shown."""
    _, count, spread, ratio, shares = vector
    chance = np.random.default_rng(135)
    a, b = _logs(chance, count, spread) + math.log(ratio), _logs(chance, count, spread)
    assert _shares(_judged(_side(a), _side(b))) == pytest.approx(shares, abs=NEAR)


EQUAL = (
    # vector, repetitions, spread, share of equal at a true ratio of 1.05 and of 1
    ("J145", 5, 0.01, (0.0472, 1.0)),
    ("J146", 5, 0.02, (0.046, 0.9284)),
    ("J147", 5, 0.03, (0.0447, 0.503)),
    ("J148", 10, 0.03, (0.0487, 0.9339)),
)


@pytest.mark.parametrize("vector", EQUAL, ids=lambda vector: vector[0])
def test_equal_is_wrong_in_one_case_of_twenty_at_most(
    vector: tuple[str, int, float, tuple[float, float]],
) -> None:
    """At a true ratio that is the margin itself."""
    _, count, spread, shares = vector
    chance = np.random.default_rng(145)
    found = []
    for ratio in (1.05, 1.0):
        a, b = _logs(chance, count, spread) + math.log(ratio), _logs(chance, count, spread)
        found += _shares(_judged(_side(a), _side(b)), "equal within 1.05")
    assert found == pytest.approx(shares, abs=NEAR)


SESSIONS = (
    # vector, spread between sessions, repetitions, shares without and with the session term
    ("J149", 0.03, 3, (0.5149, 0.2119, 0.213, 0.0601), (0.0, 0.0253, 0.0252, 0.9495)),
    ("J150", 0.03, 5, (0.6086, 0.1996, 0.1918, 0.0), (0.0, 0.025, 0.0254, 0.9496)),
    ("J151", 0.05, 5, (0.3961, 0.3041, 0.2998, 0.0), (0.0, 0.1211, 0.1168, 0.7622)),
)


@pytest.mark.parametrize("vector", SESSIONS, ids=lambda vector: vector[0])
def test_repetitions_of_one_session_need_the_session_term(
    vector: tuple[str, float, int, tuple[float, ...], tuple[float, ...]],
) -> None:
    """Without it one untouched disk is "faster" than itself in two of five cases."""
    _, between, count, plain, with_term = vector
    chance = np.random.default_rng(149)
    a, b = (_logs(chance, count, 0.01) + chance.normal(0, between, (TRIALS, 1)) for _ in "ab")
    assert _shares(_judged(_side(a), _side(b))) == pytest.approx(plain, abs=NEAR)
    found = _judged(_side(a, needs_session=True), _side(b, needs_session=True))
    assert _shares(found) == pytest.approx(with_term, abs=NEAR)


TIES = (("J152", 0.05, 0.6646), ("J153", 0.1, 0.889), ("J154", 0.18, 0.9432))


@pytest.mark.parametrize("vector", TIES, ids=lambda vector: vector[0])
def test_an_interval_that_holds_1_is_no_tie(vector: tuple[str, float, float]) -> None:
    """Three repetitions hold 1 in most cases, and the true ratio is 1.1: "tie" would be wrong each time."""
    _, spread, share = vector
    chance = np.random.default_rng(152)
    a, b = _logs(chance, 3, spread) + math.log(1.1), _logs(chance, 3, spread)
    assert _holds(_judged(_side(a), _side(b)), 1) == pytest.approx(share, abs=NEAR)


ASSUMED = (
    # vector, true spread of the logarithm, true ratio, share decided
    ("J155", 0.02, 1.0, 0.0),
    ("J156", 0.05, 1.0, 0.0001),
    ("J157", 0.08, 1.0, 0.0146),
    ("J158", 0.1, 1.0, 0.0506),
    ("J159", 0.15, 1.0, 0.1905),
    ("J160", 0.213, 1.0, 0.3564),
    ("J161", 0.05, 1.2, 0.09),
    ("J162", 0.05, 1.5, 0.9655),
    ("J163", 0.05, 2.0, 1.0),
    ("J164", 0.1, 1.2, 0.2512),
    ("J165", 0.1, 1.5, 0.8166),
    ("J166", 0.1, 2.0, 0.9985),
)


@pytest.mark.parametrize("vector", ASSUMED, ids=lambda vector: vector[0])
def test_single_runs_are_judged_as_well_as_they_spread(vector: tuple[str, float, float, float]) -> None:
    """At the assumed spread one in twenty is wrong; at half of it none, at twice as much one in three."""
    _, spread, ratio, share = vector
    chance = np.random.default_rng(155)
    a, b = chance.normal(0, spread, (2, TRIALS, 1))
    found = _judged(_side(a + math.log(ratio)), _side(b))
    assert 1 - _shares(found, "undecided")[0] == pytest.approx(share, abs=NEAR)


FAMILIES = (
    # vectors, repetitions, at least one false alarm in five without and with Holm, coverage of the geometric mean
    ("J167 J168", 3, (0.1648, 0.0277), 0.9607),
    ("J169 J170", 5, (0.2049, 0.0377), 0.9553),
)


@pytest.mark.parametrize("vector", FAMILIES, ids=lambda vector: vector[0])
def test_five_comparisons_in_one_summary(vector: tuple[str, int, tuple[float, float], float]) -> None:
    """Some false alarm in one of five summaries becomes one in twenty-five; the mean's interval holds."""
    _, count, alarms, coverage = vector
    chance = np.random.default_rng(167)
    sides = [[_logs(chance, count, 0.05, 5 * TRIALS // 2) for _ in "ab"]]
    found = _judged(*map(_side, sides[0]))
    p_values = found.p_value.reshape(-1, 5)
    smallest = p_values.min(axis=1)
    adjusted = np.array([min(each or 0.0 for each in holm(row)) for row in p_values[smallest < NEAR * 5].tolist()])
    plain, corrected = float(np.mean(smallest < 0.05)), float(np.sum(adjusted < 0.05)) / len(p_values)
    assert (plain, corrected) == pytest.approx(alarms, abs=NEAR)
    columns = [each.reshape(-1, 5)[:10_000] for each in (np.log(found.ratio), found.variance, found.degrees)]
    mean = averaged(Member(*columns, *[np.zeros_like(columns[0])] * 3))
    width = student_quantile(0.975, mean.degrees) * np.sqrt(mean.variance)
    assert float(np.mean(np.abs(np.log(mean.value)) <= width)) == pytest.approx(coverage, abs=NEAR)


MEDIANS = (("J171", 3, 0.741), ("J172", 5, 0.695), ("J173", 7, 0.68), ("J174", 10, 0.726))


@pytest.mark.parametrize("vector", MEDIANS, ids=lambda vector: vector[0])
def test_a_median_wastes_repetitions(vector: tuple[str, int, float]) -> None:
    """Its variance against that of the mean, at normal noise: the reason why values are geometric means."""
    _, count, efficiency = vector
    logs = np.random.default_rng(171).normal(0, 1, (8 * TRIALS, count))
    found = np.var(logs.mean(axis=1)) / np.var(np.median(logs, axis=1))
    assert found == pytest.approx(efficiency, abs=NEAR)


ROUNDED = (
    # vector, spread, rounding on logarithms, coverage of Welch alone and with half-widths
    ("J175", 0.002, 0.02, (0.2285, 1.0)),
    ("J176", 0.02, 0.02, (0.9111, 0.9987)),
    ("J177", 0.05, 0.01, (0.9627, 0.9862)),
)


@pytest.mark.parametrize("vector", ROUNDED, ids=lambda vector: vector[0])
def test_rounding_is_added_because_repetitions_do_not_show_it(
    vector: tuple[str, float, float, tuple[float, float]],
) -> None:
    """It is the same in every repetition; in quadrature it would be believed to average out."""
    _, spread, half, coverage = vector
    chance = np.random.default_rng(175)
    a, b = (_logs(chance, 3, spread) + chance.uniform(-half, half, (TRIALS, 1)) for _ in "ab")
    alone, added = _judged(_side(a), _side(b)), _judged(_side(a, half=half), _side(b, half=half))
    assert (_holds(alone, 1), _holds(added, 1)) == pytest.approx(coverage, abs=NEAR)


PEAKS = (
    # vector, curve, depths, repetitions, spread, bias of the highest point and of the folds (relative), variance in
    # those of one point, coverage with variance factor 1 and 2, false alarms against one point and another peak
    ("J178", "flat", 1, 3, 0.02, 0.0, 0.0, 1.0134, 0.9516, 0.9759, 0.0203, 0.0098),
    ("J179", "flat", 1, 3, 0.1, -0.0007, -0.0007, 0.9923, 0.9502, 0.974, 0.0193, 0.0106),
    ("J180", "flat", 1, 5, 0.02, 0.0001, 0.0001, 0.9933, 0.9498, 0.9829, 0.0211, 0.0086),
    ("J181", "flat", 1, 5, 0.1, 0.0004, 0.0004, 1.0137, 0.9469, 0.9819, 0.0198, 0.0086),
    ("J182", "flat", 1, 10, 0.02, 0.0001, 0.0001, 0.9788, 0.953, 0.99, 0.0175, 0.0063),
    ("J183", "flat", 1, 10, 0.1, 0.0004, 0.0004, 1.0019, 0.9489, 0.9888, 0.0195, 0.0079),
    ("J184", "flat", 1, 20, 0.02, 0.0, 0.0, 1.0051, 0.9481, 0.9915, 0.0185, 0.0067),
    ("J185", "flat", 1, 20, 0.1, 0.0001, 0.0001, 1.0066, 0.949, 0.9919, 0.017, 0.0072),
    ("J186", "flat", 2, 3, 0.02, 0.0066, 0.0, 1.3626, 0.9463, 0.9828, 0.021, 0.0097),
    ("J187", "flat", 2, 3, 0.1, 0.0334, 0.0005, 1.3766, 0.9483, 0.9756, 0.0202, 0.0115),
    ("J188", "flat", 2, 5, 0.02, 0.0051, 0.0, 1.3585, 0.9352, 0.9858, 0.0236, 0.0118),
    ("J189", "flat", 2, 5, 0.1, 0.0253, -0.0004, 1.3646, 0.9389, 0.9838, 0.0235, 0.0136),
    ("J190", "flat", 2, 10, 0.02, 0.0036, 0.0001, 1.3634, 0.9254, 0.9888, 0.0232, 0.0128),
    ("J191", "flat", 2, 10, 0.1, 0.0179, -0.0001, 1.3738, 0.9274, 0.9877, 0.0232, 0.0134),
    ("J192", "flat", 2, 20, 0.02, 0.0025, 0.0, 1.3664, 0.9223, 0.9899, 0.0247, 0.0134),
    ("J193", "flat", 2, 20, 0.1, 0.0128, 0.0002, 1.3665, 0.9191, 0.988, 0.0239, 0.0135),
    ("J194", "flat", 5, 3, 0.02, 0.0134, -0.0001, 1.5313, 0.9112, 0.9802, 0.0276, 0.0158),
    ("J195", "flat", 5, 3, 0.1, 0.0694, -0.0002, 1.5571, 0.9282, 0.9707, 0.028, 0.0199),
    ("J196", "flat", 5, 5, 0.02, 0.0105, 0.0001, 1.5232, 0.8954, 0.9808, 0.0294, 0.0211),
    ("J197", "flat", 5, 5, 0.1, 0.0531, -0.0005, 1.5082, 0.9169, 0.9779, 0.028, 0.0209),
    ("J198", "flat", 5, 10, 0.02, 0.0074, 0.0, 1.5002, 0.8938, 0.9831, 0.029, 0.0207),
    ("J199", "flat", 5, 10, 0.1, 0.0375, 0.0001, 1.531, 0.899, 0.9799, 0.0328, 0.022),
    ("J200", "flat", 5, 20, 0.02, 0.0052, 0.0, 1.5257, 0.8863, 0.9832, 0.0299, 0.0219),
    ("J201", "flat", 5, 20, 0.1, 0.0262, 0.0001, 1.5172, 0.8874, 0.9824, 0.0304, 0.0218),
    ("J202", "flat", 9, 3, 0.02, 0.0174, 0.0002, 1.5641, 0.8915, 0.974, 0.0323, 0.0226),
    ("J203", "flat", 9, 3, 0.1, 0.0893, -0.0003, 1.5308, 0.9203, 0.9686, 0.03, 0.0276),
    ("J204", "flat", 9, 5, 0.02, 0.0134, 0.0, 1.5132, 0.8877, 0.9798, 0.0326, 0.0242),
    ("J205", "flat", 9, 5, 0.1, 0.0687, 0.0003, 1.5359, 0.9009, 0.9719, 0.0324, 0.0276),
    ("J206", "flat", 9, 10, 0.02, 0.0094, 0.0001, 1.5621, 0.875, 0.9768, 0.0328, 0.0258),
    ("J207", "flat", 9, 10, 0.1, 0.0479, -0.0004, 1.5393, 0.8839, 0.9757, 0.0323, 0.0267),
    ("J208", "flat", 9, 20, 0.02, 0.0067, 0.0001, 1.5342, 0.876, 0.9762, 0.0331, 0.0267),
    ("J209", "flat", 9, 20, 0.1, 0.0338, 0.0002, 1.5414, 0.8752, 0.9787, 0.0326, 0.024),
    ("J210", "saturating", 10, 3, 0.02, 0.0016, -0.0035, 1.6105, 0.9254, 0.9826, 0.0268, 0.0176),
    ("J211", "saturating", 10, 3, 0.1, 0.0343, -0.0183, 1.647, 0.9278, 0.975, 0.0274, 0.0216),
    ("J212", "saturating", 10, 5, 0.02, 0.0007, -0.0026, 1.6088, 0.8937, 0.9748, 0.034, 0.0234),
    ("J213", "saturating", 10, 5, 0.1, 0.0229, -0.015, 1.6677, 0.8988, 0.9755, 0.0318, 0.0248),
    ("J214", "saturating", 10, 10, 0.02, 0.0001, -0.0014, 1.56, 0.8807, 0.9664, 0.0369, 0.0277),
    ("J215", "saturating", 10, 10, 0.1, 0.013, -0.0109, 1.6411, 0.8805, 0.9746, 0.0357, 0.0241),
    ("J216", "saturating", 10, 20, 0.02, 0.0, -0.0004, 1.3247, 0.9139, 0.9719, 0.03, 0.0204),
    ("J217", "saturating", 10, 20, 0.1, 0.0068, -0.0079, 1.6556, 0.8694, 0.973, 0.0401, 0.0275),
)


@pytest.mark.parametrize("vector", PEAKS, ids=lambda vector: vector[0])
def test_a_peak_is_as_high_and_as_sure_as_it_says(vector: tuple[str, str, int, int, float, *tuple[float, ...]]) -> None:
    """No bias on a plateau, 95 % of the intervals hold it, and quotients of peaks raise few false alarms."""
    _, curve, depths, count, spread, *shares = vector
    chance = np.random.default_rng(178)
    depth = 2.0 ** np.arange(depths)
    ideal = np.log(depth / (depth + 8)) if curve == "saturating" else np.zeros(depths)
    levels = (ideal - ideal.max())[None, :, None]

    def peaks() -> Folded:
        return folded(_logs(chance, depths * count, spread, PEAK_TRIALS).reshape(-1, depths, count) + levels)

    found, other = peaks(), peaks()
    bias = [math.expm1(each) for each in (found.means.max(axis=1).mean(), found.logarithm.mean())]
    variance = np.var(found.logarithm) / (math.log1p(spread**2) / count)
    width = student_quantile(0.975, found.degrees) * np.sqrt(found.variance)
    coverage = [float(np.mean(np.abs(found.logarithm) <= width / math.sqrt(factor))) for factor in (2, 1)]
    side, again = (_summed(each.logarithm, each.variance, each.degrees) for each in (found, other))
    point = _side(_logs(chance, count, spread, PEAK_TRIALS))
    alarms = [1 - _holds(_judged(side, each), 1) for each in (point, again)]
    assert [*bias, *coverage, *alarms] == pytest.approx([*shares[:2], *shares[3:]], abs=NEAR)
    assert variance == pytest.approx(shares[2], rel=0.05)


def test_no_simulated_vector_is_left_out() -> None:
    """J135 to J217, each once."""
    tables = (WELCH, EQUAL, SESSIONS, TIES, ASSUMED, FAMILIES, MEDIANS, ROUNDED, PEAKS)
    names = [name for table in tables for row in table for name in str(row[0]).split()]
    assert names == [f"J{number}" for number in range(135, 218)]
