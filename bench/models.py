"""
What the dbt models cost: synthetic results, built by dbt and by the same SQL in plain DuckDB.

A synthetic submission measures two configurations of one drive under the five load profiles of the seed, at ten queue
depths, three times each: 480 results in 30 files (``synthetic.sql``). Rates follow a saturating curve with 2 % of
scatter drawn from a hash, so every run makes the same numbers. Every column is filled that a report of fio fills. One
submission in two compares setting sets, the other firmware versions; there are 50 drives and 40 hosts.

``python -m bench.models 9999840`` builds so many by dbt alone and prints seconds, memory, size and the slowest models.
``IOLEDGER_DBT_MEMORY=16GB`` and ``IOLEDGER_DBT_SPILL`` say what DuckDB may use. Ten million leave 18 GB on the disk.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import duckdb
import orjson

from ioledger.build import functions
from ioledger.build import models as dbt_models
from ioledger.tables.schema import arrow_schema, tables

ROOT = Path(__file__).resolve().parent.parent
PER_SUBMISSION = 480
SYNTHETIC = Path(__file__).with_name("synthetic.sql")
SLOWEST = 12


def processor_seconds() -> float:
    """Return the processor time of this process and its finished children, in seconds."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


class Cost(NamedTuple):
    """
    What both builds took: results, seconds of dbt and of plain DuckDB, peak memory of dbt in MiB, rows of all marts.

    Processor seconds (user and system) stand beside wall seconds, because other work on the machine stretches these.
    """

    result_count: int
    dbt_seconds: float
    dbt_processor_seconds: float
    duckdb_seconds: float
    duckdb_processor_seconds: float
    memory_mebibytes: float
    row_count: int
    is_same: bool
    """Whether both ways gave the same rows; plain DuckDB runs in one thread, dbt in two."""


def fill(database: Path, results: int) -> int:
    """Write the raw tables of about so many synthetic results into a new DuckDB file; return how many there are."""
    with duckdb.connect(database) as connection:
        connection.execute("create schema raw")
        for name, table in tables().items():
            connection.register("arriving", arrow_schema(table).empty_table())
            connection.execute(f'create table raw."{name}" as from arriving')
            connection.unregister("arriving")
        connection.execute(f"set variable submissions = {max(results // PER_SUBMISSION, 1)}")
        connection.execute(SYNTHETIC.read_text(encoding="utf-8"))
        counted = connection.execute("select count(*) from raw.results").fetchone()
    return int(counted[0]) if counted else 0


def build(scratch: Path, results: int) -> tuple[int, float]:
    """
    Fill the raw tables and build all models, without dbt's tests, as a build does; return results and wall seconds.

    dbt starts and reads the project while the tables are filled, in a process of its own, and writes down what it made
    of the models (:func:`repeat` reads that). The seconds are those from the request to the end of that process, the
    last writes to the database included.
    """
    with dbt_models.Dbt(scratch) as dbt:
        count = fill(dbt.database, results)
        started = time.monotonic()
        done = dbt.run(("build", "--exclude-resource-type", "test", "unit_test", "--threads", "1"))
        if done.returncode:
            raise SystemExit(done.stdout)
        return count, time.monotonic() - started


def repeat(scratch: Path, database: Path) -> None:
    """Run the SQL that dbt made, in its order, in this process; seeds are there already."""
    nodes = orjson.loads((scratch / "run_results.json").read_bytes())["results"]
    files = orjson.loads((scratch / "manifest.json").read_bytes())["nodes"]
    with duckdb.connect(database) as connection:
        connection.execute("set threads = 1")
        functions.register(connection)
        for node in nodes:
            described = files.get(node["unique_id"])
            if described and described["resource_type"] == "model":
                kind = "table" if described["config"]["materialized"] == "table" else "view"
                name = f'"{described["schema"]}"."{described["name"]}"'
                before, after = (described["config"][hook] for hook in ("pre-hook", "post-hook"))
                created = f"create or replace {kind} {name} as {node['compiled_code']}"
                for statement in (*(hook["sql"] for hook in before), created, *(hook["sql"] for hook in after)):
                    connection.execute(statement)


def measure(scratch: Path, results: int) -> Cost:
    """Build the marts of so many synthetic results twice, with dbt and without; return what it took."""
    scratch.mkdir()
    before = _children()
    count, seconds = build(scratch, results)
    processor = _children() - before
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    database = scratch / "dbt.duckdb"
    first = marts(database)
    started, spent = time.monotonic(), processor_seconds()
    repeat(scratch / "dbt", database)
    plain = (time.monotonic() - started, processor_seconds() - spent)
    rows = sum(count for count, _ in first.values())
    return Cost(count, seconds, processor, *plain, memory, rows, first == marts(database))


def _children() -> float:
    """Return the processor time of finished children: of dbt, its start included."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def marts(database: Path) -> dict[str, tuple[int, int]]:
    """Return how many rows each mart has, and the sum of their hashes, which depends on no order."""
    columns = """
        select table_name, string_agg('"' || column_name || '"', ', ' order by column_name)
        from duckdb_columns() where schema_name = 'main' and not internal group by table_name
    """
    with duckdb.connect(database, read_only=True) as connection:
        found = {}
        for name, every in connection.execute(columns).fetchall():
            sums = f'select count(*), coalesce(sum(hash({every})::hugeint), 0) from main."{name}"'  # noqa: S608
            found[name] = connection.execute(sums).fetchall()[0]
    return found


def by_model(scratch: Path) -> list[tuple[float, str]]:
    """
    Return the wall seconds from one model to the next, the longest first; the last model is not among them.

    dbt writes the SQL of a model down when it begins to run it, one after the other.
    """
    written = sorted((path.stat().st_mtime, path.stem) for path in (scratch / "dbt" / "run").rglob("*.sql"))
    return sorted(((after - begun, name) for (begun, name), (after, _) in itertools.pairwise(written)), reverse=True)


def main() -> None:
    """Build so many synthetic results by dbt, and print what it took."""
    parser = argparse.ArgumentParser(prog="python -m bench.models", description="Derives marts of synthetic results.")
    parser.add_argument("results", type=int)
    parser.add_argument("--in", dest="parent", type=Path, metavar="DIR", help="make the database below this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-", dir=arguments.parent) as scratch:
        folder = Path(scratch)
        count, seconds = build(folder, arguments.results)
        size = (folder / "dbt.duckdb").stat().st_size
        slowest = by_model(folder)[:SLOWEST]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    spent = f"{seconds:.1f} s, {_children():.0f} processor seconds with the start of dbt, {peak:,.0f} MiB"
    lines = [f"  {name:<28}{taken:8.1f} s" for taken, name in slowest]
    print(f"{count:,} results: {spent}, a database of {size / 1e6:,.0f} MB", *lines, sep="\n")


if __name__ == "__main__":
    main()
