"""
Intervals, verdicts, summaries, peaks, ideals and evidence as SQL sees them, against values computed elsewhere.

Each expectation carries the number of its vector (J...), whose value was computed by other code; numbers hold within
one part in a billion, words exactly.
"""

from __future__ import annotations

import csv
import math
import random
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import judgement_again as again
from ioledger.judgement import functions, verdicts
from ioledger.judgement.evidence import evidence_level, job_key, replication
from ioledger.judgement.limits import limit
from ioledger.judgement.peaks import peak_by_folds
from ioledger.judgement.printed import interval
from ioledger.judgement.scaling import scaling_ideal
from ioledger.judgement.verdicts import Stated, sentence_sql
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judgement_again import Half

NEAR = 1e-9
IF = ", if runs spread by 10 %"
PRECISE = pytest.approx
Judged = dict[str, Any]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a database that knows the functions."""
    with duckdb.connect() as opened:
        functions.register(opened)
        yield opened


def _asked(connection: duckdb.DuckDBPyConnection, call: str, *values: object) -> Any:  # noqa: ANN401  (any type of SQL)
    row = connection.execute(f"select {call}", list(values)).fetchone()
    assert row is not None
    return row[0]


class Operand(NamedTuple):
    """One side, as ``judged`` takes it."""

    value: float | None
    variance: float | None = None
    degrees: float | None = None
    low_half: float | None = 0.0
    high_half: float | None = 0.0
    needs_session: bool | None = False
    is_held_back: bool | None = False


def _judged(connection: duckdb.DuckDBPyConnection, a: Operand, b: Operand, *rest: object) -> Judged:
    """Judge one quotient; ``rest`` is whether it is of latencies, the margin, and the kinds of both sides."""
    stated = [*rest, *[None] * (4 - len(rest))]
    marks = ", ".join("?" * 18)
    found: Judged = _asked(connection, f"judged({marks})", stated[0], *a, *b, *stated[1:])
    return found


def _printed(text: str) -> Operand:
    """Return an operand that is printed as ``4700``, ``about 10 us`` or ``more than 1.2``."""
    words = {"about": "approximate", "more than": "lower_bound", "less than": "upper_bound"}
    kind = next((kind for word, kind in words.items() if text.startswith(word)), "measured")
    number = next(part for part in text.split() if part[0].isdigit())
    value = float(number)
    found = interval({"printed_value": value, "printed_text": number, "value_kind": kind})
    low, high = found["value_low"], found["value_high"]
    assert not isinstance(low, str)
    assert not isinstance(high, str)
    return Operand(
        value,
        low_half=math.inf if low is None else math.log(value / low),
        high_half=math.inf if high is None else math.log(high / value),
    )


def _repeated(values: Sequence[float], half: Half = 0.0, *, needs_session: bool = False) -> Operand:
    """Return an operand from its repetitions."""
    found = again.side(values, half, needs_session)
    variance = found.scatter if found.variance is None else found.variance
    return Operand(math.exp(found.mean), variance, *found[2:5], found.needs_session)


PRINTED = (
    # vector, A, B, latency, ratio, low, high, kind
    ("J043", "192881", "864", False, 223.24189814814815, 223.11220358588778, 223.37174290677476, "rounding"),
    ("J044", "29530", "19005", False, 1.5538016311496974, 1.5534976717266054, 1.5541056065668657, "rounding"),
    ("J045", "4700", "1100", False, 4.2727272727272725, 4.043478260869565, 4.523809523809524, "rounding"),
    ("J046", "185000", "186000", False, 0.9946236559139785, 0.9892761394101877, 1.0, "rounding"),
    ("J047", "30000", "29000", False, 1.0344827586206897, 0.9661016949152542, 1.105263157894737, "rounding"),
    ("J048", "more than 1.2", "less than 0.3", False, None, 4.0, None, "bound"),
    ("J049", "less than 0.3", "more than 1.2", False, None, 0.0, 0.25, "bound"),
    ("J050", "more than 1.2", "0.30", False, None, 3.9344262295081966, None, "bound+rounding"),
    ("J051", "about 10 us", "about 100 us", True, 10.0, 9.047619047619047, 11.052631578947368, "rounding"),
)


@pytest.mark.parametrize("vector", PRINTED, ids=lambda vector: vector[0])
def test_printed_operands_leave_an_interval(
    connection: duckdb.DuckDBPyConnection, vector: tuple[str, str, str, bool, float, float, float, str]
) -> None:
    """Half a unit of the last digit, 5 % for "about", and ends that stay open at bounds; 0 is an open low end."""
    _, a, b, is_latency, ratio, low, high, kind = vector
    found = _judged(connection, _printed(a), _printed(b), is_latency)
    assert found["ratio"] == (ratio and PRECISE(ratio, rel=NEAR))
    assert found["low"] == (PRECISE(low, rel=NEAR) if low else None)
    assert found["high"] == (high and PRECISE(high, rel=NEAR))
    assert (found["kind"], found["verdict_basis"]) == (kind, "assumed")


MEASURED = (
    # vector, A, B, half of A, half of B, session term, verdict, ratio, low, high, kind, degrees
    (
        *("J052", (110, 111, 109), (100, 101, 99), 0.0, 0.0, False, "A faster"),
        *(1.1000063642359683, 1.0763483741448332, 1.1241843537144736, "repetitions", 3.9642),
    ),
    (
        *("J053", (100.0, 100.5, 99.5, 100.2, 99.8), (100.1, 100.4, 99.9, 99.6, 100.0), 0.0, 0.0, False),
        *("equal within 1.05", 0.9999975999644792, 0.9950050457596675, 1.0050152048940024, "repetitions", 7.49026),
    ),
    (
        *("J054", (1170, 1010, 900), (1000, 1130, 1050), 0.0, 0.0, False, "undecided"),
        *(0.9641856586418714, 0.7318352070542514, 1.2703050842178782, "repetitions", 2.83546),
    ),
    (
        *("J055", (102.0, 102.1, 101.9, 102.05, 101.95), (100.0, 100.1, 99.9, 100.05, 99.95), 0.0, 0.0, False),
        *("equal within 1.05", 1.0200000099019686, 1.0188360055496082, 1.021165344111269, "repetitions", 7.99686),
    ),
    (
        *("J056", (106, 107, 105), (100, 101, 99), 0.0, 0.0, True, "undecided"),
        *(1.0600038871669146, 0.9739904080026677, 1.1536132507845926, "repetitions", 3485.6),
    ),
    (
        *("J057", (120, 121, 119), (100, 101, 99), 0.0, 0.0, True, "A faster"),
        *(1.2000122233200572, 1.1028066632742302, 1.3057858499350223, "repetitions", 4184.8),
    ),
    (
        *("J058", (0.41, 0.42, 0.41), (0.3, 0.31, 0.3), 0.012195121951219513, 0.016666666666666666, False),
        *("A faster", 1.3627125853019522, 1.2732762461365066, 1.4584310323662828, "repetitions+rounding", 3.6725),
    ),
    (
        *("J059", (100, 100, 100), (100, 100, 100), 0.005, 0.005, False, "equal within 1.05"),
        *(1.0, 0.9900498337491681, 1.010050167084168, "repetitions", 2.0),
    ),
)


@pytest.mark.parametrize("vector", MEASURED, ids=lambda vector: vector[0])
def test_repetitions_give_an_interval_and_a_verdict(
    connection: duckdb.DuckDBPyConnection, vector: tuple[Any, ...]
) -> None:
    """Welch on logarithms, with the session term where it applies and half-widths added to it."""
    _, a, b, a_half, b_half, has_term, verdict, ratio, low, high, kind, degrees = vector
    sides = (_repeated(a, a_half, needs_session=has_term), _repeated(b, b_half, needs_session=has_term))
    found = _judged(connection, *sides)
    assert found["verdict"] == verdict
    assert [found[name] for name in ("ratio", "low", "high")] == PRECISE([ratio, low, high], rel=NEAR)
    assert (found["kind"], found["verdict_basis"]) == (kind, "measured")
    assert found["degrees"] == PRECISE(degrees, rel=1e-4)
    one_by_one = again.quotient(a, b, False, a_half, b_half, has_term, has_term)  # noqa: FBT003
    assert (one_by_one.verdict, one_by_one.low, one_by_one.high) == (verdict, found["low"], found["high"])


SINGLE = (
    ("J060", 192881, 864, f"A faster{IF}", 223.24189814814815, 169.19893684634397, 294.5464434805937),
    ("J061", 185000, 186000, "undecided", 0.9946236559139785, 0.7538426547116552, 1.3123112770556693),
    ("J062", 1300, 1000, "undecided", 1.3, 0.9852927238339364, 1.7152263069841127),
    ("J063", 1330, 1000, f"A faster{IF}", 1.33, 1.0080302482301042, 1.7548084525299),
)


@pytest.mark.parametrize("vector", SINGLE, ids=lambda vector: vector[0])
def test_what_is_measured_once_is_judged_by_an_assumed_spread(
    connection: duckdb.DuckDBPyConnection, vector: tuple[str, float, float, str, float, float, float]
) -> None:
    """The interval stays what is known, which is nothing; the verdict names its condition, whatever is rounded."""
    _, a, b, verdict, ratio, low, high = vector
    found = _judged(connection, Operand(a), Operand(b))
    assert (found["verdict"], found["verdict_basis"], found["kind"]) == (verdict, "assumed", "none")
    assert (found["low"], found["high"]) == (None, None)
    assert (found["p_value"] < limit("significance")) == verdict.endswith(IF)
    assert found["ratio"] == PRECISE(ratio, rel=NEAR)
    width = math.exp(stats.norm.ppf(0.975) * math.sqrt(2) * limit("assumed_spread"))
    assert [ratio / width, ratio * width] == PRECISE([low, high], rel=NEAR)
    assert _judged(connection, _printed(str(a)), _printed(str(b)))["verdict"] == verdict


def test_the_faster_side_follows_from_a_bound_only_where_the_bound_says_so(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """J089 to J091: the generator of A was the limit, so A is at least that fast."""
    repeated = Operand(80000, 0.01**2 / 5, 4)
    found = _judged(connection, Operand(100000, high_half=math.inf), repeated)
    assert (found["verdict"], found["verdict_basis"], found["kind"]) == ("A faster", "bound", "bound+repetitions")
    assert (found["low"], found["high"], found["ratio"]) == (PRECISE(1.234575160535564, rel=NEAR), None, None)
    below = _judged(connection, Operand(80000, high_half=math.inf), Operand(100000))
    assert (below["verdict"], below["reason"]) == ("undecided", verdicts.HALF_OPEN)
    both = _judged(connection, Operand(100000, high_half=math.inf), Operand(80000, high_half=math.inf))
    assert (both["verdict"], both["reason"], both["low"], both["high"]) == (
        *("undecided", verdicts.BOTH_OPEN), None, None,
    )  # fmt: skip


@pytest.mark.parametrize(("value", "verdict"), [(135e3, f"A faster{IF}"), (100e3, "undecided")])
@pytest.mark.parametrize("variance", [None, 0.0001], ids=["one run", "two runs"])
def test_runs_that_a_check_holds_back_scatter_like_others(
    connection: duckdb.DuckDBPyConnection, value: float, verdict: str, variance: float | None
) -> None:
    """A is at least as fast as it was in its one run, but the run could have come out lower."""
    repeated = Operand(80e3, 0.01**2 / 5, 4)
    found = _judged(connection, Operand(value, variance, high_half=math.inf, is_held_back=True), repeated)
    assert (found["verdict"], found["verdict_basis"], found["kind"]) == (verdict, "assumed", "bound")
    assert (found["low"], found["high"]) == (PRECISE(value / 80e3, rel=NEAR), None)
    turned = _judged(connection, repeated, Operand(value, variance, high_half=math.inf, is_held_back=True))
    assert turned["verdict"] == verdict.replace("A", "B")


def test_holm_adjusts_for_the_number_of_comparisons(connection: duckdb.DuckDBPyConnection) -> None:
    """J064; what has no p is not counted, and no p is above 1."""
    found = _asked(connection, "holm([0.001, 0.012, 0.02, 0.04, 0.6])")
    assert found == PRECISE([0.005, 0.048, 0.06, 0.08, 0.6], rel=NEAR)
    assert _asked(connection, "holm([0.6, null, 0.03, 0.7])") == [1.0, None, PRECISE(0.09, rel=NEAR), 1.0]
    assert (_asked(connection, "holm(null)"), _asked(connection, "holm([])")) == (None, [])


OWN = {"session_variance": 0.0}
"""Of a member whose runs share no session with those of the others."""


def test_a_summary_combines_the_members_intervals(connection: duckdb.DuckDBPyConnection) -> None:
    """J065: variances and degrees of three repeated quotients; J066: the ends of five printed ones."""
    members = [
        {"logarithm": 0.1, "variance": 0.0004, "degrees": 4.0, "low_half": 0.0, "high_half": 0.0, **OWN},
        {"logarithm": 0.2, "variance": 0.0009, "degrees": 5.0, "low_half": 0.0, "high_half": 0.0, **OWN},
        {"logarithm": 0.05, "variance": 0.0001, "degrees": 4.0, "low_half": 0.0, "high_half": 0.0, **OWN},
    ]
    repeated = _asked(connection, "judged_mean(?, null)", members)
    assert [repeated[name] for name in ("ratio", "low", "high")] == PRECISE(
        [1.1237447856581144, 1.0927666203589113, 1.1556011318126125], rel=NEAR
    )
    assert repeated["degrees"] == PRECISE(9.58435, rel=1e-5)
    assert (repeated["kind"], repeated["verdict"], repeated["verdict_basis"]) == ("repetitions", "A faster", "measured")
    pairs = ("192881/864", "29530/766", "29033/789", "2395/237", "1844/237")
    quotients = [_judged(connection, *map(_printed, pair.split("/"))) for pair in pairs]
    printed = _asked(connection, f"judged_mean([{', '.join(map(_member, quotients))}], null)")
    assert [printed[name] for name in ("ratio", "low", "high")] == PRECISE(
        [30.14664643098328, 30.105983944519807, 30.187423719005412], rel=NEAR
    )
    assert (printed["kind"], printed["verdict"]) == ("rounding", f"A faster{IF}")


def _member(found: Judged) -> str:
    """Return a quotient as a member of a summary, in SQL."""
    ratio, low, high = (found[name] for name in ("ratio", "low", "high"))
    return (
        f"{{logarithm: ln({ratio}), variance: null::double, degrees: null::double, "
        f"low_half: ln({ratio / low!r}), high_half: ln({high / ratio!r}), session_variance: 0.0}}"
    )


def test_what_a_session_adds_does_not_shrink_with_the_number_of_members(connection: duckdb.DuckDBPyConnection) -> None:
    """Loads of one occasion share it: as many members as one likes are not surer of it than one."""
    one = "{logarithm: 0.05, variance: 0.0018, degrees: 8.0, low_half: 0.0, high_half: 0.0, session_variance: 0.0018}"
    alone = _asked(connection, f"judged_mean([{one}], null)")
    many = _asked(connection, f"judged_mean([{', '.join([one] * 5)}], null)")
    assert many["variance"] == PRECISE(alone["variance"])
    assert alone["verdict"] == many["verdict"] == "undecided"


def test_a_summary_with_a_member_that_is_a_bound_has_one_end(connection: duckdb.DuckDBPyConnection) -> None:
    """What is at least so much in one profile is at least so much in all; one that is not known leaves nothing."""
    repeated = "logarithm: 0.2, variance: 0.0009, degrees: 5.0"
    known = f"{{{repeated}, low_half: 0.01, high_half: 0.01, session_variance: 0.0}}"
    bound = f"{{{repeated}, low_half: 0.0, high_half: 'inf'::double, session_variance: 0.0}}"
    found = _asked(connection, f"judged_mean([{known}, {bound}], null)")
    assert (found["ratio"], found["high"], found["verdict_basis"]) == (None, None, "bound")
    assert (found["kind"], found["verdict"]) == ("bound+repetitions+rounding", "A faster")
    assert found["low"] > 1
    halves = "low_half: 0.0, high_half: 0.0, session_variance: 0.0"
    single = f"{{logarithm: 0.2, variance: null::double, degrees: null::double, {halves}}}"
    for members in (f"{known}, {single.replace('0.0', 'null::double')}", single):
        found = _asked(connection, f"judged_mean([{members}], null)")
        assert found["ratio"] == PRECISE(math.exp(0.2))
        assert (found["low"], found["high"], found["kind"], found["verdict_basis"]) == (None, None, "none", "assumed")
    unknown = single.replace("0.0", "null::double")
    found = _asked(connection, f"judged_mean([{unknown}, {bound}], null)")
    assert (found["ratio"], found["high"]) == (None, None), "what is open at one member is open, whatever is unknown"
    assert (found["verdict"], found["verdict_basis"]) == ("undecided", "assumed"), "single runs scatter"
    apart = _asked(connection, f"judged_mean([{f'{unknown}, {bound}'.replace('0.2', '0.4')}], null)")
    assert (apart["verdict"], apart["kind"]) == (f"A faster{IF}", "none")
    for nothing in ("null", "[]"):
        assert _asked(connection, f"judged_mean({nothing}, null)")["reason"] == verdicts.NO_VALUE


PEAKS = (
    # vector, repetitions by depth, value, low, high, highest, plateau points, degrees
    (
        *("J067", ((100.0, 104.0, 98.0), (103.0, 99.0, 101.0), (97.0, 102.0, 105.0))),
        *(97.99659852139536, 92.08174345054313, 104.29139329797195, 101.279233, 3, 6),
    ),
    (
        "J068",
        ((90.0, 91.0, 89.0, 90.0, 92.0), (100.0, 103.0, 98.0, 101.0, 99.0), (101.0, 97.0, 102.0, 100.0, 103.0)),
        *(99.77719295006794, 96.74130544947825, 102.90835116127514, 100.578719, 2, 8),
    ),
    (
        *("J069", ((10.0, 10.1, 9.9), (50.0, 51.0, 49.5), (96.0, 97.0, 95.0), (100.0, 101.0, 99.0))),
        *(99.9966665555495, 97.70856910392446, 102.33834569398199, 99.9966666, 2, 4),
    ),
)


@pytest.mark.parametrize("vector", PEAKS, ids=lambda vector: vector[0])
def test_a_peak_comes_from_three_folds(connection: duckdb.DuckDBPyConnection, vector: tuple[Any, ...]) -> None:
    """Chosen by two folds, reported by the third; ties take the lowest depth."""
    _, rows, value, low, high, highest, plateau, degrees = vector
    points = [
        {"queue_depth": depth, "repetition_index": index, "value": each}
        for depth, row in enumerate(rows, 1)
        for index, each in enumerate(row, 1)
    ]
    found = _asked(connection, "peak_by_folds(?)", points)
    assert [found[name] for name in ("value", "low", "high")] == PRECISE([value, low, high], rel=NEAR)
    assert found["highest_value"] == PRECISE(highest, rel=1e-7)
    assert (found["plateau_count"], found["degrees"]) == (plateau, degrees)
    mean, variance, freedom, *_ = again.peak(dict(enumerate(rows, 1)))
    assert (math.exp(mean), variance, freedom) == PRECISE((value, found["variance"], degrees), rel=NEAR)
    shuffled = random.Random(1).sample(points, len(points))  # noqa: S311
    assert _asked(connection, "peak_by_folds(?)", shuffled) == found


def test_a_peak_of_few_repetitions_is_the_highest_point_and_no_more() -> None:
    """Two repetitions at one depth leave no folds; a depth without any value is not there."""
    found = peak_by_folds([(1, 1, 10.0), (1, 2, 11.0), (2, 1, 30.0), (2, 2, 31.0), (2, 3, 32.0), (4, 1, None)])
    assert found is not None
    assert all(math.isnan(each) for each in (found.value, found.variance, found.degrees, found.low, found.high))
    assert (found.queue_depth, found.highest_queue_depth, found.plateau_count) == (2, 2, 1)
    assert found.highest_value == PRECISE((30 * 31 * 32) ** (1 / 3))
    assert peak_by_folds([(1, 1, None), (2, 1, 0.0)]) is None


def test_depths_with_different_numbers_of_repetitions_share_a_peak() -> None:
    """Each depth is parted by itself, and the least number of repetitions on the plateau counts."""
    rows = {1: (50.0, 51.0, 52.0), 4: (100.0, 104.0, 98.0, 101.0), 8: (103.0, 99.0, 101.0, 97.0, 102.0)}
    found = peak_by_folds([(depth, index, each) for depth, row in rows.items() for index, each in enumerate(row)])
    assert found is not None
    mean, variance, degrees, *_ = again.peak(rows)
    assert (found.value, found.variance, found.degrees) == PRECISE((math.exp(mean), variance, degrees), rel=NEAR)
    assert degrees == 3 + 4


IDEALS = (
    ("J070", "independent", 4, 0.67, 1, None, None, 1.0),
    ("J071", "independent", 4, 0.67, 512, None, None, 4.0),
    ("J072", "raid0", 2, 0.0, 1, None, None, 1.0),
    ("J073", "raid0", 4, 1.0, 2, 65536, None, 2.0),
    ("J074", "raid0", 4, 1.0, 1, 65536, 16384, 4.0),
    ("J075", "raid1", 2, 0.67, 1, None, None, 1.0),
    ("J076", "raid1", 2, 0.67, 512, None, None, 1.5037593984962405),
    ("J077", "raid1", 2, 0.5, 512, None, None, 1.3333333333333333),
    ("J078", "raid10", 4, 0.67, 512, None, None, 3.007518796992481),
    ("J079", "raid10", 4, 0.67, 1, None, None, 1.0),
    ("J080", "raid5", 4, 0.5, 512, None, None, 1.6),
    ("J081", "raid6", 6, 0.5, 512, None, None, 1.7142857142857142),
)


@pytest.mark.parametrize("vector", IDEALS, ids=lambda vector: vector[0])
def test_an_array_can_do_what_its_busy_drives_can(
    connection: duckdb.DuckDBPyConnection, vector: tuple[str, str, int, float, int, int | None, int | None, float]
) -> None:
    """At one outstanding request no array is faster than a drive, unless the request spans stripes."""
    *operands, ideal = vector[1:]
    assert _asked(connection, "scaling_ideal(?, ?, ?, ?, ?, ?, false)", *operands) == PRECISE(ideal, rel=NEAR)


def test_every_drive_of_an_array_counts_as_busy_where_the_depth_is_not_known() -> None:
    """A peak has no depth of its own, and a paper may not say; then the ideal is that of a deep queue."""
    for depth, is_assumed in ((None, False), (1, True)):
        assert scaling_ideal("raid0", 4, None, depth, None, None, is_assumed) == 4
        assert scaling_ideal("raid10", 4, 0.67, depth, None, None, is_assumed) == PRECISE(4 / 1.33)


def test_what_cannot_be_said_has_no_ideal() -> None:
    """Writes that fill a stripe read nothing before; a mix without its shares, or no topology, tells nothing."""
    assert scaling_ideal("raid5", 4, 0.0, 32, 3 * 65536, 65536, False) is None  # noqa: FBT003
    assert scaling_ideal("raid5", 4, 1.0, 32, 3 * 65536, 65536, False) == 4  # noqa: FBT003
    assert scaling_ideal("raid5", 4, 0.0, 32, 2 * 65536, 65536, False) == 1  # noqa: FBT003
    assert scaling_ideal("raid1", 2, None, 32, None, None, None) is None
    assert scaling_ideal(None, 2, 0.5, 32, None, None, None) is None
    assert scaling_ideal("raid0", None, 0.5, 32, None, None, None) is None
    assert scaling_ideal("raid0", 2, 0.5, 0, None, None, None) is None


def test_at_equal_total_depth_the_curve_of_one_drive_completes_the_ideal() -> None:
    """J082: four drives share a depth of eight; one drive does 30,000 at two and 90,000 at eight."""
    ideal = scaling_ideal("independent", 4, None, 8, None, None, False)  # noqa: FBT003
    assert ideal == 4
    assert ideal * 30000 / 90000 == PRECISE(1.3333333333333333, rel=NEAR)


def test_a_factor_is_superlinear_only_when_its_low_end_is(connection: duckdb.DuckDBPyConnection) -> None:
    """J083: 4.27 of 4 drives, but not above 1.05 times 4 for sure; J084: an efficiency is factor over ideal."""
    four = _judged(connection, _printed("4700"), _printed("1100"))
    assert four["ratio"] > limit("superlinear") * 4 > four["low"]
    mirror = _judged(connection, _printed("163000"), _printed("193000"))
    ideal = scaling_ideal("raid1", 2, 0.67, 512, None, None, False)  # noqa: FBT003
    assert [mirror[name] / ideal for name in ("ratio", "low", "high")] == PRECISE(
        [0.5616321243523316, 0.5584625322997416, 0.5648181818181818], rel=NEAR
    )


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        pytest.param((True, False, False, False), "printed", id="J110: one side printed"),
        pytest.param((False, False, False, None), "separate", id="J111: two submitters, two hosts"),
        pytest.param((False, True, False, None), "same file set", id="J112: one submission, two system entries"),
        pytest.param((False, True, True, True), "same bench", id="J113: one bench key, one job key"),
        pytest.param((False, True, True, False), "same file set", id="J114: one bench key, job keys differ"),
        pytest.param((None, None, None, None), "separate", id="nothing is known"),
    ],
)
def test_evidence_says_how_direct_a_comparison_is(
    connection: duckdb.DuckDBPyConnection, flags: tuple[bool | None, ...], level: str
) -> None:
    """Beside the grade, never inside it."""
    assert _asked(connection, "evidence_level(?, ?, ?, ?)", *flags) == evidence_level(*flags) == level


def test_another_submitter_replicates_or_contradicts(connection: duckdb.DuckDBPyConnection) -> None:
    """J115 and J116; intervals that overlap with another verdict, or that are not known, show nothing."""
    assert _asked(connection, "replication(1.15, 1.27, 1.10, 1.26, true)") == "replicated"
    assert _asked(connection, "replication(1.15, 1.27, 0.90, 1.00, false)") == "contradicted"
    assert replication(1.15, 1.27, 0.90, 1.20, is_same_verdict=False) is None
    assert replication(None, None, 0.90, 1.20, is_same_verdict=True) is None
    assert replication(4.0, None, 3.0, 3.9, is_same_verdict=True) == "contradicted"


def test_runs_within_half_an_hour_share_a_session() -> None:
    """J117: three files within 20 minutes; J118: three files on three days."""
    minutes = [(60.0 * each, 60.0 * each + 180) for each in (0, 6, 12)]
    assert again.sessions(minutes) == [1, 1, 1]
    assert again.sessions([(60.0 * each, 60.0 * each + 180) for each in (2880, 0, 1440)]) == [3, 1, 2]
    assert again.takes_turns([0, 10, 20], [5, 15, 25])
    assert not again.takes_turns([0, 10, 20], [25, 30, 35])


def test_a_job_is_the_same_wherever_its_files_lie(connection: duckdb.DuckDBPyConnection) -> None:
    """Paths, names and logs do not count, options and their values do."""
    key = _asked(connection, "job_key(?)", '{"rw":"randread","bs":"4k","name":"a","filename":"x"}')
    same = '{"bs":"4k","rw":"randread","name":"b","directory":"y","write_lat_log":"z","log_avg_msec":"500"}'
    assert job_key(same) == key
    assert job_key('{"rw":"randread","bs":"8k"}') != key
    assert (job_key(None), job_key('{"name":"a"}')) == (None, None)
    assert job_key("-run  oltp") == job_key("-run oltp") != job_key("-run dss")


def test_two_sessions_per_side_keep_the_session_term(connection: duckdb.DuckDBPyConnection) -> None:
    """Two are too few for a spread of their own: the caller asks for the term on a side until there are three."""
    values = (106, 107, 105), (100, 101, 99)
    one_side = _judged(connection, _repeated(values[0], needs_session=True), _repeated(values[1]))
    both, none = (
        _judged(connection, *(_repeated(each, needs_session=flag) for each in values)) for flag in (True, False)
    )
    widths = [found["high"] / found["low"] for found in (none, one_side, both)]
    assert widths == sorted(widths)
    assert none["verdict"] == "A faster"


def test_the_wider_interval_is_printed_when_the_session_term_narrows_it(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """With one side of little scatter and one of much, the term raises the degrees more than the variance."""
    a, b = (120, 150, 190), (100.0, 100.1, 99.9)
    plain = _judged(connection, _repeated(a), _repeated(b))
    with_term = _judged(connection, _repeated(a, needs_session=True), _repeated(b, needs_session=True))
    assert with_term["low"] <= plain["low"] < 1
    assert with_term["verdict"] == plain["verdict"] == "undecided"
    total, freedom = with_term["variance"], with_term["degrees"]
    assert plain["variance"] == total
    assert plain["degrees"] == freedom
    would_be = total + 2 * limit("session_spread") ** 2
    narrower = stats.t.ppf(0.975, would_be**2 / (total**2 / freedom)) * math.sqrt(would_be)
    assert math.exp(math.log(plain["ratio"]) - narrower) > plain["low"]


def test_without_any_scatter_the_degrees_are_those_of_the_side_with_fewer_repetitions(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Nothing varies and nothing is rounded: an interval of no width in one session's term, which t(2) widens."""
    same = _judged(connection, _repeated((100,) * 3), _repeated((100,) * 5))
    assert (same["low"], same["high"], same["degrees"], same["verdict"]) == (1.0, 1.0, 2.0, "equal within 1.05")
    assert (same["kind"], same["p_value"]) == ("repetitions", 1.0)
    apart = _judged(connection, _repeated((110,) * 3), _repeated((100,) * 5))
    assert (apart["verdict"], apart["p_value"]) == ("A faster", 0.0)
    term = _judged(connection, *(_repeated((each,) * 3, needs_session=True) for each in (100, 100)))
    assert term["high"] == PRECISE(math.exp(stats.t.ppf(0.975, 2) * 0.03 * math.sqrt(2)))


