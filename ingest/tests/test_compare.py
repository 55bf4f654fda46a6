"""``ioledger compare``: ratios with verdicts, conditions by counts and names, exclusions, and what differs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from ioledger.build.publish import view_sql
from ioledger.cli.compare import compare_configurations as compare
from ioledger.comparison import ratio_sentence
from ioledger.problems import Problem
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

SIDES = {
    "a_submission_id": "s1", "a_configuration_id": "fast", "b_submission_id": "s1", "b_configuration_id": "slow",
}  # fmt: skip
PAIR = {
    "pair_id": "p", "operation": "read", **SIDES, "question": "device", "condition_count": 36, "equal_count": 2,
    "differing_columns": ["kernel", "tool_version"], "differing_count": 2, "unknown_keys": ["write_cache"],
    "unknown_key_count": 1, "unknown_count": 32,
}  # fmt: skip
MEASURED = {
    "verdict": "A faster", "ratio": 4.0, "ratio_low": 3.9, "ratio_high": 4.1, "ratio_interval_kind": "sessions",
    "p_value": 0.001,
}  # fmt: skip
COMPARISONS = [
    {"queue_depth": depth, "metric": "operations_per_second", "workload_id": "db", **values}
    for depth, values in ((16, MEASURED), (2, {"ratio": 0.5, "tolerated_spread_ratio": 0.2507}), (None, {"ratio": 4.0}))
]
EXCLUDED = {
    "pair_id": "p", "reason": "key_differs", "reason_columns": ["filesystem"], "workload_count": 1, "load_count": 2,
    "example_workload_id": "db", "example_queue_depth": 8,
}  # fmt: skip
TABLES = (
    "points", "peaks", "submissions", "configurations", "drives", "raw.settings", "comparisons", "pairs",
    "excluded_loads", "workloads",
)  # fmt: skip
TYPES = {
    "string": "varchar", "float64": "double", "int64": "bigint", "bool": "boolean", "date32": "date",
    "timestamp[us]": "timestamp", "list<string>": "varchar[]", "list<int64>": "bigint[]",
}  # fmt: skip


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with two submissions: s1 with fast and slow, s2 with slow and a name that tries to be SQL."""
    path = tmp_path_factory.mktemp("compared") / "some.duckdb"
    described = tables() | marts()
    with duckdb.connect(path) as connection:
        connection.execute("create schema raw")
        for name in TABLES:
            own = described[name.removeprefix("raw.")].columns
            columns = ", ".join(f'"{column.name}" {TYPES[column.arrow]}' for column in own)
            connection.execute(f"create table {name} ({columns})")
        connection.execute(f"create view quotients as {view_sql('quotients')}")

        def put(table: str, **row: object) -> None:
            names, marks = ", ".join(row), ", ".join("?" * len(row))
            insert = f"insert into {table} ({names}) values ({marks})"  # noqa: S608  (the test's own names)
            connection.execute(insert, list(row.values()))

        for submission, configuration, kernel in (
            ("s1", "fast", "6.1"), ("s1", "slow", "6.1"), ("s2", "slow", "5.4"), ("s2", "x' or '1'='1", "5.4"),
        ):  # fmt: skip
            put("configurations", submission_id=submission, configuration_id=configuration, kernel=kernel, title="t")
        put("drives", submission_id="s1", configuration_id="fast", firmware="A1", model="M")
        put("drives", submission_id="s1", configuration_id="slow", firmware="B2", model="M")
        put("raw.settings", submission_id="s1", configuration_id="fast", scope="bios", name="Turbo", value="on")
        put("configurations", submission_id="s3", configuration_id="alone", system_model="M", device_id="acme-1tb")
        put("workloads", workload_id="db", load_profile="Database")
        put("pairs", **PAIR)
        put("excluded_loads", **EXCLUDED)
        for number, (row, (a, b)) in enumerate(zip(COMPARISONS, ((200, 50), (100, 200), (200, 50)), strict=True)):
            runs = {"run_count": 5, "session_count": 3} if "verdict" in row else {"run_count": 1}
            for side, value in (("a", a), ("b", b)):
                point = {"device": side.upper(), "section": "x", "submission_id": "s1"}
                point["configuration_id"] = "fast" if side == "a" else "slow"
                if row["queue_depth"] is None:
                    put("peaks", peak_id=f"{side}{number}", metric=row["metric"], peak_value=value, **point)
                else:
                    put("points", point_id=f"{side}{number}", operations_per_second=value, **point, **runs)
            ids = {"comparison_id": str(number), "pair_id": "p", "a_point_id": f"a{number}", "b_point_id": f"b{number}"}
            put("comparisons", **ids, **row)
    return path


