"""DiskSpd's text report: read as its XML is, of every version, and refused where it is cut."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import diskspd_made
from conftest import input_of
from diskspd_made import Made, Pair
from ioledger.model import Reading, Result, Source
from ioledger.readers import detect, diskspd
from mutate import mutate

CORPUS = os.environ.get("IOLEDGER_CORPUS", "")
REPORT = input_of("diskspd/text-two-targets-2.2").decode()
OLDER = input_of("diskspd/text-2.0.15").decode()
OF_A_FORMAT = ("pointer", "repetition", "source_format", "job_options", "premises")


def _read(text: str) -> Reading:
    assert diskspd.claims(text.encode())
    return diskspd.read(Source("report.txt", text.encode()))


def _stated(result: Result) -> dict[str, object]:
    told = msgspec.structs.asdict(result)
    return {name: value for name, value in told.items() if name not in OF_A_FORMAT}


@st.composite
def runs(draw: st.DrawFn) -> Made:
    """Return an invented run of one or two targets and up to three threads each."""
    paths = ("D:\\a.dat", "#1")[: draw(st.integers(1, 2))]
    threads = draw(st.integers(1, 3))
    block = draw(st.sampled_from([512, 4096, 65536]))
    writes = draw(st.sampled_from([0, 30, 100]))
    count = st.integers(0, 10_000_000)
    pairs = tuple(
        Pair(
            number,
            path,
            (draw(count) if writes < 100 else 0, draw(count) if writes else 0),
            (draw(st.integers(1, 10**6)), draw(st.integers(1, 10**6))),
        )
        for number, path in enumerate(path for path in paths for _ in range(threads))
    )
    ranks = len(diskspd_made.RANKS) + 2
    columns = (sorted(draw(st.lists(st.integers(1, 10**6), min_size=ranks, max_size=ranks))) for _ in range(2))
    return Made(
        paths, pairs, block, writes, draw(st.integers(1, 64)), threads, draw(st.booleans()), draw(st.booleans()),
        draw(st.integers(1, 1_000_000)), draw(st.integers(0, 60)), draw(st.integers(0, 10_000)),
        tuple(zip(*columns, strict=True)), draw(st.booleans()),
    )  # fmt: skip


@settings(max_examples=100, deadline=None, derandomize=True)
@given(run=runs())
def test_both_formats_of_a_run_give_the_same_results(run: Made) -> None:
    """Whatever both state is one value: counts, rates, load, latencies and percentiles."""
    text, xml = _read(diskspd_made.as_text(run)), _read(diskspd_made.as_xml(run))
    assert [_stated(result) for result in text.results] == [_stated(result) for result in xml.results]
    assert (text.refusals, text.warnings) == (xml.refusals, xml.warnings)
    assert {result.source_format for result in text.results} <= {"text"}


@settings(max_examples=50, deadline=None, derandomize=True)
@given(run=runs())
def test_an_older_text_differs_in_what_it_does_not_print(run: Made) -> None:
    """Up to 2.0.15 nothing stands above the table of latencies, and how IOPS varied is not told."""
    newer, older = (_read(diskspd_made.as_text(run, older=is_older)).results for is_older in (False, True))
    for result in newer:
        result.operations_sample_stddev_per_second = result.sampling_semantics = None
    assert [_stated(result) for result in older] == [_stated(result) for result in newer]


def test_each_target_has_the_percentiles_that_stand_below_its_path() -> None:
    """The XML has them of all targets only."""
    results = _read(REPORT).results
    p50 = {(result.pointer.partition("#")[2], result.percentiles["total"][0.5]) for result in results}
    assert p50 == {
        ("line 54/Target/0/read", 0.0011),
        ("line 54/Target/0/write", 0.0012),
        ("line 54/Target/1/read", 0.004),
        ("line 54/read", 0.0013),
        ("line 54/write", 0.0012),
    }


def test_a_text_states_its_workload_in_its_block_of_parameters() -> None:
    """Sizes with and without a unit, the mix, the order, caches, outstanding operations per thread and target."""
    first, _, second, *_ = _read(REPORT).results
    assert (first.block_size_bytes, first.access_pattern, first.read_ratio, first.is_direct) == (
        4096,
        "random",
        0.7,
        True,
    )
    assert (second.block_size_bytes, second.access_pattern, second.read_ratio) == (65536, "sequential", 1.0)
    assert (first.queue_depth, second.queue_depth) == (16, 4)
    assert (first.ramp_seconds, first.duration_seconds, first.cpu_busy_ratio) == (5.0, 10.0, 0.125)
    assert first.started_at == 1_710_141_300_000_000


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-b8K -r -t2 -o16 -w30 -Sh -d10 -W2", (8192, "random", 1.0, 0.7, True, 32, 2.0)),
        ("-b64K -si -t2 -o4 -w0 -Su -d10", (65536, "sequential", 0.0, 1.0, True, 8, 5.0)),
        ("-t2 -w100 -d10", (65536, "sequential", 0.0, 0.0, False, 4, 5.0)),
        ("-b4096 -rs40 -t2 -o1 -h -d10", (4096, "mixed", 0.4, 1.0, True, 2, 5.0)),
        ("-F2 -O5 -b1M -r64K -d10", (1 << 20, "random", 1.0, 1.0, False, 10, 5.0)),
    ],
)
def test_without_that_block_the_command_line_tells(options: str, expected: tuple[object, ...]) -> None:
    """What is not given has DiskSpd's default."""
    head, _, tail = OLDER.partition("Input parameters:")
    text = head.split("Command Line:")[0] + f"Command Line: diskspd.exe {options} D:\\a.dat\r\n\r\n"
    (first, *_) = _read(text + tail[tail.index("Results for") :]).results
    found = (first.block_size_bytes, first.access_pattern, first.random_ratio, first.read_ratio, first.is_direct)
    assert (*found, first.queue_depth, first.ramp_seconds) == expected
    assert options in (first.job_options or "")


