"""
The two ways through the readers, compared: many files by columns, and each of them one result at a time.

Both must give the same rows, and say the same about every file: rule, message and place of each finding and refusal.
The tests and ``npm run fuzz`` share this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest import bulk, columns, detect, store
from ingest.columns import Part
from ingest.record import Reading, Source
from ingest.tables import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

NAMES = ("results", "latency_percentiles", "latency_bins")
ROWS = {"results": columns.results, "latency_percentiles": columns.percentiles, "latency_bins": columns.bins}


def one_at_a_time(sources: Sequence[Source], paths: Sequence[str]) -> tuple[dict[str, pa.Table], list[Reading]]:
    """Return the tables of these files, and the reading of each, without any columns."""
    parts = [Part(detect.read(source), source.sha256, path) for source, path in zip(sources, paths, strict=True)]
    made = {name: store.from_columns(tables()[name], ROWS[name](parts)) for name in NAMES}
    return made, [part.reading for part in parts]


def columns_taken(files: Sequence[bytes], *, wants_bins: bool = True) -> int | None:
    """Return how many of these files go by columns, null when the two ways differ in a row or in what they say."""
    sources = {str(index): Source(str(index), data, wants_bins=wants_bins) for index, data in enumerate(files)}
    found = bulk.read(sources.__getitem__, list(sources), NAMES if wants_bins else NAMES[:2])
    made, readings = one_at_a_time(list(sources.values()), list(sources))
    for reading, findings, expected in zip(found.readings, found.findings, readings, strict=True):
        warnings = reading.warnings if isinstance(reading, Reading) else list(findings)
        refusals = reading.refusals if isinstance(reading, Reading) else []
        if (warnings, refusals) != (expected.warnings, expected.refusals):
            return None
    if not all(table.equals(made[name]) for name, table in found.tables.items()):
        return None
    return sum(reading is None for reading in found.readings)


def differing(files: Sequence[bytes], *, wants_bins: bool = True) -> tuple[list[int], int]:
    """Return the indexes of the files that the two ways read differently, and how many went by columns."""
    taken = columns_taken(files, wants_bins=wants_bins)
    if taken is not None:
        return [], taken
    each = [columns_taken([data], wants_bins=wants_bins) for data in files]
    return [index for index, one in enumerate(each) if one is None] or list(range(len(files))), sum(filter(None, each))
