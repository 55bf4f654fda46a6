"""Tables of ``ioledger parse`` as Arrow; ``ingest/ioledger/tables/arrow_files.py`` writes them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ioledger.tables import columns, files
from ioledger.tables.columns import COLUMNS, Part
from ioledger.tables.schema import arrow_schema, tables
from ioledger.tables.store import from_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ioledger.tables.files import Row

_TOLD_BY_MANIFEST = frozenset({
    "submission_id", "configuration_id", "repetition_index", "role", "linked_file_id", "link_origin",
})  # fmt: skip
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


def streams(parts: Sequence[Part], names: Iterable[str], handed_in: Sequence[Row] = ()) -> Streams:
    """Return tables of these files, in their order; ``handed_in`` are the rows of the table ``files``."""
    rows: dict[str, Callable[[], list[Row]]] = {
        "samples": lambda: [
            {"source_sha256": part.source_sha256, "file_id": part.file_id} | row
            for part in parts
            for row in part.reading.rows.get("samples", ())
        ],
        "findings": lambda: [
            row for part in parts if part.reading.warnings for row in files.findings(part, files.places(part))
        ],
        "files": lambda: list(handed_in),
    }
    made = {}
    for name in names:
        if name in MADE:
            lists = MADE[name](parts)
            made[name] = _stream(name, [pa.array(lists[field.name], field.type) for field in schema(name)])
        else:
            table = from_rows(tables()[name], rows[name]())
            made[name] = _stream(name, [table[field.name].combine_chunks() for field in schema(name)])
    return made


def marked(ipc: bytes, first: dict[tuple[str | None, str], str]) -> bytes:
    """Return a stream of the table ``files`` with the duplicates marked; ``first`` holds the first of each so far."""
    rows = pa.ipc.open_stream(ipc).read_all().to_pylist()
    files.mark_duplicates(rows, first)
    return streams([], ["files"], rows)["files"]


def _stream(name: str, arrays: list[pa.Array[Any]]) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema(name)) as stream:
        stream.write_table(pa.Table.from_arrays(arrays, schema=schema(name)))
    return sink.getvalue().to_pybytes()
