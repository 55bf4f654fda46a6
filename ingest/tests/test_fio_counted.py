"""Rates and block sizes from what was counted, where that is finer than what is printed, or refutes what is stated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.model import Source
from ioledger.readers import detect

if TYPE_CHECKING:
    from ioledger.model import Reading

FIXTURES = Path(__file__).parent / "fixtures" / "fio"
TERSE = (FIXTURES / "terse-slow" / "input.txt").read_text(encoding="utf-8")
NORMAL = (FIXTURES / "normal-slow" / "input.txt").read_text(encoding="utf-8")
"""Fifteen reads of 4 KiB and fifteen writes of 512 bytes in 4.667 s, printed as 3 IOPS each."""
RATE = 15 / 4.667
BANNER = "slow: (g=0): rw=randrw, bs=(R) {}-{}, (W) 512B-512B, (T) 512B-512B, ioengine=null, iodepth=1"


def _read(text: str, job: str = "") -> Reading:
    return detect.read(Source("report", text.encode(), job=job.encode() or None))


def _rules(reading: Reading) -> set[str]:
    return {finding.rule for finding in reading.warnings}


def test_a_terse_line_without_a_block_size_keeps_what_it_prints_and_says_how_coarse_that_is() -> None:
    """Bytes of unknown blocks tell no operations."""
    read, write = _read("\n".join(line for line in TERSE.splitlines() if line.startswith("3;"))).results
    assert (read.operations_per_second, read.operations_basis, read.operations_resolution_per_second) == (
        3,
        "printed",
        1,
    )
    assert write.throughput_bytes_per_second == pytest.approx(7168 / 4.667)
    assert write.throughput_basis is None
    assert write.throughput_resolution_bytes_per_second == pytest.approx(1024 / 4.667)


@pytest.mark.parametrize("size", ["8192B", "4000B", "512B"])
def test_a_block_size_that_a_terse_line_refutes_is_unknown(size: str) -> None:
    """60 KiB in 3 to 4 operations a second are no blocks of 8,192 or 512 bytes, and not whole blocks of 4,000."""
    head, _, rest = TERSE.partition("\n\n")[0].partition("\n")
    assert head == BANNER.format("4096B", "4096B")
    reading = _read(f"{BANNER.format(size, size)}\n{rest}".replace("60;12;3;4667", "60000;12856;3214;4667"))
    read, write = reading.results
    assert (read.block_size_bytes, read.block_size_min_bytes, read.block_size_max_bytes) == (None, None, None)
    assert (read.operations_per_second, read.operations_basis) == (3214, "printed")
    assert "bs=" not in str(read.workload_origins)
    assert write.block_size_bytes == 512
    assert _rules(reading) == {"R-FIO-BLOCK-1", "R-FIO-DEPTH-1"}


def test_human_output_of_varying_blocks_keeps_the_throughput_it_prints() -> None:
    """Operations of several sizes tell no bytes; the finest figure is taken, with its last digit."""
    read, _ = _read(NORMAL.replace("bs=(R) 4096B-4096B", "bs=(R) 1024B-8192B")).results
    assert read.block_size_bytes is None
    assert read.throughput_bytes_per_second == pytest.approx(RATE * 4096, rel=1e-3)
    assert read.throughput_resolution_bytes_per_second == pytest.approx(102.4 / 4.667)


def test_a_block_size_that_human_output_refutes_is_unknown() -> None:
    """4,000 and 4,096 are 2.4 % apart, and three digits show that."""
    reading = _read(
        NORMAL.replace("bs=(R) 4096B-4096B", "bs=(R) 4000B-4000B")
        .replace("total=15,", "total=15000,")
        .replace("IOPS=3, BW=12.9KiB/s (13.2kB/s)(60.0KiB", "IOPS=3214, BW=12.6MiB/s (13.2MB/s)(58.6MiB")
    )
    assert "R-FIO-BLOCK-1" in _rules(reading)
    assert reading.results[0].block_size_bytes is None


OLD = {
    "fio version": "fio-2.0.10",
    "jobs": [
        {"jobname": "a", "groupid": 0, "error": 0, "read": {"io_bytes": 60, "bw": 11, "iops": 2, "runtime": 5004}}
    ],
}


def test_iops_of_a_report_without_counts_come_from_its_bytes() -> None:
    """Until 2.1.14 a report counts no operations and cuts IOPS; a job file tells the block size."""
    (alone,) = _read(json.dumps(OLD)).results
    assert (alone.operations_per_second, alone.operations_basis, alone.operations_resolution_per_second) == (
        2, "printed", 1
    )  # fmt: skip
    (result,) = _read(json.dumps(OLD), "[a]\nrw=read\nbs=4k\n").results
    assert result.operations_per_second == pytest.approx(15 / 5.004)
    assert result.operations_basis == "bytes"


def _report(options: dict[str, str] | None, count: int, moved: int, added: int = 5003) -> Reading:
    """Read a report whose processes ran for ``added`` milliseconds together."""
    job: dict[str, Any] = {
        "jobname": "a", "groupid": 0, "error": 0, "job_runtime": added,
        "read": {"io_bytes": moved, "io_kbytes": moved // 1024, "total_ios": count, "runtime": 5004},
    }  # fmt: skip
    return _read(json.dumps({"fio version": "fio-3.33", "jobs": [job | ({"job options": options} if options else {})]}))


@pytest.mark.parametrize("added", [0, 6004, 10006])
def test_a_group_has_no_block_size_that_none_of_its_jobs_had(added: int) -> None:
    """Jobs of 4k and 8k move 6144 bytes each on average; where one process is not proven, nothing is counted."""
    reading = _report({"rw": "read", "bs": "8k"}, 2000, 1000 * (4096 + 8192), added)
    (result,) = reading.results
    assert (result.block_size_bytes, result.block_size_min_bytes, result.block_size_max_bytes) == (None, None, None)
    assert "counted" not in (result.workload_origins or "")
    assert [each.message for each in reading.warnings if each.rule == "R-FIO-BLOCK-1"] == [
        "2,000 operations moved 12,288,000 bytes, which are not blocks of 8,192"
    ]
    assert _report(None, 150, 150 * 8192, added).results[0].block_size_bytes is None


@pytest.mark.parametrize(
    ("options", "count", "moved", "size", "is_refuted"),
    [
        ({"rw": "read", "bs": "4KiB"}, 15, 15 * 4096, 4096, True),
        ({"rw": "read", "bs": "4k", "kb_base": "1000"}, 15, 15 * 4000, 4000, True),
        ({"rw": "read", "bs": "8k"}, 150, 150 * 4096, 4096, True),
        ({"rw": "read"}, 150, 150 * 8192, 8192, True),
        ({"rw": "read", "bs": "8k"}, 150, 150 * 4096 + 1, None, True),
        ({"rw": "read", "bs": "4Ki"}, 15, 15 * 4096, 4096, False),
        ({"rw": "read", "bs": "4KiB", "kb_base": "1000"}, 15, 15 * 4000, 4000, False),
        ({"rw": "read", "bs": "4k", "iodepth": "16", "ioengine": "libaio"}, 150, 153 * 4096, 4096, False),
        ({"rw": "read", "bs": "4k"}, 5, 5 * 4000, 4096, False),
        ({"rw": "read", "bsrange": "4k-16k"}, 150, 150 * 8192, None, False),
        ({"rw": "read", "bssplit": "4k/50:12k/50"}, 150, 150 * 8192, None, False),
        (None, 150, 150 * 8192, 8192, False),
        (None, 15, 15 * 8192, None, False),
        (None, 150, 150 * 8000, None, False),
    ],
)
def test_bytes_over_operations_settle_a_block_size_that_is_stated_otherwise(
    options: dict[str, str] | None, count: int, moved: int, size: int | None, *, is_refuted: bool
) -> None:
    """Told where they refute it: operations under way add whole blocks, few end short, varying blocks have no size."""
    reading = _report(options, count, moved)
    (result,) = reading.results
    assert (result.block_size_bytes, "R-FIO-BLOCK-1" in _rules(reading)) == (size, is_refuted)
    if is_refuted:
        assert result.block_size_min_bytes == result.block_size_max_bytes == size
        assert ("bs=counted" in str(result.workload_origins)) == (size is not None)
