"""Intervals, ideals of arrays and limits as SQL sees them, against vectors (J...) that other code computed."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from scipy import special

from ioledger.build import functions
from ioledger.comparison import limit, scaling_ideal, statistics
from ioledger.submission.rows import rounding_interval
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

NEAR = 1e-9
PRECISE = pytest.approx


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


def _side(text: str) -> tuple[object, ...]:
    """Return what ``compared`` takes of a figure that is printed as ``4700``, ``about 10 us`` or ``more than 1.2``."""
    words = {"about": "approximate", "more than": "lower_bound", "less than": "upper_bound"}
    kind = next((kind for word, kind in words.items() if text.startswith(word)), "measured")
    number = next(part for part in text.split() if part[0].isdigit())
    value = float(number)
    found = rounding_interval({"printed_value": value, "printed_text": number, "value_kind": kind})
    low, high = found["value_low"], found["value_high"]
    assert not isinstance(low, str)
    assert not isinstance(high, str)
    halves = math.inf if low is None else math.log(value / low), math.inf if high is None else math.log(high / value)
    return math.log(value), None, None, 1, None, *halves, False, False, kind.endswith("bound")


PRINTED = (
    # vector, A, B, latency, ratio, low, high, kind
    ("J043", "192881", "864", False, 223.24189814814815, 223.11220358588778, 223.37174290677476, "rounding"),
    ("J044", "29530", "19005", False, 1.5538016311496974, 1.5534976717266054, 1.5541056065668657, "rounding"),
    ("J045", "4700", "1100", False, 4.2727272727272725, 4.043478260869565, 4.523809523809524, "rounding"),
    ("J048", "more than 1.2", "less than 0.3", False, None, 4.0, None, "bound"),
    ("J049", "less than 0.3", "more than 1.2", False, None, None, 0.25, "bound"),
    ("J050", "more than 1.2", "0.30", False, None, 3.9344262295081966, None, "bound+rounding"),
    ("J051", "about 10 us", "about 100 us", True, 10.0, 9.047619047619047, 11.052631578947368, "rounding"),
)


@pytest.mark.parametrize("vector", PRINTED, ids=lambda vector: vector[0])
def test_printed_operands_leave_an_interval(
    connection: duckdb.DuckDBPyConnection, vector: tuple[str, str, str, bool, float, float, float, str]
) -> None:
    """Half a unit of the last digit, 5 % for "about", and ends that are open at bounds."""
    _, a, b, is_latency, ratio, low, high, kind = vector
    marks = ", ".join("?" * 22)
    found = _asked(connection, f"compared({marks})", is_latency, *_side(a), *_side(b), 1.05)
    for name, value in (("ratio", ratio), ("ratio_low", low), ("ratio_high", high)):
        assert found[name] == (value and PRECISE(value, rel=NEAR))
    assert found["ratio_interval_kind"] == kind


@pytest.mark.parametrize(
    ("changes", "verdict", "ends"),
    [
        pytest.param({}, "A faster", (True, True), id="three runs a side"),
        pytest.param({"value_count": 2}, None, (False, False), id="two runs"),
        pytest.param({"is_selected": True}, None, (False, False), id="the highest of several points"),
        pytest.param({"is_held_back": True}, "A faster", (True, False), id="A was held back"),
    ],
)
def test_a_side_is_what_its_columns_say(
    connection: duckdb.DuckDBPyConnection, changes: dict[str, object], verdict: str, ends: tuple[bool, bool]
) -> None:
    """Runs, selection and bounds of A against three runs of B; a mean, which both have, is no interval."""
    side = dict.fromkeys(functions._SIDE, False) | {  # noqa: SLF001  (the names of its columns)
        "mean_logarithm": math.log(120.0), "run_count": 3, "session_count": 1, "value_count": 3, "log_variance": 1e-5,
        "low_half": 0.0, "high_half": 0.0,
    }  # fmt: skip
    a, b = side | changes, side | {"mean_logarithm": math.log(100.0)}
    marks = ", ".join("?" * 22)
    found = _asked(connection, f"compared({marks})", False, *a.values(), *b.values(), 1.05)  # noqa: FBT003
    assert found["verdict"] == verdict
    assert (found["ratio_low"] is not None, found["ratio_high"] is not None) == ends


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
    assert _asked(connection, "scaling_ideal(?, ?, ?, ?, ?, ?)", *operands) == PRECISE(ideal, rel=NEAR)


def test_what_cannot_be_said_has_no_ideal() -> None:
    """Writes that fill a stripe read nothing before; a mix without its shares tells nothing; an open depth is deep."""
    assert scaling_ideal("raid0", 4, None, None, None, None) == 4
    assert scaling_ideal("raid10", 4, 0.67, None, None, None) == PRECISE(4 / 1.33)
    assert scaling_ideal("raid5", 4, 0.0, 32, 3 * 65536, 65536) is None
    assert scaling_ideal("raid5", 4, 1.0, 32, 3 * 65536, 65536) == 4
    assert scaling_ideal("raid5", 4, 0.0, 32, 2 * 65536, 65536) == 1
    assert scaling_ideal("raid1", 2, None, 32, None, None) is None
    assert scaling_ideal(None, 2, 0.5, 32, None, None) is None
    assert scaling_ideal("raid0", None, 0.5, 32, None, None) is None
    assert scaling_ideal("raid0", 2, 0.5, 0, None, None) is None


def test_what_is_known_of_one_value_is_its_rounding_or_its_repetitions(connection: duckdb.DuckDBPyConnection) -> None:
    """No rounding and no repetition is not exact: both ends are null."""

    def ends(*values: object) -> tuple[float | None, ...]:
        return tuple(_asked(connection, "estimated(?, ?, ?, ?, ?)", *values).values())

    mean = math.log(100)
    spread = special.stdtrit(2, 0.975) * math.sqrt(0.0001 / 3)
    assert ends(3, mean, 0.0001, 0, 0.01) == PRECISE((100, 100 * math.exp(-spread), 100 * math.exp(spread + 0.01)))
    assert ends(2, mean, 0.0001, 0.01, 0.02) == PRECISE((100, 100 * math.exp(-0.01), 100 * math.exp(0.02)))
    assert ends(1, mean, None, 0, 0) == ends(1, mean, None, None, None) == (100.0, None, None)
    assert ends(1, math.log(1.2), None, 0, math.inf) == (1.2, 1.2, None)
    assert ends(0, None, None, None, None) == (None, None, None)
    assert ends(3, mean, 0.0, None, None) == (100.0, 100.0, 100.0)


def test_nothing_but_a_build_needs_scipy() -> None:
    """Words, roles and limits load without it, so that a small installation has every command that compares."""
    code = (
        "import sys; sys.modules['scipy'] = None; sys.modules['dbt'] = None\n"
        "import ioledger.cli.compare, ioledger.cli.plan, ioledger.build.functions, ioledger.comparison\n"
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
    assert limit("session_spread") == statistics.SESSION_SPREAD
    with pytest.raises(KeyError):
        limit("none")


def test_many_comparisons_take_seconds(connection: duckdb.DuckDBPyConnection) -> None:
    """Chunks of two thousand go through numpy at once."""
    started = time.process_time()
    count = _asked(
        connection,
        """count(each.verdict) from (
            select compared(range % 2 = 0, 4.6 + range % 7, 5, 3, 5, 1e-4, 0.001, 0.001, false, false, false,
                4.6, 5, 3, 5, 1e-4 * (1 + range % 3), 0.0, 0.0, false, false, false, 1.05) as each
            from range(200000))""",
    )
    assert count == 200_000
    assert time.process_time() - started < 6
