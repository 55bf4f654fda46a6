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
def test_a_submission_is_counted_with_its_grades_and_nearest_results() -> None:
    """The Fujitsu report has sources, results and quotients; the comment has a table of each."""
    with duckdb.connect(report.DATABASE, read_only=True) as connection:
        found = report.submission(connection, "2016-03-fujitsu-p3700")
    assert found["status"] == "active"
    assert found["source_count"] >= 1
    assert found["result_count"] > 50
    assert sum(row["count"] for row in found["grades"]) > 0
    assert 0 < len(found["nearest"]) <= report.SHOWN_QUOTIENTS
    text = comment.body({"checked": 1, "problem_count": 0, "problems": [], "submissions": [found]})
    assert "Nearest comparable results" in text
    assert comment.code("2016-03-fujitsu-p3700") in text


@pytest.mark.pipeline
def test_a_submission_that_is_not_built_is_named_only() -> None:
    """A folder that was refused has no rows."""
    with duckdb.connect(report.DATABASE, read_only=True) as connection:
        found = report.submission(connection, "x' or '1'='1")
    assert found == {"id": "x' or '1'='1", "warnings": [], "grades": [], "nearest": []}
