"""A unit or an option that is wrong is told of, in every format: the numbers of a run hold each other to account."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ioledger.model import Source
from ioledger.readers import detect

BANNER = (
    "job: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=16\n"
    "...\nfio-3.33\nStarting 4 processes\n"
)
TERSE = (
    BANNER
    + "3;fio-3.33;job;0;0;"
    + "80000;80000;20000;1000;2;474;51.200000;45.000000;1000;9000;3148.800000;40.000000;"
    + ";".join(f"{index}.000000%=3000" for index in range(1, 21))
    + ";1002;9474;3200.000000;60.000000;79000;81000;100.000000%;80000.000000;9.000000;"
    + "0;0;0;0;0;0;0.000000;0.000000;0;0;0.000000;0.000000;"
    + ";".join(["0%=0"] * 20)
    + ";0;0;0.000000;0.000000;0;0;0.000000%;0.000000;0.000000;"
    + "4.000000%;20.000000%;1;0;1;"
    + ";".join(["0.0%"] * 6 + ["100.0%"])
    + ";"
    + ";".join(["0.00%"] * 22)
    + "\n"
)
NORMAL = (
    BANNER
    + """
job: (groupid=0, jobs=4): err= 0: pid=1: Sat Nov 21 11:10:48 2026
  read: IOPS=20.0k, BW=78.1MiB/s (81.9MB/s)(78.1MiB/1000msec)
    slat (usec): min=2, max=474, avg=51.20, stdev=45.00
    clat (usec): min=1000, max=9000, avg=3148.80, stdev=40.00
     lat (usec): min=1002, max=9474, avg=3200.00, stdev=60.00
  cpu          : usr=4.00%, sys=20.00%, ctx=1, majf=0, minf=1
     issued rwts: total=20000,0,0,0 short=0,0,0,0 dropped=0,0,0,0
