"""fio's human output: units that change from line to line, figures that repeat, and blocks among other text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ioledger.readers.fio import human
from ioledger.readers.fio.human import Figures
from ioledger.readers.units import printed_size

FIXTURES = Path(__file__).parent / "fixtures" / "fio"
CASES = sorted(path.parent.name for path in FIXTURES.glob("normal-*/input.txt"))


def _read(name: str) -> str:
    return (FIXTURES / name / "input.txt").read_text(encoding="utf-8")


def test_units_are_those_of_each_line() -> None:
    """1.59 prints KB/s above B/s, usec above msec, and K for thousands of microseconds."""
    read, write = human.read(_read("normal-1.59")).results
    assert read.throughput_bytes_per_second == pytest.approx(16000 * 1024 / 1.001)
    assert read.completion_latency_max_seconds == pytest.approx(0.8591)
    assert read.latency_mean_seconds == pytest.approx(7659.75e-6)
    assert (write.printed_value, write.printed_unit, write.unit_basis) == (8183816, "B/s", "exact")
    assert write.throughput_bytes_per_second == pytest.approx(8192 * 1000 / 1.001)
    assert write.latency_mean_seconds == pytest.approx(15.51e-3)
    assert write.latency_resolution_seconds == 1e-3
    assert write.submission_latency_mean_seconds == pytest.approx(5.95e-6)


def test_operations_are_counted_and_not_read_from_rounded_iops() -> None:
    """The issued operations over the run time are exact; 12.8k is not."""
    write = human.read(_read("normal-sync")).results[0]
    assert write.operation_count == 64
    assert write.operations_per_second == 64 / 0.005


def test_groups_add_their_jobs_to_the_queue_depth() -> None:
    """Four processes with eight each; a synchronous engine has one, whatever iodepth says."""
    group, alone = human.read(_read("normal-2.16-groups")).results
    assert (group.queue_depth, group.process_count, group.scope) == (32, 4, "group")
    assert (alone.queue_depth, alone.engine, alone.scope) == (1, "psync", "job")
    assert group.test_name == "seq"
    assert group.percentiles["completion"][0.9999] == pytest.approx(0.139)
    assert group.throughput_sample_mean_bytes_per_second == pytest.approx(102400.46 * 1024)


def test_run_status_lines_give_no_result() -> None:
    """They repeat the sums of the blocks."""
    reading = human.read(_read("normal-2.16-groups"))
    assert len(reading.results) == 2
    assert reading.document_count == 2


def test_bits_and_thousands_are_recognised_by_their_unit() -> None:
    """kb_base=1000 with unit_base=1 prints Mbit/s and kB."""
    (result,) = human.read(_read("normal-bits")).results
    assert result.throughput_bytes_per_second == pytest.approx(400 * 8192 / 1.001, rel=2e-3)
    assert result.printed_unit == "Mbit/s"
    assert result.unit_basis == "base10"


def test_samples_are_kibibytes_whatever_their_label_says() -> None:
    """With ``kb_base=1000`` fio 3.33 labels 3216 KiB/s as kB/s, and 3 151 100 KiB/s as 3151.10 MiB/s."""
    text = _read("normal-bits")
    (result,) = human.read(text).results
    assert result.throughput_sample_mean_bytes_per_second == 3216 * 1024
    large = text.replace("bw (   kB/s): min= 3216, max= 3216", "bw (  MiB/s): min= 3151, max= 3151")
    (result,) = human.read(large.replace("avg=3216.00", "avg=3151.10")).results
    assert result.throughput_sample_mean_bytes_per_second == pytest.approx(3151.10 * 1024 * 1000)


def test_sync_operations_have_latencies_but_no_throughput() -> None:
    """Their percentiles are their own, and both kinds of the writes are kept apart."""
    write, sync = human.read(_read("normal-sync")).results
    assert sorted(write.percentiles) == ["completion", "total"]
    assert write.percentiles["total"][0.5] == pytest.approx(28544e-9)
    assert (sync.operation, sync.operation_count) == ("sync", 15)
    assert sync.throughput_bytes_per_second is None
    assert sync.latency_mean_seconds == pytest.approx(190.26e-6)
    assert sync.percentiles["total"][0.5] == pytest.approx(117e-6)


def test_the_zeros_of_a_mixed_block_beside_its_parts_are_not_measurements() -> None:
    """Version 3.33 prints IOPS=0 there; its latencies are real."""
    mixed = human.read(_read("normal-both")).results[2]
    assert (mixed.operation, mixed.is_aggregate) == ("mixed", True)
    assert mixed.operations_per_second is None
    assert mixed.throughput_bytes_per_second is None
    assert mixed.latency_mean_seconds == pytest.approx(76.69e-6)


def test_a_lost_carry_is_found_and_the_largest_figure_taken() -> None:
    """3.1 prints 11.0MiB/s beside 12.6MB/s for 12.0MiB/s."""
    reading = human.read(_read("normal-lost-carry"))
    (result,) = reading.results
    assert result.throughput_bytes_per_second == pytest.approx(120 * 2**20 / 10.017, rel=4e-3)
    assert result.operations_per_second == pytest.approx(120 / 10.017)
    assert [finding.rule for finding in reading.warnings] == ["R-FIO-PRINT-1"]


def test_all_clients_is_an_aggregate_and_its_rounded_percentiles_are_dropped() -> None:
    """It prints 99.5, 99.9 and 99.99 all as 100th; host names are not kept."""
    one, other, every = human.read(_read("normal-clients")).results
    assert (one.scope, one.is_aggregate, one.queue_depth) == ("client", False, 4)
    assert other.test_name == "one"
    assert (every.scope, every.is_aggregate, every.queue_depth) == ("all", True, None)
    assert sorted(every.percentiles["completion"]) == [0.01, 0.99]
    assert every.throughput_bytes_per_second == pytest.approx(4800 * 65536, rel=1e-3)


def test_a_pod_log_gives_the_options_of_the_job_file_in_it() -> None:
    """Time stamps are taken off; paths do not leave the file."""
    read, write = human.read(_read("normal-pod-log")).results
    assert (read.queue_depth, read.read_ratio, read.is_direct) == (64, 0.7, True)
    assert read.test_name == "phase1"
    assert write.latency_mean_seconds == pytest.approx(66.31e-3)
    assert read.job_options is not None
    assert json.loads(read.job_options)["directory"] == "volume"
    assert read.workload_origins is not None
    assert "direct=job_file" in read.workload_origins


def test_only_the_last_of_successive_reports_counts() -> None:
    """The process number repeats, and every counter grows."""
    reading = human.read(_read("normal-status-interval"))
    assert [result.is_partial for result in reading.results] == [True, True, False]


def test_a_second_run_in_the_file_does_not_inherit_banners() -> None:
    """A block whose banner is missing has no options, rather than those of another run."""
    first = _read("normal-lost-carry")
    second = first.partition("fio-3.1\n")[2]
    reading = human.read(first + "fio-3.1\n" + second)
    assert [result.block_size_bytes for result in reading.results] == [1 << 20, None]
    assert "R-FIO-BANNER-1" in [finding.rule for finding in reading.warnings]


def test_a_failed_job_is_marked_and_an_idle_one_reported() -> None:
    """An error number stands in the header; no directions means no I/O."""
    header = "zbc: (groupid=0, jobs=1): err=121 (file:io_u.c:1791, func=io_u error, error=Remote I/O error): pid=4206"
    reading = human.read(f"{header}\n  cpu          : usr=0.00%, sys=0.00%, ctx=1, majf=0, minf=2\n")
    assert not reading.results
    assert [finding.rule for finding in reading.warnings] == ["R-FIO-EMPTY-1"]
    failed = human.read(_read("normal-lost-carry").replace("err= 0", "err= 5")).results[0]
    assert (failed.outcome, failed.error_code) == ("error", 5)


def test_a_run_that_a_signal_ended_is_interrupted() -> None:
    """A line before the report says so; the report itself has error 0."""
    begun = "Starting 1 process\n"
    text = _read("normal-lost-carry").replace(begun, f"{begun}fio: terminating on signal 2\n")
    assert human.read(text).results[0].outcome == "interrupted"


def test_a_block_without_its_end_is_reported_as_cut() -> None:
    """Without the issued operations the bytes tell the IOPS, where the block size is constant."""
    reading = human.read(_read("normal-lost-carry").partition("  cpu ")[0])
    result = reading.results[0]
    assert (result.operation_count, result.operations_basis) == (None, "bytes")
    assert result.operations_per_second == pytest.approx(11.98, abs=0.005)
    assert "R-FIO-CUT-1" in [finding.rule for finding in reading.warnings]


@pytest.mark.parametrize(
    ("text", "is_binary", "value"),
    [
        ("388MiB/s", False, 388 * 1024**2),
        ("407MB/s", False, 407e6),
        ("98.2kB/s", False, 98200),
        ("254727KB/s", True, 254727 * 1024),
        ("521296 B/s", True, 521296),
        ("2883Mbit/s", False, 2883e6 / 8),
        ("253Mi", False, 253 * 1024**2),
        ("266M", False, 266e6),
        ("29854MB", True, 29854 * 1024**2),
        ("nan", False, None),
    ],
)
def test_printed_sizes_are_bytes(text: str, is_binary: bool, value: float | None) -> None:  # noqa: FBT001  (a case's column)
    """Before 2.17 every prefix is binary; since then the i says so."""
    found = printed_size(text, is_binary=is_binary)
    assert (found.value if found else None) == value


def test_the_figure_with_the_smallest_rounding_is_taken() -> None:
    """Four digits beat three, and bytes over time beat both when they are whole."""
    figures = Figures("36.6k", ("143MiB/s", "150MB/s"), "2048KiB", 14, is_binary=False)
    columns, disagreement = human.rates(figures, 512)
    assert columns["throughput_bytes_per_second"] == pytest.approx(2048 * 1024 / 0.014)
    assert columns["operations_per_second"] == pytest.approx(512 / 0.014)
    assert not disagreement
