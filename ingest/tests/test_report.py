"""What a pull request adds is read from the built database, a row for each point."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from dataset import DISK, FUJITSU
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
report: Any = importlib.import_module("report")


@pytest.fixture(scope="module")
def database(sample: Path) -> Path:
    """Return the database of the tests' own dataset."""
    return sample / "build" / "ioledger.duckdb"


def test_every_point_has_a_row_with_the_ratio_to_the_nearest_published_drives(database: Path) -> None:
    """The ratio is that of the table of comparisons, or its inverse where the submission is the second side."""
    with duckdb.connect(database, read_only=True) as connection:
        found = report.submission(connection, DISK)
        points = connection.execute("select count(*) from points where submission_id = ?", [DISK]).fetchone()
        ratios = connection.execute(
            "select unnest([ratio, 1 / ratio]) from comparisons join pairs using (pair_id) "
            "where $id in (a_submission_id, b_submission_id) and ratio is not null",
            {"id": DISK},
        ).fetchall()
    assert points is not None
    assert found["point_count"] == len(found["points"]) == points[0] > 0
    near = [each for row in found["points"] for each in row["nearest"]]
    assert near
    assert {each["ratio"] for each in near} <= {f"{ratio:.3g} times" for (ratio,) in ratios}
    assert max(len(row["nearest"]) for row in found["points"]) <= report.NEAREST


def test_the_fields_that_would_improve_most_comparisons_are_unknown_in_them(database: Path) -> None:
    """Three fields at most, each of which the submission's pairs name as unknown."""
    with duckdb.connect(database, read_only=True) as connection:
        found = report.submission(connection, FUJITSU)
        unknown = connection.execute(
            "select flatten(list(unknown_keys)) from pairs where $id in (a_submission_id, b_submission_id)",
            {"id": FUJITSU},
        ).fetchone()
    assert unknown is not None
    assert found["improve"]
    assert len(found["improve"]) <= report.FIELDS
    assert set(found["improve"]) <= set(unknown[0])


def test_a_submission_that_is_not_built_is_named_only(database: Path) -> None:
    """A folder that was refused has no rows."""
    with duckdb.connect(database, read_only=True) as connection:
        found = report.submission(connection, "x' or '1'='1")
    assert found == {"id": "x' or '1'='1", "point_count": 0, "points": [], "improve": []}
