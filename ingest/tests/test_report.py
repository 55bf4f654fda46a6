"""What a pull request adds is counted in the built database, and the comment shows it."""

from __future__ import annotations

import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import releasing
from dataset import DISK, FUJITSU, PAPERS
from ioledger.pulls import truncation
from ioledger.releases import difference, sides
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.releases.changes import Difference

sys.path.insert(0, str(ROOT / "tools"))
comment: Any = importlib.import_module("comment")
report: Any = importlib.import_module("report")
RUN: dict[str, Any] = {
    "repository": {"full_name": "owner/repo", "default_branch": "main"},
    "workflow_run": {"id": 7, "event": "pull_request", "head_branch": "b", "head_sha": "abc",
                     "conclusion": "success", "head_repository": {"owner": {"login": "ann"}}},
}  # fmt: skip


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
    to_disk = [row for row in found["not_comparable"] if row["other"] == DISK]
    assert all(row["why"] == "key_differs" and "media_class:X" in row["columns"] for row in to_disk)
    text = comment.body(RUN, {"checked": 1, "problem_count": 0, "problems": [], "submissions": [found]})
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
    nothing: dict[str, list[Any]] = {name: [] for name in ("warnings", "checks", "grades", "nearest", "not_comparable")}
    assert found == {"id": "x' or '1'='1", **nothing}


def test_warnings_and_checks_are_counted_by_series(database: Path) -> None:
    """One line per rule and load profile, with how many results it stands for and the worst of them."""
    with duckdb.connect(database, read_only=True) as connection:
        found = report.submission(connection, DISK)
        checks = connection.execute(
            "select count(*) from validity_checks where submission_id = ? and effect is not null", [DISK]
        ).fetchone()
    for part, key in (
        ("warnings", ("rule_id", "load_profile")),
        ("checks", ("verdict", "load_profile", "quantity", "limit")),
    ):
        lines = [tuple(row[name] for name in key) for row in found[part]]
        assert len(lines) == len(set(lines))
    assert checks is not None
    assert sum(row["count"] for row in found["checks"]) == checks[0] > 0
    (short,) = (row for row in found["checks"] if row["verdict"] == "try-out" and row["load_profile"] == "Streaming")
    assert short["worst"] < short["limit"]
    text = comment.body(RUN, {"checked": 1, "problem_count": 0, "problems": [], "submissions": [found]})
    assert "What cannot be used, or with a reservation, by series" in text


SENTENCE = "B 1.27 times A [0.78, 2.34]: undecided (n = 3, one session); grade A; same bench"
JUDGED = """
create table quotients as select 's' as a_submission_id, 'o' as b_submission_id, 'a' as a_configuration_id,
  'b' as b_configuration_id, 'Database' as load_profile, 'operations_per_second' as metric, 'peak' as basis,
  '' as a_section, '' as b_section, 1.27 as quotient_ratio, '1.27' as quotient_display_text,
  'B 1.27 times A [0.78, 2.34]: undecided (n = 3, one session); grade A; same bench' as verdict_sentence,
  'A' as comparability_grade, 'firmware:B' as grade_columns, 'same bench' as evidence;
create table excluded_pairs as select 'o' as a_submission_id, 's' as b_submission_id,
  'key_differs' as reason, 'media_class' as reason_columns, 3 as pair_count;
"""


def test_the_words_about_a_comparison_are_those_of_the_tables() -> None:
    """Sentence, grade, its columns and evidence are taken as they stand; so are reasons."""
    with duckdb.connect() as connection:
        connection.execute(JUDGED)
        nearest = report.rows(connection, report.NEAREST, id="s", limit=9)
        excluded = report.rows(connection, report.NOT_COMPARABLE, id="s", limit=9)
    (row,) = nearest
    said = {"verdict": SENTENCE, "grade": "A", "grade_columns": "firmware:B", "evidence": "same bench"}
    assert {name: row[name] for name in said} == said
    assert excluded == [{"other": "o", "why": "key_differs", "columns": "media_class", "count": 3}]
    text = comment.body(RUN, {"submissions": [{"id": "s", "nearest": nearest}]})
    assert comment.code(SENTENCE) in text


def test_what_differs_from_before_is_in_the_comment(tmp_path: Path) -> None:
    """Rows and cells with their causes, few of each table, with every count."""
    before = releasing.write(tmp_path / "a", releasing.rows(red=100.0, blue=50.0))
    rows = releasing.rows(red=110.0, blue=50.0, green=25.0)
    rows["files"][0] |= {"source_sha256": "other bytes"}
    found = report.differing(_compared(before, releasing.write(tmp_path / "b", rows)))
    assert found["headline"] == ("10 rows differ in 5 tables; 3 numbers and 1 words moved. Rows by cause: data 10.")
    tables = {row["table"]: row for row in found["tables"]}
    assert tables["marts/quotients"] == {
        "table": "marts/quotients", "rows before": "1", "after": "3", "added": "2", "moved": "1", "numbers": "1",
        "causes": "data 3",
    }  # fmt: skip
    moved = next(row for row in found["cells"] if row["table"] == "results")
    assert (moved["before"], moved["after"], moved["ratio"]) == ("100.0", "110.0", "1.1")
    text = comment.body(RUN, {"checked": 1, "problem_count": 0, "problems": [], "submissions": [], "difference": found})
    assert "### What differs from before" in text
    assert comment.code("data: green is new") in text
    assert comment.code("data: the file run.json has other bytes") in text


def test_a_report_of_many_differences_stays_small(tmp_path: Path) -> None:
    """Smaller than what the comment takes, whatever differs and however long its texts are."""
    many = {f"s{number:03}": float(number + 1) for number in range(30)}
    before, after = releasing.rows(**many), releasing.rows(**{name: value * 2 for name, value in many.items()})
    after["marts/results"] = [row | {"badges": "long " * 200} for row in after["marts/results"]]
    first, second = releasing.write(tmp_path / "a", before), releasing.write(tmp_path / "b", after)
    found = report.differing(_compared(first, second, None))
    assert len(found["cells"]) == report.MOST_LINES
    assert max(len(cell) for row in found["cells"] for cell in row.values()) <= report.LONGEST
    assert len(json.dumps({"difference": found})) < truncation.LARGEST_BYTES / 2


def _compared(before: Path, after: Path, limit: int | None = 2) -> Difference:
    """Compare two builds of the tests' own."""
    first, second = sides.of_folder(before), sides.of_folder(after)
    assert isinstance(first, sides.Side)
    assert isinstance(second, sides.Side)
    return difference.compare(first, second, limit)
