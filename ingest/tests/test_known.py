"""A submission is checked beside the others, and changes no row of another."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import hostile
from conftest import spoil
from ioledger.build.checking import check
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

FIRST, SECOND = "2026-11-ann-disk", "2026-11-bob-disk"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder of submissions with one sound submission."""
    return hostile.sound(tmp_path / "data" / FIRST).parent


def _rules(data: Path) -> list[str]:
    return [problem.rule for problem in check((data / SECOND,), data).problems]


def _submit_again(data: Path, *, indent: int | None = None) -> None:
    """Hand in the first submission's run once more: the same bytes, or saved again with another indent."""
    folder = hostile.sound(data / SECOND)
    if indent is not None:
        report = json.loads((folder / hostile.REPORT).read_bytes())
        hostile.replace(folder, json.dumps(report, indent=indent).encode(), "resaved.json")


@pytest.mark.parametrize(("indent", "rule"), [(None, "R-FILE-7"), (9, "R-FILE-9")])
def test_a_run_of_another_submission_is_found(data: Path, indent: int | None, rule: str) -> None:
    """The same bytes, or saved again with another indent."""
    _submit_again(data, indent=indent)
    (problem,) = check((data / SECOND,), data).problems
    assert (problem.rule, f"{FIRST}/{hostile.REPORT}" in problem.what) == (rule, True)
    equal = "operations, bytes, duration and mean latency are equal"
    assert problem.what.endswith(equal) is (rule == "R-FILE-9")


@pytest.mark.parametrize("role", ["job", "preparation", "attachment"])
def test_what_is_no_result_may_stand_in_two_submissions(data: Path, role: str) -> None:
    """The same job file says that both were measured alike, and one preparation may stand before both."""
    run = json.loads((data / FIRST / hostile.REPORT).read_bytes())
    same = b"[a]\nrw=read\niodepth=1\n" if role == "job" else json.dumps(run | {"time": "before"}).encode()
    second = json.dumps(run).replace("67000", "66999").replace("160000", "160001").replace("20100", "20109").encode()
    hostile.replace(hostile.sound(data / SECOND), second)
    for folder in (FIRST, SECOND):
        hostile.add_file(data / folder, "same.file", same, role)
    assert _rules(data) == []


def test_a_submission_is_superseded_by_one_that_stands(data: Path) -> None:
    """A submission may be superseded by one that stands, and not by one that does not."""
    folder = hostile.sound(data / SECOND)
    report = (folder / hostile.REPORT).read_bytes()
    hostile.replace(folder, report.replace(b"67000", b"66999").replace(b"160000", b"160001"))
    spoil(folder, "affiliation: independent", "affiliation: independent\nstatus: {state: superseded, reason: older, "
          f"changed_on: 2026-11-21, superseded_by: {FIRST}}}")  # fmt: skip
    assert "R-STATE-2" not in _rules(data)
    spoil(folder, f"superseded_by: {FIRST}", "superseded_by: 2026-09-nobody-disk")
    assert "R-STATE-2" in _rules(data)


def test_a_folder_that_is_named_twice_is_checked_once(submission: Path) -> None:
    """By any spelling: its files are no duplicates of themselves."""
    twice = submission.parent / ".." / submission.parent.name / submission.name
    assert check((submission, twice, submission), submission.parent)[:2] == (1, [])


def _tables(data: Path) -> dict[str, pa.Table]:
    gathered = gather.gather(gather.folders(data))
    assert gathered.problems == []
    return raw_tables(gathered)[0]


def test_a_submission_changes_no_row_of_another_even_if_both_have_a_file(tmp_path: Path) -> None:
    """``ioledger plan`` writes the same job file for everybody, and who hands it in later may stand before them."""
    job, earlier = b"[global]\nioengine=libaio\n[database]\nrw=randrw\nbs=8k\n", "2026-11-aaron-disk"
    first = hostile.sound(tmp_path / FIRST)
    hostile.add_file(first, "plan.fio", job, "job")
    before = _tables(tmp_path)
    second = hostile.sound(tmp_path / SECOND)
    report = (second / hostile.REPORT).read_bytes()
    for key in (b'"mean" : ', b'"mean": ', b'"max": '):
        report = report.replace(key, key + b"1")
    hostile.replace(second, report, "mine.json")
    hostile.add_file(second, "plan.fio", job, "job")
    second.rename(tmp_path / earlier)
    after = _tables(tmp_path)
    assert after["results"].num_rows == 2 * before["results"].num_rows
    for name in tables():
        rows = after[name].to_pylist()
        assert [row for row in before[name].to_pylist() if row not in rows] == []
