"""ORION: what its summaries, matrices and console output become, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conftest import FIXTURES
from hostile import add_file
from ioledger.model import Reading, Source
from ioledger.readers import detect, orion
from ioledger.submission import gather

if TYPE_CHECKING:
    from pathlib import Path

IOPS = "Large/Small,      1,      2\n          0,    100,    190\n"


def _read(text: str) -> Reading:
    return detect.read(Source("file", text.encode()))


def _rules(reading: Reading) -> list[str]:
    return [finding.rule for finding in reading.warnings]


@pytest.mark.parametrize(
    ("prose", "version", "cells", "seconds", "rules"),
    [
        ("", "10.2.0.1.0", "0.48, 0.50", 0.00048, []),
        ("", "11.1.0.7.0", "0.48, 0.50", 0.00048, []),
        ("", "11.2.0.4", "0.48, 0.50", 0.00000048, []),
        ("", "RDBMS_19.3.0.0.0DBRU_LINUX.X64_190417", "0.48, 0.50", 0.00000048, []),
        ("", "orion", "0.48, 0.50", 0.00048, ["R-ORION-7"]),
        ("ORION VERSION 12.2.0.1.0\n", "11.1.0.7", "109.89, 116.28", 0.00010989, []),
        ("Latency of small I/Os in microseconds.\n", None, "109.89, 116.28", 0.00010989, []),
        (f"{IOPS}\n", None, "  10.00,  10.53", 0.01, []),
        (f"{IOPS}\n", None, "10000.00, 10526.32", 0.01, []),
    ],
)
def test_the_unit_of_a_latency_is_settled(
    prose: str, version: str | None, cells: str, seconds: float, rules: list[str]
) -> None:
    """By the prose above, by Little's law, by the version of the file, else of the manifest: 11.2 has microseconds."""
    data = f"{prose}Large/Small, 1, 2\n0, {cells}\n".encode()
    reading = orion.read(Source("run_lat.csv", data, tool_version=version))
    assert not reading.refusals
    assert reading.results[0].latency_mean_seconds == pytest.approx(seconds)
    assert _rules(reading) == rules
    assert len(reading.results) == 2


def test_a_latency_in_no_unit_is_refused() -> None:
    """Neither milliseconds nor microseconds give the number of outstanding I/Os."""
    reading = _read(f"{IOPS}\nLarge/Small, 1, 2\n0, 300.00, 310.00\n")
    assert [refusal.rule for refusal in reading.refusals] == ["R-READ-8"]


@pytest.mark.parametrize("unit", ["microseconds", "milliseconds"])
def test_microseconds_read_as_milliseconds_are_noticed(unit: str) -> None:
    """A stated unit that Little's law contradicts by a thousand is kept and flagged in every cell."""
    prose = f"Contains the average latency sustained by small I/Os in {unit}."
    reading = _read(f"{IOPS}\n{prose}\nLarge/Small, 1, 2\n0, 10000.00, 10526.32\n")
    assert _rules(reading) == ([] if unit == "microseconds" else ["R-CHECK-1"] * 2)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("IOPS=24510", "IOPS=48000", "R-CHECK-1"),
        ("64 - 128 ", "64 - 512 ", "R-ORION-7"),
        ("Histogram @ Small=1", "Histogram @ Small=2", "R-ORION-7"),
        ("std dev=31.208 us @ Small=5", "std dev=31.208 us @ Small=6", "R-ORION-7"),
        ("Small Read Latency", "Large Read Latency", "R-ORION-7"),
    ],
)
def test_a_contradiction_is_kept_and_flagged(old: str, new: str, rule: str) -> None:
    """Nothing is mended: the numbers stay as printed, and a warning names the line."""
    text = (FIXTURES / "orion" / "console-19-histogram" / "input.txt").read_text(encoding="utf-8")
    assert old in text
    reading = _read(text.replace(old, new))
    assert not reading.refusals
    assert rule in _rules(reading)


@pytest.mark.parametrize(
    "text",
    [
        "ORION VERSION 1\n" + "x" * 70_000,
        "Large/Small, "
        + ", ".join(map(str, range(1, 401)))
        + "\n"
        + "".join(f"{i}{', 7' * 400}\n" for i in range(300)),
    ],
    ids=["a long line", "cells"],
)
def test_more_than_orion_writes_is_refused(text: str) -> None:
    """The length of a line and cells have a cap, and the message says so."""
    reading = _read(text)
    assert "R-READ-8" in [refusal.rule for refusal in reading.refusals]
    assert not reading.results


@pytest.mark.parametrize("space", ["\t", "\x1d", "\x85", "\u3000"])
def test_white_space_means_nothing_and_a_cell_of_zero_is_no_row(space: str) -> None:
    """Editors and terminals put other blanks than ORION's spaces; a point that did nothing has no rate."""
    assert _read(IOPS.replace("  ", space)).results == _read(IOPS).results
    assert _read(IOPS.replace("190", "  0")).results == _read(IOPS).results[:1]


@pytest.mark.parametrize(("role", "rules"), [("attachment", []), ("result", ["R-ORION-5"])])
def test_a_histogram_file_is_part_of_a_submission_but_no_result(submission: Path, role: str, rules: list[str]) -> None:
    """No real sample proves its layout: it is kept beside the results and not read."""
    add_file(
        submission, "run_hist.txt", (FIXTURES / "rejected" / "orion-histogram-file" / "input.txt").read_bytes(), role
    )
    assert [problem.rule for problem in gather.gather([submission]).problems] == rules


def test_utf_16_and_windows_line_ends_are_read() -> None:
    """PowerShell writes both."""
    reading = orion.read(Source("file", IOPS.replace("\n", "\r\n").encode("utf-16")))
    assert reading.encoding == "utf-16"
    assert [result.operations_per_second for result in reading.results] == [100, 190]