def _compare(database: Path, a: str, b: str) -> dict[str, Any]:
    found = compare(database, a, b)
    assert isinstance(found, dict)
    return found


def test_comparisons_and_differences_of_two_configurations(database: Path) -> None:
    """In the order of queue depths; the firmware differs, and a setting is stated on one side only."""
    found = _compare(database, "fast", "s1/slow")
    assert (found["a"], found["b"]) == (("s1", "fast"), ("s1", "slow"))
    assert [row["queue_depth"] for row in found["comparisons"]] == [2, 16, None]
    assert found["differences"] == [{"field": "drive: firmware", "a": "A1", "b": "B2"}]
    assert (found["unknown"], found["same_count"]) == (["setting: bios turbo"], 2)


def test_the_other_way_round_every_ratio_is_inverted(database: Path) -> None:
    """The verdict names the other side, and ends change places."""
    found = _compare(database, "s1/slow", "fast")
    row = found["comparisons"][1]
    assert (row["ratio"], row["ratio_low"], row["ratio_high"]) == (0.25, pytest.approx(1 / 4.1), pytest.approx(1 / 3.9))
    assert (row["verdict"], row["a_value"], row["b_value"]) == ("B faster", 50, 200)


def test_two_that_cannot_be_compared_are_still_put_side_by_side(database: Path) -> None:
    """No comparison, but what differs is listed; a name that looks like SQL is a name."""
    assert _compare(database, "x' or '1'='1", "s1/fast")["a"] == ("s2", "x' or '1'='1")
    found = _compare(database, "s2/slow", "s1/slow")
    assert found["comparisons"] == []
    assert {"field": "kernel", "a": "5.4", "b": "6.1"} in found["differences"]


@pytest.mark.parametrize(
    ("name", "what", "remedy"),
    [
        ("slow", "2 configurations are called slow", "Use one of: s1/slow, s2/slow."),
        ("slwo", "no configuration is called slwo", "Did you mean s1/slow, s2/slow?"),
        ("s1/none", "no configuration is called s1/none", "Did you mean s1/fast, s1/slow?"),
        ("s2/slwo", "no configuration is called s2/slwo", "Did you mean s2/slow?"),
        ("s3/fast", "no configuration is called s3/fast", "Did you mean s3/alone?"),
        ("s9/fast", "no configuration is called s9/fast", "Did you mean s1/fast"),
        ("/fast", "no configuration is called /fast", "Did you mean s1/fast?"),
        ("x/s1/fast", "no configuration is called x/s1/fast", "Did you mean s1/fast"),
        ("nothing like it", "no configuration is called nothing like it", "List them with `ioledger sql"),
        ("fast' or '1'='1", "no configuration is called fast' or '1'='1", "Did you mean s2/x' or '1'='1"),
        ("s1", "s1 is a submission, not a configuration", "Use one of its own: s1/fast, s1/slow."),
        ("acme-1tb", "acme-1tb is a device, not a configuration", "Use one that has it: s3/alone."),
    ],
)
def test_a_name_that_stands_for_no_one_configuration_is_refused(
    name: str, what: str, remedy: str, database: Path
) -> None:
    """It is said what it stands for instead, and the remedy is what to give: the nearest names, not a list of all."""
    (problem,) = compare(database, name, "fast")
    assert isinstance(problem, Problem)
    assert (problem.rule, problem.what) == ("R-COMPARE-1", what)
    assert problem.remedy.startswith(remedy)


def test_two_wrong_names_are_told_once_each(database: Path) -> None:
    """The same one twice is one problem, and a right one is none."""
    for a, b, wrong in (("fats", "solw", ["fats", "solw"]), ("fats", "fats", ["fats"]), ("fast", "fats", ["fats"])):
        problems = compare(database, a, b)
        assert isinstance(problems, list)
        assert [problem.what for problem in problems] == [f"no configuration is called {name}" for name in wrong]