@pytest.mark.parametrize("value", [None, 0.0, -1.0, math.nan, math.inf])
def test_what_has_no_logarithm_has_no_quotient(connection: duckdb.DuckDBPyConnection, value: float | None) -> None:
    """Zero operations per second are no multiple of anything."""
    for sides in ((Operand(value), Operand(1.0)), (_repeated((1, 2, 3)), Operand(value, 0.1, 2))):
        found = _judged(connection, *sides)
        assert {found[name] for name in ("ratio", "low", "high", "p_value", "verdict_basis")} == {None}
        assert (found["verdict"], found["reason"], found["kind"]) == ("undecided", verdicts.NO_VALUE, "none")


def test_a_repeated_side_against_a_single_run_is_judged_by_the_assumed_spread(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """The repeated side counts with its own spread where that is the larger one."""
    steady = _judged(connection, _repeated((140, 141, 139)), Operand(100.0))
    assert (steady["verdict"], steady["verdict_basis"]) == (f"A faster{IF}", "assumed")
    assert (steady["low"], steady["high"], steady["reason"]) == (None, None, verdicts.FEW)
    restless = _judged(connection, _repeated((100, 140, 190)), Operand(100.0))
    assert restless["verdict"] == "undecided"
    assert again.quotient((100, 140, 190), (100.0,), False).verdict == "undecided"  # noqa: FBT003


def test_two_runs_that_spread_by_more_than_assumed_count_with_their_own_spread(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Two runs have no interval, but 100 and 200 are no two runs that spread by 10 %."""
    for values, verdict in (((100.0, 200.0), "undecided"), ((141.0, 142.0), f"A faster{IF}")):
        other = again.quotient(values, (100.0, 101.0), False)  # noqa: FBT003
        found = _judged(connection, *map(_repeated, (values, (100.0, 101.0))))
        assert (found["verdict"], found["low"], found["high"]) == (verdict, None, None)
        assert other.verdict == verdict
        assert other.p_value == PRECISE(found["p_value"], rel=NEAR)


def test_bounds_that_point_apart_decide_and_bounds_that_point_together_do_not(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """More than 1.2 over less than 0.3 is above 4; it stays an assumption, because each was printed once."""
    apart = _judged(connection, _printed("more than 1.2"), _printed("less than 0.3"))
    assert (apart["verdict"], apart["reason"]) == (f"A faster{IF}", verdicts.FEW)
    together = _judged(connection, _printed("more than 1.2"), _printed("more than 0.3"))
    assert (together["verdict"], together["reason"]) == ("undecided", verdicts.BOTH_OPEN)


def test_what_is_known_of_one_value_is_its_rounding_or_its_repetitions(connection: duckdb.DuckDBPyConnection) -> None:
    """No rounding and no repetition is not exact: both ends are null."""

    def ends(*values: object) -> tuple[float | None, ...]:
        return tuple(_asked(connection, "estimated(?, ?, ?, ?, ?)", *values).values())

    mean = math.log(100)
    spread = stats.t.ppf(0.975, 2) * math.sqrt(0.0001 / 3)
    assert ends(3, mean, 0.0001, 0, 0.01) == PRECISE((100, 100 * math.exp(-spread), 100 * math.exp(spread + 0.01)))
    assert ends(2, mean, 0.0001, 0.01, 0.02) == PRECISE((100, 100 * math.exp(-0.01), 100 * math.exp(0.02)))
    assert ends(1, mean, None, 0, 0) == ends(1, mean, None, None, None) == (100.0, None, None)
    assert ends(1, math.log(1.2), None, 0, math.inf) == (1.2, 1.2, None)
    assert ends(0, None, None, None, None) == (None, None, None)
    assert ends(3, mean, 0.0, None, None) == (100.0, 100.0, 100.0)


def test_the_margin_and_the_kinds_of_the_sides_can_be_stated(connection: duckdb.DuckDBPyConnection) -> None:
    """A stricter margin leaves fewer pairs equal; sides whose repetitions are means of sessions say so."""
    sides = (_repeated((102.0, 102.1, 101.9)), _repeated((100.0, 100.1, 99.9)))
    found = _judged(connection, *sides, None, 1.025, "sessions+rounding", "sessions")
    assert (found["verdict"], found["kind"]) == ("equal within 1.025", "sessions")
    strict = _judged(connection, *sides, None, 1.01, "sessions", "repetitions")
    assert (strict["verdict"], strict["kind"]) == ("A faster", "repetitions+sessions")


SENTENCES = (
    (
        (1 / 1.27, 1 / 2.34, 1 / 0.78),
        Stated("undecided", verdicts.WIDE, 3, 3, 1, 1, "A", None, "same bench"),
        "B 1.27 times A [0.78, 2.34]: undecided (n = 3, one session); grade A; same bench",
    ),
    (
        (1.3, 1.2, 1.4, "rounding"),
        Stated(f"A faster{IF}", grade="C", unknown="configurations.area_bytes,drives.write_cache"),
        f"A 1.30 times B [1.20, 1.40, rounding only]: if area bytes and write cache are equal, A faster{IF}; grade C",
    ),
    (
        (1.3, None, None),
        Stated(f"A faster{IF}", verdicts.FEW, 1, 2, grade="C", unknown="kernel", evidence="printed"),
        f"A 1.30 times B: if kernel is equal, A faster{IF} (n = 1 and 2); grade C; printed",
    ),
    (
        (None, None, 0.25),
        Stated("B faster", None, 5, 3, 3, 1, "B"),
        "B more than 4.00 times A: B faster (n = 5 and 3, three and one sessions); grade B",
    ),
    (
        (None, None, None),
        Stated("undecided", verdicts.BOTH_OPEN, grade="C"),
        "A and B: if the unknown conditions are equal, undecided (bounds on both sides); grade C",
    ),
    ((1.004, 1.0004, 1.008), Stated("A faster", None, 5, 5), "A 1.0040 times B [1.0004, 1.0080]: A faster (n = 5)"),
    (
        (1.02, 1.0188, 1.0212),
        Stated("equal within 1.05", None, 5, 5, 12, 12),
        "A 1.020 times B [1.019, 1.021]: equal within 1.05 (n = 5, 12 sessions)",
    ),
    ((223.24, 223.11, 223.37), Stated("undecided"), "A 223.2 times B [223.1, 223.4]: undecided"),
    (
        (3.863881, 3.863832, 3.86393),
        Stated("A faster", None, 5, 5, 1, 1),
        "A 3.8639 times B [3.8638, 3.8639]: A faster (n = 5, one session)",
    ),
    (
        (3.863881, 3.863832, 3.86393, "rounding"),
        Stated(f"A faster{IF}", verdicts.FEW, 1, 1, 1, 1),
        f"A 3.86 times B: A faster{IF} (n = 1)",
    ),
    ((1.5, 1.4, None), Stated("undecided"), "A 1.50 times B [1.40, unknown]: undecided"),
)


ENDS = (
    (
        ("operations_per_second", 608.0, 100.0, None, None, "none"),
        Stated(f"A faster{IF}", verdicts.FEW, 1, 1, grade="B", evidence="same file set"),
        f"A at least 6.08 times B: A faster{IF} (n = 1); grade B; same file set",
    ),
    (
        ("operations_per_second", 100.0, 608.0, None, None, "none"),
        Stated(f"B faster{IF}", verdicts.FEW, 1, 1, grade="B"),
        f"B at least 6.08 times A: B faster{IF} (n = 1); grade B",
    ),
    (
        ("latency_mean_seconds", 0.001, 0.004, None, None, "none"),
        Stated(f"A faster{IF}", verdicts.FEW, 1, 1, grade="B"),
        f"A at least 4.00 times B: A faster{IF} (n = 1); grade B",
    ),
    (
        ("operations_per_second", 111.0, 100.0, 1.11, None, "bound+rounding"),
        Stated("undecided", verdicts.FEW, 1, 1, grade="B"),
        "A more than 1.11 times B [rounding only]: undecided (n = 1); grade B",
    ),
    (
        ("operations_per_second", 111.0, 100.0, None, None, "none"),
        Stated("undecided", verdicts.FEW, 1, 1, grade="B"),
        "A and B: undecided (n = 1); grade B",
    ),
)


@pytest.mark.parametrize(("numbers", "found", "words"), ENDS, ids=[words for *_, words in ENDS])
def test_a_verdict_stands_beside_the_end_that_it_rests_on(
    connection: duckdb.DuckDBPyConnection,
    numbers: tuple[str, float, float, float | None, float | None, str],
    found: Stated,
    words: str,
) -> None:
    """Of single runs that something held back only the values are known, and rounding says nothing of their spread."""
    columns = "? as metric, ?::double as a_value, ?::double as b_value, ?::double as low_ratio, ?::double as high_ratio"
    columns += ", ? as uncertainty_kind, null::double as quotient_ratio, 2 as decimal_count, ? as verdict_words"
    whole = f"{sentence_sql()} from (select {columns}, ? as verdict)"
    assert _asked(connection, whole, *numbers, verdicts.words(found), found.verdict) == words


@pytest.mark.parametrize(("numbers", "found", "words"), SENTENCES, ids=[words for *_, words in SENTENCES])
def test_a_comparison_is_said_in_one_sentence(
    connection: duckdb.DuckDBPyConnection, numbers: tuple[float | str | None, ...], found: Stated, words: str
) -> None:
    """The faster side with a factor from 1 on, its interval, the verdict, the grade and the evidence."""
    ratio, low, high, kind = numbers if len(numbers) == 4 else (*numbers, "repetitions")
    marks = ", ".join("?" * len(found))
    said = _asked(connection, f"verdict_words({marks})", *found)
    assert said == verdicts.words(found) == words.partition(": ")[2]
    shown = re.match(r"[^:]*?\.(\d+)", words)
    columns = ["?::double as quotient_ratio, ?::double as low_ratio, ?::double as high_ratio"]
    columns.append("? as uncertainty_kind, ?::bigint as decimal_count, ? as verdict_words, ? as verdict")
    columns.append("'operations_per_second' as metric, 2.0 as a_value, 1.0 as b_value")
    whole = f"{sentence_sql()} from (select {', '.join(columns)})"
    asked = _asked(connection, whole, ratio, low, high, kind, len(shown[1]) if shown else 2, said, found.verdict)
    assert asked == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "A 4.00 times B: if direct I/O is equal, A faster, if runs spread by 10 %; grade C",
            "A 4.00 times B: if the unknown are equal, A faster, if runs spread by 10 %; grade C",
        ),
        (
            "B 1.10 times A: if direct I/O and write cache are equal, equal within 1.05; grade C; printed",
            "B 1.10 times A: if the unknown are equal, equal within 1.05; grade C; printed",
        ),
        *((words, words) for words in ("A 1.02 times B: equal within 1.05; grade A", "A 2.00 times B: undecided")),
    ],
)
def test_a_sentence_is_shortened_where_the_unknown_are_listed_beside_it(said: str, words: str) -> None:
    """Only the names go; verdicts that say if or equal stay."""
    assert verdicts.shortened(said) == words


def test_nothing_but_a_build_needs_scipy() -> None:
    """Words, grades and limits load without it, so that a small installation has every command that compares."""
    code = (
        "import sys; sys.modules['scipy'] = None; sys.modules['dbt'] = None\n"
        "import ioledger.cli.compare, ioledger.cli.plan, ioledger.judgement.functions, ioledger.judgement.verdicts\n"
        "import ioledger.submission.rows"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")


def test_every_limit_has_a_source_and_a_reason() -> None:
    """They are conventions, so each says whose and why."""
    with (ROOT / "models" / "seeds" / "known_limits.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["limit_id"] for row in rows}) == len(rows)
    assert all(row["source"] and row["reason"] and (row["limit_value"] or row["limit_text"]) for row in rows)
    assert limit("margin") == again.MARGIN
    assert limit("session_gap") == again.GAP
    with pytest.raises(KeyError):
        limit("none")


HALVES = st.sampled_from([0.0, 0.001, 0.02, math.inf, math.nan])
OPERANDS = st.builds(
    Operand,
    st.one_of(st.none(), st.sampled_from([0.0, -1.0]), st.floats(1e-9, 1e12), st.floats(0.5, 2)),
    st.one_of(st.none(), st.sampled_from([0.0, 1e-6, 1e-3, 0.05, 4.0])),
    st.one_of(st.none(), st.sampled_from([0.0, 2.0, 4.0, 30.0])),
    st.one_of(st.none(), HALVES),
    st.one_of(st.none(), HALVES),
    st.one_of(st.none(), st.booleans()),
)
SWAPPED = {"A faster": "B faster", f"A faster{IF}": f"B faster{IF}"}
SWAPPED |= {b: a for a, b in SWAPPED.items()}


@given(a=OPERANDS, b=OPERANDS, is_latency=st.booleans())
def test_swapping_the_sides_inverts_the_interval_and_the_verdict(
    connection: duckdb.DuckDBPyConnection, a: Operand, b: Operand, *, is_latency: bool
) -> None:
    """And whatever is missing, there is a verdict."""
    found, swapped = _judged(connection, a, b, is_latency), _judged(connection, b, a, is_latency)
    assert swapped["verdict"] == SWAPPED.get(found["verdict"], found["verdict"])
    for name, other in (("ratio", "ratio"), ("low", "high"), ("high", "low")):
        value = found[name]
        assert swapped[other] == (value if value is None else PRECISE(1 / value, rel=NEAR))
    assert [swapped[name] for name in ("kind", "verdict_basis", "reason")] == [
        found[name] for name in ("kind", "verdict_basis", "reason")
    ]


@given(a=OPERANDS, b=OPERANDS, more=st.sampled_from([0.0, 0.001, 0.1, math.inf]))
def test_more_rounding_and_the_session_term_never_narrow_an_interval(
    connection: duckdb.DuckDBPyConnection, a: Operand, b: Operand, more: float
) -> None:
    """An end moves outwards, or becomes open; with the term it moves outwards."""
    plain = a._replace(needs_session=False)
    before = _judged(connection, plain, b)
    rounded = plain._replace(low_half=(a.low_half or 0.0) + more, high_half=(a.high_half or 0.0) + more)
    for wider in (rounded, plain._replace(needs_session=True)):
        found = _judged(connection, wider, b)
        assert found["low"] is None or before["low"] is None or found["low"] <= before["low"]
        assert found["high"] is None or before["high"] is None or found["high"] >= before["high"]


def test_what_is_equal_at_the_last_digit_of_a_small_margin_is_equal(connection: duckdb.DuckDBPyConnection) -> None:
    """Ends are compared with twelve digits, of which the shorter way to the answer has to leave room."""
    a, b = (Operand(value, 1e-14, 9.0) for value in (0.999890257305228, 1.0))
    assert _judged(connection, a, b, None, 1.00011)["verdict"] == "equal within 1.00011"


@given(a=OPERANDS, b=OPERANDS, margin=st.sampled_from([1.01, 1.05, 1.2]))
def test_each_verdict_says_what_its_interval_says(
    connection: duckdb.DuckDBPyConnection, a: Operand, b: Operand, margin: float
) -> None:
    """Equal lies inside the margin, faster on one side of 1; an assumption is only where nothing else is."""
    found = _judged(connection, a, b, None, margin)
    low, high, verdict = found["low"], found["high"], found["verdict"]
    if verdict == f"equal within {margin:g}":
        assert 1 / margin < found["ratio"] < margin
    elif verdict in {"A faster", "B faster"}:
        assert low > 1 if verdict == "A faster" else high < 1
        assert found["p_value"] <= 0.05
    elif verdict.endswith(IF):
        assert (found["verdict_basis"], found["p_value"] <= 0.05) == ("assumed", True)
    assert (found["p_value"] is None) == (found["verdict_basis"] is None)
    assert (found["kind"] == "none") == (low is None and high is None)
    assert (found["reason"] is None) == (verdict in {"A faster", "B faster", f"equal within {margin:g}"})


def test_quotients_of_random_repetitions_are_those_of_another_implementation(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Five hundred pairs with any number of repetitions, rounding, bounds and sessions."""
    chance = random.Random(20261122)  # noqa: S311
    halves: list[Half] = [0.0, 0.0, 0.01, (0.0, math.inf), (math.inf, 0.01), (0.02, 0.01)]
    for _ in range(500):
        spread, is_latency = chance.choice([0.0, 0.001, 0.02, 0.1]), chance.random() < 0.5
        values = [
            [
                chance.uniform(95, 130) * math.exp(chance.gauss(0, spread))
                for _ in range(chance.choice([1, 2, 3, 5, 10]))
            ]
            for _ in "ab"
        ]
        a_half, b_half = chance.choice(halves), chance.choice(halves)
        a_term, b_term = chance.random() < 0.5, chance.random() < 0.5
        sides = _repeated(values[0], a_half, needs_session=a_term), _repeated(values[1], b_half, needs_session=b_term)
        found = _judged(connection, *sides, is_latency)
        expected = again.quotient(values[0], values[1], is_latency, a_half, b_half, a_term, b_term)
        for name, value in expected._asdict().items():
            near = PRECISE(value, rel=NEAR, abs=1e-12) if isinstance(value, float) else value
            assert found[name] == near, (name, sides)


def test_a_million_quotients_take_seconds(connection: duckdb.DuckDBPyConnection) -> None:
    """Chunks of two thousand go through numpy at once."""
    started = time.process_time()
    count = _asked(
        connection,
        """count(each.verdict) from (
            select judged(range % 2 = 0, 100 + range % 7, 1e-4, 4.0, 0.001, 0.001, true, false,
                100.0, 1e-4 * (1 + range % 3), 2.0 + range % 5, 0, 0, true, false, null, null, null) as each
            from range(1000000))""",
    )
    assert count == 1_000_000
    assert time.process_time() - started < 30
