"""Benches of which it is known what is true: what is compared, how sure it is, and in which words it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import judged_benches as cases
from ioledger.build.checking import check
from ioledger.build.publish import view_sql

if TYPE_CHECKING:
    from pathlib import Path

    from modelled import Modelled

LOW, HIGH = "ratio_low", "ratio_high"
"""Columns of the interval of a ratio."""


class _Tables:
    """Tables of a build on the benches, to be asked in SQL."""

    def __init__(self, build: Path) -> None:
        self.connection = duckdb.connect()
        for path in (*sorted(build.glob("raw/*.parquet")), *sorted(build.glob("marts/*.parquet"))):
            self.connection.execute(f"create or replace view \"{path.stem}\" as from '{path}'")
        self.connection.execute(f"create view quotients as {view_sql('quotients')}")

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        cursor = self.connection.execute(query, values)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def pairs(self, mart: str, first: str, second: str | None = None) -> list[dict[str, Any]]:
        """Return the rows of a mart of pairs whose sides are of these two submissions, or both of the first."""
        query = f"""
        from {mart} where [a_submission_id, b_submission_id] in ([$1, $2], [$2, $1]) order by all
        """
        return self.rows(query, first, second or first)


@pytest.fixture(scope="module")
def judged(benches: Modelled) -> _Tables:
    """Return what the benches measured, whether the numbers can be used, and what is judged of them."""
    return _Tables(benches.build)


def _forward(row: dict[str, Any], side: str) -> tuple[float | None, float | None, float | None]:
    """Return by how much a configuration is ahead, with the interval, whichever side of the pair it is."""
    ratio, low, high = row["ratio"], row[LOW], row[HIGH]
    if row["a_configuration_id"] == side:
        return ratio, low, high
    turned = [1 / each if each else None for each in (ratio, high, low)]
    return turned[0], turned[1], turned[2]


def _faster(row: dict[str, Any]) -> str | None:
    """Return the configuration that a verdict calls faster."""
    sides = {"A faster": "a_configuration_id", "B faster": "b_configuration_id"}
    name = sides.get(row["verdict"])
    return None if name is None else str(row[name])


def _rates(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["metric"] == "operations_per_second"]


def test_every_bench_is_a_sound_submission_with_believable_numbers(tmp_path: Path) -> None:
    """They pass the check together, plausibility included; no file is another's."""
    folders = cases.write(tmp_path)
    assert check(tuple(folders), tmp_path, plausibility=True)[:2] == (11, [])


def test_points_are_what_is_true_of_the_bench(judged: _Tables) -> None:
    """Five repetitions of every load, six where three days were measured; the rate lies near the true one."""
    rows = judged.rows("select submission_id, configuration_id, run_count, count(*) as points from points "
                         "where operations_per_second is not null group by all order by all")  # fmt: skip
    counted = {(row["submission_id"], row["configuration_id"]): (row["run_count"], row["points"]) for row in rows}
    assert counted[cases.TWO_DRIVES, "fast"] == counted[cases.TWO_DRIVES, "other"] == (5, 3)
    assert counted[cases.ARRAY, "raid0-of-4"] == (5, 2)
    assert {counted[name, "disk"] for name in cases.UNTOUCHED_DAYS} == {(6, 1)}
    (ratio,) = judged.rows(
        "select b.operations_per_second / a.operations_per_second as value from points as a join points as b "
        "using (submission_id, workload_id, queue_depth) where submission_id = $1 and queue_depth = 4 "
        "and a.configuration_id = 'fast' and b.configuration_id = 'other'", cases.TWO_DRIVES,
    )  # fmt: skip
    assert ratio["value"] == pytest.approx(cases.RATIO, rel=0.04)


def test_only_the_busy_generator_weakens_a_number_that_nobody_doubts(judged: _Tables) -> None:
    """Every run of that drive is a lower bound; nothing else of any bench fails a check that was measured."""
    weak = judged.rows(
        "select submission_id, configuration_id, check_name, verdict, effect, is_lower_bound from validity_checks "
        "where effect is not null and check_name <> 'reservation' group by all"
    )
    bound = ("generator", "generator bound", "B", True)
    assert {tuple(row.values()) for row in weak} == {(cases.BOUND, side, *bound) for side in ("busy", "once")}


