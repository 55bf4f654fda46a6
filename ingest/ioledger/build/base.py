"""
A released database laid under one's own submissions: its rows stand beside them in every table, and it is only read.

The released file holds every column of every raw table (a mart that has a table's name keeps its columns), and bulk
tables lie beside it as Parquet. So the models run over both sets of rows, and a quotient between one's own drive and a
published one is made by the same SQL as every other. Of submissions that no longer stand a release has no results and
no claims, so nothing but their names and states is laid under.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from ioledger.build.publish import in_database
from ioledger.problems import Problem
from ioledger.releases import BESIDE
from ioledger.releases import sha256 as hash_of
from ioledger.submission.gather import MEASURES, run_key
from ioledger.tables.schema import Table, arrow_schema, marts, tables
from ioledger.tables.store import content_hash, in_order, read_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RESULT, SUBMISSION = "result_id", "submission_id"


class Base(NamedTuple):
    """A released database: the SHA-256 of its file, and its raw tables by name."""

    sha256: str
    tables: dict[str, pa.Table]

    def states(self) -> dict[str, dict[str, str]]:
        """Return the states of its submissions by name, for what one's own say of them."""
        rows = self.tables["submissions"].select(["submission_id", "status", "superseded_by"]).to_pylist()
        stated = {row["submission_id"]: {"state": row["status"], "superseded_by": row["superseded_by"]} for row in rows}
        return {name: {key: value for key, value in each.items() if value} for name, each in stated.items()}


def load(path: Path, sha256: str | None) -> Base | Problem:
    """Read a released database, attached read-only; return why it cannot be laid under when it is none."""
    found = hash_of(path)
    if sha256 is not None and found != sha256.lower():
        return Problem(str(path), "", f"its SHA-256 is {found}, not the one stated", "Download it again.", "R-BASE-1")
    try:
        with duckdb.connect() as connection:
            connection.execute("set threads = 1")
            quoted = str(path.resolve()).replace("'", "''")
            # Of another kind it is no release; without the kind DuckDB would fetch a program that reads it.
            connection.execute(f"attach '{quoted}' as published (type duckdb, read_only)")
            connection.execute("set enable_external_access = false")
            by_name = {name: _rows(connection, table) for name, table in tables().items() if table.published != "files"}
            beside = connection.execute(f"select * from published.{BESIDE} order by 1").fetchall()  # noqa: S608  (a constant)
    except (duckdb.Error, ValueError) as error:  # Arrow raises the second, for a value or a null that no column takes
        what = f"it does not contain the tables of this version: {' '.join(str(error).split())}"
        return Problem(str(path), "", what, "Use the ioledger.duckdb of a release that this version made.", "R-BASE-1")
    folder = path.parent / "raw" if (path.parent / "raw").is_dir() else path.parent  # a build, or single downloads
    for name, row_count, content_sha256 in beside:
        if name not in tables():
            continue
        bulk, what = folder / f"{name}.parquet", ""
        try:
            by_name[name] = read_parquet(bulk) if row_count else arrow_schema(tables()[name]).empty_table()
            if row_count and content_hash(by_name[name]) != content_sha256:
                what = "its rows differ from those of the release"
        except FileNotFoundError:
            what = f"it is missing, and {row_count:,} rows of the release are in it"
        except (pa.ArrowException, OSError) as error:
            what = f"it cannot be read: {' '.join(str(error).split())}"
        if what:
            remedy = f"Put {bulk.name} of the same release into the folder of the database."
            return Problem(str(bulk), "", what, remedy, "R-BASE-1")
    return Base(found, by_name)


def _rows(connection: duckdb.DuckDBPyConnection, table: Table) -> pa.Table:
    """Return a raw table; where a mart of its name works a column out, what was stated stands beside it."""
    mart = marts().get(table.name, table)
    stated = {name: f"stated_{name}" for name in table.column_names if f"stated_{name}" in mart.column_names}
    columns = ", ".join(f'"{stated.get(name, name)}" as "{name}"' for name in table.column_names)
    query = f"select {columns} from published.{in_database(table)}"  # noqa: S608  (names come from schemas/)
    found: pa.Table = connection.sql(query).to_arrow_table()
    return found.cast(arrow_schema(table))


def lay_under(own: dict[str, pa.Table], base: Base) -> tuple[dict[str, pa.Table], list[Problem], list[str]]:
    """Return the raw tables of both, why they cannot stand together, and the published submissions that give way."""
    mine = _values(own["submissions"], SUBMISSION)
    states = base.tables["submissions"].select([SUBMISSION, "status"]).to_pylist()
    fallen = {str(row[SUBMISSION]) for row in states if row["status"] in {"superseded", "retracted"}}
    under = _without(base.tables, mine | fallen)
    under["submissions"] = _without(base.tables, mine)["submissions"]
    problems = list(_find_published(own["results"], under["results"]))
    replaced = sorted(mine & _values(base.tables["submissions"], SUBMISSION))
    both = {name: in_order(tables()[name], pa.concat_tables([table, under[name]])) for name, table in own.items()}
    return both, problems, replaced


def _without(published: dict[str, pa.Table], submissions: set[str]) -> dict[str, pa.Table]:
    """Return tables without the rows of these submissions; some name only the result that a row belongs to."""
    left = {}
    for name, table in published.items():
        if SUBMISSION in table.column_names:
            left[name] = table.filter(pc.invert(_is_in(table[SUBMISSION], submissions)))
    results = _values(left["results"], RESULT)
    return {
        name: left[name] if name in left else table.filter(_is_in(table[RESULT], results))
        for name, table in published.items()
    }


def _values(table: pa.Table, column: str) -> set[str]:
    return {str(value) for value in table[column].to_pylist()}


def _is_in(column: pa.ChunkedArray[Any], values: set[str]) -> Any:  # noqa: ANN401  (what Arrow filters by)
    return pc.is_in(column, pa.array(sorted(values), pa.string()))


def _find_published(own: pa.Table, published: pa.Table) -> Iterator[Problem]:
    """Name each file whose runs are published: by the hash of its raw file, or by the values of a run."""
    names = ("source_sha256", "origin_sha256", SUBMISSION, "source_path", "source_pointer", *MEASURES)
    hashes_of: dict[str, str] = {}
    keys: dict[str, str] = {}
    for row in published.select(names).to_pylist():
        place = f"{row[SUBMISSION]}/{row['source_path']}"
        hashes_of.setdefault(row["origin_sha256"] or row["source_sha256"], place)
        if (key := run_key(row[name] for name in MEASURES)) is not None:
            keys.setdefault(key, place)
    named: set[str] = set()
    for row in own.select(names).to_pylist():
        key = run_key(row[name] for name in MEASURES)
        published_in = hashes_of.get(row["origin_sha256"] or row["source_sha256"]) or keys.get(key or "")
        file = f"{row[SUBMISSION]}/{row['source_path']}"
        if published_in is not None and file not in named:
            named.add(file)
            remedy = "Remove it from your submission; the published rows are in the same database."
            yield Problem(file, row["source_pointer"], f"already published in {published_in}", remedy, "R-BASE-2")
