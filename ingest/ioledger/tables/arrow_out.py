"""Tables of ``ioledger parse`` as Arrow; ``ingest/ioledger/ioledger/ioledger/tables/arrow_files.py`` writes them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ioledger.tables import columns
from ioledger.tables.columns import COLUMNS, Part
from ioledger.tables.schema import arrow_schema, tables
from ioledger.tables.store import from_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ioledger.readers.base import Finding

_TOLD_BY_MANIFEST = frozenset({"submission_id", "configuration_id", "repetition_index"})
_TIED_BY_MANIFEST = frozenset({"repetition_id", "result_id"})
"""Of samples: which run a log belongs to."""
MADE: dict[str, Callable[[Sequence[Part]], dict[str, list[Any]]]] = {
    "results": columns.results, "latency_percentiles": columns.percentiles, "latency_bins": columns.bins,
}  # fmt: skip
Streams = dict[str, bytes]
"""Tables by name, as Arrow IPC streams, which pass cheaply between processes."""


@cache
def schema(name: str) -> pa.Schema:
    """Return the schema of a table: the columns that a file alone can tell."""
    whole = arrow_schema(tables()[name])
    untold = _TOLD_BY_MANIFEST | (_TIED_BY_MANIFEST if name == "samples" else frozenset())
    told = COLUMNS if name == "results" else [column for column in whole.names if column not in untold]
    return pa.schema([whole.field(column).with_nullable(nullable=True) for column in told])


def streams(parts: Sequence[Part], names: Iterable[str]) -> Streams:
    """Return tables of these files, in the order of the files."""
    made = {}
    for name in names:
        if name in MADE:
            lists = MADE[name](parts)
            made[name] = _stream(name, [pa.array(lists[field.name], field.type) for field in schema(name)])
    return made | _rest(parts, _warnings(parts), names)


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


def _told(sha256: str, path: str, findings: Sequence[Finding], pointers: set[str]) -> Iterator[dict[str, Any]]:
    for row in columns.warnings(sha256, findings, pointers):
        yield {"source_sha256": sha256, "source_path": path, **row}


def _stream(name: str, arrays: list[pa.Array[Any]]) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema(name)) as stream:
        stream.write_table(pa.Table.from_arrays(arrays, schema=schema(name)))
    return sink.getvalue().to_pybytes()