def test_benches_that_differ_in_five_ways_have_each_difference_named(judged: _Tables) -> None:
    """Reads are compared with four caveats; writes are not, because one cache is on and the other off."""
    pairs = {row["operation"]: row for row in judged.pairs("pairs", cases.HERE, cases.THERE)}
    for column in ("engine", "filesystem", "io_scheduler", "lba_format"):
        assert column in pairs["read"]["differing_columns"], column
    assert pairs["read"]["comparison_count"] > 0
    assert pairs["write"]["comparison_count"] == 0
    own = "where pair_id = $1"
    excluded = judged.rows(f"from excluded_loads {own}", pairs["read"]["pair_id"])
    assert {row["reason"] for row in excluded} == {"key_differs"}
    assert all("write_cache" in str(row["reason_columns"]) for row in excluded)
    found = judged.rows(f"from differences {own}", pairs["read"]["pair_id"])
    effects = {row["column_name"].partition(".")[2]: row["effect"] for row in found}
    assert effects["write_cache"] == "excludes"
    assert {effects[name] for name in ("engine", "filesystem", "io_scheduler", "lba_format")} == {"caveat"}


@pytest.mark.parametrize("names", [cases.UNTOUCHED, cases.UNTOUCHED_DAYS])
def test_an_untouched_disk_is_never_faster_than_itself(judged: _Tables, names: tuple[str, str]) -> None:
    """Not from one occasion each, nor from three: the interval holds 1."""
    found = judged.pairs("quotients", *names)
    assert found
    assert {row["verdict"] for row in found} <= {"undecided", "equal"}
    assert all(row[LOW] < 1 < row[HIGH] for row in found)


def test_two_drives_on_one_bench_have_an_interval_that_holds_the_truth(judged: _Tables) -> None:
    """The second is faster at every depth, by 1.2; nothing but the drive differs."""
    (pair,) = judged.pairs("pairs", cases.TWO_DRIVES)
    assert (pair["evidence"], pair["differing_count"], pair["unknown_key_count"]) == ("same bench", 0, 0)
    found = _rates(judged.pairs("quotients", cases.TWO_DRIVES))
    assert {row["queue_depth"] for row in found} >= {1, 4, 16, None}
    for row in found:
        _, low, high = _forward(row, "other")
        if row["queue_depth"] is None:  # the highest of several points has no interval
            assert (low, high, row["verdict"]) == (None, None, None)
            continue
        assert _faster(row) == "other", row
        assert low is not None
        assert high is not None
        assert 1 < low < cases.RATIO < high < 1.4, row


def test_raid_0_is_not_blamed_for_one_outstanding_request(judged: _Tables) -> None:
    """At depth 1 one of four drives can be busy, at 64 all of them, each at 16."""
    rows = judged.rows(
        "from scaling where submission_id = $1 and metric = 'operations_per_second' and queue_depth in (1, 64)",
        cases.ARRAY,
    )
    found = {(row["queue_depth"], row["base_queue_depth"]): row for row in rows}
    assert found[1, 1]["ideal_ratio"] == 1
    assert found[1, 1]["efficiency_ratio"] == pytest.approx(0.99, abs=0.04)
    assert found[64, 16]["ideal_ratio"] == 4
    assert found[64, 16]["efficiency_ratio"] == pytest.approx(0.967, abs=0.04)
    assert not any(row["is_superlinear"] for row in rows)


def test_a_rate_that_the_generator_bounds_is_a_lower_bound(judged: _Tables) -> None:
    """The ratio has one end; a single run that it bounds decides nothing."""
    found = _rates(judged.pairs("quotients", cases.BOUND))
    assert all(row["is_generator_bound"] for row in found)
    for row in found:
        sides = {row["a_configuration_id"], row["b_configuration_id"]}
        _, low, high = _forward(row, "busy" if "busy" in sides else "once")
        if sides == {"busy", "free"}:
            assert (low is not None, high) == (True, None), row
            assert row["verdict"] != "equal"
        if sides == {"once", "free"}:
            assert row["verdict"] is None, row


