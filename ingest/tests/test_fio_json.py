"""fio's JSON reports: every era, every way they are wrapped and cut, and what does not add up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ioledger.model import BINS, Result, Source
from ioledger.readers import MICRO, NANO, detect, fio
from ioledger.readers.fio import json_decode, json_result
from mutate import alter, lost

if TYPE_CHECKING:
    from ioledger.model import Reading

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted((FIXTURES / "fio").glob("json-*/input.*"))
ONE = (
    b'{"fio version" : "fio-3.33", "jobs" : [{"jobname" : "a", "groupid" : 0, "desc" : "?", "job options" : '
    b'{"rw" : "read", "filename" : "?"}, "read" : {"io_bytes" : 8192, "io_kbytes" : 8, "runtime" : 1000,'
    b' "total_ios" : 2}}]}'
)


def _case(name: str) -> Path:
    (path,) = FIXTURES.glob(f"*/{name}/input.*")
    return path


def _rules(reading: Reading) -> set[str]:
    return {finding.rule for finding in reading.warnings}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_the_tolerant_decoder_reads_what_the_typed_one_reads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of the two decodes a report must not show in anything that is read."""
    source = Source(path.name, path.read_bytes())
    regular = fio.read(source)
    monkeypatch.setattr(json_decode, "regular", lambda _: None)
    tolerant = fio.read(source)
    assert tolerant.results == regular.results
    assert tolerant.warnings == regular.warnings


@given(index=st.integers(0, len(CASES) - 1), seed=st.integers(0, 2**32))
def test_of_an_altered_report_nothing_is_lost_either(index: int, seed: int) -> None:
    """Both decoders read the same rows and say the same, whatever a report has become."""
    assert lost(alter(seed, CASES[index].read_bytes())) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"rw" : "read"', b'"rw" : 7, "rw" : "read"'),
        (b'"rw" : "read"', b'"rw" : "read", "iodepth" : 1e400'),
        (b'"runtime" : 1000', b'"clat_ns" : {"mean" : 9, "bins" : {"7" : 1e400, "7" : 2}}, "runtime" : 1000'),
    ],
)
def test_options_and_bins_that_stand_twice_or_fit_nowhere_read_alike(old: bytes, new: bytes) -> None:
    """These are decoded apart, and of two values under one name the last holds there too."""
    assert old in ONE
    assert lost(ONE.replace(old, new)) is None


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_no_host_and_no_folder_leaves_the_file(path: Path) -> None:
    """Names of hosts, users and folders are left out; of a path its last part is kept."""
    reading = fio.read(Source(path.name, path.read_bytes()))
    shown = msgspec.json.encode([reading.results, reading.warnings, reading.rows]).decode()
    assert not [word for word in ("example", "/mnt", "/dev/", "/tmp", "secret") if word in shown]  # noqa: S108


def test_histograms_can_be_left_out() -> None:
    """Whoever wants no bins need not pay for them; everything else stays the same."""
    source = Source("report", _case("json-plus-3.42").read_bytes())
    less = Source(source.name, source.data, without=frozenset({BINS}))
    (full,), (bare,) = fio.read(source).results, fio.read(less).results
    assert full.bins
    assert not bare.bins
    assert msgspec.structs.replace(full, bins={}) == bare


def _bucket_of(value: int) -> tuple[int, int]:
    """Return a value's bucket as fio's plat_val_to_idx() and plat_idx_to_val() define it: its middle and width."""
    bits = value.bit_length() - 1
    if bits <= 6:
        return value, 1
    error = bits - 6
    index = ((error + 1) << 6) + (value >> error & 63)
    base = 1 << (error + 6)
    return base + int((index % 64 + 0.5) * (1 << error)), 1 << error


def _histogram(middle: int, unit: float) -> list[tuple[float, float | None, int]]:
    found = json_result.histogram(msgspec.Raw(f'{{"{middle}":1}}'.encode()), unit)
    assert found is not None
    return list(found.rows())


@given(st.integers(0, 2**33))
def test_a_bin_holds_the_values_that_fio_puts_into_it(nanoseconds: int) -> None:
    """Every latency lies between the edges of the bin that fio counts it in."""
    middle, width = _bucket_of(nanoseconds)
    ((low, high, count),) = _histogram(middle, NANO)
    assert count == 1
    assert low <= nanoseconds / NANO
    assert high is not None
    assert nanoseconds / NANO < high
    assert high - low == pytest.approx(width / NANO)


def test_the_last_bin_is_open() -> None:
    """Everything above fio's range counts in the last bin: index 1855 in nanoseconds, 1215 in microseconds."""
    nano, micro = (127 << 27) + (1 << 26), (127 << 17) + (1 << 16)
    for middle, unit in ((nano, NANO), (micro, MICRO)):
        assert [high for _, high, _ in _histogram(middle, unit)] == [None]


