"""What a pull request adds is counted in the built database, and the comment shows it."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import duckdb
import pytest

from ingest.tables import ROOT

sys.path.insert(0, str(ROOT / "tools"))
comment: Any = importlib.import_module("comment")
report: Any = importlib.import_module("report")


@pytest.mark.pipeline
def test_a_submission_is_counted_with_its_grades_and_what_it_cannot_be_compared_with() -> None:
    """The Fujitsu report has sources, results and quotients; a virtual disk cannot be compared with its drives."""
    with duckdb.connect(report.DATABASE, read_only=True) as connection:
        found = report.submission(connection, "2016-03-fujitsu-p3700")
    assert found["status"] == "active"
    assert found["source_count"] >= 1
    assert found["result_count"] > 50
    assert sum(row["count"] for row in found["grades"]) > 0
    assert found["nearest"] == []
    assert {row["other"] for row in found["not_comparable"]} == {"2026-11-ioledger-virtual-disk"}
    assert "kind of drive differs" in found["not_comparable"][0]["why"]
    text = comment.body({"checked": 1, "problem_count": 0, "problems": [], "submissions": [found]})
    assert "Not comparable with, and why" in text
    assert "Nearest comparable results" not in text
    assert comment.code("2016-03-fujitsu-p3700") in text


@pytest.mark.pipeline
def test_the_nearest_results_of_other_submissions_come_first() -> None:
    """Of quotients with another submission the best grades are shown, ten at most."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{report.DATABASE}' as built (read_only)")
        connection.execute(
            "create table quotients as select * replace ('other' as b_submission_id) from built.quotients"
        )
        found = report.rows(connection, report.NEAREST, id="2016-03-fujitsu-p3700", limit=report.SHOWN_QUOTIENTS)
    assert len(found) == report.SHOWN_QUOTIENTS
    assert all(row["b"].startswith("other/") for row in found)
    assert [row["grade"] for row in found] == sorted(row["grade"] for row in found)


@pytest.mark.pipeline
def test_a_submission_that_is_not_built_is_named_only() -> None:
    """A folder that was refused has no rows."""
    with duckdb.connect(report.DATABASE, read_only=True) as connection:
        found = report.submission(connection, "x' or '1'='1")
    assert found == {"id": "x' or '1'='1", "warnings": [], "grades": [], "nearest": [], "not_comparable": []}