def test_a_peak_that_the_generator_bounds_is_open_above(judged: _Tables) -> None:
    """The drive can do more than the peak; that of the drive which was waited for is only the highest point."""
    rows = judged.rows("from peaks where submission_id = $1", cases.BOUND)
    ends = {
        row["configuration_id"]: (
            row["peak_value_low"] is None,
            row["peak_value_high"] is None,
            row["peak_value_interval_kind"],
        )
        for row in rows
    }
    bound = (False, True, "bound")
    assert ends == {"busy": bound, "once": bound, "free": (True, True, "none")}


def _read_ratios(judged: _Tables) -> dict[str, float]:
    return {row["workload_id"]: row["read_ratio"] for row in judged.rows("from workloads")}


def test_what_a_manifest_excludes_is_compared_with_nothing_and_is_no_peak(judged: _Tables) -> None:
    """Reads of an area that was never written are in no comparison; writes of the same drive are."""
    found = judged.pairs("quotients", cases.RESERVED)
    named = [row for row in found if "unwritten" in {row["a_configuration_id"], row["b_configuration_id"]}]
    shares = _read_ratios(judged)
    assert {shares[row["workload_id"]] for row in named} == {0.0}
    excluded = judged.rows(
        "select distinct example_workload_id, reason, reason_columns from excluded_loads join pairs using (pair_id) "
        "where 'unwritten' in [a_configuration_id, b_configuration_id] and a_submission_id = $1",
        cases.RESERVED,
    )
    assert [(shares[row["example_workload_id"]], row["reason"]) for row in excluded] == [(1.0, "invalid")] * len(
        excluded
    )
    assert all("area not written before" in row["reason_columns"] for row in excluded)
    peaks = judged.rows(
        "select workload_id from peaks where submission_id = $1 and configuration_id = 'unwritten'", cases.RESERVED
    )
    assert {shares[row["workload_id"]] for row in peaks} == {0.0}


def test_what_a_manifest_excludes_is_shown_with_its_reason(judged: _Tables) -> None:
    """It stays among results and points; the check says why, and where that is known from."""
    rows = judged.rows(
        "select distinct reasons, effect, subject from validity_checks where check_name = 'reservation' "
        "and configuration_id = 'unwritten'"
    )
    assert [tuple(row.values()) for row in rows] == [
        (["the area was never written", "known from README.md"], "X", "unwritten area, read")
    ]
    badges = judged.rows(
        "select distinct operation, badges from results where configuration_id = 'unwritten' order by 1"
    )
    assert [tuple(row.values()) for row in badges] == [("read", ["excluded: area not written before"]), ("write", [])]
    points = judged.rows("select count(*) as n from points where configuration_id = 'unwritten'")
    assert points[0]["n"] == 2


def test_processes_that_are_reported_apart_are_one_load(judged: _Tables) -> None:
    """Two at depth 4 are one point at depth 8, of the same workload as a report that sums them; no part is a point."""
    rows = judged.rows(
        "select configuration_id, section, queue_depth, process_count, run_count, operations_per_second "
        "from points where submission_id = $1 order by configuration_id", cases.APART,
    )  # fmt: skip
    assert [tuple(row.values())[:5] for row in rows] == [
        ("apart", "tool output, 2 processes", 8, 2, 5), ("grouped", "tool output, 2 processes", 8, 2, 5),
    ]  # fmt: skip
    assert rows[0]["operations_per_second"] == pytest.approx(rows[1]["operations_per_second"], rel=0.03)
    badges = judged.rows(
        "select scope, is_whole_load, badges, count(*) as n from results where configuration_id = 'apart' "
        "and submission_id = $1 group by all order by scope", cases.APART,
    )  # fmt: skip
    assert [tuple(row.values()) for row in badges] == [
        ("group", True, ["sum of other results"], 5), ("job", False, ["part of a larger load"], 10),
    ]  # fmt: skip
    pairs = [row for row in _rates(judged.pairs("quotients", cases.APART)) if row["queue_depth"] == 8]
    assert len(pairs) == 2
