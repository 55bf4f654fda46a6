"""What a pull request adds is counted in the built database, and the comment shows it."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from dataset import DISK, FUJITSU, PAPERS
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
comment: Any = importlib.import_module("comment")
report: Any = importlib.import_module("report")


@pytest.fixture(scope="module")
def database(sample: Path) -> Path:
    """Return the database of the tests' own dataset."""
    return sample / "build" / "ioledger.duckdb"


def test_a_submission_is_counted_with_its_grades_and_what_it_cannot_be_compared_with(database: Path) -> None:
    """The Fujitsu report has sources, results and quotients; a virtual disk cannot be compared with its drives."""
    with duckdb.connect(database, read_only=True) as connection:
        found = report.submission(connection, FUJITSU)
    assert found["status"] == "active"
    assert found["source_count"] >= 1
    assert found["result_count"] > 50
    assert sum(row["count"] for row in found["grades"]) > 0
    assert found["nearest"] == []
    others = {row["other"] for row in found["not_comparable"]}
    assert DISK in others
    assert others.isdisjoint(PAPERS)
    assert all("kind of drive differs" in row["why"] for row in found["not_comparable"])
    text = comment.body({"checked": 1, "problem_count": 0, "problems": [], "submissions": [found]})
    assert "Not comparable with, and why" in text
    assert "Nearest comparable results" not in text
    assert comment.code(FUJITSU) in text


def test_the_nearest_results_of_other_submissions_come_first(database: Path) -> None:
    """Of quotients with another submission the best grades are shown, ten at most."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{database}' as built (read_only)")
        connection.execute(
            "create table quotients as select * replace ('other' as b_submission_id) from built.quotients"
        )
        found = report.rows(connection, report.NEAREST, id=FUJITSU, limit=report.SHOWN_QUOTIENTS)
    assert len(found) == report.SHOWN_QUOTIENTS
    assert all(row["b"].startswith("other/") for row in found)
    assert [row["grade"] for row in found] == sorted(row["grade"] for row in found)


def test_a_submission_that_is_not_built_is_named_only(database: Path) -> None:
    """A folder that was refused has no rows."""
    with duckdb.connect(database, read_only=True) as connection:
        found = report.submission(connection, "x' or '1'='1")
    assert found == {"id": "x' or '1'='1", "warnings": [], "grades": [], "nearest": [], "not_comparable": []}
