"""fio's human output: units that change from line to line, figures that repeat, and blocks among other text."""

from __future__ import annotations

from pathlib import Path

import pytest

from ioledger.readers.fio import human

FIXTURES = Path(__file__).parent / "fixtures" / "fio"


def _read(name: str) -> str:
    return (FIXTURES / name / "input.txt").read_text(encoding="utf-8")


def test_samples_are_kibibytes_whatever_their_label_says() -> None:
    """With ``kb_base=1000`` fio 3.33 labels 3216 KiB/s as kB/s, and 3 151 100 KiB/s as 3151.10 MiB/s."""
    text = _read("normal-bits")
    (result,) = human.read(text).results
    assert result.throughput_sample_mean_bytes_per_second == 3216 * 1024
    large = text.replace("bw (   kB/s): min= 3216, max= 3216", "bw (  MiB/s): min= 3151, max= 3151")
    (result,) = human.read(large.replace("avg=3216.00", "avg=3151.10")).results
    assert result.throughput_sample_mean_bytes_per_second == pytest.approx(3151.10 * 1024 * 1000)


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
