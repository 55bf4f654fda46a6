"""DiskSpd's text report: read as its XML is, of every version, and refused where it is cut."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conftest import input_of
from ioledger.model import Reading, Source
from ioledger.readers import detect, diskspd

CORPUS = os.environ.get("IOLEDGER_CORPUS", "")
REPORT = input_of("diskspd/text-two-targets-2.2").decode()
OLDER = input_of("diskspd/text-2.0.15").decode()


def _read(text: str) -> Reading:
    assert diskspd.claims(text.encode())
    return diskspd.read(Source("report.txt", text.encode()))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-b8K -r -t2 -o16 -w30 -Sh -d10 -W2", (8192, "random", 1.0, 0.7, True, 32, 2.0)),
        ("-b64K -si -t2 -o4 -w0 -Su -d10", (65536, "sequential", 0.0, 1.0, True, 8, 5.0)),
        ("-t2 -w100 -d10", (65536, "sequential", 0.0, 0.0, False, 4, 5.0)),
        ("-b4096 -rs40 -t2 -o1 -h -d10", (4096, "mixed", 0.4, 1.0, True, 2, 5.0)),
        ("-F2 -O5 -b1M -r64K -d10", (1 << 20, "random", 1.0, 1.0, False, 10, 5.0)),
        ("-Xprofile.xml", (None,) * 7),
    ],
)
def test_without_that_block_the_command_line_tells(options: str, expected: tuple[object, ...]) -> None:
    """What is not given has DiskSpd's default; what stands in a profile is not in the report."""
    head, _, tail = OLDER.partition("Input parameters:")
    text = head.split("Command Line:")[0] + f"Command Line: diskspd.exe {options} D:\\a.dat\r\n\r\n"
    (first, *_) = _read(text + tail[tail.index("Results for") :]).results
    found = (first.block_size_bytes, first.access_pattern, first.random_ratio, first.read_ratio, first.is_direct)
    assert (*found, first.queue_depth, first.ramp_seconds) == expected


def test_reports_one_after_another_are_all_read_and_notes_between_them_passed_over() -> None:
    """Somebody copies several runs of a console into one file."""
    text = f"My disk\r\nPS C:\\> diskspd\r\n{REPORT}\r\nthe other\r\n{OLDER}"
    for encoding in ("utf-8", "utf-16"):
        reading = diskspd.read(Source("notes.txt", text.encode(encoding)))
        assert (reading.document_count, reading.refusals) == (2, [])
        assert len({result.pointer for result in reading.results}) == len(reading.results) == 7


def test_totals_that_are_not_the_sums_of_the_threads_are_told() -> None:
    """A text that somebody edited, or cut rows from."""
    before, heading, after = REPORT.partition("Read IO\r\n")
    reading = _read(before + heading + after.replace("      110000 |", "      110001 |", 1))
    assert [finding.rule for finding in reading.warnings] == ["R-DISKSPD-6"]
    assert "add up to 110,000, not to 110,001" in reading.warnings[0].message


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9, 0.97])
def test_a_text_that_is_cut_is_refused(share: float) -> None:
    """No table may end early."""
    reading = _read(f"Results for timespan\r\n{REPORT[: int(len(REPORT) * share)]}")
    assert reading.results == []
    assert [refusal.rule for refusal in reading.refusals] == ["R-READ-8"] * len(reading.refusals) != []


def test_an_interrupted_run_is_refused_with_the_words_of_the_report() -> None:
    """There are no figures to read."""
    head = REPORT[: REPORT.index("actual test time")]
    words = "The test was interrupted before the measurements began. No results are displayed."
    (refusal,) = _read(f"{head}{words}\r\n").refusals
    assert (refusal.rule, "interrupted" in refusal.what) == ("R-READ-8", True)


def test_two_time_spans_have_each_their_own_parameters() -> None:
    """A profile may hold several; the table of all at the end belongs to none."""
    setup, results = OLDER.split("Results for timespan 1:")
    block = setup[setup.index("\ttimespan:") :]
    second = block.replace("timespan:   1", "timespan:   2").replace("block size: 8192", "block size: 4096")
    again = results.replace("32768000", "16384000").replace("163840000", "81920000")
    totals = "\r\n\r\nTotals:\r\n****\r\n\r\ntype   |       bytes     |     I/Os     |    MiB/s   |  I/O per s\r\n"
    text = (
        f"{setup.replace(block, block + second)}Results for timespan 1:{results}Results for timespan 2:{again}{totals}"
    )
    results_ = _read(text).results
    assert [(result.group_index, result.block_size_bytes) for result in results_] == [
        (0, 8192), (0, 8192), (1, 4096), (1, 4096),
    ]  # fmt: skip


if CORPUS:

    def test_every_real_text_gives_results_that_keep_littles_law() -> None:
        """IOPS times mean latency is the number outstanding: fifteen per cent for waits in the driver."""
        for path in sorted((Path(CORPUS) / "diskspd").glob("*.txt")):
            reading = detect.read(Source(path.name, path.read_bytes()))
            assert reading.results, path.name
            assert not reading.refusals
            assert "R-CHECK-1" not in {finding.rule for finding in reading.warnings}
