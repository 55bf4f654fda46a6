"""Files of Arrow tables that grow chunk by chunk: JSON lines, CSV, Arrow IPC, Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa

from ioledger.tables.arrow_out import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


class _Lines:
    """A file of JSON lines with the interface of Arrow's writers."""

    def __init__(self, stream: BinaryIO, _: pa.Schema) -> None:
        self.stream = stream

    def write_table(self, table: pa.Table) -> None:
        self.stream.writelines(msgspec.json.encode(row) + b"\n" for row in table.to_pylist())

    def close(self) -> None:
        """Leave the stream to who opened it."""


def _csv(stream: BinaryIO, of: pa.Schema) -> Any:  # noqa: ANN401  (a writer of Arrow)
    import pyarrow.csv  # noqa: PLC0415  (each format is loaded where it is written)

    return pyarrow.csv.CSVWriter(stream, of)


def _parquet(stream: BinaryIO, of: pa.Schema) -> Any:  # noqa: ANN401  (a writer of Arrow)
    import pyarrow.parquet  # noqa: PLC0415

    return pyarrow.parquet.ParquetWriter(stream, of)


OPENERS: dict[str, Callable[..., Any]] = {
    ".jsonl": _Lines, ".csv": _csv, ".arrow": pa.ipc.new_file, ".parquet": _parquet,
}  # fmt: skip


class ArrowFile:
    """A file of one table's rows that grows chunk by chunk; the suffix says the format."""

    def __init__(self, name: str, suffix: str, stream: BinaryIO) -> None:
        """Open the writer that belongs to the suffix (``.jsonl``, ``.csv``, ``.arrow`` or ``.parquet``)."""
        self.writer = OPENERS[suffix](stream, schema(name))

    def write(self, ipc: bytes) -> None:
        """Add the rows of an IPC stream."""
        self.writer.write_table(pa.ipc.open_stream(ipc).read_all())

    def close(self) -> None:
        """End the file."""
        self.writer.close()

    def abandon(self) -> None:
        """Leave the file as it is; a writer of Parquet would try to end it when it is forgotten, and complain."""
        if hasattr(self.writer, "is_open"):
            self.writer.is_open = False
