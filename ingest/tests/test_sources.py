"""A file belongs to the submission that lists it; a run counts once; a correction may carry what was right."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import hostile
from conftest import FIXTURES, spoil
from hostile import REPORT, add_file, replace, sound
from ioledger.build.checking import check
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.columns import identity
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-11-ann-disk", "2026-11-bob-disk"
JOB = b"[global]\nioengine=libaio\ndirect=1\n[database]\nrw=randrw\nrwmixread=67\nbs=8k\niodepth=16\n"

QUERIES = [path for path in sorted((ROOT / "site" / "data").glob("*.sql")) if "join files" in path.read_text("utf-8")]
LOGS = """
create table memory.validity_checks as
from built.validity_checks
union all by name
select file_id, submission_id, configuration_id, 'steady' as check_name, 'range_ratio' as quantity_name, '' as subject
from built.files
where tool is not null
"""
"""As if every file were a log, because there may be none."""
COPIES = """
insert into memory.files
select
    files.* replace (
        concat('copy of ', files.file_id, ' in ', submissions.submission_id) as file_id,
        submissions.submission_id as submission_id, 'copy/' || files.path as path, 'attachment' as role, null as tool
    )
from built.files as files
cross join built.submissions as submissions
"""


def _another_run(folder: Path) -> Path:
    """Let another run of the same load stand in a submission."""
    report = json.loads((folder / REPORT).read_bytes())
    for operation in ("read", "write"):
        report["jobs"][0][operation]["lat_ns"]["mean"] += 7
        report["jobs"][0][operation]["lat_ns"]["stddev"] += 7
    replace(folder, json.dumps(report).encode(), REPORT)
    return folder


def _rows(*folders: Path) -> dict[str, list[dict[str, Any]]]:
    gathered = gather.gather(folders)
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    return {name: table.to_pylist() for name, table in built.items()}


def test_submissions_may_list_the_same_job_file(tmp_path: Path) -> None:
    """``ioledger plan`` writes the same bytes for everybody; each submission has a row for each of its own files."""
    first, second = sound(tmp_path / FIRST), _another_run(sound(tmp_path / SECOND))
    for folder in (first, second):
        add_file(folder, "plan.fio", JOB, "job")
    add_file(first, "one/plan.fio", JOB, "job")
    rows = _rows(first, second)
    for name, alone in _rows(first).items():
        assert [row for row in alone if row not in rows[name]] == [], "no submission changes a row of another"
    jobs = [row for row in rows["files"] if row["role"] == "job"]
    assert [(row["submission_id"], row["path"]) for row in jobs] == [
        (FIRST, "one/plan.fio"), (FIRST, "plan.fio"), (SECOND, "plan.fio"),
    ]  # fmt: skip
    assert len({row["source_sha256"] for row in jobs}) == 1
    assert len(rows["results"]) == 2 * len(_rows(first)["results"])


def test_the_id_of_a_result_says_its_bytes_and_its_place_and_nothing_of_its_submission(tmp_path: Path) -> None:
    """A result keeps its id wherever its file lies, so what was linked to it stays linked."""
    first = _rows(sound(tmp_path / FIRST))["results"]
    second = _rows(sound(tmp_path / SECOND))["results"]
    assert [row["result_id"] for row in first] == [row["result_id"] for row in second]
    assert all(row["result_id"] == identity(row["source_sha256"], row["source_pointer"]) for row in first)


def test_a_raw_file_may_be_attached_elsewhere_and_its_results_count_once(tmp_path: Path) -> None:
    """An attachment is not read: the report beside a correction shows what was corrected."""
    first, second = sound(tmp_path / FIRST), _another_run(sound(tmp_path / SECOND))
    count = len(_rows(first, second)["results"])
    add_file(second, "before.json", (first / REPORT).read_bytes(), "attachment")
    rows = _rows(first, second)
    assert len(rows["results"]) == count
    assert {row["tool"] for row in rows["files"] if row["role"] == "attachment"} == {None}


@pytest.mark.parametrize("role", ["job", "preparation", "attachment"])
def test_what_is_no_result_may_stand_in_two_submissions(role: str, tmp_path: Path) -> None:
    """The same job file says that both were measured alike, and one preparation may stand before both."""
    folders = sound(tmp_path / FIRST), _another_run(sound(tmp_path / SECOND))
    before = json.dumps(json.loads((folders[0] / REPORT).read_bytes()) | {"time": "before"}).encode()
    for folder in folders:
        add_file(folder, "same.file", JOB if role == "job" else before, role)
    assert check(folders[1:], tmp_path).problems == []


def test_a_folder_that_is_named_twice_is_checked_once(submission: Path) -> None:
    """By any spelling: its files are no duplicates of themselves."""
    twice = submission.parent / ".." / submission.parent.name / submission.name
    assert check((submission, twice, submission), submission.parent)[:2] == (1, [])


@pytest.mark.pipeline
@pytest.mark.parametrize("query", QUERIES, ids=lambda path: path.stem)
def test_copies_of_files_that_are_not_read_multiply_no_row_of_a_page(query: Path) -> None:
    """Every file once more as an attachment, of its own submission and of all others: the pages show the same rows."""
    text = query.read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(f"attach '{ROOT / 'build' / 'ioledger.duckdb'}' as built (read_only)")
        connection.execute("set search_path = 'memory,built'")
        connection.execute(LOGS)
        before = connection.execute(text).fetchall()
        connection.execute("create table memory.files as from built.files")
        connection.execute(COPIES)
        after = connection.execute(text).fetchall()
    assert after == before


CLAIMS = (FIXTURES / "claims" / "claims.csv").read_bytes()
RAW = re.compile(r"\b(?:from|join) (figures|raw\.\w+)\b")
STANDING = "status in ('active', 'disputed')"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Return two submissions that hold the same claims; the runs of the second are its own."""
    folders = tmp_path / "2026-11-mallory-disk", tmp_path / "2026-11-mallory-disk-mended"
    for index, folder in enumerate(folders):
        hostile.sound(folder)
        report = (folder / hostile.REPORT).read_bytes().replace(b'"mean": 160000.0', f'"mean": 16000{index}.0'.encode())
        report = report.replace(b'"stddev": 20100.0', f'"stddev": 2010{index}.0'.encode())
        hostile.replace(folder, report, hostile.REPORT)
        hostile.add_file(folder, "claims.csv", CLAIMS, "publication")
    return folders


