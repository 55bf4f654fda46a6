"""Two loads are the same by what was requested, however the options are written."""

from __future__ import annotations

import json

import pytest

from ioledger.readers.load_options import effective_load_options, job_key


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"rw": "randread", "bs": "4k", "iodepth": "32", "filename": "x", "write_lat_log": "y"}, {}),
        ({"random_distribution": "zipf:1.20"}, {"random_distribution": "zipf:1.2"}),
        ({"random_distribution": "ZIPF"}, {"random_distribution": "zipf:1.1"}),
        ({"random_distribution": "random"}, {}),
        ({"bssplit": "64k/40:4k/60"}, {"bssplit": "4096/60:65536/40"}),
        ({"bssplit": "8k/100"}, {}),
        ({"bssplit": "4k/100,8k/100"}, {"bssplit": "4096/100,8192/100"}),
        ({"bssplit": "4096/60:65536"}, {"bssplit": "4096/60:65536/40"}),
        ({"bssplit": "4k/60:64k/40,4k/60:64k/40"}, {"bssplit": "4096/60:65536/40"}),
        ({"rate": "10m,10m"}, {"rate": "10485760"}),
        ({"rate": "10m,"}, {"rate": "10485760,0"}),
        ({"rate": "10m", "kb_base": "1000"}, {"rate": "10000000"}),
        ({"rate": ["1m", "2m"]}, {"rate": "2097152"}),
        ({"rate_iops": "1k", "rate_process": "poisson"}, {"rate_iops": "1024", "rate_process": "poisson"}),
        ({"rate": "0", "rate_iops": "0", "rate_process": "poisson"}, {}),
        ({"thinktime": "10ms", "thinktime_blocks": "4"}, {"thinktime": 10000, "thinktime_blocks": "4"}),
        ({"thinktime": "0", "thinktime_blocks": "4", "thinktime_spin": "5"}, {}),
        ({"fsync": "32", "fdatasync": "0", "sync": "1"}, {"fsync": 32, "sync": "sync"}),
        ({"rw": "randread:8", "fsync": "10000", "fdatasync": "4"}, {}),
        ({"rw": "randrw", "fsync": "10000"}, {"fsync": 10000}),
        ({"sync": "none"}, {}),
        ({"norandommap": ""}, {"norandommap": True}),
        ({"norandommap": "0"}, {}),
        ({"zonemode": "ZBD", "offset_increment": "1g"}, {"zonemode": "zbd", "offset_increment": 1 << 30}),
        ({"zonemode": "none", "offset_increment": "0", "percentage_random": "100,100"}, {}),
        ({"zonemode": "zbd", "offset_increment": "3Z"}, {"zonemode": "zbd", "offset_increment": "3z"}),
        (
            {"rw": "randwrite", "zonemode": "zbd", "max_open_zones": "14"},
            {"zonemode": "zbd", "max_open_zones": 14},
        ),
        ({"rw": "randread", "zonemode": "zbd", "max_open_zones": "14"}, {"zonemode": "zbd", "max_open_zones": 14}),
        ({"rw": "write", "zonemode": "zbd", "max_open_zones": "14"}, {"zonemode": "zbd"}),
        ({"rw": "randwrite", "max_open_zones": "14"}, {}),
        ({"percentage_random": "40"}, {"percentage_random": "40"}),
        ({"access specification": [{"size": 4096, "% of size": 100, "delay": 0, "burst": 1}]}, {}),
        (
            {"access specification": [{"size": 4096, "% of size": 100, "delay": 5, "burst": 2}]},
            {"delay": "5", "burst": "2"},
        ),
        ({"ThinkTime": "0", "BurstSize": "0", "Throughput": "100"}, {"Throughput": "100"}),
    ],
)
def test_only_options_that_change_the_load_are_kept(options: dict[str, object], expected: dict[str, object]) -> None:
    """In one form, without what is at its default."""
    told = effective_load_options(json.dumps(options))
    assert json.loads(told) == expected
    assert effective_load_options(told) == told


@pytest.mark.parametrize(
    "text", [None, "", "[]", "half a {", "null", "7", '{"rate":null,"fsync":"many","bssplit":"/:,"}']
)
def test_options_that_cannot_be_read_are_none(text: str | None) -> None:
    """The workload is then what its columns say."""
    assert effective_load_options(text) == "{}"


def test_lines_of_a_specification_are_a_split_in_any_order() -> None:
    """Iometer takes each I/O from one of the lines by chance."""
    lines = [{"size": size, "% of size": share} for size, share in ((4096, 60), (65536, 40), (512, 0))]
    told = effective_load_options(json.dumps({"access specification": lines}))
    assert told == effective_load_options(json.dumps({"access specification": lines[::-1]}))
    assert told.count("% of size") == 2


def test_a_job_is_the_same_wherever_its_files_lie() -> None:
    """Paths, names and logs do not count, options and their values do."""
    key = job_key('{"rw":"randread","bs":"4k","name":"a","filename":"x"}')
    same = '{"bs":"4k","rw":"randread","name":"b","directory":"y","write_lat_log":"z","log_avg_msec":"500"}'
    assert job_key(same) == key
    assert job_key('{"rw":"randread","bs":"8k"}') != key
    assert (job_key(None), job_key('{"name":"a"}')) == (None, None)
    assert job_key("-run  oltp") == job_key("-run oltp") != job_key("-run dss")
