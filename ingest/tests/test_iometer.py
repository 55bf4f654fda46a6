"""Iometer: four schemas, runs and tests in one file, everything that must not be counted twice, configurations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from ioledger.model import Reading, Source
from ioledger.readers import detect, iometer
from ioledger.readers.iometer import edges
from ioledger.readers.iometer.specs import Line, Spec, parse_icf, workload
from ioledger.readers.iometer.text import header_of

if TYPE_CHECKING:
    from collections.abc import Sequence

FIXTURES = Path(__file__).parent / "fixtures"


def _read(case: str) -> Reading:
    (path,) = (FIXTURES / "iometer" / case).glob("input.*")
    return detect.read(Source(path.name, path.read_bytes()))


def _text(case: str) -> str:
    return (FIXTURES / "iometer" / case / "input.csv").read_text(encoding="ascii")


def _read_text(text: str) -> Reading:
    return detect.read(Source("results.csv", text.encode()))


def _rules(reading: Reading) -> Counter[str]:
    return Counter(finding.rule for finding in reading.warnings)


@pytest.mark.parametrize(
    "head",
    [
        b'{"fio version": "fio-3.33", "jobs": [{"jobname": "\'Test Type,Test Description"}]}',
        b"read: IOPS=1, 'Test Type,Test Description\n",
        b"Version 1.1.0\n",
        b"Results,\n'Results of the day\n",
        b"",
    ],
)
def test_other_files_are_not_claimed(head: bytes) -> None:
    """A mark counts only at the start of a line."""
    assert not iometer.claims(head)


def test_columns_are_found_by_name_whatever_their_order() -> None:
    """A header with its columns in another order gives the same results."""
    lines = _text("csv-59-reads-and-writes").split("\n")
    swapped = []
    for line in lines:
        fields = line.split(",")
        if len(fields) == 59 and not line.startswith("PROCESSOR"):
            fields[6], fields[40], fields[47] = fields[47], fields[6], fields[40]
        swapped.append(",".join(fields))
    assert swapped != lines
    assert _read_text("\n".join(swapped)).results == _read("csv-59-reads-and-writes").results


LOG_AND_DATA = [Line(8192, 90, 100, 100, 0, 1, 0, 0), Line(512, 10, 0, 0, 0, 1, 0, 0)]
ANSWERED = [Line(65536, 100, 0, 0, 0, 1, 0, 512)]


@pytest.mark.parametrize(
    ("lines", "operation", "size", "pattern"),
    [
        (LOG_AND_DATA, "read", 8192, "random"), (LOG_AND_DATA, "write", 512, "sequential"),
        (ANSWERED, "write", 65536, "sequential"), (ANSWERED, "read", 512, "sequential"),
        (ANSWERED, "mixed", None, "sequential"),
    ],
)  # fmt: skip
def test_sizes_and_order_of_an_operation_are_of_its_lines(
    lines: list[Line], operation: str, size: int | None, pattern: str
) -> None:
    """A line of writes says nothing about reads; a reply goes the other way."""
    found = workload(Spec("log and data", lines), operation)
    assert (found["block_size_bytes"], found["access_pattern"]) == (size, pattern)


def test_bins_have_true_edges_and_stand_with_reads_and_writes_together() -> None:
    """The bin labelled 10 to 15 ms ends at a 67th of a second, in whole ticks; an absurd timer still gives 21 edges."""
    read, write, mixed = _read("csv-80-two-tests").results[:3]
    assert (read.bins, write.bins) == ({}, {})
    assert list(mixed.bins["total"].rows())[1] == (0.01, 0.0149253, 320)
    for ticks in (None, 0.0, 1e-9, 1.0, 1e6, 1e7, 2.333e9, 1e18):
        assert list(edges(ticks)) == sorted(set(edges(ticks)))
        assert len(edges(ticks)) == 21


def test_depths_that_differ_are_added_up_over_the_workers() -> None:
    """-1 is no depth: four for one worker and eight for the other are twelve; without workers nothing is guessed."""
    reading = _read("different-depths")
    assert {r.queue_depth for r in reading.results} == {12}
    assert {r.outstanding_per_target_count for r in reading.results} == {None}
    assert {(r.test_name, r.block_size_bytes) for r in reading.results} == {(None, None)}
    assert not reading.warnings
    lines = _text("different-depths").split("\n")
    kept = [line for line in lines if not line.startswith(("WORKER", "DISK"))]
    assert {r.queue_depth for r in _read_text("\n".join(kept)).results} == {None}


@pytest.mark.parametrize(
    ("old", "new", "delay", "count"),
    [
        (",2,1.250000,", ",4,1.250000,", "0", 1),
        ("0.555000", "555.000000", "0", 1),
        (",2,1.250000,", ",4,1.250000,", "5", 0),
    ],
)
def test_a_wrong_depth_or_unit_breaks_littles_law(old: str, new: str, delay: str, count: int) -> None:
    """A depth doubled, or microseconds written as milliseconds, is told; a delay excuses an idle queue."""
    text = _text("csv-56-depth-sweep")
    assert old in text
    spoilt = text.replace(old, new).replace("8192,100,100,100,0,1,0,0", f"8192,100,100,100,{delay},1,0,0")
    assert _rules(_read_text(spoilt))["R-CHECK-1"] == count


def test_the_run_time_comes_from_ticks_and_not_from_time_stamps() -> None:
    """The stamps include the ramp; without rows that state ticks, I/Os over IOPS is the run time."""
    text = _text("csv-59-reads-and-writes")
    only = "\n".join(line for line in text.split("\n") if not line.startswith(("MANAGER", "WORKER", "DISK", "PROC")))
    stated, apparent = _read_text(text).results[0], _read_text(only).results[0]
    assert stated.duration_seconds == apparent.duration_seconds == 10.0
    assert stated.started_at is None
    assert (stated.latency_resolution_seconds, apparent.latency_resolution_seconds) == (1e-7, None)


def _with_reads(text: str, counts: Sequence[str]) -> str:
    """Return an instantaneous file with as many updates as there are counts of reads, in turns of its two workers."""
    updates = [line for line in text.split("\n") if ",WORKER," in line and "KiB Read" not in line]
    header = header_of(text.split("\n")[13])
    assert not isinstance(header, str)
    rows = [updates[number % len(updates)].split(",") for number in range(len(counts))]
    for fields, count in zip(rows, counts, strict=True):
        fields[header.places["Read I/Os"]] = count
    return text.replace("\n".join(updates), "\n".join(map(",".join, rows)))


def test_updates_that_cannot_be_samples_are_told() -> None:
    """Strange time stamps, workers out of turn, no numbers, and rows that count from the start give no samples."""
    text = _text("instantaneous-81")
    for spoilt in (
        text.replace("2023-03-27 13:14:33:810", "27.03.2023 13:14"),
        text.replace("WORKER,Worker 1", "WORKER,Worker 2", 1),
        text.replace(",0.5,0.5,0,", ",0.5,-1.#IND,0,", 1),
        _with_reads(text, [str(number // 2 * 2000 + 2000) for number in range(8)]),
    ):
        reading = _read_text(spoilt)
        assert _rules(reading) == {"R-IOMETER-LINE-2": 1}
        assert reading.rows == {"samples": []}
        assert len(reading.results) == 1


def test_an_update_without_any_io_is_no_sample() -> None:
    """Zero is written in more than one way, and gives no latency."""
    text = _with_reads(_text("instantaneous-81"), ["0", "0.000000", "2000", "2100", "2000", "2100"])
    assert [row["offset_seconds"] for row in _read_text(text).rows["samples"][::3]] == [2.15, 3.15]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end: str) -> None:
    """CRLF is what Iometer writes; tools on other systems change it."""
    text = _text("csv-80-two-tests")
    assert _read_text(text.replace("\n", end)).results == _read("csv-80-two-tests").results


@pytest.mark.parametrize("row", ["ALL", "MANAGER", "WORKER"])
def test_whole_runs_before_a_cut_are_read(row: str) -> None:
    """A file that ends inside its third run gives two runs and says where the third begins."""
    text = _text("csv-56-depth-sweep")
    reading = _read_text(text[: text.rindex(f"\n{row}") + 60])
    assert [r.repetition for r in reading.results] == ["line 15", "line 25"]
    assert [refusal.rule for refusal in reading.refusals] == ["R-READ-8", "R-IOMETER-CUT-1"]
    assert reading.refusals[1].place == "line 39"


def test_a_run_without_its_sum_is_refused() -> None:
    """Without the ALL row, or with two of them, nothing says what the whole run did."""
    lines = _text("csv-59-reads-and-writes").split("\n")
    for times in (0, 2):
        spoilt = [copy for line in lines for copy in [line] * (times if line.startswith("ALL,") else 1)]
        reading = _read_text("\n".join(spoilt))
        assert not reading.results
        assert [refusal.rule for refusal in reading.refusals] == ["R-READ-8"]


@pytest.mark.parametrize(
    ("line", "count", "rule"),
    [
        (b"'Test Type,Test Description\n", 2_500_000, "R-DETECT-4"),
        (b"ORION VERSION 1\n", 1_000_001, "R-DETECT-4"),
        (b"Results for timespan 1:\r", 1_000_001, "R-DETECT-4"),
        (b"'TEST SETUP ========\n", 60_000, "R-READ-8"),
    ],
)
def test_a_text_that_is_too_large_is_refused_unread(line: bytes, count: int, rule: str) -> None:
    """64 MiB and a million lines are thousands of tests; a configuration has some kilobytes."""
    assert [refusal.rule for refusal in detect.read(Source("results.csv", line * count)).refusals] == [rule]


def test_what_is_read_names_no_host_and_no_device() -> None:
    """The names of managers, disks and network partners stay in the file."""
    text = (FIXTURES / "iometer" / "configuration" / "input.icf").read_text(encoding="ascii")
    private = ("BENCH", "192.0.2.7", "ACME")
    assert all(name in text for name in private)
    told = [parse_icf(text), *(_read(case).results for case in ("csv-80-two-tests", "network-mirror-worker"))]
    assert not [name for name in private if name in msgspec.json.encode(told).decode()]


@pytest.mark.parametrize(
    "text", ["", "Version", "'", "'\t\n\t", "'Run Time\n'\thours\n\t1 x 3\n", "'Worker\n'Target\n"]
)
def test_a_strange_configuration_gives_what_can_be_understood(text: str) -> None:
    """Nothing raises, and nothing is made up."""
    found = parse_icf(text)
    assert "run time (s)" not in found
    assert found["access_specifications"] == {}
