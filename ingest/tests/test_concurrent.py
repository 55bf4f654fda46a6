"""Jobs that ran at the same time and are reported apart are one load: their sums are a row, and the parts stay."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec
import pytest

from ioledger.model import BINS, NOTHING, Origin, Premises, Reading, Result, Source
from ioledger.readers import detect
from ioledger.readers.concurrent import add, percentiles, recognise
from ioledger.tables import arrow
from ioledger.tables.columns import Part

MEANS, DEVIATIONS, COUNTS = (0.004, 0.006), (0.001, 0.002), (3000, 1000)


def _latency(place: int) -> dict[str, Any]:
    """Half of the operations of the first job in the bin at 4.36 ms, the others and all of the second at 5.93 ms."""
    count = COUNTS[place]
    bins = {"4358144": 1500, "5931008": 1500} if place == 0 else {"5931008": count}
    return {
        "min": 1_000_000 + place, "max": 9_000_000 + place, "mean": MEANS[place] * 1e9,
        "stddev": DEVIATIONS[place] * 1e9, "N": count, "bins": bins,
        "percentile": {"50.000000": 4_358_144 if place == 0 else 5_931_008, "99.000000": 5_931_008},
    }  # fmt: skip


def _job(place: int, **options: str) -> dict[str, Any]:
    count = COUNTS[place]
    read = {
        "io_bytes": count * 4096, "bw_bytes": count * 409.6, "iops": count / 10, "runtime": 10_000,
        "total_ios": count, "lat_ns": _latency(place) | {"bins": {}, "percentile": {}},
        "clat_ns": _latency(place), "iops_min": 90, "iops_max": 110, "iops_mean": 100.0, "iops_stddev": 2.0,
    }  # fmt: skip
    stated = {"rw": "randread", "bs": "4k", "ioengine": "libaio", "iodepth": str(place + 1), "direct": "1"}
    return {
        "jobname": f"job{place}", "groupid": 0, "error": 0, "job options": stated | options, "read": read,
        "usr_cpu": 10.0 * (place + 1), "sys_cpu": 5.0, "job_runtime": 10_000,
    }  # fmt: skip


def _report(*jobs: dict[str, Any]) -> str:
    return json.dumps({"fio version": "fio-3.33", "timestamp": 1_700_000_000, "global options": {}, "jobs": jobs})


def _read(text: str, *, without: frozenset[str] = NOTHING) -> Reading:
    return detect.read(Source("run", text.encode(), without=without))


def _sums(reading: Reading) -> list[Result]:
    return [result for result in reading.results if result.scope == "group" and result.is_aggregate]


def _told(reading: Reading) -> list[str]:
    return [finding.message for finding in reading.warnings if finding.rule == "R-FIO-GROUP-2"]


def test_rates_depths_and_counts_of_concurrent_jobs_add_up() -> None:
    """300 and 100 IOPS at depth 1 and 2 are 400 IOPS at depth 3; samples and shares of a processor do not add."""
    reading = _read(_report(_job(0), _job(1)))
    *parts, total = reading.results
    assert [(part.scope, part.is_aggregate, part.queue_depth) for part in parts] == [
        ("job", False, 1),
        ("job", False, 2),
    ]
    assert (total.scope, total.is_aggregate, total.pointer) == ("group", True, "0#/groups/0/read")
    assert (total.queue_depth, total.process_count, total.duration_seconds) == (3, 2, 10.0)
    assert (total.operations_per_second, total.operation_count) == (400.0, 4000)
    assert total.throughput_bytes_per_second == 400 * 4096
    assert (total.operations_sample_min_per_second, total.operations_sample_mean_per_second) == (None, None)
    assert (total.cpu_user_ratio, total.cpu_system_ratio) == (0.15, 0.05)
    assert (total.access_pattern, total.read_ratio, total.block_size_bytes) == ("random", 1.0, 4096)
    assert _told(reading) == []


def test_latencies_of_concurrent_jobs_are_pooled_by_their_operations() -> None:
    """3,000 operations of 4 ms and 1,000 of 6 ms have a mean of 4.5 ms; the deviation is that of all 4,000."""
    (total,) = _sums(_read(_report(_job(0), _job(1))))
    squares = 2999 * 1e-6 + 3000 * 0.0005**2 + 999 * 4e-6 + 1000 * 0.0015**2
    assert total.latency_mean_seconds == pytest.approx(0.0045, rel=1e-12)
    assert total.latency_stddev_seconds == pytest.approx(math.sqrt(squares / 3999), rel=1e-12)
    assert (total.latency_min_seconds, total.latency_max_seconds) == (0.001, 0.009000001)


def test_percentiles_of_concurrent_jobs_come_from_their_summed_bins() -> None:
    """Of the jobs' medians, 4.36 and 5.93 ms, neither mean nor maximum is the median of all, which the bins tell."""
    reading = _read(_report(_job(0), _job(1)))
    (total,) = _sums(reading)
    assert total.percentiles == {"completion": {0.5: 0.005931008, 0.99: 0.005931008}}
    assert total.bins["completion"].counts == [1500, 2500]
    table = arrow.percentiles([Part(reading, "0" * 64, "run")], [result.pointer for result in reading.results])
    assert table["basis"].to_pylist() == ["reported"] * 4 + ["interpolated"] * 2


