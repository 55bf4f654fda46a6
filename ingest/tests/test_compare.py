"""``ioledger compare``: quotients with grades, and only the provenance that differs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import duckdb
import pytest

from ioledger.cli.compare import compared as compare
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

QUOTIENT = {
    "load_profile": "Database", "metric": "operations_per_second", "basis": "peak", "a_submission_id": "s1",
    "a_configuration_id": "fast", "b_submission_id": "s1", "b_configuration_id": "slow", "a_value": 200.0,
    "b_value": 50.0, "quotient_ratio": 4.0, "quotient_display_text": "4.00", "comparability_grade": "B",
    "comparability_reasons": "fewer than three repetitions",
}  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database with two submissions: s1 with fast and slow, s2 with slow and a name that tries to be SQL."""
    path = tmp_path / "some.duckdb"
    described = tables() | marts()
    with duckdb.connect(path) as connection:
        for name in ("configurations", "drives", "settings", "quotients"):
            columns = ", ".join(f'"{column.name}" varchar' for column in described[name].columns)
            connection.execute(f'create table "{name}" ({columns})')

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
        put("settings", submission_id="s1", configuration_id="fast", scope="bios", name="Turbo", value="on")
        put("quotients", **QUOTIENT)
    return path


def test_quotients_and_differences_of_two_configurations(database: Path) -> None:
    """The kernel and the model are the same, the firmware differs, and a setting is stated on one side only."""
    found, problems = compare(database, "fast", "s1/slow")
    assert problems == []
    assert found is not None
    assert (found.a, found.b) == (("s1", "fast"), ("s1", "slow"))
    (quotient,) = found.quotients
    assert (quotient["quotient_display_text"], quotient["comparability_grade"]) == ("4.00", "B")
    assert found.differences == [
        {"field": "drive: firmware", "a": "A1", "b": "B2"},
        {"field": "setting: bios: Turbo", "a": "on", "b": "unknown"},
    ]
    assert found.same_count == 2


def test_two_that_cannot_be_divided_are_still_put_side_by_side(database: Path) -> None:
    """No quotient, but what differs is listed."""
    found, _ = compare(database, "s2/slow", "s1/slow")
    assert found is not None
    assert found.quotients == []
    assert {"field": "kernel", "a": "5.4", "b": "6.1"} in found.differences


@pytest.mark.parametrize("name", ["slow", "none", "s1/none", "s3/fast", "fast' or '1'='1"])
def test_a_name_that_stands_for_none_or_several_is_refused(name: str, database: Path) -> None:
    """The remedy lists what there is."""
    found, problems = compare(database, name, "fast")
    assert found is None
    assert [problem.rule for problem in problems] == ["R-COMPARE-1"]
    assert "s1/slow" in problems[0].remedy


def test_a_name_that_looks_like_sql_is_a_name(database: Path) -> None:
    """Names are bound, so a quote in one is a quote."""
    found, problems = compare(database, "x' or '1'='1", "s1/fast")
    assert problems == []
    assert found is not None
    assert found.a == ("s2", "x' or '1'='1")


def test_the_command_prints_tables_or_json(ioledger: Run, database: Path, tmp_path: Path) -> None:
    """Exit code 1 for a name that is not there, and for a database that is not there."""
    done = ioledger("compare", "fast", "s1/slow", "--database", database)
    assert done.returncode == 0, done.stderr
    assert "4.00" in done.stdout
    assert " operations_per_second " in done.stdout, "a name is cut"
    assert "drive: firmware" in done.stdout
    assert "2 fields are the same." in done.stdout
    printed = json.loads(ioledger("compare", "fast", "s1/slow", "--database", database, "--json").stdout)
    assert printed["a"] == ["s1", "fast"]
    assert ioledger("compare", "fast", "none", "--database", database).returncode == 1
    missing = ioledger("compare", "a", "b", "--database", tmp_path / "none.duckdb")
    assert (missing.returncode, "R-SQL-1" in missing.stderr) == (1, True)
