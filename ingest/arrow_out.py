"""Rows of ``ioledger parse`` as CSV, Arrow IPC or Parquet, written in batches of a few thousand rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from ingest import columns
from ingest.parse import COLUMNS
from ingest.tables import arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from ingest.columns import Part

BATCH_ROWS = 20_000


class ArrowRows:
    """Collects rows and writes them in batches, so that memory stays flat."""

    def __init__(self, suffix: str, stream: BinaryIO) -> None:
        """Open the writer that belongs to the suffix (``.csv``, ``.arrow`` or ``.parquet``)."""
        whole = arrow_schema(tables()["results"])
        self.schema = pa.schema([whole.field(name).with_nullable(nullable=True) for name in COLUMNS])
        writers: dict[str, Callable[..., Any]] = {
            ".csv": pc.CSVWriter,
            ".arrow": pa.ipc.new_file,
            ".parquet": pq.ParquetWriter,
        }
        self.writer = writers[suffix](stream, self.schema)
        self.waiting: list[Part] = []
        self.rows = 0

    def write(self, part: Part) -> None:
        """Keep the rows of one file, and write when a batch is full."""
        self.waiting.append(part)
        self.rows += len(part.reading.results)
        if self.rows >= BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        lists = columns.results(self.waiting)
        arrays = [pa.array(lists[field.name], field.type) for field in self.schema]
        self.writer.write_table(pa.Table.from_arrays(arrays, schema=self.schema))
        self.waiting, self.rows = [], 0

    def close(self) -> None:
        """Write what is left and end the file."""
        self._flush()
        self.writer.close()