def test_percentiles_are_the_same_when_nobody_wants_histograms() -> None:
    """The bins are read for the sums alone, and stand in no result."""
    text = _report(_job(0), _job(1))
    full, bare = _read(text), _read(text, without=frozenset({BINS}))
    assert [result.percentiles for result in bare.results] == [result.percentiles for result in full.results]
    assert not any(result.bins for result in bare.results)


def test_without_histograms_the_sum_has_no_percentiles() -> None:
    """A percentile cannot be made of percentiles."""
    jobs = _job(0), _job(1)
    for job in jobs:
        del job["read"]["clat_ns"]["bins"]
    (total,) = _sums(_read(_report(*jobs)))
    assert total.percentiles == {}
    assert total.latency_mean_seconds == pytest.approx(0.0045)


def test_a_percentile_counts_operations_as_fio_counts_them() -> None:
    """It has 99.9 as a double, a little more: of 6,000 operations it takes the 5,995th, not the 5,994th."""
    (total,) = _sums(_read(_report(_job(0), _job(1))))
    bins = total.bins["completion"]._replace(counts=[5994, 6])
    assert percentiles(bins, [0.999, 0.99], 1e-9) == {0.999: 0.005931008, 0.99: 0.004358144}
    assert percentiles(bins._replace(highs=[None, None]), [0.5], 1e-9) == {}


@pytest.mark.parametrize("other", [{"rw": "read"}, {"rate_iops": "100"}, {"rw": "randrw", "rwmixread": "100"}], ids=str)
def test_jobs_of_different_workloads_have_a_sum_without_a_workload(other: dict[str, str]) -> None:
    """What they moved together is true; no one pattern describes it, and half of them throttled is not all."""
    (total,) = _sums(_read(_report(_job(0), _job(1, **other))))
    assert total.operations_per_second == 400.0
    assert (total.access_pattern, total.random_ratio, total.read_ratio) == (None, None, None)


def test_jobs_in_other_places_are_of_one_workload() -> None:
    """Each has its drive and its area; what they share of the options stays, and a default says nothing."""
    jobs = (_job(place, filename=f"/dev/nvme{place}n1", offset=f"{place}g", startdelay="0") for place in (0, 1))
    (total,) = _sums(_read(_report(*jobs)))
    assert total.read_ratio == 1.0
    shared = {"bs": "4k", "direct": "1", "ioengine": "libaio", "rw": "randread", "startdelay": "0"}
    assert json.loads(total.job_options or "") == shared


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"startdelay": "5"}, "startdelay lets them start one after the other"),
        ({"wait_for": "job0"}, "wait_for lets them start one after the other"),
        ({"new_group": "1"}, "new_group lets another group run at the same time"),
        ({"runtime": "20"}, "they were to run for different times"),
    ],
)
def test_jobs_that_did_not_run_together_are_not_added_up(options: dict[str, str], reason: str) -> None:
    """Nothing is added, and a finding says why."""
    reading = _read(_report(_job(0), _job(1, **options)))
    assert _sums(reading) == []
    assert _told(reading) == [f"2 jobs of one group are reported separately and are not summed: {reason}"]


