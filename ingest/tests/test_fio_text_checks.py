"""Faults put into sound text reports are told of; sound reports are not complained about."""

from __future__ import annotations

from pathlib import Path

import pytest

from ioledger.model import Source
from ioledger.readers import detect

FIXTURES = Path(__file__).parent / "fixtures" / "fio"
NORMAL = """\
job: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=8
fio-3.33
Starting 1 process

job: (groupid=0, jobs=1): err= 0: pid=9: Wed May 31 18:15:30 2023
  read: IOPS=20.0k, BW=78.1MiB/s (81.9MB/s)(781MiB/10000msec)
    clat (usec): min=57, max=10900, avg=397.00, stdev= 9.12
     lat (usec): min=58, max=10901, avg=399.00, stdev= 9.13
    clat percentiles (usec):
     |  1.00th=[  110], 50.00th=[  390], 99.00th=[  910], 99.99th=[ 5000]
  cpu          : usr=0.10%, sys=0.20%, ctx=120, majf=0, minf=8
     issued rwts: total=200000,0,0,0 short=0,0,0,0 dropped=0,0,0,0
"""


def _rules(text: str) -> list[str]:
    return [finding.rule for finding in detect.read(Source("report.txt", text.encode())).warnings]


def test_a_sound_report_gives_no_finding() -> None:
    """A warning that always comes says nothing."""
    assert _rules(NORMAL) == []


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("lat (usec): min=58, max=10901, avg=399.00", "lat (msec): min=58, max=10901, avg=399.00", "R-CHECK-1"),
        ("lat (usec): min=58, max=10901, avg=399.00", "lat (nsec): min=58, max=10901, avg=399.00", "R-FIO-DEPTH-1"),
        ("iodepth=8", "iodepth=16", "R-FIO-DEPTH-1"),
        ("iodepth=8", "iodepth=4", "R-CHECK-1"),
        ("jobs=1", "jobs=2", "R-FIO-DEPTH-1"),
        ("BW=78.1MiB/s", "BW=78.1KiB/s", "R-FIO-PRINT-1"),
        ("81.9MB/s)(781MiB", "81.9MB/s)(781kB", "R-FIO-PRINT-1"),
        ("bs=(R) 4096B-4096B", "bs=(R) 8192B-8192B", "R-FIO-BLOCK-1"),
        ("IOPS=20.0k", "IOPS=30.0k", "R-FIO-PRINT-1"),
        ("avg=399.00", "avg=20399.00", "R-CHECK-2"),
        ("50.00th=[  390]", "50.00th=[   90]", "R-CHECK-2"),
        ("err= 0", "err= 5", "R-FIO-ERROR-1"),
    ],
)
def test_a_fault_in_a_report_is_told_of(before: str, after: str, rule: str) -> None:
    """Wrong units, depths, process counts and edited figures contradict the rest of the report."""
    assert before in NORMAL
    assert rule in _rules(NORMAL.replace(before, after))


def test_an_edited_terse_line_is_told_of() -> None:
    """Its throughput is no longer its bytes over its time."""
    text = (FIXTURES / "terse-v2" / "input.txt").read_text(encoding="utf-8")
    assert "R-CHECK-2" not in _rules(text)
    assert "R-CHECK-2" in _rules(text.replace("2;mix;0;0;32", "2;mix;0;0;932", 1))


@pytest.mark.parametrize(
    ("jobs", "mean", "semantics"),
    [(1, "79976.00", "sum"), (4, "79976.00", "sum"), (4, "19994.00", "per_thread_mean")],
)
def test_samples_say_whether_they_are_sums(jobs: int, mean: str, semantics: str) -> None:
    """Groups were averaged over their threads before 3.13."""
    sampled = f"   bw (  KiB/s): min=19000, max=90000, per=99.00%, avg={mean}, stdev=0.00, samples=20\n  cpu  "
    text = NORMAL.replace("jobs=1", f"jobs={jobs}").replace("  cpu  ", sampled)
    (result,) = detect.read(Source("report.txt", text.encode())).results
    assert result.sampling_semantics == semantics


def test_one_file_with_two_formats_gives_one_set_of_results() -> None:
    """The terse line is better than the text about the same run."""
    reading = detect.read(Source("both.txt", (FIXTURES / "terse-beside-normal" / "input.txt").read_bytes()))
    assert reading.source_format == "terse v3"
    assert [result.operation for result in reading.results] == ["read", "write"]
