"""
Readings and manifests as Arrow tables, typed from ``schemas/tables``, in a stable order.

Rows are sorted by the table's order, chunks are combined and row groups have one fixed size, so that two builds of the
same data give the same Parquet bytes.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ingest import rows
from ingest.problems import Problem
from ingest.record import Result
from ingest.tables import Table, arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.gather import FileRead, Gathered
    from ingest.record import Reading

ROW_GROUP_ROWS = 122_880
ID_DIGITS = 20
OWN_COLUMNS = tuple(name for name in Result.__struct_fields__ if name in tables()["results"].column_names)


def identity(sha256: str, place: str) -> str:
    """Return the id of a place in a file: 20 hexadecimal digits of the hash of the file's hash and the place."""
    return hashlib.sha256(f"{sha256}:{place}".encode()).hexdigest()[:ID_DIGITS]


def build(gathered: Gathered) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Return every raw table by name, sorted, and its faults (a key that stands twice, a missing value)."""
    lists: dict[str, list[dict[str, Any]]] = {name: [] for name in tables()}
    for submission in gathered.submissions:
        for name, found in rows.of(submission).items():
            lists[name] += found
    results: list[dict[str, Any]] = []
    for read in gathered.files:
        lists["sources"].append(_source_row(read))
        if read.reading is not None and read.entry.get("role") != "preparation":
            results += _results(read, read.reading)
            lists["latency_percentiles"] += _percentiles(read, read.reading)
            lists["latency_bins"] += _bins(read, read.reading)
            lists["warnings"] += _warnings(read, read.reading)
            for name, found in read.reading.rows.items():
                lists[name] += (_with_source(row, read, tables()[name]) for row in found)
    lists["results"] = results
    built = {name: _typed(tables()[name], found) for name, found in lists.items()}
    return built, [problem for name, table in built.items() for problem in _faults(tables()[name], table)]


def _typed(table: Table, found: list[dict[str, Any]]) -> pa.Table:
    schema = arrow_schema(table)
    columns = [pa.array([row.get(field.name) for row in found], field.type) for field in schema]
    unsorted = pa.Table.from_arrays(columns, schema=schema)
    return unsorted.sort_by([(name, "ascending") for name in table.order]).combine_chunks()


def results_table(reading: Reading) -> pa.Table:
    """Return the results of one reading with the columns that the file alone can tell, in the file's order."""
    schema = arrow_schema(tables()["results"])
    fields = [schema.field(name) for name in OWN_COLUMNS]
    columns = [pa.array([getattr(result, field.name) for result in reading.results], field.type) for field in fields]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _faults(table: Table, built: pa.Table) -> Iterator[Problem]:
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


def _context(read: FileRead) -> dict[str, Any]:
    return {
        "submission_id": read.submission_id,
        "configuration_id": read.entry.get("configuration"),
        "source_sha256": read.sha256,
        "source_path": read.entry["path"],
        "repetition_index": read.entry.get("repetition"),
    }


def _results(read: FileRead, reading: Reading) -> Iterator[dict[str, Any]]:
    context = {**_context(read), "tool": reading.tool}
    for result in reading.results:
        row = {**context, **{name: getattr(result, name) for name in OWN_COLUMNS}}
        row["result_id"] = identity(read.sha256, result.pointer)
        row["point_id"] = identity(read.sha256, f"point {result.point}")
        row["source_pointer"] = result.pointer
        row["configuration_id"] = result.configuration or context["configuration_id"]
        yield row


def _percentiles(read: FileRead, reading: Reading) -> Iterator[dict[str, Any]]:
    for result in reading.results:
        for kind, percentiles in result.percentiles.items():
            key = {"result_id": identity(read.sha256, result.pointer), "latency_kind": kind, "basis": "reported"}
            for ratio, seconds in percentiles.items():
                yield {**key, "percentile_ratio": ratio, "latency_seconds": seconds}


def _bins(read: FileRead, reading: Reading) -> Iterator[dict[str, Any]]:
    for result in reading.results:
        for kind, bins in result.bins.items():
            key = {"result_id": identity(read.sha256, result.pointer), "latency_kind": kind}
            for low, high, count in bins:
                yield {**key, "latency_low_seconds": low, "latency_high_seconds": high, "operation_count": count}


def _warnings(read: FileRead, reading: Reading) -> Iterator[dict[str, Any]]:
    pointers = {result.pointer for result in reading.results}
    for index, finding in enumerate(reading.warnings, 1):
        yield {
            **{name: _context(read)[name] for name in ("submission_id", "source_sha256", "source_path")},
            "warning_index": index,
            "source_pointer": finding.pointer or None,
            "result_id": identity(read.sha256, finding.pointer) if finding.pointer in pointers else None,
            "rule_id": finding.rule,
            "message": finding.message,
        }


def _with_source(row: dict[str, Any], read: FileRead, table: Table) -> dict[str, Any]:
    """Complete a row that a reader made for another table with what only the manifest and the hash tell."""
    whole = {name: value for name, value in _context(read).items() if name in table.column_names} | row
    pointer = whole.pop("pointer", None)
    if "result_id" in table.column_names:
        whole["result_id"] = identity(read.sha256, pointer) if pointer is not None else None
    return whole


def _source_row(read: FileRead) -> dict[str, Any]:
    reading = read.reading
    stored = reading is not None and read.entry.get("role") != "preparation"
    return {
        **_context(read),
        "role": read.entry.get("role", "result"),
        "tool": reading.tool if reading else None,
        "tool_version": reading.tool_version if reading else None,
        "source_format": reading.source_format if reading else None,
        "encoding": reading.encoding if reading else None,
        "size_bytes": read.size,
        "document_count": reading.document_count if reading else None,
        "result_count": len(reading.results) if reading and stored else 0,
        "warning_count": len(reading.warnings) if reading and stored else 0,
    }


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table as Parquet (zstd), the same bytes for the same table."""
    pq.write_table(table.combine_chunks(), path, compression="zstd", row_group_size=ROW_GROUP_ROWS)


def content_hash(table: pa.Table) -> str:
    """Return the SHA-256 of a table's Arrow IPC stream: equal for equal rows, whatever wrote the Parquet file."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table.combine_chunks(), max_chunksize=ROW_GROUP_ROWS)
    return hashlib.sha256(sink.getvalue()).hexdigest()
