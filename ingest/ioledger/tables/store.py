"""
Rows as Arrow tables, typed from ``schemas/tables``, in a stable order, and as Parquet.

Rows are sorted by the table's order, chunks are combined and row groups have one fixed size, so that two builds of the
same data give the same Parquet bytes.
"""

from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ioledger.problems import Problem
from ioledger.tables.schema import Column, Table, arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROW_GROUP_ROWS = 122_880
PARQUET_LEVEL = 6
"""Of zstd: 4 % less than at level 1, at which Parquet begins."""
ENCODINGS = (
    (pa.types.is_string, "DELTA_LENGTH_BYTE_ARRAY"),
    (pa.types.is_floating, "BYTE_STREAM_SPLIT"),
    (pa.types.is_integer, "DELTA_BINARY_PACKED"),
    (pa.types.is_timestamp, "DELTA_BINARY_PACKED"),
)
"""How a column is written whose values do not repeat, by its type."""


class _WithoutPandas:
    """A finder of modules that finds all but pandas."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ImportError


# pyarrow looks for pandas at its first value, a third of a second; it does so again where a table becomes a frame
sys.meta_path.insert(0, _WithoutPandas)
pa.scalar(0)
sys.meta_path.remove(_WithoutPandas)


def read_parquet(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Return the rows of a Parquet file; ``pq.read_table`` would load pyarrow's datasets first, which takes longer."""
    with pq.ParquetFile(path) as file:
        table = file.read(columns, use_threads=file.metadata.num_rows > ROW_GROUP_ROWS)
        return table.select(columns) if columns else table


def extend_table(name: str, table: pa.Table, found: list[dict[str, Any]]) -> pa.Table:
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
    """Report values outside of the words of their column, missing values, and duplicate keys."""
    file = f"the table {table.name}"
    for column in table.columns:
        for value in unknown_words(column, built[column.name]):
            what = f"{column.name} is {value!r}, which is not one of: {', '.join(column.words)}"
            remedy = f"Use one of them, or add it to schemas/tables/{table.name}.schema.json."
            yield Problem(file, "", what, remedy, "R-TABLE-3")
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
            what = f"the key appears {row['count_all']} times"
            yield Problem(file, place, what, "Give each row a name of its own.", "R-TABLE-2")


def unknown_words(column: Column, values: pa.ChunkedArray[Any]) -> list[str]:
    """Return the values of a column, each once, that are not among the words of its schema; null is allowed."""
    allowed = {*column.words, None}
    return sorted(str(value) for value in pc.unique(values).to_pylist() if value not in allowed) if column.words else []


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table as Parquet (zstd), the same bytes for the same table; each column as it takes least."""
    whole = table.combine_chunks()
    encodings = {name: kind for name, kind in map(_encoding, whole.column_names, whole.columns) if kind}
    repeating = [
        f"{name}.list.element" if pa.types.is_list(column.type) else name
        for name, column in zip(whole.column_names, whole.columns, strict=True)
        if name not in encodings
    ]
    pq.write_table(
        whole,
        path,
        compression="zstd",
        compression_level=PARQUET_LEVEL,
        row_group_size=ROW_GROUP_ROWS,
        use_dictionary=cast("bool", repeating),  # it takes names, too
        column_encoding=encodings or None,  # an empty dictionary is not taken
    )


def _encoding(name: str, column: pa.ChunkedArray[Any]) -> tuple[str, str | None]:
    """Return the name of a column and how Parquet writes its values; None where they repeat, and each stands once."""
    kind = next((encoding for is_of, encoding in ENCODINGS if is_of(column.type)), None)
    seen = len(column) - column.null_count
    repeats = kind is None or 2 * pc.count_distinct(column, mode="only_valid").as_py() <= seen
    return name, None if repeats else kind


def content_hash(table: pa.Table) -> str:
    """Return the SHA-256 of a table's Arrow IPC stream: equal for equal rows, whatever wrote the Parquet file."""
    columns = [
        pa.chunked_array([_with_clean_memory(chunk) for chunk in column.chunks], column.type)
        for column in table.combine_chunks().itercolumns()
    ]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(pa.Table.from_arrays(columns, schema=table.schema), max_chunksize=ROW_GROUP_ROWS)
    return hashlib.sha256(sink.getvalue()).hexdigest()


def _with_clean_memory(column: pa.Array[Any]) -> pa.Array[Any]:
    """Return a column with zeros under nulls and behind its end; ValueError for a type that no table has."""
    is_bits, is_text, is_list = (
        is_of(column.type) for is_of in (pa.types.is_boolean, pa.types.is_string, pa.types.is_list)
    )
    if not (is_text or is_list or pa.types.is_primitive(column.type) or pa.types.is_decimal(column.type)):
        message = f"no table of a build has a column of {column.type}"
        raise ValueError(message)
    if not len(column):
        empty: pa.Array[Any] = pa.array([], column.type)
        return empty
    known = _bits(pc.is_valid(column)) if column.null_count else None
    if is_list:
        sizes = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False)
        ends = pa.py_buffer(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32).tobytes())
        values = _with_clean_memory(cast("pa.ListArray[Any]", column).flatten())
        return pa.Array.from_buffers(column.type, len(column), [known, ends], children=[values])
    zero = "" if is_text else False if is_bits else 0
    filled = pc.fill_null(column, pa.scalar(zero, column.type)) if column.null_count else column
    buffers = [_bits(filled)] if is_bits else _texts(filled) if is_text else [_numbers(filled)]
    return pa.Array.from_buffers(column.type, len(column), [known, *buffers])


def _numbers(values: pa.Array[Any]) -> pa.Buffer:
    width = values.type.bit_width // 8
    return (values.buffers()[1] or pa.py_buffer(b"")).slice(values.offset * width, len(values) * width)


def _bits(flags: pa.Array[Any]) -> pa.Buffer:
    """Return flags as bits, with zeros behind the last one."""
    return pa.py_buffer(np.packbits(flags.to_numpy(zero_copy_only=False), bitorder="little").tobytes())


def _texts(texts: pa.Array[Any]) -> list[pa.Buffer]:
    """Return where texts end, counted from the first, and the texts."""
    _, ends, data = texts.buffers()
    places = np.frombuffer(memoryview(ends or b""), np.int32)[texts.offset : texts.offset + len(texts) + 1]
    first, size = int(places[0]), int(places[-1]) - int(places[0])
    return [pa.py_buffer((places - first).tobytes()), (data or pa.py_buffer(b"")).slice(first, size)]
