"""Rows of ``ioledger parse`` as Arrow, and from there as CSV, Arrow IPC or Parquet."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from ingest import bulk, columns
from ingest.parse import COLUMNS
from ingest.tables import arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    from ingest.columns import Part
    from ingest.problems import Problem
    from ingest.record import Reading, Source

OPENERS: dict[str, Callable[..., Any]] = {".csv": pc.CSVWriter, ".arrow": pa.ipc.new_file, ".parquet": pq.ParquetWriter}


@cache
def schema() -> pa.Schema:
    """Return the schema of the rows: the columns of the results table that a file alone can tell."""
    whole = arrow_schema(tables()["results"])
    return pa.schema([whole.field(name).with_nullable(nullable=True) for name in COLUMNS])


def ipc_stream(parts: Sequence[Part]) -> bytes:
    """Return the results of these files as an Arrow IPC stream, which passes cheaply between processes."""
    lists = columns.results(parts)
    return _stream([pa.array(lists[field.name], field.type) for field in schema()])


def by_columns(
    load: Callable[[str], Source | Problem], paths: Sequence[str]
) -> tuple[bytes, list[int], list[Reading | Problem | None]]:
    """Return the results of these files as ``ipc_stream`` does; how many each gave; and its reading, if it has one."""
    read = bulk.read(load, paths, ["results"])
    table = read.tables["results"]
    return _stream([table[field.name].combine_chunks() for field in schema()]), read.counts, read.readings


def _stream(arrays: list[pa.Array[Any]]) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema()) as stream:
        stream.write_table(pa.Table.from_arrays(arrays, schema=schema()))
    return sink.getvalue().to_pybytes()


class ArrowFile:
    """A file of rows that grows chunk by chunk; the suffix says the format."""

    def __init__(self, suffix: str, stream: BinaryIO) -> None:
        """Open the writer that belongs to the suffix (``.csv``, ``.arrow`` or ``.parquet``)."""
        self.writer = OPENERS[suffix](stream, schema())

    def write(self, ipc: bytes) -> None:
        """Add the rows of an IPC stream."""
        self.writer.write_table(pa.ipc.open_stream(ipc).read_all())

    def close(self) -> None:
        """End the file."""
        self.writer.close()
