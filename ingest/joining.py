"""Tables of files that were read in different ways, joined in the order of the files and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from ingest import columnar, columns
from ingest.store import from_columns
from ingest.tables import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ingest.columns import Part
    from ingest.record import Columnar

    Array = np.ndarray[Any, np.dtype[np.int64]]

RESULTS, PERCENTILES, BINS = "results", "latency_percentiles", "latency_bins"
MADE: dict[str, Callable[[Sequence[Part]], dict[str, list[Any]]]] = {
    RESULTS: columns.results, PERCENTILES: columns.percentiles, BINS: columns.bins,
}  # fmt: skip
_ATTRIBUTES = {PERCENTILES: "percentiles", BINS: "bins"}


class Collected(NamedTuple):
    """The hash of each file that was looked at (empty where it could not be loaded), and columns by tool."""

    hashes: list[str]
    found: list[tuple[str, Columnar]]


def joined(
    collected: Collected, left: dict[int, Part], paths: Sequence[str], names: Sequence[str]
) -> dict[str, pa.Table]:
    """Return the tables of what was read by columns and of what is left, by the index of the file."""
    blocks = [columnar.of(tool, found, collected.hashes, paths, names) for tool, found in collected.found]
    if left or not blocks:
        parts = list(left.values())
        blocks.append({name: from_columns(tables()[name], MADE[name](parts)) for name in names})
    if len(blocks) == 1:
        return blocks[0]
    place = _places(collected, left)
    tables_of = {name: pa.concat_tables([block[name] for block in blocks]) for name in names}
    for name, table in tables_of.items():
        key = place[_rows(collected, left, _ATTRIBUTES[name])] if name in _ATTRIBUTES else place
        tables_of[name] = table.take(np.argsort(key, kind="stable"))
    return tables_of


def _places(collected: Collected, left: dict[int, Part]) -> Array:
    """Return the place of each result, block after block, in the order of the files."""
    counts = [len(part.reading.results) for part in left.values()]
    owners = [found.source for _, found in collected.found] + [np.repeat(np.array(list(left), np.int64), counts)]
    order = np.argsort(np.concatenate(owners), kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def _rows(collected: Collected, left: dict[int, Part], attribute: str) -> Array:
    """Return for each percentile or bin which result it is of, results counted block after block."""
    rows, before = [], 0
    for _, found in collected.found:
        own = getattr(found, attribute)
        if own:
            rows.append(own["row"].to_numpy() + before)
        before += len(found.source)
    held = [getattr(result, attribute) for part in left.values() for result in part.reading.results]
    lengths = np.array([sum(map(len, each.values())) for each in held], np.int64)
    rows.append(np.repeat(np.arange(before, before + len(held)), lengths))
    return np.concatenate(rows)
