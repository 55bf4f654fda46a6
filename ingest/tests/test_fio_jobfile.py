"""fio's job files: the options of every job, as fio itself would merge them."""

from __future__ import annotations

import pytest

from ioledger.readers.fio import options
from ioledger.readers.fio.options import Options, workload

JOB = """\
; four threads
[global]
readwrite=randrw   # inline
blocksize = 4k,64k
ioengine=libaio
timeout=60

[first]
rwmixread=70
iodepth=8
iodepth=16 ; the last wins
stonewall

[global]
direct=1
[second]
rw=write
filename=/mnt/private/disk.img
"""


def test_a_section_has_its_own_options_over_the_global_ones_before_it() -> None:
    """Names are those of fio's reports; flags have an empty value."""
    assert options.parse_job(JOB) == {
        "first": {
            "rw": "randrw", "bs": "4k,64k", "ioengine": "libaio", "runtime": "60",
            "rwmixread": "70", "iodepth": "16", "stonewall": "",
        },
        "second": {
            "rw": "write", "bs": "4k,64k", "ioengine": "libaio", "runtime": "60", "direct": "1",
            "filename": "/mnt/private/disk.img",
        },
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "[section]\nkey=value\n", "rw=read\n", "[a]\nrw==read\n", '{"jobs": [\n]}'])
def test_other_files_are_not_taken_for_job_files(text: str) -> None:
    """A section and an option of fio must both be there."""
    assert not options.find(text)


def test_other_text_ends_a_section() -> None:
    """A pod's log shows the job file before the report."""
    text = "Starting pod\n[a]\nrw=read\n---\nbs=8k\nfio-3.41\n[b]\nrw=write\n"
    assert options.parse_job(text) == {"a": {"rw": "read"}, "b": {"rw": "write"}}


def test_a_name_that_stands_twice_with_different_options_is_left_out() -> None:
    """A report could not tell which of the two is meant."""
    assert options.parse_job("[a]\nrw=read\n[a]\nrw=write\n[b]\nrw=read\n[b]\nrw=read\n") == {"b": {"rw": "read"}}


@pytest.mark.parametrize(
    ("values", "operation", "low", "high"),
    [
        ({"bs": "4k"}, "write", 4096, 4096),
        ({"bs": "4k,64k"}, "read", 4096, 4096),
        ({"bs": "4k,64k"}, "trim", 65536, 65536),
        ({"bs": "4k,64k"}, "mixed", 4096, 65536),
        ({"bsrange": "1k-4k"}, "read", 1024, 4096),
        ({"bssplit": "4k/60:64k/40,8k/100"}, "write", 8192, 8192),
        ({"bs": "4Ki"}, "read", 4096, 4096),
        ({"bs": "4KiB"}, "read", 4000, 4000),
        ({"bs": "1.5k"}, "read", 1, 1),
        ({"bsrange": "4Ki-8KiB"}, "read", 4096, 8000),
        ({"bssplit": "4Ki/50:8KiB/50"}, "read", 4096, 8000),
        ({"bs": "nonsense"}, "read", None, None),
    ],
)
def test_block_sizes_of_an_operation(values: dict[str, str], operation: str, low: int | None, high: int | None) -> None:
    """Reads, writes and trims may differ."""
    found = workload(Options(values, dict.fromkeys(values, "job"), is_complete=True), operation, 1)
    assert (found["block_size_min_bytes"], found["block_size_max_bytes"]) == (low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("8K-8K/4K-4K/8K-8K", 4096, 4096),
        ("(R) 64.0KiB-64.0KiB, (W) 512B-512B, (T) 4096B-4096B", 512, 512),
        ("(R) 8B-4096B, (W) 8B-4096B, (T) 8B-4096B", 8, 4096),
        ("(R) 4096B-4096B, (W) 64.0kB-64.0kB, (T) 4096B-4096B", 64_000, 64_000),
        ("(R) 4096B-4096B, (W) 65.5kB-65.5kB, (T) 4096B-4096B", 65_536, 65_536),
        ("(R) 4096B-4096B, (W) 1049kB-1049kB, (T) 4096B-4096B", None, None),
        ("(R) 4096B-4096B, (W) 9.77KiB-9.77KiB, (T) 4096B-4096B", None, None),
    ],
)
def test_a_banner_prints_sizes_and_an_option_states_them(text: str, low: int | None, high: int | None) -> None:
    """There KiB is 1024 and kB is 1000 whatever ``kb_base``; what four digits leave open is unknown."""
    found = workload(Options({"bs": text}, {"bs": "banner"}), "write", 1)
    assert (found["block_size_min_bytes"], found["block_size_max_bytes"]) == (low, high)


KB_BASE = """\
[global]
bs=4k
rw=read
[first]
[second]
bs=4KiB
kb_base=1000
[third]
bsrange=4k-8KiB
kb_base=1000
[global]
kb_base=1000
[fourth]
[fifth]
bs=4k
[sixth]
bs=4k
kb_base=1024
"""


def test_sizes_are_read_with_the_base_that_holds_where_they_stand() -> None:
    """``kb_base`` is taken in first of its section, wherever it stands; what sections above stated keeps its size."""
    sizes = {
        name: workload(options.beneath(Options({}, {}), section), "read", 1)
        for name, section in options.parse_job(KB_BASE).items()
    }
    found = {name: (row["block_size_min_bytes"], row["block_size_max_bytes"]) for name, row in sizes.items()}
    assert found == {
        "first": (4096, 4096), "second": (4096, 4096), "third": (4000, 8192), "fourth": (4096, 4096),
        "fifth": (4000, 4000), "sixth": (4096, 4096),
    }  # fmt: skip
