"""
Many files at once as Arrow tables: by columns where a reader can, by results for every other file.

A reader may offer ``read_columns`` (see :class:`ingest.record.Columnar`). It claims a file by reading all of it, so no
other reader is asked about such a file. Both ways give the same rows in the same order.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import pyarrow as pa

from ingest import columns, detect
from ingest.columns import Part, identity
from ingest.store import from_columns
from ingest.tables import Table, arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ingest.record import Columnar, Reading, Source

_RESULTS = "results"
_BATCH_BYTES = 4 << 20
"""How much is turned into columns at once; histograms take ten times their text on the way."""
_MADE: dict[str, Callable[[Sequence[Part]], dict[str, list[Any]]]] = {
    _RESULTS: columns.results, "latency_percentiles": columns.percentiles, "latency_bins": columns.bins,
}  # fmt: skip


class Read(NamedTuple):
    """
    Tables by name; for each file how many results it gave, and its reading, null where it was read by columns.

    Results stand in the order of the files; percentiles and bins in no order across files.
    """

    tables: dict[str, pa.Table]
    counts: list[int]
    readings: list[Reading | None]


def read(sources: Sequence[Source], paths: Sequence[str], names: Sequence[str] = tuple(_MADE)) -> Read:
    """Read files into these of the tables results, latency_percentiles and latency_bins, some megabytes at a time."""
    edges = [0]
    volume = 0
    for index, source in enumerate(sources, 1):
        volume += len(source.data)
        if volume >= _BATCH_BYTES or index == len(sources):
            edges.append(index)
            volume = 0
    every = [_read(sources[start:end], paths[start:end], names) for start, end in pairwise(edges)] or [
        _read([], [], names)
    ]
    joined = {name: pa.concat_tables([each.tables[name] for each in every]) for name in names}
    counts, readings = (list(chain.from_iterable(each)) for each in zip(*(each[1:] for each in every), strict=True))
    return Read(joined, counts, readings)


def _read(sources: Sequence[Source], paths: Sequence[str], names: Sequence[str]) -> Read:
    found = list(_by_columns(sources))
    counts = np.zeros(len(sources), np.int64)
    for _, columnar in found:
        counts += np.bincount(columnar.source, minlength=len(sources))
    readings = [None if count else detect.read(source) for source, count in zip(sources, counts, strict=True)]
    left = {index: reading for index, reading in enumerate(readings) if reading is not None}
    for index, reading in left.items():
        counts[index] = len(reading.results)
    parts = [Part(reading, sources[index].sha256, paths[index]) for index, reading in left.items()]
    blocks = [_tables(tool, columnar, sources, paths, names) for tool, columnar in found]
    if parts or not blocks:
        blocks.append({name: from_columns(tables()[name], _MADE[name](parts)) for name in names})
    joined = {name: pa.concat_tables([block[name] for block in blocks]) for name in names}
    if found and any(reading.results for reading in left.values()) and _RESULTS in joined:
        by_rows = np.repeat(np.arange(len(sources)), [len(r.results) if r else 0 for r in readings])
        owner = np.concatenate([*(columnar.source for _, columnar in found), by_rows])
        joined[_RESULTS] = joined[_RESULTS].take(np.argsort(owner, kind="stable"))
    return Read(joined, counts.tolist(), readings)


def _by_columns(sources: Sequence[Source]) -> Iterator[tuple[str, Columnar]]:
    """Give the tool and the columns of every reader that offers them and found files to read so."""
    for reader in detect.readers():
        read_columns = getattr(reader, "read_columns", None)
        columnar = read_columns(sources) if read_columns else None
        if columnar is not None and len(columnar.source):
            yield reader.TOOL, columnar


def _tables(
    tool: str, columnar: Columnar, sources: Sequence[Source], paths: Sequence[str], names: Sequence[str]
) -> dict[str, pa.Table]:
    """Return these tables of a reader's columns, with ids and what is known of each file."""
    spread = pa.array(columnar.source)
    hashes = [source.sha256 for source in sources]
    of_row = [hashes[index] for index in columnar.source.tolist()]
    pointers = columnar.results["pointer"]
    ids = pa.array(list(map(identity, of_row, _texts(pointers))))
    made: dict[str, dict[str, pa.Array[Any] | None]] = {}
    if _RESULTS in names:
        points = _point_ids(of_row, _texts(columnar.results["point"]))
        made[_RESULTS] = {
            **columnar.results,
            "result_id": ids, "point_id": pa.array(points), "source_pointer": pointers,
            "source_sha256": pa.array(hashes).take(spread), "source_path": pa.array(list(paths)).take(spread),
            "tool": pa.repeat(tool, len(ids)), "configuration_id": columnar.results.get("configuration"),
        }  # fmt: skip
    for name, series in (("latency_percentiles", columnar.percentiles), ("latency_bins", columnar.bins)):
        if name in names and series:
            basis = pa.repeat("reported", len(series["row"]))
            made[name] = {**series, "result_id": ids.take(series["row"]), "basis": basis}
    return {name: _typed(tables()[name], made.get(name, {})) for name in names}


def _texts(column: pa.Array[Any]) -> list[str]:
    return cast("list[str]", column.to_pylist())


def _point_ids(hashes: list[str], points: list[str]) -> list[str]:
    """Return the id of each result's point; neighbours share theirs."""
    ids: list[str] = []
    last = None
    for place in zip(hashes, points, strict=True):
        ids.append(ids[-1] if place == last else identity(place[0], f"point {place[1]}"))
        last = place
    return ids


def _typed(table: Table, arrays: dict[str, pa.Array[Any] | None]) -> pa.Table:
    """Return arrays as a table with the schema of ``table``; a column that is absent is null."""
    schema = _schema(table.name)
    count = max((len(array) for array in arrays.values() if array is not None), default=0)
    found = [(arrays.get(field.name), field.type) for field in schema]
    whole = [pa.nulls(count, kind) if array is None else array.cast(kind) for array, kind in found]
    return pa.Table.from_arrays(whole, schema=schema)


@cache
def _schema(name: str) -> pa.Schema:
    return arrow_schema(tables()[name])