def test_a_command_line_that_names_a_profile_tells_nothing_of_the_load() -> None:
    """What stands in the profile is not in the report."""
    head, _, tail = OLDER.partition("Input parameters:")
    text = head.split("Command Line:")[0] + "Command Line: diskspd.exe -Xprofile.xml\r\n\r\n"
    results = _read(text + tail[tail.index("Results for") :]).results
    assert {(result.block_size_bytes, result.queue_depth, result.is_direct) for result in results} == {(None,) * 3}


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
def test_a_text_that_is_cut_is_refused_or_gives_nothing(share: float) -> None:
    """No table may end early; before the first result there is nothing to refuse."""
    reading = _read(f"Results for timespan\r\n{REPORT[: int(len(REPORT) * share)]}")
    assert reading.results == []
    assert reading.refusals


def test_an_interrupted_run_is_refused_with_the_words_of_the_report() -> None:
    """There are no figures to read."""
    head = REPORT[: REPORT.index("actual test time")]
    words = "The test was interrupted before the measurements began. No results are displayed."
    (refusal,) = _read(f"{head}{words}\r\n").refusals
    assert (refusal.rule, "interrupted" in refusal.what) == ("R-DISKSPD-1", True)


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


@settings(max_examples=200, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_a_spoilt_text_gives_results_or_a_refusal(seed: int) -> None:
    """Never an exception, and never the same place twice."""
    reading = diskspd.read(Source("report.txt", mutate(seed, REPORT.encode())))
    assert reading.results or reading.refusals or reading.document_count
    assert len({result.pointer for result in reading.results}) == len(reading.results)
    for result in reading.results:
        ordered = list(result.percentiles.get("total", {}))
        assert all(low < high for low, high in pairwise(ordered))


def test_too_many_lines_are_refused() -> None:
    """A cap on what is looked at."""
    (refusal,) = _read("Results for timespan 1:\n" + "\n" * 500_001).refusals
    assert refusal.rule == "R-DISKSPD-1"


if CORPUS:

    def test_every_real_text_gives_results_that_keep_littles_law() -> None:
        """IOPS times mean latency is the number outstanding: fifteen per cent for waits in the driver."""
        for path in sorted((Path(CORPUS) / "diskspd").glob("*.txt")):
            reading = detect.read(Source(path.name, path.read_bytes()))
            assert reading.results, path.name
            assert not reading.refusals
            assert "R-CHECK-1" not in {finding.rule for finding in reading.warnings}
