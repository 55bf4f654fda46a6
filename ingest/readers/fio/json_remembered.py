"""
The columns of what jobs were asked to do, made once for each load: the reports of a sweep share their loads.

Loads come from ``json_plan``, which returns the same object for the same options; so a load is known by its identity.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.record import Result

_COLUMNS: dict[str, pa.DataType] = {
    "operation": pa.string(), "access_pattern": pa.string(), "random_ratio": pa.float64(), "read_ratio": pa.float64(),
    "block_size_bytes": pa.int64(), "block_size_min_bytes": pa.int64(), "block_size_max_bytes": pa.int64(),
    "queue_depth": pa.int64(), "queue_depth_origin": pa.string(), "outstanding_per_target_count": pa.int64(),
    "process_count": pa.int64(), "workload_origins": pa.string(), "job_options": pa.string(), "engine": pa.string(),
    "is_direct": pa.bool_(), "ramp_seconds": pa.float64(),
}  # fmt: skip
_SCHEMA = pa.schema(_COLUMNS)
_MOST = 8192
"""Loads that are remembered; when there are more, all are forgotten."""


class Loads:
    """Loads and their columns, a row for each."""

    def __init__(self) -> None:
        """Begin with no load."""
        self._forget()

    def columns(self, loads: Sequence[Result]) -> dict[str, pa.Array[Any]]:
        """Return the columns of these loads, a row for each of them."""
        by_key = {id(load): load for load in loads}
        if len(self._rows) + len(by_key) > _MOST:
            self._forget()
        fresh = [load for key, load in by_key.items() if key not in self._rows]
        if fresh:
            self._learn(fresh)
        rows = pa.array(list(map(self._rows.__getitem__, map(id, loads))), pa.int32())
        return dict(zip(_SCHEMA.names, self._batch.take(rows).columns, strict=True))

    def _forget(self) -> None:
        self._kept: list[Result] = []  # as long as a load is kept, no other has its identity
        self._rows: dict[int, int] = {}
        self._batch = pa.RecordBatch.from_pylist([], _SCHEMA)

    def _learn(self, loads: Sequence[Result]) -> None:
        arrays = [pa.array(list(map(attrgetter(field.name), loads)), field.type) for field in _SCHEMA]
        both = pa.Table.from_batches([self._batch, pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA)])
        (self._batch,) = both.combine_chunks().to_batches()
        self._rows |= {id(load): row for row, load in enumerate(loads, len(self._kept))}
        self._kept += loads
