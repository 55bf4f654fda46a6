"""A pull request changes its own rows and no others."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

import hostile
from conftest import spoil
from ioledger.submission import gather, ownership
from ioledger.submission.rows import raw_tables

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

MINE, OTHER = "2026-11-mallory-disk", "2026-11-alice-disk"


def _tables(data: Path) -> dict[str, pa.Table]:
    gathered = gather.gather(gather.folders(data))
    assert gathered.problems == []
    return raw_tables(gathered)[0]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder with one merged submission."""
    hostile.sound(tmp_path / "data" / OTHER)
    return tmp_path / "data"


def _second(data: Path) -> None:
    """Add a submission with a report of its own."""
    report = (
        (data / OTHER / hostile.REPORT)
        .read_bytes()
        .replace(b'"mean" : ', b'"mean" : 1')
        .replace(b'"mean": ', b'"mean": 1')
        .replace(b'"max": ', b'"max": 1')
    )
    folder = hostile.sound(data / MINE)
    (folder / hostile.REPORT).unlink()
    manifest = folder / "manifest.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").split("\nfiles:")[0] + "\nfiles:\n", encoding="utf-8")
    hostile.add_file(folder, "mine.json", report)


def test_a_new_submission_changes_nothing_else(data: Path) -> None:
    """Its rows are new in every table, and no other row differs."""
    before = _tables(data)
    _second(data)
    after = _tables(data)
    assert after["results"].num_rows == 2 * before["results"].num_rows
    assert list(ownership.ownership_problems(before, after, {MINE})) == []


def test_a_file_that_others_have_too_changes_no_row_of_theirs(data: Path) -> None:
    """``ioledger plan`` writes the same job file for everybody, and who hands it in later may stand before them."""
    job, earlier = b"[global]\nioengine=libaio\n[database]\nrw=randrw\nbs=8k\n", "2026-11-aaron-disk"
    hostile.add_file(data / OTHER, "plan.fio", job, "job")
    before = _tables(data)
    _second(data)
    hostile.add_file(data / MINE, "plan.fio", job, "job")
    (data / MINE).rename(data / earlier)
    assert list(ownership.ownership_problems(before, _tables(data), {earlier})) == []


def test_rows_of_another_submission_may_not_change(data: Path) -> None:
    """The table and the submission are named, whatever was done to it."""
    before = _tables(data)
    spoil(data / OTHER, "count: 1}", "count: 2}")
    found = list(ownership.ownership_problems(before, _tables(data), {MINE}))
    assert {(problem.rule, problem.place) for problem in found} == {("R-OWN-1", OTHER)}
    assert {problem.file for problem in found} == {"the table configurations", "the table drives"}
    _second(data)
    assert found[0].what == f"1 rows of {OTHER} are gone and 1 are new"
    shutil.rmtree(data / OTHER)
    gone = list(ownership.ownership_problems(before, _tables(data), {MINE}))
    assert "the table latency_percentiles" in {problem.file for problem in gone}
    assert {problem.rule for problem in gone} == {"R-OWN-1"}


def test_a_merged_submission_is_not_edited_but_may_change_its_state(data: Path) -> None:
    """The state is what the manifest keeps for that."""
    before = _tables(data)
    spoil(
        data / OTHER,
        "affiliation: independent",
        "affiliation: independent\nstatus: {state: retracted, reason: r, changed_on: 2026-11-21}",
    )
    assert list(ownership.ownership_problems(before, _tables(data), {OTHER})) == []
    spoil(data / OTHER, "count: 1}", "count: 2}")
    assert {problem.rule for problem in ownership.ownership_problems(before, _tables(data), {OTHER})} == {"R-OWN-2"}