@pytest.mark.parametrize("other", ["fast", "s1/fast"])
def test_a_configuration_is_not_compared_with_itself(other: str, ioledger: Run, database: Path) -> None:
    """In whichever spelling: that nothing in common would be told of it is wrong."""
    done = ioledger("compare", "fast", other, "--database", database)
    told = "compare: both names are one configuration, s1/fast. Name another one instead of one of them."
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{told}  [R-COMPARE-1]\n")


def test_the_command_prints_comparisons_conditions_and_exclusions(ioledger: Run, database: Path) -> None:
    """Each comparison with its verdict or the spread that it tolerates; conditions by counts and names."""
    done = ioledger("compare", "fast", "s1/slow", "--database", database)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("""\
A  s1/fast
B  s1/slow

Database, IOPS, queue depth 2
  B 2.00 times A: single runs, no verdict; holds if runs vary by at most 25 %. A 100 IOPS, B 200 IOPS.
Database, IOPS, queue depth 16
  A 4.00 times B [3.90, 4.10]: A faster (n = 5 and 5; sessions: 3 and 3). A 200 IOPS, B 50 IOPS.
Database, IOPS, highest point
  A 4.00 times B: single runs, no verdict. A 200 IOPS, B 50 IOPS.

At most 5 % of equal pairs are reported as different. Pairs tested here: 1.

Conditions of reads: 2 of 36 conditions known to be equal; differ: kernel, tool version; unknown: write cache, \
setting: bios turbo, 30 more.
--conditions lists the unknown ones.

Cannot be compared:
  2 loads, such as Database at queue depth 8: key differs (filesystem)
""")
    assert ["drive:", "firmware", "A1", "B2"] in [line.split() for line in done.stdout.splitlines()]
    assert "2 stated fields are the same." in done.stdout
    listed = " ".join(ioledger("compare", "fast", "s1/slow", "--conditions", "--database", database).stdout.split())
    assert "Unknown on one side: setting: bios turbo." in listed
    assert re.search(r"Unknown on both sides: [^.]*drive: link negotiated", listed)
    assert "--conditions lists" not in listed


def test_a_pair_without_a_common_workload_says_so(ioledger: Run, database: Path) -> None:
    """Nothing is excluded, either."""
    printed = ioledger("compare", "s3/alone", "fast", "--database", database).stdout
    assert "These two have no common workload." in printed
    assert "Cannot be compared:" not in printed


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ({"ratio_low": 1.25}, "A at least 1.25 times B*"),
        ({"ratio_high": 0.8}, "A at most 0.80 times B*"),
        (
            {"tolerated_spread_ratio": 0.034999},
            "no ratio*; holds if runs vary by at most 3.4 %",
        ),
        ({"tolerated_spread_ratio": 0.1029}, "no ratio*; holds if runs vary by at most 10 %"),
        ({"tolerated_spread_ratio": 0.7}, "no ratio*; holds even if runs vary by 50 %"),
        ({"tolerated_spread_ratio": 0.0}, "no ratio*; does not hold if runs vary at all"),
        ({}, "no ratio*"),
    ],
)
def test_a_bound_leaves_one_end_and_a_tolerated_spread_is_rounded_down(ends: dict[str, float], said: str) -> None:
    """Two bounds of one direction leave none; what is said of a spread always holds."""
    row = dict.fromkeys(("ratio", "ratio_low", "ratio_high", "verdict", "reason", "tolerated_spread_ratio"))
    row |= dict.fromkeys(("a_run_count", "b_run_count", "choice_count", "choice_ratio_low", "choice_ratio_high"))
    assert ratio_sentence({**row, **ends}) == said.replace("*", ": single runs, no verdict")


def test_the_command_prints_json(ioledger: Run, database: Path, tmp_path: Path) -> None:
    """Exit code 1 for a name that is not there, and for a database that is not there."""
    printed = json.loads(ioledger("compare", "fast", "s1/slow", "--database", database, "--json").stdout)
    assert printed["a"] == ["s1", "fast"]
    assert printed["comparisons"][1]["verdict"] == "A faster"
    assert ioledger("compare", "fast", "none", "--database", database).returncode == 1
    missing = ioledger("compare", "a", "b", "--database", tmp_path / "none.duckdb")
    assert (missing.returncode, "R-SQL-1" in missing.stderr) == (1, True)
