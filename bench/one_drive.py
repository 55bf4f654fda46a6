"""
What a query for one drive reads of a large database: ``python -m bench.one_drive 999840``.

It fills the raw tables of so many synthetic results (``models.fill``), of which five submissions share a drive, and
writes results and drives as a build publishes them: with the device and its key beside each result, sorted as the mart
is, in blocks and row groups as a build has them. Then it asks for six columns of one drive in several ways and prints
what native DuckDB, in one thread, read of it: ``rchar`` of ``/proc/self/io`` (Linux). DuckDB knows of texts the first
eight bytes of the least and the largest in a row group, and leaves out what cannot match: ``--alike`` gives all drives
names that begin alike, so that by the name it has to look at the column. With ``--spread`` rows are sorted by
submission and a drive's lie far apart. ``--keep`` leaves the database in a file.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import duckdb

from bench import models
from bench.whole import processor_seconds
from ioledger.build.publish import layout
from ioledger.tables.schema import marts, tables

SHARED = 5
"""Submissions of one drive."""
DRIVE = 7
COLUMNS = (
    "operation, queue_depth, block_size_bytes, operations_per_second, latency_mean_seconds, throughput_bytes_per_second"
)
KEY = "left(md5(device_id), 8)"
"""As the models make it."""
APART = 7919
"""A prime, by which submissions of one drive are spread over all."""


def name(number: str, *, alike: bool) -> str:
    """Return the SQL of the name of a drive with this number."""
    return f"concat('vendor-model-', {number})" if alike else f"concat(printf('%06d', {number}), '-model')"


def asked(*, alike: bool) -> dict[str, str]:
    """Return the queries by what they ask for."""
    drive = name(str(DRIVE), alike=alike)
    return {
        "the key of a device": (
            f"with wanted as (select {drive} as device_id) select {COLUMNS} from asked.results "  # noqa: S608
            f"where device_key in (select {KEY} from wanted) and device_id in (from wanted)"
        ),
        "the device of each result": f"select {COLUMNS} from asked.results where device_id = {drive}",  # noqa: S608
        "a join with drives": (
            f"select {COLUMNS} from asked.results "  # noqa: S608  (names and numbers of this file)
            f"join asked.drives using (submission_id, configuration_id) where drives.device_id = {drive}"
        ),
        "a submission": f"select {COLUMNS} from asked.results where submission_id = 'submission-000035'",  # noqa: S608
    }


def publish(raw: Path, database: Path, *, alike: bool, spread: bool) -> None:
    """Write results and drives of filled raw tables into a new DuckDB file, as a build does."""
    with duckdb.connect() as connection:
        connection.execute(f"set threads = 1; set memory_limit = '3GB'; set temp_directory = '{database.parent}/spill'")
        connection.execute(f"attach '{raw}' as filled (read_only)")
        found = connection.execute("select count(*) from filled.raw.results").fetchone()
        connection.execute(f"attach '{database}' as published ({layout(int(found[0]) if found else 0)})")
        counted = connection.execute("select count(distinct submission_id) from filled.raw.drives").fetchone()
        drives = max(int(counted[0]) // SHARED, 1) if counted else 1
        number = "cast(right(submission_id, 6) as bigint)"
        number = f"{number} * {APART} % {drives}" if spread else f"{number} // {SHARED}"
        device = f"{name(number, alike=alike)} as device_id"
        orders = {"results": marts()["results"].order[spread:], "drives": tables()["drives"].order}
        for table, columns in (("results", f"*, {device}"), ("drives", f"* replace ({device})")):
            order = ", ".join(f'"{column}"' for column in orders[table])
            named = f"select {columns} from filled.raw.{table}"  # noqa: S608  (names of schemas/)
            query = f"select *, {KEY} as device_key from ({named}) order by {order}"  # noqa: S608  (as above)
            connection.execute(f"create table published.{table} as {query}")


def read(database: Path, query: str) -> dict[str, int]:
    """Return the bytes that opening a database and a first query in it read, and how many rows came."""
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        before = _read_bytes()
        connection.execute(f"attach '{database}' as asked (read_only)")
        opened = _read_bytes()
        rows = len(connection.execute(query).fetchall())
        return {"open_bytes": opened - before, "query_bytes": _read_bytes() - opened, "rows": rows}


def _read_bytes() -> int:
    lines = Path("/proc/self/io").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("rchar:"))


def main() -> None:
    """Fill, write and ask; print one line of JSON for each step."""
    parser = argparse.ArgumentParser(prog="python -m bench.one_drive", description="Measures what a query reads.")
    parser.add_argument("count", type=int, nargs="?", default=999_840, metavar="RESULTS")
    parser.add_argument("--alike", action="store_true", help="the names of all drives begin alike")
    parser.add_argument("--spread", action="store_true", help="sort by submission, over which drives are spread")
    parser.add_argument("--fill-only", action="store_true", help="write the raw tables, and ask nothing")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write the database there, and leave it")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        raw, database = Path(scratch) / "filled.duckdb", told.keep or Path(scratch) / "ioledger.duckdb"
        before = processor_seconds()
        count = models.fill(raw, told.count)
        spent = round(processor_seconds() - before, 1)
        _say({"filled": count, "bytes": raw.stat().st_size, "processor_seconds": spent})
        if not told.fill_only:
            publish(raw, database, alike=told.alike, spread=told.spread)
            _say({"published": ["results", "drives"], "bytes": database.stat().st_size})
            for way, query in asked(alike=told.alike).items():
                _say({"asked by": way, **read(database, query)})


def _say(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)  # noqa: T201  (what was measured)


if __name__ == "__main__":
    main()