def test_jobs_that_started_or_ended_apart_are_not_added_up() -> None:
    """A tenth of the run time is what a start and an end may differ by."""
    late, short = _job(1) | {"job_start": 1_700_000_002_000}, _job(1)
    short["read"] |= {"runtime": 8000, "iops": 125.0}
    assert _told(_read(_report(_job(0) | {"job_start": 1_700_000_000_500}, late)))[0].endswith(
        "they started 1.5 s apart"
    )
    assert _told(_read(_report(_job(0), short)))[0].endswith("they ran for 8 to 10 s")


def test_jobs_that_took_turns_are_no_group() -> None:
    """After ``stonewall`` fio counts a new group; a job alone in its group is the whole load."""
    reading = _read(_report(_job(0), _job(1) | {"groupid": 1}))
    assert [result.scope for result in reading.results] == ["job", "job"]
    assert _told(reading) == []


def test_what_one_part_does_not_tell_the_sum_does_not_tell_either() -> None:
    """Unknown and three are unknown, not three."""
    load: dict[str, Any] = {"source_format": "json", "operation": "read", "premises": Premises(concurrent="a+b")}
    one = Result(pointer="a/read", repetition="a", queue_depth=3, operations_per_second=10.0, process_count=1, **load)
    other = Result(pointer="b/read", repetition="b", operations_per_second=5.0, process_count=1, **load)
    reading = Reading(tool="fio", results=[one, other])
    add(reading, without=NOTHING)
    (total,) = _sums(reading)
    assert (total.queue_depth, total.process_count, total.operations_per_second) == (None, 2, 15.0)
    assert (total.latency_mean_seconds, total.cpu_user_ratio, total.operation_count) == (None, None, None)


BANNER = "a: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=4\n"
BLOCK = """a: (groupid=0, jobs=1): err= 0: pid={pid}: Sun Nov 22 12:00:00 2026
  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(39.1MiB/10000msec)
     lat (usec): min=100, max=9000, avg=3990.00, stdev=5.00
  cpu          : usr=1.00%, sys=2.00%, ctx=1, majf=0, minf=1
     issued rwts: total=10000,0,0,0 short=0,0,0,0 dropped=0,0,0,0
     latency   : target=0, window=0, percentile=100.00%, depth=4
"""


def _text(*before: str) -> str:
    return "".join(before) + "fio-3.33\nStarting 2 processes\n\n" + BLOCK.format(pid=1) + "\n" + BLOCK.format(pid=2)


def test_processes_of_one_banner_are_one_load_in_human_output_too() -> None:
    """One banner, two processes started, two blocks: they share every option, whatever it is."""
    reading = _read(_text(BANNER, "...\n"))
    (total,) = _sums(reading)
    assert total.pointer == "line 6 group 0/read"
    assert (total.queue_depth, total.process_count, total.operation_count) == (8, 2, 20_000)
    assert total.operations_per_second == pytest.approx(2000)
    assert _told(reading) == []


def test_jobs_of_a_text_that_nothing_says_ran_together_are_not_added_up() -> None:
    """Of two banners one may have waited for the other, and a banner does not say so."""
    reading = _read(_text(BANNER, BANNER))
    assert _sums(reading) == []
    assert "neither their options nor a common banner" in _told(reading)[0]


def _origin(file: str, result: Result) -> Origin:
    place = {"pointer": result.pointer, "repetition": result.repetition}
    return Origin(path=f"{file}.json", sha256=file, **place, line=None, reader_version="1", tool="fio")


def test_sums_taken_from_raw_files_elsewhere_are_told_from_their_parts() -> None:
    """Two jobs and their sum of one file, and a job of another: where the sum stands, its parts are no load."""
    read = _read(_report(_job(0), _job(1))).results
    for result in read:
        result.premises, result.origin = Premises(), _origin("a", result)
    other = msgspec.structs.replace(read[0], origin=_origin("b", read[0]))
    recognise([*read, other])
    assert [(each.premises.is_summed, each.premises.concurrent) for each in (*read, other)] == [
        (False, "0#/groups/0"), (False, "0#/groups/0"), (True, ""), (False, ""),
    ]  # fmt: skip
