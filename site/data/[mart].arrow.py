# ruff: noqa: INP001  (the site's framework names loaders)
"""
The one data loader: the rows of ``site/data/<name>.sql`` over the built database, as an Arrow IPC stream.

The stream is not compressed, and integers become doubles and strings plain UTF-8, because that is what the browser's
Arrow reads. Text that repeats is written once and numbered, which makes most streams half as large.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import duckdb
import pyarrow as pa

sys.path.insert(0, "site/data")
from page import named

HERE = Path(__file__).parent


def readable(kind: pa.DataType) -> pa.DataType:
    """Return the type in which the browser gets a column of type ``kind``."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return pa.float64()
    return pa.bool_() if pa.types.is_boolean(kind) else pa.string()


def numbered(column: pa.Array) -> pa.Array:
    """Return a column of text that repeats with each text once; any other column as it is."""
    if not pa.types.is_string(column.type):
        return column
    encoded = column.dictionary_encode()
    return encoded if 2 * len(encoded.dictionary) < len(column) else column


def main() -> None:
    """Run the query whose name stands behind ``--mart=`` and write its rows to standard output."""
    name = sys.argv[1].removeprefix("--mart=")
    if not re.fullmatch(r"[a-z0-9-]+", name):
        sys.exit(f"{name}: not the name of a query in site/data. Use lower case, digits and hyphens.")
    database = Path(os.environ.get("IOLEDGER_BUILD", "build"), "ioledger.duckdb")
    with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
        connection.execute("set threads = 1")
        with named(HERE / f"{name}.sql") as query:
            found = connection.sql(query).to_arrow_table()
    table = found.cast(pa.schema([field.with_type(readable(field.type)) for field in found.schema]))
    columns = {name: numbered(pa.array(table[name].to_pylist(), table[name].type)) for name in table.column_names}
    batch = pa.record_batch(columns)
    with pa.ipc.new_stream(sys.stdout.buffer, batch.schema) as stream:
        stream.write_batch(batch)


main()