"""
)
LATENCY = {"min": 1_002_000, "max": 9_474_000, "mean": 3_200_000.0, "stddev": 60_000.0, "N": 20_000}


def _json(**changes: Any) -> str:  # noqa: ANN401  (options and figures)
    """Return the report of 4 processes at depth 16: 20 000 reads of 4 KiB in a second, 3.2 ms each."""
    scale = changes.pop("latency", 1)
    read: dict[str, Any] = {
        "io_bytes": 81_920_000, "io_kbytes": 80_000, "bw_bytes": 81_920_000, "bw": 80_000, "iops": 20_000.0,
        "runtime": 1000, "total_ios": 20_000, "slat_ns": LATENCY | {"min": 2000, "max": 474_000, "mean": 51_200.0},
        "clat_ns": LATENCY | {"mean": 3_148_800.0, "max": 9_000_000}, "lat_ns": LATENCY, "bw_min": 79_000,
        "bw_max": 81_000, "bw_mean": 80_000.0, "bw_dev": 9.0, "bw_samples": 2, "iops_min": 19_900, "iops_max": 20_100,
        "iops_mean": 20_000.0, "iops_stddev": 9.0,
    }  # fmt: skip
    for name in ("slat_ns", "clat_ns", "lat_ns"):
        read[name] = {key: value if key == "N" else value * scale for key, value in read[name].items()}
    idle = {name: dict.fromkeys(LATENCY, 0) if isinstance(value, dict) else 0 for name, value in read.items()}
    own = {"rw": "randread", "bs": "4k", "iodepth": "16", "numjobs": "4", "ioengine": "libaio"}
    options = {name: changes.pop(name, value) for name, value in own.items()}
    job = {
        "jobname": "job", "groupid": 0, "job options": options, "read": read | changes, "write": idle,
        "job_runtime": 4000, "usr_cpu": 4.0, "sys_cpu": 20.0,
    }  # fmt: skip
    return json.dumps({"fio version": "fio-3.33", "timestamp": 1_700_000_000, "global options": {}, "jobs": [job]})


def _less(text: str, fields: tuple[int, ...], factor: float) -> str:
    """Scale fields of the terse line."""
    head, _, line = text.rstrip("\n").rpartition("\n")
    parts = line.split(";")
    for index in fields:
        value = float(parts[index]) * factor
        parts[index] = f"{value:.6f}" if "." in parts[index] else str(round(value))
    return f"{head}\n{';'.join(parts)}\n"


LATENCIES = (*range(9, 17), *range(37, 41))
SOUND = {"json": _json(), "terse": TERSE, "normal": NORMAL}
FAULTS = {
    "json: µs read as ns": (_json(latency=1e-3), {"R-FIO-DEPTH-1"}),
    "json: ns read as µs": (_json(latency=1e3), {"R-CHECK-1"}),
    "json: KiB as kB, throughput": (_json(bw_bytes=80_000_000), {"R-CHECK-2"}),
    "json: KiB as kB, bytes": (_json(io_bytes=80_000_000), {"R-CHECK-2", "R-FIO-BLOCK-1"}),
    "json: KiB as kB, both": (
        _json(io_bytes=80_000_000, io_kbytes=78_125, bw_bytes=80_000_000, bw=78_125),
        {"R-FIO-BLOCK-1"},
    ),
    "json: KiB as kB, block size": (_json(bs="4000"), {"R-FIO-BLOCK-1"}),
    "json: depth doubled": (_json(iodepth="32"), {"R-FIO-DEPTH-1"}),
    "json: depth halved": (_json(iodepth="8"), {"R-CHECK-1"}),
    "json: numjobs doubled": (_json(numjobs="8"), {"R-FIO-DEPTH-1"}),
    "json: numjobs lost": (_json(numjobs="1"), {"R-FIO-GROUP-1"}),
    "terse: µs read as ns": (_less(TERSE, LATENCIES, 1e-3), {"R-FIO-DEPTH-1", "R-CHECK-2"}),
    "terse: ns read as µs": (_less(TERSE, LATENCIES, 1e3), {"R-CHECK-1", "R-CHECK-2"}),
    "terse: KiB as kB, throughput": (_less(TERSE, (6,), 1.024), {"R-CHECK-2"}),
    "terse: KiB as kB, bytes": (_less(TERSE, (5, 6), 1.024), {"R-FIO-BLOCK-1"}),
    "terse: depth doubled": (TERSE.replace("iodepth=16", "iodepth=32"), {"R-FIO-DEPTH-1"}),
    "terse: depth halved": (TERSE.replace("iodepth=16", "iodepth=8"), {"R-CHECK-1"}),
    "terse: numjobs doubled": (TERSE.replace("Starting 4", "Starting 8"), {"R-FIO-DEPTH-1"}),
    "terse: numjobs halved": (TERSE.replace("Starting 4", "Starting 2"), {"R-CHECK-1"}),
    "normal: µs read as ns": (NORMAL.replace("(usec)", "(nsec)"), {"R-FIO-DEPTH-1"}),
    "normal: µs read as ms": (NORMAL.replace("(usec)", "(msec)"), {"R-CHECK-1"}),
    "normal: KiB as kB": (NORMAL.replace("MiB", "MB"), {"R-FIO-PRINT-1"}),
    "normal: depth doubled": (NORMAL.replace("iodepth=16", "iodepth=32"), {"R-FIO-DEPTH-1"}),
    "normal: depth halved": (NORMAL.replace("iodepth=16", "iodepth=8"), {"R-CHECK-1"}),
    "normal: numjobs doubled": (NORMAL.replace("jobs=4", "jobs=8"), {"R-FIO-DEPTH-1"}),
    "normal: numjobs halved": (NORMAL.replace("jobs=4", "jobs=2"), {"R-CHECK-1"}),
    "normal: bytes of another unit": (NORMAL.replace("(78.1MiB/1000", "(78.1kB/1000"), {"R-FIO-PRINT-1"}),
    "normal: another rate": (NORMAL.replace("IOPS=20.0k", "IOPS=30.0k"), {"R-FIO-PRINT-1"}),
    "normal: block size doubled": (NORMAL.replace("(R) 4096B-4096B", "(R) 8192B-8192B"), {"R-FIO-BLOCK-1"}),
    "normal: an error": (NORMAL.replace("err= 0", "err= 5"), {"R-FIO-ERROR-1"}),
}


@pytest.mark.parametrize("case", SOUND)
def test_a_sound_run_is_not_told_of_in_any_format(case: str) -> None:
    """The same run in three formats: one result each, the same numbers, no finding."""
    reading = detect.read(Source("run", SOUND[case].encode()))
    (result,) = reading.results
    assert reading.warnings == []
    assert (result.queue_depth, result.process_count, result.block_size_bytes) == (64, 4, 4096)
    assert result.operations_per_second == pytest.approx(20_000)
    assert result.throughput_bytes_per_second == pytest.approx(81_920_000, rel=1e-3)
    assert result.latency_mean_seconds == pytest.approx(3.2e-3)


@pytest.mark.parametrize("case", FAULTS)
def test_an_injected_fault_is_told_of(case: str) -> None:
    """A thousand, 2.4 %, or a factor of two: nothing of it passes in silence, and no other rule speaks."""
    text, rules = FAULTS[case]
    reading = detect.read(Source("run", text.encode()))
    assert {finding.rule for finding in reading.warnings} == rules


@pytest.mark.parametrize(
    ("jobs", "mean", "semantics"),
    [(1, "79976.00", "sum"), (4, "79976.00", "sum"), (4, "19994.00", "per_thread_mean")],
)
def test_samples_say_whether_they_are_sums(jobs: int, mean: str, semantics: str) -> None:
    """Groups were averaged over their threads before 3.13."""
    sampled = f"   bw (  KiB/s): min=19000, max=90000, per=99.00%, avg={mean}, stdev=0.00, samples=20\n  cpu  "
    text = NORMAL.replace("jobs=4", f"jobs={jobs}").replace("  cpu  ", sampled)
    (result,) = detect.read(Source("report.txt", text.encode())).results
    assert result.sampling_semantics == semantics
