"""A latency that cannot be was not measured: null in every tool and format, and a finding says what was printed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from conftest import ask, input_of
from ioledger.model import Bins, Reading, Result, Source
from ioledger.readers import detect

if TYPE_CHECKING:
    from ioledger.model import Finding


def _read(data: bytes) -> Reading:
    return detect.read(Source("report", data))


def _changed(case: str, *changes: tuple[bytes, bytes]) -> Reading:
    data = input_of(case)
    for old, new in changes:
        assert old in data
        data = data.replace(old, new)
    return _read(data)


def _asked(result: Result, tool: str) -> list[Finding]:
    reading = Reading(tool=tool, results=[result])
    ask(reading)
    return reading.warnings


def _said(reading: Reading, rule: str) -> str:
    return "; ".join(finding.message for finding in reading.warnings if finding.rule == rule)


def _report(change: dict[str, Any], **options: str) -> bytes:
    """Return a report of fio 3.33 whose reads have other latencies, and whose job has other options."""
    report = json.loads(input_of("fio/json-3.33"))
    (job,) = report["jobs"]
    job["read"]["lat_ns"] |= change
    job["job options"] |= options
    return json.dumps(report).encode()


@pytest.mark.parametrize(
    ("options", "longest", "is_kept"),
    [
        ({}, 2.0, True),
        ({}, 2.1, True),
        ({}, 2.2, False),
        ({"ramp_time": "1"}, 3.0, True),
        ({"ramp_time": "1"}, 5.9, True),
        ({"ramp_time": "1"}, 6.1, False),
    ],
)
def test_an_operation_may_begin_in_the_ramp_and_end_in_the_run(
    options: dict[str, str], longest: float, *, is_kept: bool
) -> None:
    """A run of 2.001 s: nothing lasts longer without a ramp, and with one at most twice the run and the ramp."""
    reading = _read(_report({"max": round(longest * 1e9)}, **options))
    read = reading.results[0]
    assert (read.latency_kind == "total", read.latency_max_seconds == longest) == (is_kept, is_kept)
    assert (_said(reading, "R-CHECK-1") == "") == is_kept


def test_what_an_impossible_latency_went_into_is_lost_and_what_only_ranks_stands() -> None:
    """The mean adds it up, and the histogram is not whole without it; smallest and median are those of others."""
    result = Result(
        pointer="here", repetition="here", source_format="json+", operation="read", is_partial=True,
        duration_seconds=10.0,
        latency_kind="total", latency_min_seconds=0.001, latency_mean_seconds=0.5, latency_max_seconds=99.0,
        latency_stddev_seconds=2.0, latency_sample_count=3,
        percentiles={"total": {0.5: 0.002, 0.9999: 99.0}, "completion": {0.5: 0.002}},
        bins={"total": Bins.of([(0.001, 0.002, 2), (98.0, None, 1)]), "completion": Bins.of([(0.001, 0.002, 3)])},
    )  # fmt: skip
    (finding,) = _asked(result, "fio")
    shown = "mean 0.5 s, max 99.0 s, stddev 2.0 s, p99.99 99.0 s, the histogram of 3 operations"
    assert finding.message.endswith(shown)
    assert (result.latency_min_seconds, result.latency_mean_seconds, result.latency_max_seconds) == (0.001, None, None)
    assert result.percentiles == {"total": {0.5: 0.002}, "completion": {0.5: 0.002}}
    assert result.bins == {"completion": Bins([0.001], [0.002], [3])}


def test_a_latency_without_any_possible_figure_has_no_kind() -> None:
    """No kind of latency is named where none was measured."""
    result = Result(
        pointer="", repetition="", source_format="xml", operation="read", duration_seconds=10.0, ramp_seconds=5.0,
        latency_kind="total", latency_mean_seconds=1e6, latency_sample_count=7,
    )  # fmt: skip
    (finding,) = _asked(result, "diskspd")
    assert finding.rule == "R-CHECK-1"
    assert finding.message.startswith("total latencies are longer than the 30 s that an operation of this run")
    assert (result.latency_kind, result.latency_mean_seconds, result.latency_sample_count) == (None, None, None)


OTHERS = {
    "terse": ("fio/terse-v5", b";65;2710;98.011755;", b";65;2710000000;756538.5;", "R-CHECK-1"),
    "normal": ("fio/normal-both", b"max=268, avg=95.89", b"max=75653.8M, avg=95.89", "R-CHECK-1"),
    "Iometer": ("iometer/csv-56-depth-sweep", b"5.000000,5.000000,", b"99000.0,99000.0,", "R-CHECK-1"),
    "ORION": ("orion/summary-with-matrices", b"6.67,   6.90", b"667000.00,6.90", "R-CHECK-1"),
    "DiskSpd": ("diskspd/two-targets", b">9.250<", b">92500.0<", "R-CHECK-1"),
}


@pytest.mark.parametrize("tool", OTHERS)
def test_every_tool_and_format_loses_it_and_says_so(tool: str) -> None:
    """The largest latency is above the run's length; the row above it in the file stays as it was."""
    case, old, new, rule = OTHERS[tool]
    sound, reading = _read(input_of(case)), _changed(case, (old, new))
    assert _said(sound, rule) == ""
    assert "so they are not measured" in _said(reading, rule)
    pointers = {finding.pointer for finding in reading.warnings if finding.rule == rule}
    means = {result.pointer: result.latency_mean_seconds for result in reading.results}
    before = {result.pointer: result.latency_mean_seconds for result in sound.results}
    assert pointers
    assert all(before[pointer] is not None and means[pointer] != before[pointer] for pointer in pointers)
    assert {pointer: mean for pointer, mean in means.items() if pointer not in pointers} == {
        pointer: mean for pointer, mean in before.items() if pointer not in pointers
    }


