"""
Rows as Arrow tables, typed from ``schemas/tables``, in a stable order, and as Parquet.

Rows are sorted by the table's order, chunks are combined and row groups have one fixed size, so that two builds of the
same data give the same Parquet bytes.
"""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ioledger.problems import Problem
from ioledger.tables.schema import Table, arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _typeshed import ReadableBuffer

ROW_GROUP_ROWS = 122_880


def extended(name: str, table: pa.Table, found: list[dict[str, Any]]) -> pa.Table:
    """Return a raw table with these rows added, in its order."""
    added = from_rows(tables()[name], found)
    return in_order(tables()[name], pa.concat_tables([table, added]))


def from_rows(table: Table, found: list[dict[str, Any]]) -> pa.Table:
    """Return dictionaries as an Arrow table with the schema of ``table``; a column that is absent is null."""
    schema = arrow_schema(table)
    arrays = [pa.array([row.get(field.name) for row in found], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def in_order(table: Table, unsorted: pa.Table) -> pa.Table:
    """Return the rows of a table in its order, in one piece."""
    return unsorted.sort_by([(name, "ascending") for name in table.order]).combine_chunks()


def faults(table: Table, built: pa.Table) -> Iterator[Problem]:
    """Report missing values in columns that must have one, and keys that stand twice."""
    file = f"the table {table.name}"
    for column in table.columns:
        if not column.nullable and built[column.name].null_count:
            index = built[column.name].is_null().index(True).as_py()
            place = "/".join(str(built[key][index].as_py()) for key in table.primary_key)
            what = f"{column.name} is missing"
            yield Problem(file, place, what, "State it in the file that gives this row.", "R-TABLE-1")
    keys = built.select(table.primary_key)
    counts = keys.group_by(list(table.primary_key)).aggregate([([], "count_all")])
    for row in counts.to_pylist():
        if row["count_all"] > 1:
            place = "/".join(str(row[key]) for key in table.primary_key)
            what = f"the key stands {row['count_all']} times"
            yield Problem(file, place, what, "Give each row a name of its own.", "R-TABLE-2")


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table as Parquet (zstd), the same bytes for the same table."""
    pq.write_table(table.combine_chunks(), path, compression="zstd", row_group_size=ROW_GROUP_ROWS)


class _Hash(io.RawIOBase):
    """A file that keeps nothing of what is written but its SHA-256."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.sha256 = hashlib.sha256()

    def writable(self) -> bool:
        """Take bytes."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Add bytes; return how many."""
        self.sha256.update(data)
        return memoryview(data).nbytes


def content_hash(table: pa.Table) -> str:
    """Return the SHA-256 of a table's Arrow IPC stream: equal for equal rows, whatever wrote the Parquet file."""
    columns = [_with_empty_nulls(column) for column in table.combine_chunks().itercolumns()]
    sink = _Hash()
    with pa.ipc.new_stream(pa.PythonFile(sink, "w"), table.schema) as stream:
        stream.write_table(pa.Table.from_arrays(columns, schema=table.schema), max_chunksize=ROW_GROUP_ROWS)
    return sink.sha256.hexdigest()


def _with_empty_nulls(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    """Return a column of numbers whose nulls are zeros in memory: DuckDB leaves there what it finds."""
    if not column.null_count or not pa.types.is_primitive(column.type):
        return column
    whole = pa.concat_arrays(column.chunks)
    zero = pa.scalar(False if pa.types.is_boolean(column.type) else 0, column.type)
    kept = [pc.invert(pc.is_null(whole)).buffers()[1], pc.fill_null(whole, zero).buffers()[1]]
    return pa.chunked_array([pa.Array.from_buffers(column.type, len(whole), kept)])
