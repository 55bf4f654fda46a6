"""What the last build knows of other submissions spares reading them, and hides no run that stands twice."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import hostile
from conftest import spoil
from ioledger.build.checking import check
from ioledger.submission import duplicates, gather, reading_cache

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem

FIRST, SECOND = "2026-11-ann-disk", "2026-11-bob-disk"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a folder of submissions with one sound submission, which a build has seen."""
    hostile.sound(tmp_path / "data" / FIRST)
    _build(tmp_path / "data")
    return tmp_path / "data"


def _build(data: Path) -> None:
    duplicates.write_seen(gather.gather(gather.folders(data)), data.parent / duplicates.PLACE)


def _check(data: Path, built: Path | None = None) -> list[Problem]:
    return check((data / SECOND,), data, built=built or data.parent / duplicates.PLACE)[1]


def _again(data: Path, *, indent: int | None = None) -> None:
    """Hand in the first submission's run once more: the same bytes, or saved again with another indent."""
    folder = hostile.sound(data / SECOND)
    if indent is not None:
        report = json.loads((folder / hostile.REPORT).read_bytes())
        (folder / hostile.REPORT).unlink()
        text = (folder / "manifest.yaml").read_text(encoding="utf-8")
        (folder / "manifest.yaml").write_text(text.split("\nfiles:")[0] + "\nfiles:\n", encoding="utf-8")
        hostile.add_file(folder, "resaved.json", json.dumps(report, indent=indent).encode())


@pytest.mark.parametrize(("indent", "rule"), [(None, "R-FILE-7"), (9, "R-FILE-9")])
@pytest.mark.parametrize("is_built", [True, False])
def test_a_run_of_another_submission_is_found_with_a_build_and_without(
    data: Path, indent: int | None, rule: str, *, is_built: bool
) -> None:
    """The message names the other file; without a build the other submission is read."""
    _again(data, indent=indent)
    (problem,) = _check(data, None if is_built else data / "no-such-file")
    assert problem.rule == rule
    assert f"{FIRST}/{hostile.REPORT}" in problem.what


@pytest.mark.parametrize("role", ["job", "preparation", "attachment"])
@pytest.mark.parametrize("is_built", [True, False])
def test_what_is_no_result_may_stand_in_two_submissions(data: Path, role: str, *, is_built: bool) -> None:
    """The same job file says that both were measured alike, and one preparation may stand before both."""
    run = json.loads((data / FIRST / hostile.REPORT).read_bytes())
    same = b"[a]\nrw=read\niodepth=1\n" if role == "job" else json.dumps(run | {"time": "before"}).encode()
    second = json.dumps(run).replace("67000", "66999").replace("160000", "160001").replace("20100", "20109").encode()
    hostile.replace(hostile.sound(data / SECOND), second)
    for folder in (FIRST, SECOND):
        hostile.add_file(data / folder, "same.file", same, role)
    _build_without_second(data)
    assert _check(data, None if is_built else data / "no-such-file") == []


def _build_without_second(data: Path) -> None:
    """Let a build see the first submission as it is now."""
    duplicates.write_seen(gather.gather([data / FIRST]), data.parent / duplicates.PLACE)


def test_what_a_build_knows_is_not_read_again(data: Path) -> None:
    """The other file is gone, and its run is found all the same."""
    _again(data, indent=9)
    (data / FIRST / hostile.REPORT).unlink()
    assert [problem.rule for problem in _check(data)] == ["R-FILE-9"]


@pytest.mark.parametrize("change", ["manifest", "code", "table"])
def test_an_old_build_is_not_believed(data: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another manifest, other code or a damaged table: the submission is read, and the run found."""
    if change == "manifest":
        spoil(data / FIRST, "title: ", "title: A ")
    elif change == "code":
        monkeypatch.setattr(duplicates, "fingerprint", lambda: "other code")
    else:
        (data.parent / duplicates.PLACE).write_bytes(b"PAR1 no more")
    assert duplicates.load_seen([data / FIRST], data.parent / duplicates.PLACE).states == {}
    _again(data, indent=9)
    assert [problem.rule for problem in _check(data)] == ["R-FILE-9"]


def test_the_state_of_a_submission_that_is_not_read_is_known(data: Path) -> None:
    """A submission may be superseded by one that stands, and not by one that does not."""
    folder = hostile.sound(data / SECOND)
    report = (folder / hostile.REPORT).read_bytes()
    hostile.replace(folder, report.replace(b"67000", b"66999").replace(b"160000", b"160001"))
    spoil(folder, "affiliation: independent", "affiliation: independent\nstatus: {state: superseded, reason: older, "
          f"changed_on: 2026-11-21, superseded_by: {FIRST}}}")  # fmt: skip
    assert "R-STATE-3" not in {problem.rule for problem in _check(data)}
    spoil(folder, f"superseded_by: {FIRST}", "superseded_by: 2026-09-nobody-disk")
    assert "R-STATE-3" in {problem.rule for problem in _check(data)}


def test_two_builds_write_the_same_table(data: Path) -> None:
    """The table is as reproducible as the others."""
    first = (data.parent / duplicates.PLACE).read_bytes()
    _build(data)
    assert (data.parent / duplicates.PLACE).read_bytes() == first


def test_a_folder_that_is_named_twice_is_checked_once(submission: Path) -> None:
    """By any spelling: its files are no duplicates of themselves."""
    twice = submission.parent / ".." / submission.parent.name / submission.name
    assert check((submission, twice, submission), submission.parent)[:2] == (1, [])


def test_code_of_every_room_counts(tmp_path: Path) -> None:
    """A reader that reads other values makes an old build worthless, as a change of this room does."""
    package = shutil.copytree(
        reading_cache.PACKAGE, tmp_path / "ioledger", ignore=shutil.ignore_patterns("__pycache__")
    )
    before = reading_cache.fingerprint(package)
    assert before == reading_cache.fingerprint()
    with (package / "readers" / "fio" / "latency.py").open("a", encoding="utf-8") as code:
        code.write("# changed\n")
    assert reading_cache.fingerprint(package) != before