def _supersede(pair: tuple[Path, Path]) -> None:
    first, second = pair
    state = f"{{state: superseded, superseded_by: {second.name}, reason: a wrong title, changed_on: 2026-11-22}}"
    spoil(first, "affiliation: independent", f"affiliation: independent\nstatus: {state}")


def _rules(*folders: Path) -> set[str]:
    return {problem.rule for problem in gather.gather(folders).problems}


def test_a_correction_may_carry_the_claims_that_were_right(pair: tuple[Path, Path]) -> None:
    """The same bytes in the submission that is superseded and in its successor; two that stand cannot have them."""
    assert _rules(*pair) == {"R-FILE-7"}
    _supersede(pair)
    gathered = gather.gather(pair)
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    assert built["files"].num_rows == 4


def test_a_third_submission_may_not_carry_them(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """It takes nobody's place."""
    _supersede(pair)
    third = hostile.sound(tmp_path / "2026-11-eve-disk")
    report = (third / hostile.REPORT).read_bytes().replace(b'"mean": 160000.0', b'"mean": 160002.0')
    report = report.replace(b'"stddev": 20100.0', b'"stddev": 20102.0')
    hostile.replace(third, report, hostile.REPORT)
    hostile.add_file(third, "claims.csv", CLAIMS, "publication")
    assert _rules(*pair, third) == {"R-FILE-7"}


def test_a_run_counts_once_also_for_a_successor(pair: tuple[Path, Path]) -> None:
    """A result in two submissions would have one id for two rows."""
    first, second = pair
    hostile.add_file(second, "again.json", (first / hostile.REPORT).read_bytes())
    _supersede(pair)
    assert _rules(*pair) == {"R-FILE-7"}


@pytest.mark.parametrize("path", sorted((ROOT / "site").glob("*/*.sql")), ids=lambda path: path.name)
def test_a_page_that_reads_raw_rows_leaves_out_what_does_not_stand(path: Path) -> None:
    """The marts leave it out; the raw tables list every submission, whatever its state."""
    text = path.read_text(encoding="utf-8")
    own = RAW.findall(text)
    joined = (
        "using (submission_id, figure_id)", ".figure_id = figures.figure_id", ".section = figures.section",
        "using (submission_id, configuration_id", "from quotients",
    )  # fmt: skip
    through_marts = any(words in text for words in joined)
    assert not own or through_marts or STANDING in text or "price_figure_id" in text
