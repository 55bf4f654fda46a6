"""fio's logs: what they measure stands in their name, the unit of latencies often nowhere."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest

from ioledger.model import Source
from ioledger.readers.fio import logs

CORPUS = os.environ.get("IOLEDGER_CORPUS", "")
PLAIN = b"100, 152607, 0, 4096\n200, 166784, 1, 0\n"
RECORD = struct.Struct("<QQI4xQ")


@pytest.mark.parametrize(
    ("name", "quantity"),
    [
        ("run_iops.1.log", "operations"),
        ("run_iops.log", "operations"),
        ("run_clat.12.log", "completion_latency"),
        ("run_slat.1.log.node-a", "submission_latency"),
        ("a_bw_lat.log", "total_latency"),
    ],
)
def test_the_name_tells_the_quantity(name: str, quantity: str) -> None:
    """Job numbers and the host that client mode appends do not hide it."""
    rows = logs.read(Source(name, PLAIN)).rows["samples"]
    assert {row["quantity"] for row in rows} == {quantity}


@pytest.mark.parametrize("name", ["input.log", "latency.log", "run_lat.csv", "", "run_clat_hist.1.log"])
def test_a_name_without_a_quantity_is_refused_with_a_remedy(name: str) -> None:
    """A guess could be wrong by any factor."""
    reading = logs.read(Source(name, PLAIN))
    assert not reading.rows
    assert [refusal.rule for refusal in reading.refusals] == ["R-FIO-LINE-1"]
    assert "_iops" in reading.refusals[0].remedy


@pytest.mark.parametrize(
    ("data", "version", "seconds"),
    [
        (PLAIN, None, None),
        (b"0, 152607, 1, 8192, 66412544\n10, 78, 0, 8192, 0\n", None, None),
        (PLAIN, "fio-2.15", 0.152607),
        (PLAIN, "fio-2.99", 152607e-9),
        (PLAIN, "fio 1.59", 0.152607),
        (PLAIN, "fio-3.1", 152607e-9),
    ],
)
def test_latencies_are_those_of_a_proven_unit(data: bytes, version: str | None, seconds: float | None) -> None:
    """Microseconds before 2.99, nanoseconds since; four columns and five are written by both."""
    reading = logs.read(Source("run_lat.log", data, tool_version=version))
    assert reading.rows["samples"][0]["latency_seconds"] == pytest.approx(seconds)
    assert [finding.rule for finding in reading.warnings] == ["R-FIO-FORMAT-2"] * (seconds is None)


def test_the_maximum_beside_the_average_is_passed_over() -> None:
    """With log_window_value=both the direction stands one place later."""
    data = b"100, 86900, 243091, 0, 0, 0\n200, 96402, 201129, 1, 0, 0\n"
    rows = logs.read(Source("run_lat.log", data)).rows["samples"]
    assert [row["operation"] for row in rows] == ["read", "write"]
    assert rows[0]["latency_seconds"] == pytest.approx(86.9e-6)


def test_times_of_day_become_offsets() -> None:
    """log_unix_epoch writes milliseconds since 1970."""
    rows = logs.read(Source("run_bw.log", b"1795250449560, 5, 0, 0\n1795250450060, 5, 0, 0\n")).rows["samples"]
    assert [row["offset_seconds"] for row in rows] == [0.0, 0.5]


@pytest.mark.parametrize("layout", ["<QQI4xQ", "<QQI4xQ8x", "<QQQI4xQ"])
def test_all_known_layouts_give_the_same_rows(layout: str) -> None:
    """3.33 without and with offsets, and 3.42."""
    second = (0,) if layout == "<QQQI4xQ" else ()
    flag = 1 << 31 if layout == "<QQI4xQ8x" else 0
    records = [struct.pack(layout, time_, 70 + time_, *second, flag | time_ % 2, 4096) for time_ in range(9)]
    found = logs.unpack_rows(zlib.compress(b"".join(records)))
    assert found == [(time_, 70 + time_, time_ % 2, 4096) for time_ in range(9)]


def test_an_unknown_layout_is_refused_with_the_command_that_helps() -> None:
    """Reading it wrongly would give numbers that look right."""
    head = RECORD.pack(0, 5, 0, 4096)
    found = logs.unpack_rows(zlib.compress(head + b"\xff" * 32))
    assert not isinstance(found, list)
    assert found.rule == "R-FIO-LINE-1"
    assert "--inflate-log" in found.remedy


def test_a_torn_last_line_is_left_out_and_reported() -> None:
    """A killed run ends in the middle of a line."""
    reading = logs.read(Source("run_bw.log", PLAIN + b"300, 17"))
    assert len(reading.rows["samples"]) == 2
    assert [(finding.rule, finding.pointer) for finding in reading.warnings] == [("R-FIO-LINE-2", "line 3")]


@pytest.mark.parametrize("data", [b"", b"1,2,3,4\n", b"1, 2, 9, 4\n", b"1, 2, 0\n", b"a, b, 0, 4\n", b"\x78\x9c"])
def test_other_files_are_not_taken_for_logs(data: bytes) -> None:
    """The separator, the direction and the number of columns must all fit."""
    assert not logs.find(data)


if CORPUS:

    def test_every_log_of_the_corpus_is_read_or_refused_with_a_reason() -> None:
        """Only logs with spoilt histograms are refused; 3.42 compressed logs equal their kind in text."""
        paths = [path for path in sorted(Path(CORPUS, "fio").rglob("*.log*")) if logs.find(path.read_bytes())]
        readings = {path: logs.read(Source(path.name, path.read_bytes())) for path in paths}
        assert len(readings) > 80
        for path, reading in readings.items():
            rules = {refusal.rule for refusal in reading.refusals}
            assert rules <= {"R-FIO-LINE-1"}, path
            assert reading.results or reading.rows.get("samples") or rules, path