@pytest.mark.parametrize("step", range(1, 40))
def test_a_report_cut_anywhere_is_refused_with_its_place(step: int) -> None:
    """Wherever the text ends inside the report, no number of it is taken."""
    data = _case("json-3.33").read_bytes().rstrip()
    reading = fio.read(Source("report", data[: 20 + step * (len(data) - 20) // 40]))
    assert not reading.results
    assert [refusal.rule for refusal in reading.refusals] == ["R-FIO-CUT-1"]
    assert reading.refusals[0].place.startswith("line ")


@pytest.mark.parametrize("key", ["130", "18500000000", "9" * 400, "-5", "a"])
def test_a_histogram_that_fio_did_not_write_is_left_out(key: str) -> None:
    """A key that is the middle of no bin would be counted in the wrong one, or twice."""
    text = _case("json-plus-3.42").read_text(encoding="utf-8").replace('"127" : 1,', f'"{key}" : 1,')
    reading = fio.read(Source("report", text.encode()))
    assert set(reading.results[0].bins) == {"total", "completion"}
    assert "R-FIO-LINE-2" in _rules(reading)


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (b'"io_bytes" : 8192', b'"io_bytes" : 4096, "io_bytes" : 8192', "io_bytes"),
        (b'"read" : {', b'"read" : {"io_bytes" : 4096}, "read" : {', "read"),
        (b'"jobname" : "a"', b'"jobname" : "b", "jobname" : "a"', "jobname"),
        (b'"jobs" : [', b'"jobs" : [{"jobname" : "b"}], "jobs" : [', "jobs"),
    ],
)
def test_a_key_that_stands_twice_is_named_and_the_last_value_holds(old: bytes, new: bytes, name: str) -> None:
    """A dictionary would keep one of them without a word."""
    reading = fio.read(Source("report", ONE.replace(old, new)))
    (told,) = [finding for finding in reading.warnings if finding.rule == "R-FIO-LINE-2"]
    assert told.message.endswith(f"is used: '{name}'")
    assert [(result.test_name, result.transferred_bytes) for result in reading.results] == [("a", 8192)]


def test_a_key_that_stands_twice_with_one_value_is_no_finding() -> None:
    """So does ``"0.00"`` among the percentiles of every report up to 3.1."""
    reading = fio.read(Source("report", ONE.replace(b'"runtime" :', b'"io_bytes" : 8192, "runtime" :')))
    assert "R-FIO-LINE-2" not in {finding.rule for finding in reading.warnings}


def test_a_result_without_a_run_time_keeps_the_printed_rates() -> None:
    """Reports shortened by hand state rates only: they are taken as printed."""
    text = '{"fio version" : "fio-3.19", "jobs" : [{"jobname" : "a", "read" : {"bw" : 1024, "iops" : 250}}]}'
    (result,) = fio.read(Source("report", text.encode())).results
    assert isinstance(result, Result)
    assert (result.throughput_bytes_per_second, result.operations_per_second) == (1024 * 1024, 250)
    assert (result.duration_seconds, result.transferred_bytes) == (None, None)


DISKS: dict[str, tuple[dict[str, object] | None, list[str]]] = {
    "all that fio counts": ({"write_ios": 4096, "write_merges": 0}, []),
    "half of it": ({"write_ios": 2048, "write_merges": 0}, ["R-FIO-DISK-1"]),
    "merged on the way": ({"write_ios": 2048, "write_merges": 2048}, []),
    "half of the sectors": ({"write_ios": 4096, "write_sectors": 4096 * 4, "read_sectors": 0}, ["R-FIO-DISK-1"]),
    "all of the sectors": ({"write_ios": 1, "write_sectors": 4096 * 8, "read_sectors": 0}, []),
    "a disk that nobody counts": ({}, []),
    "words for numbers": ({"write_ios": "many"}, ["R-FIO-DISK-1"]),
    "busier than always": ({"write_ios": 4096, "util": 100.5}, ["R-FIO-DISK-1"]),
    "no list": (None, ["R-FIO-DISK-1"]),
}


@pytest.mark.parametrize("case", DISKS)
def test_the_kernel_witnesses_what_fio_counts(case: str) -> None:
    """Direct I/O reaches the disk; where it moved clearly less than fio counts, something else answered."""
    disk, rules = DISKS[case]
    part = {"io_bytes": 4096 * 4096, "total_ios": 4096, "runtime": 10_000, "iops": 409.6, "bw": 1638}
    job = {"jobname": "x", "job options": {"rw": "write", "bs": "4k", "direct": "1"}, "write": part}
    disks: object = 7 if disk is None else [{"name": "sdx", **disk}]
    report = {"fio version": "fio-3.36", "jobs": [job], "disk_util": disks}
    reading = detect.read(Source("report", json.dumps(report).encode()))
    assert [finding.rule for finding in reading.warnings if "R-FIO-DISK" in finding.rule] == rules
    assert len(reading.results) == 1
