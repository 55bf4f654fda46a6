"""What a submission can be compared with, which fields would improve it, and many alike faults told once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import duckdb

import adding
from adding import changed, document_of, reported
from ioledger.add import guidance
from ioledger.cli import SHOWN_FILES, SHOWN_LINES, report
from ioledger.problems import Problem

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from conftest import Run


def _problem(file: str, rule: str = "R-FILE-7", what: str = "it is the same file as b") -> Problem:
    return Problem(file, "", what, "Remove it.", rule)


def test_of_many_files_with_one_fault_three_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The others are counted behind them; each fault of one file is named, and so is every other rule."""
    report([*(_problem(f"{number}.json") for number in range(60)), _problem("x", "R-FILE-1")])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == SHOWN_FILES + 2
    assert lines[SHOWN_FILES] == "  and the same fault in 57 more files  [R-FILE-7]"
    assert lines[-1].endswith("[R-FILE-1]")
    report(_problem("a.json", what=f"it lacks {field}") for field in ("firmware", "model", "vendor", "kernel"))
    assert len(capsys.readouterr().err.splitlines()) == 4
    report((_problem("a.csv", what=f"line {number} is empty") for number in range(60)), "warning: ")
    *named, counted = capsys.readouterr().err.splitlines()
    assert (len(named), counted) == (SHOWN_LINES, "  and the same fault in 50 more places  [R-FILE-7]")
    assert all(line.startswith("warning: a.csv: ") for line in named)


def test_add_states_values_and_ends_with_what_would_improve_the_submission(
    tmp_path: Path, ioledger: Run, sample: Path
) -> None:
    """A field that is stated is not asked for again; without a build it says how to make one."""
    manifest = adding.manifest(tmp_path)
    changed(manifest, _forget)
    report_file = reported(tmp_path / "a.json", 1_795_000_001)
    common = ("add", report_file, "--manifest", manifest, "--data", tmp_path / "data")
    first = ioledger(*common, "--workspace", tmp_path)
    assert first.returncode == 0, first.stderr
    assert "To see its comparisons, run: ioledger build --no-site" in first.stderr
    again = ioledger(*common, "--workspace", sample, "--state", "firmware=GDC5602Q")
    assert again.returncode == 0, again.stderr
    folder = tmp_path / "data" / adding.FOLDER
    document = document_of(folder)
    assert {device["firmware"]["value"] for device in document["devices"].values()} == {"GDC5602Q"}
    open_fields = guidance.unknown_fields(document, {})
    assert ("firmware" in open_fields, "write_cache" in open_fields) == (False, True)
    assert "has workloads in common with" in again.stderr or "No published drive" in again.stderr
    refused = ioledger(*common, "--workspace", tmp_path, "--state", "firmwares=x")
    assert (refused.returncode, "no part of a manifest has the field firmwares" in refused.stderr) == (2, True)


def _forget(document: dict[str, dict[str, dict[str, object]]]) -> None:
    for device in document["devices"].values():
        device |= {"firmware": {"unknown": "nobody looked"}, "write_cache": {"unknown": "nobody looked"}}


def test_fields_that_decide_come_first_then_those_that_others_state() -> None:
    """A key condition before a caveat; what has a value, or does not exist, is not named."""
    method = {"preconditioning_class": "unknown", "data_pattern": {"unknown": "not written down"}}
    configuration = {"storage": {}, "software": {"kernel": "unknown", "io_scheduler": "none"}, "method": method}
    manifest = {
        "systems": {"host": {"cpu_power_state": {"none": "a virtual machine"}}}, "devices": {},
        "configurations": {"a": configuration},
    }  # fmt: skip
    assert guidance.unknown_fields(manifest, {"kernel": 5, "data_pattern": 9}) == [
        "preconditioning_class", "data_pattern", "kernel",
    ]  # fmt: skip
    assert json.dumps(manifest["devices"]) == "{}"


def test_beside_a_database_of_other_code_the_next_build_is_named(tmp_path: Path, ioledger: Run) -> None:
    """Its tables may lack a column."""
    manifest = adding.manifest(tmp_path)
    (tmp_path / "build").mkdir()
    with duckdb.connect(tmp_path / "build" / "ioledger.duckdb") as connection:
        connection.execute("create table configurations as select 1 as submission_id")
    report_file = reported(tmp_path / "a.json", 1_795_000_001)
    common = ("--manifest", manifest, "--data", tmp_path / "data", "--workspace", tmp_path)
    done = ioledger("add", report_file, *common)
    assert done.returncode == 0, done.stderr
    assert "To see its comparisons, run: ioledger build --no-site" in done.stderr
