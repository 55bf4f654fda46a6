"""
What a query for one drive reads of a large database: ``python -m bench.one_drive 999840``.

It fills the raw tables of so many synthetic results (``models.fill``), of which five submissions share a drive, and
writes results and drives as a build publishes them: sorted, in blocks of 64 kB. Then it asks for six columns of one
drive in two ways and prints what native DuckDB, in one thread, read of it: ``rchar`` of ``/proc/self/io`` (Linux).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import duckdb

from bench import models
from bench.whole import processor_seconds
from ioledger.tables.schema import tables

SHARED = 5
"""Submissions of one drive."""
DRIVE = 7
COLUMNS = (
    "operation, queue_depth, block_size_bytes, operations_per_second, latency_mean_seconds, throughput_bytes_per_second"
)
ASKED = {
    "a join with drives": (
        f"select {COLUMNS} from asked.results "  # noqa: S608  (names and numbers of this file)
        f"join asked.drives using (submission_id, configuration_id) where device_id = 'drive-{DRIVE}'"
    ),
    "the names of its submissions": (
        f"select {COLUMNS} from asked.results where submission_id "  # noqa: S608  (names and numbers of this file)
        f"between 'submission-{DRIVE * SHARED:06d}' and 'submission-{DRIVE * SHARED + SHARED - 1:06d}'"
    ),
}


def publish(raw: Path, database: Path) -> None:
    """Write results and drives of filled raw tables into a new DuckDB file, as a build does."""
    drive = f"* replace (concat('drive-', cast(right(submission_id, 6) as bigint) // {SHARED}) as device_id)"
    with duckdb.connect() as connection:
        connection.execute(f"attach '{raw}' as filled (read_only)")
        connection.execute(f"attach '{database}' as published (storage_version 'v1.3.0', block_size 65536)")
        for name, columns in (("results", "*"), ("drives", drive)):
            order = ", ".join(f'"{column}"' for column in tables()[name].order)
            rows = f"select {columns} from filled.raw.{name} order by {order}"  # noqa: S608  (names of schemas/)
            connection.execute(f"create table published.{name} as {rows}")


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
    parser.add_argument("--fill-only", action="store_true", help="write the raw tables, and ask nothing")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        raw, database = Path(scratch) / "filled.duckdb", Path(scratch) / "ioledger.duckdb"
        before = processor_seconds()
        count = models.fill(raw, told.count)
        spent = round(processor_seconds() - before, 1)
        _say({"filled": count, "bytes": raw.stat().st_size, "processor_seconds": spent})
        if not told.fill_only:
            publish(raw, database)
            _say({"published": ["results", "drives"], "bytes": database.stat().st_size})
            for way, query in ASKED.items():
                _say({"asked by": way, **read(database, query)})


def _say(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)  # noqa: T201  (what was measured)


if __name__ == "__main__":
    main()
