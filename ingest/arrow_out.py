"""Tables of ``ioledger parse`` as Arrow; ``ingest/arrow_files.py`` writes them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from ingest import bulk, columns
from ingest.columns import Part
from ingest.joining import MADE
from ingest.parse import COLUMNS
from ingest.problems import plain
from ingest.record import Reading
from ingest.store import from_rows
from ingest.tables import arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ingest.problems import Problem
    from ingest.record import Finding, Source

_TOLD_BY_MANIFEST = frozenset({"submission_id", "configuration_id", "repetition_index"})
_TIED_BY_MANIFEST = frozenset({"point_id", "result_id"})
"""Of samples: which run a log belongs to."""
Streams = dict[str, bytes]
"""Tables by name, as Arrow IPC streams, which pass cheaply between processes."""


@cache
def schema(name: str) -> pa.Schema:
    """Return the schema of a table: the columns that a file alone can tell."""
    whole = arrow_schema(tables()[name])
    untold = _TOLD_BY_MANIFEST | (_TIED_BY_MANIFEST if name == "samples" else frozenset())
    told = COLUMNS if name == "results" else [column for column in whole.names if column not in untold]
    return pa.schema([whole.field(column).with_nullable(nullable=True) for column in told])


def by_rows(parts: Sequence[Part], names: Iterable[str]) -> Streams:
    """Return tables of these files, in the order of the files."""
    streams = {}
    for name in names:
        if name in MADE:
            lists = MADE[name](parts)
            streams[name] = _stream(name, [pa.array(lists[field.name], field.type) for field in schema(name)])
    return streams | _rest(parts, _warnings(parts), names)


def by_columns(
    load: Callable[[str], Source | Problem], paths: Sequence[str], names: Sequence[str]
) -> tuple[Streams, bulk.Read]:
    """Return tables of these files as ``by_rows`` does, and what reading them gave."""
    shown = [*map(plain, paths)]
    read = bulk.read(load, paths, ("results", *(name for name in names if name in MADE and name != "results")))
    streams = {}
    for name in names:
        if name in read.tables:
            streams[name] = _stream(name, [read.tables[name][field.name].combine_chunks() for field in schema(name)])
    found = zip(read.readings, read.hashes, shown, strict=True)
    parts = [Part(reading, sha256, path) for reading, sha256, path in found if isinstance(reading, Reading)]
    return streams | _rest(parts, _all_warnings(read, shown), names), read


def _rest(parts: Sequence[Part], warnings: Iterable[dict[str, Any]], names: Iterable[str]) -> Streams:
    """Return the tables that are made row by row."""
    samples = (
        {"source_sha256": part.source_sha256} | row for part in parts for row in part.reading.rows.get("samples", ())
    )
    streams = {}
    for name, rows in (("samples", samples), ("warnings", warnings)):
        if name in names:
            table = from_rows(tables()[name], list(rows))
            streams[name] = _stream(name, [table[field.name].combine_chunks() for field in schema(name)])
    return streams


def _warnings(parts: Iterable[Part]) -> Iterator[dict[str, Any]]:
    for part in parts:
        pointers = {result.pointer for result in part.reading.results}
        yield from _told(part.source_sha256, part.source_path, part.reading.warnings, pointers)


def _all_warnings(read: bulk.Read, paths: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield warnings in the order of the files; of those that were read by columns few have any."""
    results = read.tables["results"]
    for path, sha256, reading, findings in zip(paths, read.hashes, read.readings, read.findings, strict=True):
        if isinstance(reading, Reading):
            yield from _warnings([Part(reading, sha256, path)])
        elif findings:
            pointers = results.filter(pc.equal(results["source_path"], pa.scalar(path)))["source_pointer"]
            yield from _told(sha256, path, findings, set(filter(None, pointers.to_pylist())))


def _told(sha256: str, path: str, findings: Sequence[Finding], pointers: set[str]) -> Iterator[dict[str, Any]]:
    for row in columns.warnings(sha256, findings, pointers):
        yield {"source_sha256": sha256, "source_path": path, **row}


def _stream(name: str, arrays: list[pa.Array[Any]]) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema(name)) as stream:
        stream.write_table(pa.Table.from_arrays(arrays, schema=schema(name)))
    return sink.getvalue().to_pybytes()
