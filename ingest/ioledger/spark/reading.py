"""
Submissions read by Spark: a folder at a time, by the same pure readers, wherever there is a worker.

A worker gives, for each folder, its rows of every raw table as Arrow, and what the other submissions are asked about
(its manifest, and who ran what). Only the latter goes to the driver at once; rows stay with Spark until a table is
asked for. Every worker must see the folders at the same path: a mounted volume, or a checkout of its own.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ioledger.submission.gather import combine, folders, gather_one, shown, summary
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import arrow_schema, tables
from ioledger.tables.store import faults, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

    from ioledger.problems import Problem
    from ioledger.submission.files import Gathered

GATHERED = "gathered"
"""What stands in the place of a table's name beside the part that the driver needs."""
SCHEMA = "folder string, name string, content binary"


def read(session: SparkSession, data: Path) -> tuple[Gathered, DataFrame]:
    """Read every submission of a folder; return what was gathered, without its bytes and rows, and the rows."""
    paths = [(str(path), shown(path)) for path in folders(data)]
    several = session.sparkContext.defaultParallelism * 4
    given = session.createDataFrame(paths, "path string, shown string").repartition(min(several, max(1, len(paths))))
    rows = given.mapInArrow(_read, SCHEMA).persist()
    found = {row.folder: row.content for row in rows.where(rows.name == GATHERED).toLocalIterator()}
    return combine(pickle.loads(found[path]) for path, _ in paths), rows  # noqa: S301  (this program wrote it)


def _read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Read the folders of these batches."""
    for batch in batches:
        for path, name in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            gathered = gather_one(Path(path), name)
            made = {} if gathered.problems else raw_tables(gathered)[0]
            parts = {GATHERED: pickle.dumps(summary(gathered))} | {
                table: _packed(rows) for table, rows in made.items() if rows.num_rows
            }
            columns = {"folder": [path] * len(parts), "name": list(parts), "content": list(parts.values())}
            yield pa.RecordBatch.from_pydict(columns)


def _packed(table: pa.Table) -> bytes:
    with pa.BufferOutputStream() as out:
        with pa.ipc.new_stream(out, table.schema) as writer:
            writer.write_table(table)
        return bytes(out.getvalue())


def raw(rows: DataFrame) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Return every raw table by name, sorted, and its faults, from the rows that the workers made."""
    parts: dict[str, list[pa.Table]] = {name: [arrow_schema(table).empty_table()] for name, table in tables().items()}
    for row in rows.where(rows.name != GATHERED).toLocalIterator():
        parts[row.name].append(pa.ipc.open_stream(row.content).read_all())
    built = {name: in_order(tables()[name], pa.concat_tables(found)) for name, found in parts.items()}
    return built, [problem for name, table in built.items() for problem in faults(tables()[name], table)]
