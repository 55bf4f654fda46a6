"""The columns that a reader gives, completed with ids and with what is known of each file, as tables."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ingest.columns import identities
from ingest.problems import plain
from ingest.tables import Table, arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.record import Columnar


def of(
    tool: str, columnar: Columnar, hashes: list[str], paths: Sequence[str], names: Sequence[str]
) -> dict[str, pa.Table]:
    """Return these tables of a reader's columns, with ids and what is known of each file."""
    spread = pa.array(columnar.source)
    of_row = [hashes[index] for index in columnar.source.tolist()]
    pointers = columnar.results["pointer"]
    ids = pa.array(identities(of_row, _texts(pointers)))
    made: dict[str, dict[str, pa.Array[Any] | None]] = {}
    if "results" in names:
        points = _point_ids(columnar, hashes)
        made["results"] = {
            **columnar.results,
            "result_id": ids, "point_id": points, "source_pointer": pointers,
            "source_sha256": pa.array(hashes).take(spread), "source_path": pa.array([*map(plain, paths)]).take(spread),
            "tool": pa.repeat(tool, len(ids)), "configuration_id": columnar.results.get("configuration"),
        }  # fmt: skip
    for name, series in (("latency_percentiles", columnar.percentiles), ("latency_bins", columnar.bins)):
        if name in names and series:
            made[name] = {**series, "result_id": ids.take(series["row"])}
    if "latency_percentiles" in made:
        made["latency_percentiles"]["basis"] = pa.repeat("reported", len(columnar.percentiles["row"]))
    return {name: _typed(tables()[name], made.get(name, {})) for name in names}


def _texts(column: pa.Array[Any]) -> list[str]:
    return cast("list[str]", column.to_pylist())


def _point_ids(columnar: Columnar, hashes: list[str]) -> pa.Array[Any]:
    """Return the id of each result's point; neighbours share theirs."""
    points = columnar.results["point"]
    is_new = np.ones(len(points), np.bool_)
    is_new[1:] = columnar.source[1:] != columnar.source[:-1]
    is_new[1:] |= pc.not_equal(points[1:], points[:-1]).to_numpy(zero_copy_only=False)
    owners = [hashes[index] for index in columnar.source[is_new].tolist()]
    ids = identities(owners, [f"point {point}" for point in _texts(points.filter(pa.array(is_new)))])
    return pa.array(ids).take(pa.array(np.cumsum(is_new) - 1))


def _typed(table: Table, arrays: dict[str, pa.Array[Any] | None]) -> pa.Table:
    """Return arrays as a table with the schema of ``table``; a column that is absent is null."""
    schema = _schema(table.name)
    count = max((len(array) for array in arrays.values() if array is not None), default=0)
    found = [(arrays.get(field.name), field.type) for field in schema]
    return pa.Table.from_arrays([_as(array, kind, count) for array, kind in found], schema=schema)


def _as(array: pa.Array[Any] | None, kind: Any, count: int) -> pa.Array[Any]:  # noqa: ANN401  (a type of Arrow)
    """Return an array as this type; a cast that changes nothing costs as much as one that does."""
    if array is None:
        return cast("pa.Array[Any]", pa.nulls(count, kind))
    return array if array.type == kind else array.cast(kind)


@cache
def _schema(name: str) -> pa.Schema:
    return arrow_schema(tables()[name])
