"""What the kernel counted on the disks while fio measured: a row per device, whatever format prints it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb

from ioledger.model import Source
from ioledger.readers import detect
from ioledger.readers.fio.disk_util import TABLE

FIO = Path(__file__).parent / "fixtures" / "fio"
MEMBERS = "aggrios=100/20, aggsectors=800/160, aggrmerge=1/2, aggrticks=30/40, aggrin_queue=70, aggrutil=98.10%"
MADE_OF_OTHERS = f"    md0: ios=400/80, sectors=3200/640, merge=0/0, ticks=0/0, in_queue=0, util=0.00%, {MEMBERS}"
DISK = {
    "name": "md0", "read_ios": 400, "write_ios": 80, "read_sectors": 3200, "write_sectors": 640, "read_merges": 0,
    "write_merges": 0, "read_ticks": 0, "write_ticks": 0, "in_queue": 0, "util": 0.0, "aggr_read_ios": 100,
    "aggr_write_ios": 20, "aggr_read_sectors": 800, "aggr_write_sectors": 160, "aggr_read_merges": 1,
    "aggr_write_merge": 2, "aggr_read_ticks": 30, "aggr_write_ticks": 40, "aggr_in_queue": 70, "aggr_util": 98.1,
}  # fmt: skip
NO_SECTORS = {"read_bytes": None, "write_bytes": None}


def _text(name: str) -> str:
    return next((FIO / name).glob("input.*")).read_text(encoding="utf-8")


def _rows(text: str) -> list[dict[str, Any]]:
    return detect.read(Source("report", text.encode())).rows.get("disk_counters", [])


def _report(*jobs: str, disks: object = (DISK,)) -> str:
    part = {"io_bytes": 4096 * 400, "total_ios": 400, "runtime": 1000, "iops": 400.0, "bw": 1600}
    options = {"rw": "read", "bs": "4k", "stonewall": "1"}
    listed = [{"jobname": name, "groupid": at, "job options": options, "read": part} for at, name in enumerate(jobs)]
    return json.dumps({"fio version": "fio-3.36", "jobs": listed, "disk_util": disks})


def _counters(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in {"source_pointer", "repetition"}}


def test_counters_that_nobody_asks_for_are_left_out_and_what_contradicts_them_is_told_all_the_same() -> None:
    """A report has more of them than results; the kernel's word on what fio counted is a finding of the results."""
    text = _report("a", disks=[DISK | {"read_ios": 4, "read_sectors": 32}]).replace('"rw"', '"direct": "1", "rw"')
    whole = detect.read(Source("report", text.encode()))
    less = detect.read(Source("report", text.encode(), without=frozenset({TABLE})))
    assert whole.rows
    assert not less.rows
    assert "R-FIO-DISK-1" in [finding.rule for finding in less.warnings]
    assert (less.results, less.warnings) == (whole.results, whole.warnings)


def test_every_format_tells_the_same_counters() -> None:
    """Human output writes the members behind their device, a terse line calls them slaves and leaves out sectors."""
    own, members = map(_counters, _rows(_report("a")))
    normal, terse = _text("normal-both"), _text("terse-v4").rstrip("\n")
    place = normal.index("  vda: ios=")
    printed = _rows(normal[:place] + MADE_OF_OTHERS + "\n" + normal[place:])
    told = {name: printed[0][name] for name in ("tool_read_operation_count", "tool_write_operation_count")}
    assert [_counters(row) for row in printed[:2]] == [own | told, members | told]
    assert [row["disk_name"] for row in printed] == ["md0", "md0", "vda"]
    terse = ";".join(terse.split(";")[: -9 * len(_rows(terse))])
    lined = _rows(f"{terse};md0;400;80;0;0;0;0;0;0.00%;slaves;100;20;1;2;30;40;70;98.10%\n")
    told = {name: lined[0][name] for name in ("tool_read_operation_count", "tool_write_operation_count")} | NO_SECTORS
    assert [_counters(row) for row in lined] == [own | told, members | told]


def test_counters_of_several_jobs_belong_to_none_of_them() -> None:
    """They span the run: fio's own count beside them is that of all its jobs."""
    own, _ = _rows(_report("a", "b"))
    assert (own["job_count"], own["repetition"], own["tool_read_operation_count"]) == (2, None, 800)


def test_a_run_that_stands_in_several_formats_has_its_counters_once() -> None:
    """A line of human output below the report says the same again."""
    disk = DISK | {"name": "vda"}
    shown = _text("json-beside-terse-and-normal")
    assert len(_rows(shown)) == len({row["disk_name"] for row in _rows(shown)})
    assert len(_rows(_report("a", disks=[disk, disk]))) == 4, "two clients each have a disk of this name"


def test_what_fio_does_not_write_is_left_out_and_told() -> None:
    """A device needs a name, a counter is a whole number, and a name is no essay."""
    assert _rows(_report("a", disks=[{**DISK, "name": None}])) == []
    for disks in (7, [{**DISK, "read_ios": "many"}], [{**DISK, "read_ios": -1}], [{**DISK, "name": "x" * 65}]):
        reading = detect.read(Source("report", _report("a", disks=disks).encode()))
        assert not reading.rows.get("disk_counters")
        assert "R-FIO-DISK-1" in {finding.rule for finding in reading.warnings}
        assert reading.results


def test_the_page_of_a_number_takes_the_device_on_top_and_how_busy_its_members_were() -> None:
    """The members of a device stand below it as devices of their own; added to it they would count twice."""
    query = (Path(__file__).parents[2] / "site" / "data" / "numbers" / "kernel_of_runs.sql").read_text("utf-8")
    member = {**{name: value for name, value in DISK.items() if not name.startswith("aggr")}, "name": "sda"}
    still = {**member, "name": "sdb", "read_ios": 0, "write_ios": 0}
    with duckdb.connect() as connection:
        for disks, expected in (([DISK, member], (["md0"], 400, 0.981)), ([still], None)):
            rows = [{**row, "file_id": "f", "repetition_id": "r"} for row in _rows(_report("a", disks=disks))]
            values = ", ".join(f"({', '.join('?' * len(row))})" for row in rows)
            names = ", ".join(rows[0])
            cells = [value for row in rows for value in row.values()]
            connection.execute(
                f"create or replace table disk_counters as from (values {values}) as found ({names})", cells
            )
            found = connection.sql(query).fetchall()
            told = [(run[2]["disks"], run[2]["reads"], run[2]["busy"]) for run in found]
            assert told == ([expected] if expected else [])


def test_a_counter_of_time_that_began_anew_is_continued_and_one_that_nothing_gives_is_null() -> None:
    """The kernel counts milliseconds in 32 bits; fio prints the difference as it is."""
    disk = DISK | {"write_ticks": 40605199 - 2**32, "in_queue": -(2**40)}
    own, _ = _rows(_report("a", disks=[disk]))
    assert (own["write_seconds"], own["queue_seconds"]) == (40605.199, None)
