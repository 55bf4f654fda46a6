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

from ioledger import claims
from ioledger.problems import Problem
from ioledger.submission import rows, runs
from ioledger.tables import columns, files
from ioledger.tables.columns import Part, file_id, identity
from ioledger.tables.schema import Table, arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ioledger.submission.gather import FileRead, Gathered

ROW_GROUP_ROWS = 122_880


def build(gathered: Gathered) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Return every raw table by name, sorted, and its faults (a key that stands twice, a missing value)."""
    lists: dict[str, list[dict[str, Any]]] = {name: [] for name in tables()}
    for submission in gathered.submissions:
        for name, found in rows.of(submission).items():
            lists[name] += found
    parts: list[Part] = []
    for read in gathered.files:
        lists["files"].append(_file_row(read))
        if read.reading is None or read.entry.get("role") == "preparation":
            continue
        if read.entry.get("role") != "log":  # a log repeats in time what the result file sums up: samples only
            parts.append(Part(read.reading, **_context(read)))
        lists["findings"] += _findings(read, Part(read.reading, **_context(read)))
        for name, found in read.reading.rows.items():
            lists[name] += (_with_source(row, read, tables()[name]) for row in found)
    lists["files"].sort(key=lambda row: (row["submission_id"], row["path"]))
    files.mark_duplicates(lists["files"], {})
    built = {name: _sorted(tables()[name], from_rows(tables()[name], found)) for name, found in lists.items()}
    bulk = {
        "results": columns.results(parts),
        "latency_percentiles": columns.percentiles(parts),
        "latency_bins": runs.with_logs(columns.bins(parts), gathered.files),
    }
    for name, lists_of_name in bulk.items():
        built[name] = _sorted(tables()[name], from_columns(tables()[name], lists_of_name))
    built["claim_verdicts"] = _verdicts(built)
    return built, [problem for name, table in built.items() for problem in _faults(tables()[name], table)]


def _verdicts(built: dict[str, pa.Table]) -> pa.Table:
    """Return what the printed numbers say about each claim."""
    table = tables()["claim_verdicts"]
    found = claims.verdicts(*(built[name].to_pylist() for name in ("claims", "figures", "drives", "configurations")))
    return _sorted(table, from_rows(table, found))


def extended(name: str, table: pa.Table, found: list[dict[str, Any]]) -> pa.Table:
    """Return a raw table with these rows added, in its order."""
    added = from_rows(tables()[name], found)
    return _sorted(tables()[name], pa.concat_tables([table, added]))


def from_rows(table: Table, found: list[dict[str, Any]]) -> pa.Table:
    """Return dictionaries as an Arrow table with the schema of ``table``; a column that is absent is null."""
    return from_columns(table, {column.name: [row.get(column.name) for row in found] for column in table.columns})


def from_columns(table: Table, lists: dict[str, list[Any]]) -> pa.Table:
    """Return one list per column as an Arrow table with the schema of ``table``."""
    schema = arrow_schema(table)
    return pa.Table.from_arrays([pa.array(lists[field.name], field.type) for field in schema], schema=schema)


def _sorted(table: Table, unsorted: pa.Table) -> pa.Table:
    return unsorted.sort_by([(name, "ascending") for name in table.order]).combine_chunks()


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


def _findings(read: FileRead, part: Part) -> Iterator[dict[str, Any]]:
    """Give the findings of a file; those of a log are about the run it belongs to, because its results are no rows."""
    if read.entry.get("role") != "log":
        return files.findings(part, files.places(part))
    run = read.run
    if run is None:
        return files.findings(part, {})
    known = {each.pointer: (run.repetition_id, run.result_id(each.operation)) for each in part.reading.results}
    return files.findings(part, known, (run.repetition_id, None))


def _with_source(row: dict[str, Any], read: FileRead, table: Table) -> dict[str, Any]:
    """Complete a row that a reader made for another table with what only the manifest and the hash tell."""
    context = _context(read) | {"file_id": file_id(read.entry["path"], read.submission_id)}
    whole = {name: value for name, value in context.items() if name in table.column_names} | row
    pointer = whole.pop("pointer", None)
    if table.name == "samples":
        return runs.tied(whole, read.run)
    if "result_id" in table.column_names:
        whole["result_id"] = identity(read.sha256, pointer) if pointer is not None else None
    return whole


def _file_row(read: FileRead) -> dict[str, Any]:
    """Return what was handed in and what became of it; a job file or an attachment is kept, and not read by itself."""
    role, path, reading = read.entry.get("role", "result"), read.entry["path"], read.reading
    linked = read.entry.get("run") or read.entry.get("job")
    row = {
        "file_id": file_id(path, read.submission_id),
        "submission_id": read.submission_id,
        "path": path,
        "source_sha256": read.sha256,
        "size_bytes": read.size,
        "role": role,
        "configuration_id": read.entry.get("configuration"),
        "repetition_index": read.entry.get("repetition"),
        **files.read_from(reading),
        "linked_file_id": file_id(linked, read.submission_id) if linked else None,
        "link_origin": "manifest" if linked else None,
    }
    if reading is None:
        return row | {"status": "ignored", "reason": f"a file with the role {role} is kept and not read by itself"}
    if role in {"preparation", "log"}:
        row["result_count"] = 0
    if role == "preparation":
        row["finding_count"] = 0
    return row | files.status(reading.refusals)


def write_parquet(table: pa.Table, path: Path) -> None:
    """Write a table as Parquet (zstd), the same bytes for the same table."""
    pq.write_table(table.combine_chunks(), path, compression="zstd", row_group_size=ROW_GROUP_ROWS)


def content_hash(table: pa.Table) -> str:
    """Return the SHA-256 of a table's Arrow IPC stream: equal for equal rows, whatever wrote the Parquet file."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table.combine_chunks(), max_chunksize=ROW_GROUP_ROWS)
    return hashlib.sha256(sink.getvalue()).hexdigest()