@pytest.mark.parametrize("changed", [{"mean": 900_000_000.0}, {"max": 2_000_000_000}])
def test_a_submission_above_the_total_is_no_part_of_it(changed: dict[str, Any]) -> None:
    """It is shorter than the run, but the operation that it is a part of was over sooner."""
    report = json.loads(_report({}))
    (job,) = report["jobs"]
    job["read"]["slat_ns"] = {"min": 100, "max": 1000, "mean": 500.0, "stddev": 1.0, "N": 5} | changed
    data = json.dumps(report).encode()
    reading = _read(data)
    read = reading.results[0]
    assert (read.submission_latency_mean_seconds, read.submission_latency_max_seconds) == (None, None)
    assert read.latency_kind == "total"
    assert "submission latencies are above the total ones" in _said(reading, "R-FIO-LATENCY-5")


@pytest.mark.parametrize("option", ["disable_lat", "disable_slat"])
@pytest.mark.parametrize("is_off", [True, False])
def test_a_submission_without_a_start_is_not_measured(option: str, *, is_off: bool) -> None:
    """With disable_lat fio prints the time since the machine started, which a long run may well exceed."""
    reading = _read(_report({}, **{option: "1" if is_off else "0"}))
    assert {each.submission_latency_mean_seconds is None for each in reading.results} == {is_off}
    assert ("have no start" in _said(reading, "R-FIO-LATENCY-5")) == is_off


@pytest.mark.parametrize(
    ("change", "moved", "count", "throughput", "rate"),
    [
        ({"io_bytes": None, "io_kbytes": 2**54}, None, 1000, 4096.0 * 500, 500.0),
        ({"io_bytes": 2**63 - 1, "io_kbytes": None}, None, 1000, 4096.0 * 500, 500.0),
        ({"total_ios": 2**63 - 1}, 4_096_000, None, 4096.0 * 500, 501.0),
        ({"io_bytes": None, "io_kbytes": None, "bw_bytes": 2**62}, None, 1000, None, 500.0),
    ],
)
def test_a_counter_that_no_run_reaches_gives_nothing(
    change: dict[str, int | None], moved: int | None, count: int | None, throughput: float | None, rate: float
) -> None:
    """The rates are those that are printed, if they can be, and the block size is the one stated."""
    read = {
        "io_bytes": 4_096_000, "io_kbytes": 4000, "bw_bytes": 2_048_000, "bw": 2000, "iops": 501.0, "runtime": 2000,
        "total_ios": 1000, "lat_ns": {"min": 1, "max": 9, "mean": 5.0, "stddev": 1.0},
    } | change  # fmt: skip
    job = {"jobname": "a", "groupid": 0, "job options": {"rw": "read", "bs": "4k"}}
    job["read"] = {name: value for name, value in read.items() if value is not None}
    reading = _read(json.dumps({"fio version": "fio-3.33", "jobs": [job]}).encode())
    (result,) = reading.results
    assert (result.transferred_bytes, result.operation_count) == (moved, count)
    assert (result.throughput_bytes_per_second, result.operations_per_second) == (throughput, rate)
    assert result.block_size_bytes == 4096
    assert "more than any run reaches" in _said(reading, "R-READ-6")


NANOSECONDS = {
    "half a nanosecond": (0.58, {}, True),
    "below what a bus takes for the block": (25, {}, True),
    "a block on the fastest bus": (47, {}, False),
    "through the host's cache": (0.58, {"direct": "0"}, False),
    "an engine without a device": (0.58, {"ioengine": "null"}, False),
    "a device that drops everything": (0.58, {"filename": "/dev/nullb0"}, False),
    "persistent memory": (0.58, {"filename": "/dev/pmem0"}, False),
}


@pytest.mark.parametrize("case", NANOSECONDS)
def test_direct_io_is_not_quicker_than_any_bus(case: str) -> None:
    """Memory takes 14 ns to answer, and the fastest bus 32 ns for 8 KiB; what is no device is not asked."""
    nanoseconds, options, is_told = NANOSECONDS[case]
    low = {"min": nanoseconds, "mean": nanoseconds, "stddev": 0.1, "max": 4e6}
    reading = _read(_report(low, **{"direct": "1", "ioengine": "libaio", **options}))
    assert ("R-CHECK-2" in {each.rule for each in reading.warnings}) == is_told
    assert not is_told or f"of {nanoseconds:.3g} ns of direct I/O is below" in _said(reading, "R-CHECK-2")
