"""A job file fills the gaps of a report: what the report states itself holds, and every origin is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from conftest import FIXTURES
from ioledger.model import Source
from ioledger.readers import detect

if TYPE_CHECKING:
    from ioledger.model import Reading

OLD = """
[global]
ioengine=libaio
direct=1
runtime=2
[database]
readwrite=randrw
rwmixread=67
blocksize=8192
iodepth=16
"""
LOST = "[global]\nrw=randread\nbs=4k\niodepth=16\nnumjobs=8\nioengine=libaio\ndirect=1\ngroup_reporting\n[g]\n"


def _read(case: str, job: str) -> Reading:
    (path,) = (FIXTURES / "fio" / case).glob("input.*")
    return detect.read(Source(path.name, path.read_bytes(), job=job.encode()))


def _rules(reading: Reading) -> set[str]:
    return {finding.rule for finding in reading.warnings}


def test_a_report_without_options_takes_them_from_its_job_file() -> None:
    """The report of fio 2.0.10 states none: names and defaults are known now, and each says where it is from."""
    result = _read("json-2.0.10", OLD).results[0]
    assert (result.access_pattern, result.read_ratio, result.block_size_bytes) == ("random", 0.67, 8192)
    assert (result.queue_depth, result.queue_depth_origin, result.process_count) == (16, "job_file", 1)
    assert (result.engine, result.is_direct, result.ramp_seconds) == ("libaio", True, None)
    names = ("bs", "direct", "iodepth", "ioengine", "rw", "rwmixread")
    assert result.workload_origins == " ".join(f"{name}=job_file" for name in names)


GROUP = "[global]\ngroup_reporting\nbs=8k\n[database]\nrw=randrw\niodepth=16\n[log]\nrw=write\niodepth=1\n"


@pytest.mark.parametrize(
    ("job", "expected"),
    [
        ("[database]\nrw=randread\n", ("random", 4096, 1, False)),
        ("[database]\nrw=randread\nioengine=libaio\niodepth=${DEPTH}\n", ("random", None, None, None)),
        (OLD + "size=100*$mb_memory\n", ("random", 8192, 16, True)),
        ("[global]\ninclude common.fio\n[database]\nrw=randrw\n", ("random", None, None, None)),
        (GROUP, (None, 8192, None, None)),
    ],
    ids=["defaults", "a variable", "a variable elsewhere", "an include", "a group of two sections"],
)
def test_what_a_job_file_leaves_out_is_at_its_default_if_the_file_is_whole(
    job: str, expected: tuple[object, ...]
) -> None:
    """The value of a variable and another file stand nowhere; of a merged group is known what all sections say."""
    result = _read("json-2.0.10", job).results[0]
    assert (result.access_pattern, result.block_size_bytes, result.queue_depth, result.is_direct) == expected


def test_numjobs_that_a_report_lost_comes_from_the_job_file() -> None:
    """Reports of fio 3.3 leave out ``numjobs`` of the global section: 8 times 16 are outstanding, by Little's law."""
    reading = _read("json-3.3-lost-numjobs", LOST)
    (result,) = reading.results
    assert (result.queue_depth, result.process_count, result.scope) == (128, 8, "group")
    assert "numjobs=job_file" in str(result.workload_origins)
    assert "iodepth=global" in str(result.workload_origins)
    assert _rules(reading) == {"R-FIO-DISK-1"}, "the counters of the disk in this report are made up"


@pytest.mark.parametrize(
    ("case", "job", "column", "value"),
    [
        ("json-3.3-lost-numjobs", LOST.replace("bs=4k", "bs=8k"), "block_size_bytes", 4096),
        ("normal-1.59", "[database]\nrw=randwrite\nbs=4k\nioengine=libaio\niodepth=32\n", "block_size_bytes", 8192),
    ],
)
def test_a_job_file_that_says_otherwise_is_told_of(case: str, job: str, column: str, value: object) -> None:
    """It belongs to another run, and nothing is taken from it."""
    reading = _read(case, job)
    assert getattr(reading.results[0], column) == value
    assert "R-FIO-JOB-1" in _rules(reading)


@pytest.mark.parametrize("job", ["[other]\nrw=read\n", "", "\0\xff", "[" * 10_000])
def test_a_job_file_without_the_jobs_of_the_report_is_told_of(job: str) -> None:
    """Another job file, none at all, or noise: the report is read as without it."""
    reading = _read("json-2.0.10", job)
    assert "R-FIO-JOB-1" in _rules(reading)
    assert reading.results[0].queue_depth is None


@pytest.mark.parametrize("case", ["terse-1.38", "terse-v2", "terse-v4"])
def test_text_without_a_banner_takes_its_options_from_the_job_file(case: str) -> None:
    """Terse lines hold no options at all."""
    plain = _read(case, "")
    name = plain.results[0].test_name
    result = _read(case, f"[{name}]\nrw=randrw\nbs=4k\nioengine=libaio\niodepth=3\ndirect=1\n").results[0]
    assert result.outstanding_per_target_count == 3
    assert json.loads(str(result.job_options))["iodepth"] == "3"
    assert "iodepth=job_file" in str(result.workload_origins)
    assert result.is_direct is True
    assert plain.results[0].is_direct is None


@pytest.mark.parametrize(
    ("stated", "lines", "expected"),
    [
        ("", 1, (8, 1, "job")),
        ("numjobs=2", 2, (8, 1, "job")),
        ("numjobs=2\ngroup_reporting", 1, (16, 2, "group")),
        ("numjobs=2", 1, (None, None, "job")),
        ("numjobs=2\ngroup_reporting", 2, (None, None, "job")),
        ("group_reporting\n[another]\nrw=read", 1, (None, None, "job")),
        ("numjobs=$N", 1, (None, None, "job")),
    ],
)
def test_terse_lines_and_a_job_file_prove_how_many_processes_a_line_covers(
    stated: str, lines: int, expected: tuple[int | None, int | None, str]
) -> None:
    """One line per process, or one for all of a group; a group of several sections proves nothing."""
    (path,) = (FIXTURES / "fio" / "terse-v4").glob("input.*")
    first = path.read_bytes()
    data = first + first.replace(b";1001;", b";1000;") * (lines - 1)
    job = f"[mix]\nrw=randrw\nbs=8k\nioengine=libaio\niodepth=8\n{stated}\n"
    reading = detect.read(Source(path.name, data, job=job.encode()))
    parts = [result for result in reading.results if not result.is_aggregate]
    assert len(parts) == 2 * lines
    for result in parts:
        assert (result.queue_depth, result.process_count, result.scope) == expected


def test_a_job_file_comes_before_the_banner_and_adds_to_it() -> None:
    """A banner prints four options, the block size as a range of each direction; the file says it and the rest."""
    result = _read("normal-1.59", "[database]\nrw=randrw\nrwmixread=67\nbs=8k\nioengine=libaio\niodepth=32\n").results[
        0
    ]
    assert (result.block_size_bytes, result.read_ratio, result.is_direct) == (8192, 0.67, False)
    assert "bs=job_file" in str(result.workload_origins)
