"""Rules that no small fixture breaks are broken here: files made for the purpose, each a change of a sound one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import hostile
from conftest import FIXTURES
from ioledger.model import Source
from ioledger.readers import detect, fio, iometer
from ioledger.readers.fio import logs
from ioledger.submission import gather, rows
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ioledger.model import Reading

REPORT = (FIXTURES / "submission" / "report.json").read_bytes()
SWEEP = (FIXTURES / "iometer" / "csv-56-depth-sweep" / "input.csv").read_bytes()
SETUP = (FIXTURES / "iometer" / "configuration" / "input.icf").read_bytes()
UPDATES = (FIXTURES / "iometer" / "instantaneous-81" / "input.csv").read_bytes()


def _rules(reading: Reading) -> set[str]:
    return {refusal.rule for refusal in reading.refusals} | {finding.rule for finding in reading.warnings}


def _changed(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new, 1)


def _without_header(data: bytes) -> bytes:
    return b"\n".join(line for line in data.splitlines() if not line.startswith(b"'Target Type"))


READINGS: dict[str, tuple[str, Callable[[Source], Reading], bytes]] = {
    "a fio file of no format": ("R-FIO-LINE-1", fio.read, b"nothing of fio"),
    "a fio report with bytes of another encoding": (
        "R-FIO-LINE-2", fio.read, b"noise \xff\n" + REPORT,
    ),
    "a log of other columns": ("R-FIO-LINE-1", logs.read, b"one, two\nthree, four\n"),
    "results before a header": ("R-READ-8", iometer.read, _without_header(SWEEP)),
    "a line that is none of Iometer's": (
        "R-IOMETER-LINE-2", iometer.read, _changed(SWEEP, b"'Version", b"hello\n'Version"),
    ),
    "a specification that is none": (
        "R-IOMETER-LINE-2", iometer.read, _changed(SWEEP, b"'End access", b"hello\n'End access"),
    ),
    "a setup with a line that is none": (
        "R-IOMETER-LINE-2", iometer.read, _changed(SETUP, b"'Run Time", b"'Nonsense\n\tx\n'Run Time"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", READINGS)
def test_a_file_made_for_it_breaks_the_rule(case: str) -> None:
    """The reader names the rule, and does not raise."""
    rule, read, data = READINGS[case]
    assert rule in _rules(read(Source("input", data)))


def test_a_configuration_that_a_publication_names_must_be_in_the_manifest(tmp_path: Path) -> None:
    """Figures name their configuration themselves; the manifest must know it."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    figures = (FIXTURES / "published" / "figures" / "input.csv").read_bytes()
    hostile.add_file(folder, "figures.csv", figures, "publication")
    assert {problem.rule for problem in gather.gather([folder]).problems} == {"R-READ-3"}


def test_a_missing_value_and_a_key_that_stands_twice_are_faults_of_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are named with the table and the row, whatever reader gave it."""
    row = dict.fromkeys(tables()["files"].column_names)
    row |= {"file_id": "f", "source_sha256": "f", "submission_id": "s", "path": "p", "role": "result"}
    monkeypatch.setattr(rows, "_file_row", lambda _: row)
    gathered = gather.gather([hostile.sound(tmp_path / hostile.NAME)])
    gathered.files *= 2
    _, problems = raw_tables(gathered)
    assert {"R-TABLE-1", "R-TABLE-2"} <= {problem.rule for problem in problems}


def test_a_network_test_of_updates_is_left_out() -> None:
    """Its updates count both ends of the connection."""
    data = UPDATES.replace(b"Worker 1,", b"[Worker 1],")
    reading = detect.read(Source("input.csv", data))
    assert "R-IOMETER-LINE-2" in _rules(reading)
